package compile

// This file implements the pass loops, which moves values that do not change in a loop out of it.

import (
	"slices"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/sharding"
)

// loops moves values that are the same in each iteration of a loop in front of the loop:
//
//	%1:2 = while(i = %a, w = %b) {             %2 = convert %b
//	  %2 = convert w                           %1:2 = while(i = %a, w = %b) {
//	  %3 = dot %x, %2                      =>    %3 = dot %x, %2
//	  …                                          …
//	  return %i1, w                              return %i1, w
//	}                                          }
//	use %1#1                                   use %b
//
// JAX writes such loops: they carry the weights that they read. A value outside of the loop is
// sharded and moved once, so the loop needs no collective for it. A value that takes more memory
// than its operands, such as a broadcast, stays in the loop. Carried values without uses are left
// to pass dce. Annotated values stay carried. A loop that has a sharding rule stays as it is,
// because the rule lists everything that the loop carries.
func loops(f *ir.Func) { eachLoop(f.Body, hoist) }

// eachLoop calls visit for each while in b and in the regions of its ops, inner loops first. It
// leaves out those that state a sharding rule.
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

// captureUnchanged replaces carried values that do not change by their initial values, in the
// regions of a loop and for users of its results. Tokens and annotated values stay. The loop still
// carries them all.
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

// hoister moves ops of one loop to before it.
type hoister struct {
	loop *ir.Op
	same map[*ir.Value]bool // values of the regions that are the same in each iteration
}

// visit moves op to before the loop if that is possible and pays. The ops that op depends on must
// have been visited.
func (h *hoister) visit(op *ir.Op) {
	if !isRepeatable(op) || slices.ContainsFunc(op.Operands, func(v *ir.Value) bool { return !h.isUnchanged(v) }) {
		return
	}
	for _, r := range op.Results {
		h.same[r] = true
	}
	if pays(op) {
		h.move(op)
	}
}

// isUnchanged reports whether v is the same in each iteration.
func (h *hoister) isUnchanged(v *ir.Value) bool { return h.same[v] || isOutside(v, h.loop) }

// isOutside reports whether v is defined outside of the regions of op.
func isOutside(v *ir.Value, op *ir.Op) bool {
	for b := v.Block(); b != nil && b.Parent() != nil; b = b.Parent().Block() {
		if b.Parent() == op {
			return false
		}
	}
	return true
}

// pays reports whether the results of op take no more memory than its operands. It is false for an
// op without operands, such as a constant.
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

// move moves op to before the loop, together with the ops that make its operands.
func (h *hoister) move(op *ir.Op) {
	for _, v := range op.Operands {
		if !isOutside(v, h.loop) {
			h.move(v.Def())
		}
	}
	op.MoveBefore(h.loop)
}
