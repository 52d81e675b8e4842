package report

// This file predicts how much faster a program runs than on one device, and prints times.

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/internal/texttable"
	"github.com/gospmd/gospmd/mesh"
)

// SpeedUp is the predicted speed-up of a run over one device.
type SpeedUp struct {
	// OneDevice is the number of FLOPs if one device runs the program alone.
	OneDevice int `json:"flops_on_one_device"`
	// Arithmetic is OneDevice divided by the FLOPs of a device of the mesh. It is the number of
	// devices, unless work is repeated or shards are padded.
	Arithmetic float64 `json:"arithmetic"`
	// Total is OneDevice divided by the FLOPs of a device of the mesh and the cost of its
	// collectives. That cost is the number of FLOPs that the device could do while it sends (see
	// cost.Machine). Total is not measured: it serves to rank meshes and layouts.
	Total float64 `json:"total"`
}

// speedUp predicts the speed-up of r over one device. oneDevice is the number of FLOPs there, and
// sent the cost of the collectives. It returns nil if there is nothing to compare with.
func (r *Report) speedUp(oneDevice, sent int) *SpeedUp {
	if r.Devices == 1 || oneDevice == 0 || r.Flops == 0 {
		return nil
	}
	n := float64(oneDevice)
	return &SpeedUp{oneDevice, n / float64(r.Flops), n / float64(sent+r.Flops)}
}

func (r *Report) writeSpeedUp(b *strings.Builder) {
	s := r.SpeedUp
	if s == nil {
		return
	}
	fmt.Fprintf(b, "  on one device: %s, which is %.2f times as many: %.0f %% of what %d devices could do\n",
		texttable.GroupDigits(s.OneDevice), s.Arithmetic, 100*s.Arithmetic/float64(r.Devices), r.Devices)
	m := cmp.Or(r.machine, cost.Default()) // a report that was read from JSON has no machine
	fmt.Fprintf(b, "  predicted speed-up over one device: %s, with %d flops per byte sent and %s bytes of latency per collective",
		ratio(s.Total), m.FlopsPerByte(nil), texttable.GroupDigits(m.LaunchBytes(nil)))
	for _, name := range slices.Sorted(maps.Keys(m.Axes)) {
		axis := mesh.FullAxes(name)
		fmt.Fprintf(b, "; along %s %d and %s", name, m.FlopsPerByte(axis), texttable.GroupDigits(m.LaunchBytes(axis)))
	}
	b.WriteByte('\n')
}

// ratio returns x, which is positive, with two decimals, or with two digits if it is below 0.1: a
// small program can be hundreds of times slower on several devices.
func ratio(x float64) string {
	if x < 0.1 {
		return fmt.Sprintf("%.2g", x)
	}
	return fmt.Sprintf("%.2f", x)
}

func (r *Report) writePrediction(b *strings.Builder) {
	p := r.Prediction
	if p == nil {
		return
	}
	machine := ""
	if r.machine != nil {
		machine = " on " + r.machine.Name
	}
	sent := 0.0
	for _, l := range p.Links {
		sent += l.Seconds
	}
	fmt.Fprintf(b, "  predicted time%s: %s, bound by %s: computing %s, memory %s, sending %s, of which %s is not hidden\n",
		machine, Duration(p.Seconds), p.Bound, Duration(p.Compute), Duration(p.Memory), Duration(sent), Duration(p.Exposed))
}

// Duration returns a number of seconds as text with a unit: "492 µs", "1.71 ms", "12.3 s"; "0" for
// 0.
func Duration(seconds float64) string {
	switch {
	case seconds == 0:
		return "0"
	case seconds < 1e-3:
		return fmt.Sprintf("%.3g µs", seconds*1e6)
	case seconds < 1:
		return fmt.Sprintf("%.3g ms", seconds*1e3)
	}
	return fmt.Sprintf("%.4g s", seconds)
}
