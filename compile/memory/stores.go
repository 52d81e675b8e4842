package memory

// This file lets the forward pass wait for values that it stores on the host (moves.go). XLA for
// GPUs stores a value as late as it can: right before the fetch, which waits for the store. Until
// then the value is in the memory of the device, and the move saves nothing. So a product of the
// forward pass waits for the store too:
//
//	%o = annotate_device_placement %h "pinned_host"     %o = annotate_device_placement %h "pinned_host"
//	%z = dot %y, %w                                 =>  %p, %x = optimization_barrier %o, %y
//	…                                                   %z = dot %x, %w
//	%b, %a = optimization_barrier %o, %g                …
//	                                                    %b, %a = optimization_barrier %p, %g

import (
	"slices"

	"github.com/gospmd/gospmd/ir"
)

// store is a move to the host that the rewriter has inserted.
type store struct {
	op   *ir.Op
	step int // the last step at which the value is in the memory of the device
}

// awaitStores lets ops wait for the stores: for each the first product behind its step, if that
// stands before the fetch. Compilers compute the operands of products before, so that the barrier
// does not keep ops from being fused.
func (r *rewriter) awaitStores() {
	for _, s := range r.stores {
		for _, op := range r.made[s.step+1:] {
			if op == nil || !op.IsContraction() || !s.op.IsBefore(op) {
				continue
			}
			if !op.IsBefore(s.op.Result().FirstUse()) {
				break
			}
			computed := func(v *ir.Value) bool { return v.Def() != nil && v.Def().Kind != ir.OpConstant }
			i := slices.IndexFunc(op.Operands, computed)
			if i < 0 {
				continue
			}
			b := &ir.Builder{}
			b.Before(op).Loc = op.Loc
			stored := s.op.Result()
			barrier := b.OptimizationBarrier([]*ir.Value{stored, op.Operands[i]})
			stored.ReplaceUsesIf(barrier.Results[0], func(u ir.Use) bool { return u.Op != barrier })
			op.SetOperand(i, barrier.Results[1])
			break
		}
	}
}
