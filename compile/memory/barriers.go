package memory

// This file replaces optimization_barriers for compilers that remove them. jax.checkpoint writes
// barriers around the inputs of values that the backward pass computes again. The other operand of
// such a barrier is a gradient, the anchor:
//
//	%x1, %g1 = optimization_barrier %x, %g  =>  %x1 = multiply %x, (a one computed from %g)
//
// Without a barrier the compiler merges the second computation with the first, and keeps the values
// in memory.

import (
	"slices"

	"github.com/gospmd/gospmd/ir"
)

// HoldBarriers replaces each optimization_barrier of f that has several operands by products with a
// one that is computed from its anchor, for compilers that remove barriers. The anchor of a barrier
// is the last computed of the operands that canAnchor accepts. Parameters of f are held back only
// if no other operand is. A barrier without an anchor stays, such as one of parameters only.
func HoldBarriers(f *ir.Func) {
	var barriers []*ir.Op
	position := map[*ir.Op]int{}
	f.Walk(func(op *ir.Op) {
		position[op] = len(position) + 1
		if op.Kind == ir.OpOptimizationBarrier && len(op.Operands) > 1 {
			barriers = append(barriers, op)
		}
	})
	for _, op := range barriers {
		holdBarrier(op, position)
	}
}

// holdBarrier replaces the barrier op, if it has an anchor. position numbers the ops of the
// function in their order, from 1; holdBarrier gives the new values the number of op.
func holdBarrier(op *ir.Op, position map[*ir.Op]int) {
	last := func(v *ir.Value) int { return position[v.Def()] } // 0 for parameters
	var anchor *ir.Value
	for _, v := range op.Operands {
		if last(v) > 0 && canAnchor(v) && (anchor == nil || last(v) > last(anchor)) {
			anchor = v
		}
	}
	if anchor == nil {
		return
	}
	var held, params []*ir.Value
	add := func(to *[]*ir.Value, v *ir.Value) {
		if !slices.Contains(*to, v) {
			*to = append(*to, v)
		}
	}
	b := &ir.Builder{}
	b.Before(op).Loc = op.Loc
	h := &holder{b: b, anchor: anchor}
	for _, v := range op.Operands {
		switch {
		case v == anchor || !h.canHold(v):
		case last(v) == 0:
			add(&params, v)
		default:
			add(&held, v)
		}
	}
	if len(held) == 0 {
		held = params
	}
	results := h.hold(held)
	for _, v := range results {
		position[v.Def()] = position[op]
	}
	for i, v := range op.Operands {
		by := v
		if k := slices.Index(held, v); k >= 0 {
			by = results[k]
		}
		op.Results[i].ReplaceAllUsesWith(by)
	}
	op.Erase()
}
