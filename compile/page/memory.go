package page

// This file adds what is in memory while each op runs, and puts the ops in the
// order that this is known for.

import (
	"slices"

	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/program"
)

// memory is the memory in use over the step.
type memory struct {
	// Fixed is what is there all the time, as the parts of totals.Memory without
	// the temporaries; Live is what else is there while an op runs.
	Fixed  column `json:"fixed"`
	Live   column `json:"live"`
	PeakOp int    `json:"peakOp"`
}

// schedule returns the ops of f's body in the order in which the curve assumes
// that they run, which is the program's unless another takes less memory. What
// is fused into an op stands before it.
func schedule(f *ir.Func, curve []cost.Moment) []*ir.Op {
	turn := make(map[*ir.Op]int, len(curve)) // when an op runs
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
				turn[op] = min(turn[op], turn[inBody(u.Op, f.Body)])
			}
		}
	}
	for _, op := range all { // no op runs before what it reads is there
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

// inBody returns the op of the body that op is, or is inside of.
func inBody(op *ir.Op, body *ir.Block) *ir.Op {
	for op.Block() != body {
		op = op.Block().Parent()
	}
	return op
}

// usage returns the memory of a run of the program.
func usage(p *program.Program) cost.Usage {
	donors := make([]int, len(p.Outputs))
	for i := range donors {
		donors[i] = slices.IndexFunc(p.Inputs, func(in program.Input) bool { return in.Alias == i })
	}
	return cost.Memory(p.Module.Main(), func(result int) int { return donors[result] })
}

// addMemory adds the curve for the ops, which have been added.
func (r *rows) addMemory(u cost.Usage) {
	for _, part := range r.Totals.Memory[:len(r.Totals.Memory)-1] {
		r.Memory.Fixed = append(r.Memory.Fixed, part.Bytes)
	}
	fixed := u.Inputs + u.Outputs + u.Constants
	live := make([]int, len(r.ops))
	for i := range live {
		live[i] = -1
	}
	for _, m := range u.Curve {
		at := r.ops[m.Op]
		if live[at] = max(live[at], m.Bytes-fixed); live[at] >= live[r.Memory.PeakOp] {
			r.Memory.PeakOp = at
		}
	}
	// What is fused into an op, and what is in a region of one, runs with it.
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
}
