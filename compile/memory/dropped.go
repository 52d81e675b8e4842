package memory

// This file removes the stacks of loops (stacks.go) whose values take less time to compute again
// than to write and to read.

import (
	"math"

	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/program"
)

// flopsPerByte is the number of FLOPs that take as long as a byte that is written to memory and read
// again, on machines whose bandwidth of memory is not known. On CPUs a step's memory comes from the
// system, which clears it.
const flopsPerByte = 4

// tries is the largest number of choices of stacks that DropStacks compares.
const tries = 8

// DropStacks returns f without the stacks whose values later loops can compute again in less time
// than it takes to write and to read them. Loops in the bodies of loops and branches are included.
// If the result is predicted to be worse, it keeps the stacks that take most time for their bytes,
// and returns f itself if nothing helps: what needs more memory is worse and, on a machine with real
// times (HasScale), what takes more time. It uses all fields of o except Limit and KeepsBarriers.
func DropStacks(f *ir.Func, o Options) *ir.Func {
	g, used := dropStacks(f, o, math.Nextafter(1, 2))
	if g == f {
		return f
	}
	best, seconds, peak := f, o.seconds(f), o.Machine.MemoryOf(f, o.Donated).Peak()
	for range tries {
		s := o.seconds(g)
		if (s < seconds || best == f && s == seconds) && o.Machine.MemoryOf(g, o.Donated).Peak() <= peak {
			best, seconds = g, s
		}
		if best != f && !o.Machine.HasScale() {
			break // no other choice is faster
		}
		if g, used = dropStacks(f, o, used); g == f {
			break
		}
	}
	return best
}

// seconds returns the predicted time of f, 0 on a machine without real times.
func (o Options) seconds(f *ir.Func) float64 {
	if !o.Machine.HasScale() {
		return 0
	}
	return o.Machine.Seconds(o.Mesh, f)
}

// dropStacks removes the stacks that take less than the part most of the time that they save. It also
// returns the largest part that it used.
func dropStacks(f *ir.Func, o Options, most float64) (out *ir.Func, used float64) {
	count := 0
	o.HostMemory = false // moves to the host save no time
	for _, c := range candidates(scansOf(f, false, o.Policies), o) {
		part := c.seconds / savingSeconds(c.bytes, o.Machine)
		if part >= most {
			break // the others take more time for their bytes
		}
		used = max(used, part)
		count++
	}
	if count > 0 {
		f, _ = withoutStacks(f, false, count, o)
	}
	f, _, _ = rewriteBodies(f, func(*ir.Op) bool { return true }, func(_ *ir.Op, body *ir.Func) (*ir.Func, []program.Crossing, error) {
		body, inner := dropStacks(body, o, most)
		used = max(used, inner)
		return body, nil, nil
	})
	return f, used
}

// savingSeconds returns the time of writing bytes to memory and reading them again.
func savingSeconds(bytes int, m *cost.Machine) float64 {
	if m.MemoryBandwidth == 0 {
		return float64(bytes) * flopsPerByte / m.FlopsPerSecond
	}
	return 2 * float64(bytes) / m.MemoryBandwidth
}
