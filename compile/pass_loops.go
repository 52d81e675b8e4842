package compile

// This file implements loops, which takes out of loops what does not change in them.

import (
	"slices"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/sharding"
)

// loops computes before a loop what is the same in each of its iterations:
//
//	%1:2 = while(i = %a, w = %b) {             %2 = convert %b
//	  %2 = convert w                           %1:2 = while(i = %a, w = %b) {
//	  %3 = dot %x, %2                      =>    %3 = dot %x, %2
//	  …                                          …
//	  return %i1, w                              return %i1, w
//	}                                          }
//	use %1#1                                   use %b
//
// So JAX writes loops, which carry the weights that they read. What is outside is sharded
// and moved once: no collective for it stands in the loop. A value that takes more memory than
// what it is computed from is computed in the loop, such as a broadcast. A carry that nothing
// reads any more is left to dce. What is annotated stays carried, and a loop whose
// sharding rule tells of all that it carries stays as it is.
func loops(f *ir.Func) { eachLoop(f.Body, hoist) }

// eachLoop calls visit for the loops of b, inner ones first.
func eachLoop(b *ir.Block, visit func(*ir.Op)) {
	for op := range b.Ops() {
		for _, r := range op.Regions {
			eachLoop(r, visit)
		}
		if op.Kind == ir.OpWhile && !op.Has(sharding.RuleAttr) {
			visit(op)
		}
	}
}

func hoist(loop *ir.Op) {
	captureUnchanged(loop)
	h := hoister{loop: loop, same: map[*ir.Value]bool{}}
	for _, r := range loop.Regions {
		for op := range r.Body() {
			h.visit(op)
		}
	}
}

// captureUnchanged lets the regions of a loop read what it carries unchanged from outside.
func captureUnchanged(loop *ir.Op) {
	cond, body := loop.Regions[0], loop.Regions[1]
	for i, next := range body.Terminator().Operands {
		a, r, init := body.Args[i], loop.Results[i], loop.Operands[i]
		if next != a || init.Type.IsToken() || a.Sharding != nil || r.Sharding != nil {
			continue
		}
		init.Origins = init.Origins.Add(a.Origins...)
		a.ReplaceUsesIf(init, func(u ir.Use) bool { return u.Op != body.Terminator() })
		cond.Args[i].ReplaceAllUsesWith(init)
		r.ReplaceAllUsesWith(init)
	}
}

// hoister moves ops of one loop before it.
type hoister struct {
	loop *ir.Op
	same map[*ir.Value]bool // what the regions compute, the same in each iteration
}

// visit moves op, after those that it reads, if that pays.
func (h *hoister) visit(op *ir.Op) {
	if !repeatable(op) || slices.ContainsFunc(op.Operands, func(v *ir.Value) bool { return !h.unchanged(v) }) {
		return
	}
	for _, r := range op.Results {
		h.same[r] = true
	}
	if pays(op) {
		h.move(op)
	}
}

// unchanged reports whether v is the same in each iteration.
func (h *hoister) unchanged(v *ir.Value) bool { return h.same[v] || isOutside(v, h.loop) }

// isOutside reports whether v is defined outside of the regions of op.
func isOutside(v *ir.Value, op *ir.Op) bool {
	for b := v.Block(); b != nil && b.Parent() != nil; b = b.Parent().Block() {
		if b.Parent() == op {
			return false
		}
	}
	return true
}

// pays reports whether the results of op take no more memory than its operands.
func pays(op *ir.Op) bool {
	bytes := 0
	for _, v := range op.Operands {
		bytes += v.Type.MemoryBytes()
	}
	for _, r := range op.Results {
		bytes -= r.Type.MemoryBytes()
	}
	return bytes >= 0 && len(op.Operands) > 0
}

// move moves op before the loop, and what it reads.
func (h *hoister) move(op *ir.Op) {
	for _, v := range op.Operands {
		if !isOutside(v, h.loop) {
			h.move(v.Def())
		}
	}
	op.MoveBefore(h.loop)
}
