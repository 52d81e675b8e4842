package compile

// This file implements sums, which computes sums over columns by matrix products.

import (
	"slices"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/ir"
)

// A sum of fewer than minSummed rows, or of fewer than minColumns columns, stays a reduction.
const (
	minSummed  = 64
	minColumns = 8
)

// rewriteSums replaces a sum of floats over the leading dimensions by a product with ones.
// Gradients of biases and the statistics of a batch normalization have such sums:
//
//	%1 = reduce sum of %x along [0, 1, 2]    =>    %p = dot_general (2x16x26x26 ones), %x, contracting [1, 2, 3] x [0, 1, 2]
//	                                               %1 = reshape (slice %p [0:1])
//
// XLA on CPUs computes such a reduction column by column. For each column a loop reads all rows; it
// is not vectorized, and also computes the ops that make the operand. The product reads the memory
// in order. It has two rows of ones, because XLA makes the same kind of loop of a product with a
// single short vector. Sums that start from -0.0 are not rewritten: a product with ones would turn
// a sum of negative zeros into +0.0.
func rewriteSums(f *ir.Func) {
	f.Walk(func(op *ir.Op) {
		if isColumnSum(op) {
			op.ReplaceWith(columnSum(op))
		}
	})
}

// isColumnSum reports whether op is a sum of f32 or f64, from +0.0, over the leading dimensions of
// one tensor: of at least minSummed rows and minColumns columns.
func isColumnSum(op *ir.Op) bool {
	if op.Kind != ir.OpReduce || len(op.Results) != 1 {
		return false
	}
	x, t, dims := op.Operands[0].Type, op.Result().Type, op.Reduce().Dimensions()
	if kind, ok := ir.ReductionOf(op); !ok || kind != ir.OpAdd || t.DType != dtypes.Float32 && t.DType != dtypes.Float64 || !isIota(dims, len(dims)) {
		return false
	}
	init := literal(op.Operands[1])
	return init != nil && init.IsZero() && t.Size() >= minColumns && x.Size() >= minSummed*t.Size()
}

// columnSum builds a matrix product with ones that computes the same as op, a sum over leading
// dimensions, and returns its result.
func columnSum(op *ir.Op) *ir.Value {
	b := (&ir.Builder{Loc: op.Loc}).Before(op)
	t, dims := op.Result().Type, op.Reduce().Dimensions()
	x := op.Operands[0]
	two := slices.Concat([]int{2}, x.Type.Dims[:len(dims)])
	ones := b.BroadcastInDim(b.Constant(ir.Scalar(t.DType, 1)), nil, t.WithDims(two))
	var summed []int // the sizes of the summed dimensions
	for _, d := range dims {
		summed = append(summed, d+1)
	}
	product := b.DotGeneral(ones, x, &ir.DotDims{LHSContracting: summed, RHSContracting: dims})
	first := slices.Concat([]int{1}, t.Dims)
	return b.Reshape(b.Slice(product, make([]int, len(first)), first, slices.Repeat([]int{1}, len(first))), t)
}
