package cost

// This file finds out how much memory one run takes, by liveness: a value is in
// memory from the op that makes it to the last op that needs it.

import (
	"slices"

	"github.com/gospmd/gospmd/ir"
)

// Usage is the memory of one device.
type Usage struct {
	Inputs    int // all parameters: they are in memory for the whole run
	Outputs   int // results that reuse no input's memory: they have memory for the whole run
	Constants int // literals of more than one element
	Temporary int // the most that all other values take at the same time

	// Live are the temporary values at that time, largest first.
	Live []LiveBuffer
	// Curve is the memory in use over the run, in the order in which the ops run;
	// its highest point is Peak.
	Curve []Moment
}

// Moment is the memory of a device while an op of the function's body runs.
type Moment struct {
	Op    *ir.Op // what is fused into an op runs with it and has no Moment
	Bytes int    // all that is in memory, inputs, outputs and constants included
}

// LiveBuffer is a value that is in memory at the peak.
type LiveBuffer struct {
	Op    *ir.Op // that makes it
	Type  ir.Type
	Bytes int
}

// Peak returns the bytes that a device needs: everything together.
func (u Usage) Peak() int { return u.Inputs + u.Outputs + u.Constants + u.Temporary }

// Memory returns the memory that a device takes for a run of f. donated says
// which parameter's memory result i takes over, or -1.
//
// It assumes an engine that fuses element-wise ops, runs the ops in their order
// or in that of reordered, whichever takes less, and reuses memory at once. The
// result of a collective never takes its operand's memory, because other devices
// may still read it.
func Memory(f *ir.Func, donated func(result int) int) Usage {
	var u Usage
	for _, p := range f.Params() {
		u.Inputs += p.Type.MemoryBytes()
	}
	m := &memory{storage: storage{stored: map[*ir.Value]bool{}}, free: map[*ir.Value]bool{}, inner: map[*ir.Op]inner{}}
	for i, v := range f.Returned() {
		r := root(v)
		switch taken := m.free[r]; {
		case r.IsArg() && donated(i) == r.Index(): // handed on
		case donated(i) >= 0 && !r.IsArg() && !taken:
			m.free[r] = true
		case donated(i) >= 0: // copied into the input's memory
		default:
			u.Outputs += v.Type.MemoryBytes()
			m.free[r] = m.free[r] || !r.IsArg()
		}
	}
	f.Walk(func(op *ir.Op) {
		if op.Kind == ir.OpConstant {
			if d := op.Literal(); !d.Splat && d.Type.Size() > 1 {
				u.Constants += len(d.Data)
			}
		}
	})
	temporary, curve := m.block(f.Body)
	u.Temporary, u.Live, u.Curve = temporary.peak, temporary.live, curve
	for i := range u.Curve {
		u.Curve[i].Bytes += u.Inputs + u.Outputs + u.Constants
	}
	slices.SortStableFunc(u.Live, func(a, b LiveBuffer) int { return b.Bytes - a.Bytes })
	return u
}

// memory is a computation of Memory.
type memory struct {
	storage
	free  map[*ir.Value]bool // values whose memory is counted elsewhere
	inner map[*ir.Op]inner   // results of regions, by op
}

// inner is the memory of an op's regions.
type inner struct {
	peak int
	live []LiveBuffer
}

// interval is a stored value and the ops between which it is in memory.
type interval struct {
	value      *ir.Value
	first, end int
}

// block returns the most memory that the values made in b take at one time,
// which values those are, and the memory at each op. Block arguments belong to
// the surrounding op.
func (m *memory) block(b *ir.Block) (most inner, curve []Moment) {
	var peak int
	var live []LiveBuffer
	last, ops := m.lastUses(b), slices.Collect(b.Ops())
	var stored []interval
	change := make([]int, len(ops)+1) // of the memory in use, at each op
	for i, op := range ops {
		for _, v := range op.Results {
			if m.free[v] || !m.isStored(op, v) {
				continue
			}
			end := max(i, last[v])
			stored = append(stored, interval{v, i, end})
			change[i] += v.Type.MemoryBytes()
			change[end+1] -= v.Type.MemoryBytes()
		}
	}
	now, worst := 0, 0
	var inside []LiveBuffer
	for i, op := range ops {
		now += change[i]
		within := m.regions(op)
		curve = append(curve, Moment{op, now + within.peak})
		if now+within.peak > peak {
			peak, worst, inside = now+within.peak, i, within.live
		}
	}
	for _, s := range stored {
		if s.first <= worst && worst <= s.end {
			live = append(live, LiveBuffer{s.value.Def(), s.value.Type, s.value.Type.MemoryBytes()})
		}
	}
	live = append(live, inside...)
	if less, then := m.reordered(b); less.peak < peak {
		return less, then
	}
	return inner{peak, live}, curve
}

// regions returns the memory of op's regions, of which one runs at a time.
func (m *memory) regions(op *ir.Op) (most inner) {
	if len(op.Regions) == 0 || op.Info().Is(ir.ScalarBody) {
		return inner{}
	}
	if known, ok := m.inner[op]; ok {
		return known
	}
	for _, r := range op.Regions {
		if in, _ := m.block(r); in.peak > most.peak {
			most = in
		}
	}
	m.inner[op] = most
	return most
}

// lastUses returns, for each value that an op of b reads, the index of the last
// op that needs it in memory: the last that reads it. Where a reader is fused, is
// a view, or passes the memory on, the ops that need its results count as well.
func (m *memory) lastUses(b *ir.Block) map[*ir.Value]int {
	last := map[*ir.Value]int{}
	i := b.Len()
	for op := range b.Backward() {
		i--
		at := i
		for _, v := range op.Results {
			if !m.free[v] && !m.isStored(op, v) {
				at = max(at, last[v])
			}
		}
		read := func(v *ir.Value) { last[v] = max(last[v], at) }
		op.Walk(func(o *ir.Op) {
			for _, v := range o.Operands {
				read(v)
			}
		})
	}
	return last
}
