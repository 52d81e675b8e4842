package compile

// This file predicts how much faster a program is than on one device.

import (
	"fmt"
	"strings"

	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/ir"
)

// wholeFlops returns the arithmetic of f, which has global shapes, on one
// device; 0 where its ops do not say: a manual computation is written for one
// device of many, and random bits become arithmetic in pass partition only.
func wholeFlops(f *ir.Func) int {
	known := true
	f.Walk(func(op *ir.Op) {
		switch op.Kind {
		case ir.OpManualComputation, ir.OpRng, ir.OpRngBitGenerator:
			known = false
		}
	})
	if !known {
		return 0
	}
	n, _ := cost.Flops(f)
	return n
}

// SpeedUp is how many times as fast as on one device a run is meant to be.
type SpeedUp struct {
	// OneDevice is the arithmetic of one device that runs the program alone.
	OneDevice int `json:"flops_on_one_device"`
	// Arithmetic is OneDevice by the flops of a device here: as many as there
	// are devices, unless work is repeated or shards are padded.
	Arithmetic float64 `json:"arithmetic"`
	// Total takes what is sent for the arithmetic that a device could do
	// meanwhile (cost.Machine). Nothing is measured: it ranks meshes and layouts.
	Total float64 `json:"total"`
}

// speedUp predicts r's speed-up over one device; nil where there is nothing to
// compare.
func (p *Program) speedUp(r *Report) *SpeedUp {
	if r.Devices == 1 || p.whole == 0 || r.Flops == 0 {
		return nil
	}
	launches := 0
	for _, c := range r.Collectives {
		launches += c.Runs
	}
	whole := float64(p.whole)
	return &SpeedUp{p.whole, whole / float64(r.Flops), whole / float64(cost.Default().SendCost(nil, r.Bytes, launches)+r.Flops)}
}

func (r *Report) writeSpeedUp(b *strings.Builder) {
	s := r.SpeedUp
	if s == nil {
		return
	}
	fmt.Fprintf(b, "  on one device: %s, which is %.2f times as many: %.0f %% of what %d devices could do\n",
		grouped(s.OneDevice), s.Arithmetic, 100*s.Arithmetic/float64(r.Devices), r.Devices)
	m := cost.Default()
	fmt.Fprintf(b, "  predicted speed-up over one device: %.2f, with %d flops per byte sent and %s bytes of latency per collective\n",
		s.Total, m.FlopsPerByte(nil), grouped(m.LaunchBytes(nil)))
}
