package cost

// This file lists the kernels of a prediction, and the roofs of the machine that bound them.

import (
	"cmp"
	"maps"
	"slices"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/mesh"
)

// Kernel is a set of ops that run together. Moves between memories, loops and branches are not
// kernels, nor are collectives, except for their accesses to the memory of a TPU.
type Kernel struct {
	Op *ir.Op // the last of Ops, whose results it writes
	// all ops that the kernel computes. An op that is fused into several kernels is in each of them
	Ops     []*ir.Op
	Flops   int
	Bytes   int     // bytes that it reads and writes in memory, with a TPU's copies
	Seconds float64 // time of one run
}

// Kernels returns the kernels of f and of its regions, in program order.
func (m *Machine) Kernels(dm *mesh.DeviceMesh, f *ir.Func) []Kernel {
	return (&predictor{m, dm, f}).kernels(nil, f.Body)
}

func (p *predictor) kernels(out []Kernel, b *ir.Block) []Kernel {
	for _, k := range p.kernelsOf(b) {
		switch {
		case k.op.Kind == ir.OpWhile || isBranch(k.op):
			for _, r := range k.op.Regions {
				out = p.kernels(out, r)
			}
		case k.computes():
			flops := 0
			for _, op := range k.ops {
				flops += OpFlops(op)
			}
			run := p.kernel(k)
			out = append(out, Kernel{Op: k.op, Ops: k.ops, Flops: flops, Bytes: run.BytesAccessed, Seconds: run.Seconds})
		default:
			if x := p.exchange(k); x.BytesAccessed > 0 {
				out = append(out, Kernel{Op: k.op, Ops: k.ops, Bytes: x.BytesAccessed, Seconds: x.Seconds})
			}
		}
	}
	return out
}

// Roof is a peak of a device's FLOPs per second.
type Roof struct {
	Name           string  `json:"name"` // the element type
	FlopsPerSecond float64 `json:"flops"`
}

// Roofs returns the peaks of the machine's FLOPs per second, the highest first. A machine without
// any has one roof, FlopsPerSecond.
func (m *Machine) Roofs() []Roof {
	var out []Roof
	for _, t := range slices.Sorted(maps.Keys(m.Flops)) {
		out = append(out, Roof{ir.Tensor(t).Short(), m.Flops[t]})
	}
	if m.Exact > 0 {
		out = append(out, Roof{"f32 at precision HIGHEST", m.Exact})
	}
	if len(out) == 0 {
		out = append(out, Roof{"all types", m.FlopsPerSecond})
	}
	slices.SortStableFunc(out, func(a, b Roof) int { return cmp.Compare(b.FlopsPerSecond, a.FlopsPerSecond) })
	return out
}
