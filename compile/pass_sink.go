package compile

// This file implements the pass sink, which computes values in the loops that read them.

import (
	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/sharding"
)

// sink moves an elementwise op into the loops that read its result slice by slice. Each loop then
// slices the operand and computes the op on the slice:
//
//	%1 = multiply %0, %c                       while … {
//	while … {                              =>    %2 = dynamic_slice %0, %i, 0, sizes = [1, 8]
//	  %2 = dynamic_slice %1, %i, 0               %3 = multiply %2, %c1
//	  …                                          …
//	}                                          }
//
// %0 is a stack, in which a loop saves a value of each of its iterations, and the second loop is
// that of the gradient. JAX writes such ops before the second loop. In the loop the op needs no
// buffer of the size of the stack, and it is fused with the ops that read the slice. The memory pass
// can remove a stack only if later loops read nothing but its slices.
//
// The op stays if it would be computed on more elements than before, if a second operand is not the
// same in all elements, if the operand takes more memory than the result, or if it is annotated.
func sink(f *ir.Func) { sinkIn(f.Body) }

// sinkIn moves the ops of b and of the regions of its ops. It visits the ops from the last to the
// first, so that an op can follow the ops that read its result.
func sinkIn(b *ir.Block) {
	for op := b.Terminator(); op != nil; {
		for _, r := range op.Regions {
			sinkIn(r)
		}
		before := op.Prev()
		if i := slicedOperand(op); i >= 0 && isReadBySlices(op) {
			for u := range op.Result().Uses() {
				sinkInto(u.Op, op, i)
			}
			op.Erase()
		}
		op = before
	}
}

// slicedOperand returns the index of the operand of op, an elementwise op, that must be sliced to
// compute a slice of the result; -1 if op may not sink.
func slicedOperand(op *ir.Op) int {
	if !op.Info().Is(ir.Elementwise) || len(op.Regions) > 0 || !isRepeatable(op) || op.Has(sharding.RuleAttr) || op.Result().Sharding != nil {
		return -1
	}
	sliced := -1
	for i, v := range op.Operands {
		if v.Type.Rank() == 0 || isSame(v) {
			continue
		}
		if sliced >= 0 || v.Type.MemoryBytes() > op.Result().Type.MemoryBytes() {
			return -1
		}
		sliced = i
	}
	return sliced
}

// isSame reports whether all elements of v are known to be the same: it is a splat constant, or a
// broadcast of a scalar, without a sharding.
func isSame(v *ir.Value) bool {
	def := v.Def()
	switch {
	case def == nil || v.Sharding != nil:
		return false
	case def.Kind == ir.OpConstant:
		return def.Literal().IsSplat()
	}
	return def.Kind == ir.OpBroadcastInDim && def.Operands[0].Type.Rank() == 0
}

// isReadBySlices reports whether only slices in loops, which follow op in its block, read the result
// of op, and whether all iterations together read at most as many elements as the result has.
func isReadBySlices(op *ir.Op) bool {
	elements := 0
	for u := range op.Result().Uses() {
		loop := u.Op.Block().Parent()
		if u.Op.Kind != ir.OpDynamicSlice || u.Operand != 0 || loop == nil || loop.Kind != ir.OpWhile || loop.Block() != op.Block() {
			return false
		}
		n, ok := cost.TripCount(loop)
		if !ok || u.Op.Block() != loop.Regions[1] || u.Op.Result().Sharding != nil || u.Op.Has(sharding.RuleAttr) {
			return false
		}
		elements += n * u.Op.Result().Type.Size()
	}
	return elements > 0 && elements <= op.Result().Type.Size()
}

// sinkInto replaces slice, a slice of the result of op, by op of a slice of its operand i. The
// other operands are scalars, or have equal elements (isSame) and become smaller ones.
func sinkInto(slice, op *ir.Op, i int) {
	dims := slice.Result().Type.Dims
	b := ir.Builder{Loc: slice.Loc}
	b.Before(slice)
	operands := make([]*ir.Value, len(op.Operands))
	for k, v := range op.Operands {
		switch {
		case k == i:
			operands[k] = b.DynamicSlice(v, slice.Operands[1:], slice.DynamicSlice().SliceSizes())
		case v.Type.Rank() == 0:
			operands[k] = v
		case v.Def().Kind == ir.OpConstant:
			operands[k] = b.Constant(&ir.Dense{Type: v.Type.WithDims(dims), Splat: true, Data: v.Def().Literal().Data})
		default:
			operands[k] = b.BroadcastInDim(v.Def().Operands[0], nil, v.Type.WithDims(dims))
		}
	}
	b.Loc = op.Loc
	sunk := b.OpWithTypes(op.Kind, op.Attrs, []ir.Type{slice.Result().Type}, operands...)
	sunk.Result().Origins = slice.Result().Origins.Add(op.Result().Origins...)
	slice.ReplaceWith(sunk.Result())
}
