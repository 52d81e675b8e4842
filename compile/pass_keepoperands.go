package compile

// This file implements pass keep_operands, which stores a value once that products read, and that a
// later part of the program reads from memory.

import "github.com/gospmd/gospmd/ir"

// keepOperands lets the products of f, also those in regions, read values through barriers if other
// barriers or moves to the host read the same values:
//
//	%h = multiply %v, %half                %h = multiply %v, %half
//	%z = dot %h, %w                   =>   %k = optimization_barrier %h
//	…                                      %z = dot %k, %w
//	%x, %a = optimization_barrier %h, %g   %x, %a = optimization_barrier %h, %g
//
// XLA for GPUs computes the last cheap ops of a product's operand inside of the product, even where
// something else needs their result in memory. It would keep both %v, for the product, and %h.
func keepOperands(f *ir.Func) {
	var ops []*ir.Op
	f.Walk(func(op *ir.Op) { ops = append(ops, op) })
	for _, op := range ops {
		if op.IsContraction() || op.Kind == ir.OpConstant || op.Kind == ir.OpOptimizationBarrier {
			continue
		}
		for _, v := range op.Results {
			stored, multiplied := false, false
			for u := range v.Uses() {
				_, moves := u.Op.Placement()
				stored = stored || moves || u.Op.Kind == ir.OpOptimizationBarrier
				multiplied = multiplied || u.Op.IsContraction()
			}
			if !stored || !multiplied {
				continue
			}
			at := &ir.Builder{}
			at.After(op).Loc = op.Loc
			kept := at.OptimizationBarrier([]*ir.Value{v})
			v.ReplaceUsesIf(kept.Results[0], func(u ir.Use) bool { return u.Op.IsContraction() })
		}
	}
}
