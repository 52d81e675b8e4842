package target

// This file implements scatters by a single index, for emit.

import (
	"slices"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/ir/transform"
)

// scatter replaces a scatter that has a single index into a slice by one whose index is in range:
//
//	%1 = dynamic_slice %0, %s                  %c = clamp 0, %i, n - 1
//	%2 = scatter(%1, %i, %u)            =>     %3 = scatter(%1, %c, %u)
//	                                           %2 = select(%c == %i, %3, %1)
//
// XLA turns a scatter by one index into an update of a dynamic_slice. The update clamps the index,
// reads the element there and writes it back. Then XLA merges both slices into one by adding their
// indices, so that the element written back comes from a wrong place. scatter returns nil if op
// stays as it is.
func (e *emitter) scatter(op *ir.Op) []*ir.Value {
	x, n := op.Indexing(), len(op.Results)
	index := op.Operands[n]
	if len(x.Mapped) == 0 || index.Type.Size() != len(x.Mapped) || !slices.ContainsFunc(op.Operands[:n], isDynamicSlice) {
		return nil
	}
	high := make([]int, len(x.Mapped))
	for i, d := range x.Mapped {
		high[i] = x.Operand[d] - x.Sizes[d]
	}
	inside := transform.ClampIndex(&e.Builder, index, high, x.VectorDim)
	scattered := e.Insert(ir.Cloner{op.Operands[n]: inside}.Op(op))
	valid := e.Reshape(e.Compare(index, inside, "EQ"), ir.Tensor(dtypes.Bool, len(high)))
	valid = e.Reduce([]*ir.Value{valid}, []*ir.Value{e.Constant(ir.Scalar(dtypes.Bool, 1))}, []int{0}, ir.ReductionBody(ir.OpAnd, dtypes.Bool)).Result()
	out := slices.Clone(scattered.Results)
	for i, v := range out {
		out[i] = e.Select(valid, v, op.Operands[i])
	}
	return out
}

// isDynamicSlice reports whether v is the result of a dynamic_slice, perhaps reshaped or transposed
// afterwards.
func isDynamicSlice(v *ir.Value) bool {
	op := v.Def()
	for op != nil && (op.Kind == ir.OpReshape || op.Kind == ir.OpTranspose) {
		op = op.Operands[0].Def()
	}
	return op != nil && op.Kind == ir.OpDynamicSlice
}
