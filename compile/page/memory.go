package page

// This file adds the contents of memory during the step, by the memory model of the totals. It puts
// the ops in the order that the model assumes.

import (
	"slices"
	"strings"

	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/internal/layerpath"
	"github.com/gospmd/gospmd/ir"
)

// memory is the memory that is in use during the step.
type memory struct {
	// Fixed is the memory that is in use all the time, in the parts of totals.Memory other than
	// temporaries. Live is the additional memory while an op runs.
	Fixed  column `json:"fixed"`
	Live   column `json:"live"`
	PeakOp int    `json:"peakOp"`

	Buffers buffers `json:"buffers"`
}

// buffers has the columns of the values in memory: first inputs, outputs and constants, which are
// in memory all the time, then temporary values.
type buffers struct {
	Name  column `json:"name"`
	What  column `json:"what"` // index of the part of totals.Memory
	Type  column `json:"type"`
	Layer column `json:"layer"` // index in layers
	Op    column `json:"op"`    // the op that makes it, or -1
	Bytes column `json:"bytes"`
	First column `json:"first"` // the first op that runs while the value is in memory
	Last  column `json:"last"`
	Peak  column `json:"peak"` // 1 if the value is in memory at the peak
}

// schedule returns the ops of f's body in the order that the curve assumes: that of the program,
// unless another order takes less memory. Ops that are fused into an op come before it.
func schedule(f *ir.Func, curve []cost.Moment) []*ir.Op {
	turn := make(map[*ir.Op]int, len(curve)) // position at which an op runs
	for i, m := range curve {
		if _, known := turn[m.Op]; !known {
			turn[m.Op] = i
		}
	}
	all := slices.Collect(f.Body.Ops())
	for _, op := range slices.Backward(all) {
		if _, runs := turn[op]; runs {
			continue
		}
		turn[op] = len(curve)
		for _, v := range op.Results {
			for u := range v.Uses() {
				turn[op] = min(turn[op], turn[u.Op.In(f.Body)])
			}
		}
	}
	for _, op := range all { // an op cannot run before its operands exist
		op.Walk(func(inner *ir.Op) {
			for _, v := range inner.Operands {
				if d := v.Def(); d != nil && d.Block() == f.Body {
					turn[op] = max(turn[op], turn[d])
				}
			}
		})
	}
	slices.SortStableFunc(all, func(a, b *ir.Op) int { return turn[a] - turn[b] })
	return all
}

// addMemory adds the memory curve u and the buffers of each op to the page's data. The rows of the
// ops must have been added.
func (r *rows) addMemory(u cost.Usage) {
	for _, part := range r.Totals.Memory[:len(r.Totals.Memory)-1] {
		r.Memory.Fixed = append(r.Memory.Fixed, part.Bytes)
	}
	fixed := u.Inputs + u.Outputs + u.Constants
	live := make([]int, len(r.ops))
	for i := range live {
		live[i] = -1
	}
	highest := -1
	for _, m := range u.Curve {
		at := r.rowOf(m.Op)
		live[at] = max(live[at], m.Bytes-fixed)
		if m.Bytes > highest {
			highest, r.Memory.PeakOp = m.Bytes, at
		}
	}
	// Ops that are fused into an op, or are in a region of it, run with it.
	for at := range live {
		if live[at] < 0 && at > 0 && r.Ops.Depth[at] > 0 {
			live[at] = live[at-1]
		}
	}
	for at := len(live) - 2; at >= 0; at-- {
		if live[at] < 0 {
			live[at] = live[at+1]
		}
	}
	for _, n := range live {
		r.Memory.Live = append(r.Memory.Live, max(n, 0))
	}
	r.addFixedBuffers(u)
	for _, l := range u.Lifetimes {
		typ := "addresses"
		if !l.Type.IsToken() {
			typ = l.Type.Short()
		}
		// Ops run in the order of the curve, and rows are in the order of schedule, which can
		// differ.
		first, last := r.rowOf(u.Curve[l.First].Op), r.rowOf(u.Curve[l.Last].Op)
		first, last = min(first, last), max(first, last)
		if l.Peak {
			first, last = min(first, r.Memory.PeakOp), max(last, r.Memory.PeakOp)
		}
		op := r.rowOf(l.Op)
		r.addBuffer(r.strings.Strings[r.Ops.Kind[op]], "temporary", typ, r.Ops.Layer[op], op, l.Room, first, last, l.Peak)
	}
}

// rowOf returns the row of an op. For an op in the body of a reduction or the like, it is the row
// of the op with that body.
func (r *rows) rowOf(op *ir.Op) int {
	for {
		if at, known := r.ops[op]; known {
			return at
		}
		op = op.Block().Parent()
	}
}

// addFixedBuffers adds the buffers that are in memory all the time: the inputs, except those on the
// host, the outputs, the constants, and the gaps between temporary values. The layer of an input is
// the longest beginning of its name that is a layer of the page, such as block/d1 for
// block/d1/kernel. If there is none, and for all others, it is the layer "", or -1 if the page has
// no such layer.
func (r *rows) addFixedBuffers(u cost.Usage) {
	end := max(0, len(r.order)-1)
	layers := map[string]int{}
	for i, name := range r.Layers.Name {
		layers[r.strings.Strings[name]] = i
	}
	none, known := layers[""]
	if !known {
		none = -1
	}
	for i, in := range r.program.Inputs {
		if in.Memory.OnHost() {
			continue
		}
		name, layer := shownName(r.program, i), none
		path := layerpath.Parse(r.inputLayer(i)).Layers
		for n := len(path); n > 0; n-- {
			if at, ok := layers[strings.Join(path[:n], "/")]; ok {
				layer = at
				break
			}
		}
		r.addBuffer(name, string(in.Role), in.Local.Short(), layer, -1, r.machine.ArgumentBytes(in.Local), 0, end, true)
	}
	for _, part := range []struct {
		name  string
		bytes int
	}{{"outputs", u.Outputs}, {"constants", u.Constants}} {
		if part.bytes > 0 {
			r.addBuffer("", part.name, "", none, -1, part.bytes, 0, end, true)
		}
	}
	if u.Gaps > 0 {
		r.addBuffer("gaps between values", "temporary", "", none, -1, u.Gaps, 0, end, true)
	}
}

func (r *rows) addBuffer(name, what, typ string, layer, op, bytes, first, last int, peak bool) {
	b := &r.Memory.Buffers
	at := 0
	if peak {
		at = 1
	}
	b.Name, b.What, b.Type = append(b.Name, r.strings.add(name)), append(b.What, r.strings.add(what)), append(b.Type, r.strings.add(typ))
	b.Layer, b.Op, b.Bytes = append(b.Layer, layer), append(b.Op, op), append(b.Bytes, bytes)
	b.First, b.Last, b.Peak = append(b.First, first), append(b.Last, last), append(b.Peak, at)
}
