package compile

// This file implements division, which keeps XLA from dividing integers by zero while it
// compiles.

import (
	"slices"

	"github.com/gospmd/gospmd/ir"
)

// division hides the divisor of an integer division behind a barrier. It does not if the divisor
// has no zeros, or if an operand is a parameter of the function:
//
//	%2 = remainder %0, %1    =>    %b = optimization_barrier %1
//	                               %2 = remainder %0, %b
//
// XLA folds a division of constants at compile time, with the processor's own instruction. A
// constant divisor of zero would end the process; at run time a division by zero has a result. XLA
// may also find out that a computed value is constant, such as that x-x is zero; this pass cannot
// predict that.
func division(f *ir.Func) {
	f.Walk(func(op *ir.Op) {
		if op.Kind != ir.OpDivide && op.Kind != ir.OpRemainder || !op.Result().Type.DType.IsInt() {
			return
		}
		by := op.Operands[1]
		if slices.Contains(f.Params(), op.Operands[0]) || slices.Contains(f.Params(), by) || isNeverZero(by) {
			return
		}
		b := ir.Builder{Loc: op.Loc}
		op.SetOperand(1, b.Before(op).OpWithTypes(ir.OpOptimizationBarrier, nil, []ir.Type{by.Type}, by).Result())
	})
}

// isNeverZero reports whether v, of integers, is a constant without an element 0, or a reshape or
// broadcast of one.
func isNeverZero(v *ir.Value) bool {
	for def := v.Def(); def != nil && (def.Kind == ir.OpBroadcastInDim || def.Kind == ir.OpReshape); def = v.Def() {
		v = def.Operands[0]
	}
	d := literal(v)
	if d == nil {
		return false
	}
	for _, n := range d.Int64s() {
		if n == 0 {
			return false
		}
	}
	return v.Type.Size() > 0
}
