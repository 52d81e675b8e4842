package compile

// This file implements turn, which transposes operands of products in a loop before the loop.

import (
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/sharding"
)

// turn transposes a matrix before a loop, once, if a product in the loop reads it across its rows:
//
//	while … {                                  %t = transpose %w, dims = [1, 0]
//	  %1 = dot_general %dz, %w,            =>  while … {
//	    contracting_dims = [1] x [1]             %1 = dot_general %dz, %t,
//	}                                              contracting_dims = [1] x [0]
//
// The gradient of a recurrent layer has such a product in each step. Libraries copy the matrix into
// the order that they multiply in. In an LSTM's step on a CPU the copy takes as long as the
// product.
func turn(f *ir.Func) {
	eachLoop(f.Body, func(loop *ir.Op) {
		for _, r := range loop.Regions {
			r.Walk(func(op *ir.Op) {
				if op.Kind == ir.OpDotGeneral && !op.Has(sharding.RuleAttr) {
					turnOperands(op, loop)
				}
			})
		}
	})
}

// turnOperands transposes, before the loop, a matrix from outside of the loop that op, a product in
// the loop, reads, if the other operand is from inside: a left operand so that it is contracted
// along its last dimension, a right one along its first. The product then reads it without
// transposing it in each iteration. Products with batch dimensions, or with several contracted
// ones, stay.
func turnOperands(op, loop *ir.Op) {
	dims := *op.DotGeneral().DotDimensionNumbers()
	if len(dims.LHSBatch) > 0 || len(dims.LHSContracting) != 1 {
		return
	}
	changed := false
	turnOperand := func(i int, contracting *[]int, want int) {
		w := op.Operands[i]
		if w.Type.Rank() == 2 && (*contracting)[0] != want && isOutside(w, loop) && !isOutside(op.Operands[1-i], loop) {
			b := ir.Builder{Loc: op.Loc}
			op.SetOperand(i, b.Before(loop).Transpose(w, []int{1, 0}))
			*contracting, changed = []int{want}, true
		}
	}
	turnOperand(0, &dims.LHSContracting, 1)
	turnOperand(1, &dims.RHSContracting, 0)
	if changed {
		op.Attrs = op.Attrs.With("dot_dimension_numbers", &dims)
	}
}
