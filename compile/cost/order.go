package cost

// This file finds an order of ops that takes less memory than the program's.
//
// An engine may run ops in any order that their operands allow, and looks for
// one that takes little memory: XLA tries several schedulers and takes the best.
// The scheduler here is greedy, as XLA's list scheduler: of the ops that can
// run, the one that frees most memory runs next.

import "github.com/gospmd/gospmd/ir"

// kernel is an op that an engine runs on its own, with what is fused into it.
type kernel struct {
	op     *ir.Op
	makes  []*ir.Value        // stored results
	needs  map[*ir.Value]bool // stored values that must be in memory
	after  map[*kernel]bool   // that must run before
	before []*kernel          // that must run after
	left   int                // of after, while the order is made
}

// reach is what the use of a value needs: the stored values that it is computed
// from, and the kernels that must have run.
type reach struct {
	values  map[*ir.Value]bool
	kernels map[*kernel]bool
}

// kernels returns the kernels of b in program order.
func (m *memory) kernels(b *ir.Block) []*kernel {
	of := map[*ir.Value]reach{}
	var out []*kernel
	for op := range b.Ops() {
		from := reach{map[*ir.Value]bool{}, map[*kernel]bool{}}
		read := func(v *ir.Value) {
			for s := range of[v].values {
				from.values[s] = true
			}
			for k := range of[v].kernels {
				from.kernels[k] = true
			}
		}
		op.Walk(func(o *ir.Op) {
			for _, v := range o.Operands {
				read(v)
			}
		})
		runs := op == b.Terminator() || len(op.Regions) > 0
		for _, v := range op.Results {
			runs = runs || m.free[v] || m.isStored(op, v)
		}
		if !runs {
			for _, v := range op.Results {
				of[v] = from
			}
			continue
		}
		k := &kernel{op: op, needs: from.values, after: from.kernels}
		for a := range k.after {
			a.before = append(a.before, k)
		}
		out = append(out, k)
		done := map[*kernel]bool{k: true}
		for _, v := range op.Results {
			switch {
			case m.free[v]:
				of[v] = reach{nil, done}
			case m.isStored(op, v):
				k.makes = append(k.makes, v)
				of[v] = reach{map[*ir.Value]bool{v: true}, done}
			default: // a view, or in the memory of an operand
				of[v] = reach{from.values, done}
			}
		}
	}
	return out
}

// reordered returns what block does, for the greedy order.
func (m *memory) reordered(b *ir.Block) (most inner, curve []Moment) {
	all := m.kernels(b)
	readers := map[*ir.Value]int{}
	var ready []*kernel
	for _, k := range all {
		for v := range k.needs {
			readers[v]++
		}
		if k.left = len(k.after); k.left == 0 {
			ready = append(ready, k)
		}
	}
	gain := func(k *kernel) int {
		n := 0
		for _, v := range k.makes {
			n -= v.Type.MemoryBytes()
		}
		for v := range k.needs {
			if readers[v] == 1 {
				n += v.Type.MemoryBytes()
			}
		}
		return n
	}
	now := 0
	var stored []*ir.Value // in memory now
	for len(ready) > 0 {
		next, gained := 0, gain(ready[0])
		for i, k := range ready[1:] {
			if n := gain(k); n > gained {
				next, gained = i+1, n
			}
		}
		k := ready[next]
		ready = append(ready[:next], ready[next+1:]...)
		for _, v := range k.makes {
			now += v.Type.MemoryBytes()
			stored = append(stored, v)
		}
		within := m.regions(k.op)
		over := overwritten(k, readers)
		at := now + within.peak - over.bytes()
		curve = append(curve, Moment{k.op, at})
		if at > most.peak {
			most = inner{at, append(liveBuffers(stored, over.value), within.live...)}
		}
		for v := range k.needs {
			readers[v]--
		}
		kept := stored[:0]
		for _, v := range stored {
			if readers[v] > 0 {
				kept = append(kept, v)
				continue
			}
			now -= v.Type.MemoryBytes()
		}
		stored = kept
		for _, k := range k.before {
			if k.left--; k.left == 0 {
				ready = append(ready, k)
			}
		}
	}
	return most, curve
}

// overwrite is a value whose memory a kernel's result takes over; none if nil.
type overwrite struct{ value *ir.Value }

func (o overwrite) bytes() int {
	if o.value == nil {
		return 0
	}
	return o.value.Type.MemoryBytes()
}

// overwritten returns the operand whose memory an element-wise kernel's result
// takes over, element by element: the kernel is the last to read it.
func overwritten(k *kernel, readers map[*ir.Value]int) overwrite {
	if len(k.makes) != 1 || !k.op.Info().Is(ir.Elementwise) {
		return overwrite{}
	}
	for _, v := range k.op.Operands {
		if readers[v] == 1 && k.needs[v] && v.Type.MemoryBytes() == k.makes[0].Type.MemoryBytes() {
			return overwrite{v}
		}
	}
	return overwrite{}
}

// liveBuffers describes stored values, all but one.
func liveBuffers(values []*ir.Value, but *ir.Value) []LiveBuffer {
	var out []LiveBuffer
	for _, v := range values {
		if v == but {
			continue
		}
		out = append(out, LiveBuffer{v.Def(), v.Type, v.Type.MemoryBytes()})
	}
	return out
}
