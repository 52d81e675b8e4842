package memory

// This file removes the stacks of loops (stacks.go) whose values take less time to compute again
// than to write and to read.

import (
	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/program"
)

// flopsPerByte is the number of FLOPs that take as long as a byte that is written to memory and read
// again, on machines whose bandwidth of memory is not known. On CPUs a step's memory comes from the
// system, which clears it.
const flopsPerByte = 4

// DropStacks returns f without the stacks whose values later loops can compute again in less time
// than it takes to write and to read them. Loops in the bodies of loops and branches are included.
// It returns f itself if there are none, or if the result is predicted to be worse: to need more
// memory or, on a machine with real times (HasScale), more time. It uses all fields of o except
// Limit and KeepsBarriers.
func DropStacks(f *ir.Func, o Options) *ir.Func {
	g := dropStacks(f, o)
	if g == f || o.Machine.HasScale() && o.Machine.Seconds(o.Mesh, g) > o.Machine.Seconds(o.Mesh, f) ||
		o.Machine.MemoryOf(g, o.Donated).Peak() > o.Machine.MemoryOf(f, o.Donated).Peak() {
		return f
	}
	return g
}

func dropStacks(f *ir.Func, o Options) *ir.Func {
	count := 0
	o.HostMemory = false // moves to the host save no time
	for _, c := range candidates(scansOf(f, false, o.Policies), o) {
		if c.seconds > savingSeconds(c.bytes, o.Machine) {
			break // the others take more time for their bytes
		}
		count++
	}
	if count > 0 {
		f, _ = withoutStacks(f, false, count, o)
	}
	f, _, _ = rewriteBodies(f, func(*ir.Op) bool { return true }, func(_ *ir.Op, body *ir.Func) (*ir.Func, []program.Crossing, error) {
		return dropStacks(body, o), nil, nil
	})
	return f
}

// savingSeconds returns the time of writing bytes to memory and reading them again.
func savingSeconds(bytes int, m *cost.Machine) float64 {
	if m.MemoryBandwidth == 0 {
		return float64(bytes) * flopsPerByte / m.FlopsPerSecond
	}
	return 2 * float64(bytes) / m.MemoryBandwidth
}
