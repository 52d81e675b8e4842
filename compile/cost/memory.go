package cost

// This file computes the memory of one run: that of the values, by package buffers, and that of
// literals.

import (
	"slices"

	"github.com/gospmd/gospmd/compile/cost/buffers"
	"github.com/gospmd/gospmd/ir"
)

// Usage is the memory of one device in a run, in bytes.
type Usage struct {
	Inputs    int // all parameters: they are in memory for the whole run
	Outputs   int // results that do not take over an input's memory: they have memory for the whole run
	Constants int // literals of more than one element
	// temporary memory at the peak: the largest sum of the bytes of all other values at one time; on
	// CPUs with the gaps between them, on TPUs with copies in on-chip memory
	Temporary int
	Gaps      int // the part of Temporary that is in gaps between values

	// Live are the temporary values that are in memory at the peak, the largest first.
	Live []LiveBuffer
	// Lifetimes are the times in which temporary memory is in use.
	Lifetimes []Lifetime
	// Curve is the memory in use during the run, in the order in which the ops run. Its highest
	// point is Peak.
	Curve []Moment
}

// Moment is the memory of a device while an op of the function's body runs.
type Moment struct {
	Op    *ir.Op // the op that runs; ops that are fused into it have no Moment of their own
	Bytes int    // bytes of everything in memory, including inputs, outputs and constants
}

// LiveBuffer is a value that is in memory at the peak.
type LiveBuffer struct {
	Op    *ir.Op // the op that makes it
	Type  ir.Type
	Bytes int
}

// Lifetime is a stretch of time in which a value is in temporary memory. First and Last are indices
// into the Curve.
type Lifetime = buffers.Lifetime

// Peak returns the bytes that a device needs: the sum of all parts.
func (u Usage) Peak() int { return u.Inputs + u.Outputs + u.Constants + u.Temporary }

// Fixed returns the bytes that are in use for the whole run: all but temporary values.
func (u Usage) Fixed() int { return u.Peak() - u.Temporary }

// OutlinePoints is the largest number of points of an outline.
const OutlinePoints = 200

// Outline returns the Curve as at most OutlinePoints points. Each is the largest of several
// moments.
func (u Usage) Outline() []int {
	out := make([]int, min(len(u.Curve), OutlinePoints))
	for i, m := range u.Curve {
		at := i * len(out) / len(u.Curve)
		out[at] = max(out[at], m.Bytes)
	}
	return out
}

// Memory returns the memory that a device takes for a run of f. donated returns the parameter whose
// memory a result takes over, or -1.
//
// It is the memory that XLA's compiler for CPUs assigns. That compiler runs ops as early as
// possible; see package buffers.
func Memory(f *ir.Func, donated func(result int) int) Usage {
	return usage(f, buffers.Assign(f, donated, buffers.CPU))
}

// MemoryInOrder is Memory for a device that runs the ops in the order of f. Passes that choose the
// place of an op use it.
func MemoryInOrder(f *ir.Func, donated func(result int) int) Usage {
	return usage(f, buffers.Assign(f, donated, buffers.CPUInOrder))
}

// MemoryOf is Memory on the machine. On TPUs and GPUs it is an estimate, because their compilers
// decide by costs that are not known.
func (m *Machine) MemoryOf(f *ir.Func, donated func(result int) int) Usage {
	return usage(f, buffers.Assign(f, donated, m.compiler().memory))
}

// ArgumentBytes returns the memory that an argument or a result takes on the machine.
func (m *Machine) ArgumentBytes(t ir.Type) int { return m.compiler().memory.Bytes(t) }

func usage(f *ir.Func, a *buffers.Assignment) Usage {
	u := Usage{Inputs: a.Inputs, Outputs: a.Outputs, Temporary: a.Temporary, Gaps: a.Gaps}
	f.Walk(func(op *ir.Op) {
		if op.Kind == ir.OpConstant {
			if d := op.Literal(); !d.IsSplat() {
				u.Constants += len(d.Data)
			}
		}
	})
	u.Lifetimes = a.Lifetimes
	for _, l := range a.Lifetimes {
		if l.Peak && !l.Type.IsToken() {
			u.Live = append(u.Live, LiveBuffer{l.Op, l.Type, l.Bytes})
		}
	}
	for _, s := range a.Steps {
		u.Curve = append(u.Curve, Moment{s.Op, u.Inputs + u.Outputs + u.Constants + s.Temporary})
	}
	slices.SortStableFunc(u.Live, func(a, b LiveBuffer) int { return b.Bytes - a.Bytes })
	return u
}
