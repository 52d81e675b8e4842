package report

// This file predicts how much faster a program is than on one device.

import (
	"fmt"
	"strings"

	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/internal/texttable"
)

// SpeedUp is how many times as fast as on one device a run is predicted to be.
type SpeedUp struct {
	// OneDevice is the arithmetic of one device that runs the program alone.
	OneDevice int `json:"flops_on_one_device"`
	// Arithmetic is OneDevice divided by the flops of a device here. It is the
	// number of devices, unless work is repeated or shards are padded.
	Arithmetic float64 `json:"arithmetic"`
	// Total counts each byte sent as the arithmetic that a device could do
	// meanwhile (cost.Machine). Nothing is measured: it ranks meshes and layouts.
	Total float64 `json:"total"`
}

// speedUp predicts r's speed-up over one device, which does oneDevice flops;
// nil where there is nothing to compare.
func (r *Report) speedUp(oneDevice int) *SpeedUp {
	if r.Devices == 1 || oneDevice == 0 || r.Flops == 0 {
		return nil
	}
	launches := 0
	for _, c := range r.Collectives {
		launches += c.Runs
	}
	n := float64(oneDevice)
	return &SpeedUp{oneDevice, n / float64(r.Flops), n / float64(cost.Default().SendCost(nil, r.Bytes, launches)+r.Flops)}
}

func (r *Report) writeSpeedUp(b *strings.Builder) {
	s := r.SpeedUp
	if s == nil {
		return
	}
	fmt.Fprintf(b, "  on one device: %s, which is %.2f times as many: %.0f %% of what %d devices could do\n",
		texttable.Grouped(s.OneDevice), s.Arithmetic, 100*s.Arithmetic/float64(r.Devices), r.Devices)
	m := cost.Default()
	fmt.Fprintf(b, "  predicted speed-up over one device: %.2f, with %d flops per byte sent and %s bytes of latency per collective\n",
		s.Total, m.FlopsPerByte(nil), texttable.Grouped(m.LaunchBytes(nil)))
}
