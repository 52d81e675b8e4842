package ops

// This file defines operations along axes, and products.

import "github.com/gospmd/gospmd/keras/layers"

// Sum returns the sum over axes. Options: Axis, KeepDims.
func Sum(x *layers.Tensor, opts ...Option) *layers.Tensor {
	return layers.Operate("Sum", []any{x}, with(opts, map[string]any{"axis": nil, "keepdims": false}))
}

// Mean returns the mean over axes. Options: Axis, KeepDims.
func Mean(x *layers.Tensor, opts ...Option) *layers.Tensor {
	return layers.Operate("Mean", []any{x}, with(opts, map[string]any{"axis": nil, "keepdims": false}))
}

// Max returns the largest number over axes. Options: Axis, KeepDims.
func Max(x *layers.Tensor, opts ...Option) *layers.Tensor {
	return layers.Operate("Max", []any{x}, with(opts, map[string]any{"axis": nil, "keepdims": false}))
}

// Min returns the smallest number over axes. Options: Axis, KeepDims.
func Min(x *layers.Tensor, opts ...Option) *layers.Tensor {
	return layers.Operate("Min", []any{x}, with(opts, map[string]any{"axis": nil, "keepdims": false}))
}

// All returns whether all are true over axes. Options: Axis, KeepDims.
func All(x *layers.Tensor, opts ...Option) *layers.Tensor {
	return layers.Operate("All", []any{x}, with(opts, map[string]any{"axis": nil, "keepdims": false}))
}

// Any returns whether one is true over axes. Options: Axis, KeepDims.
func Any(x *layers.Tensor, opts ...Option) *layers.Tensor {
	return layers.Operate("Any", []any{x}, with(opts, map[string]any{"axis": nil, "keepdims": false}))
}

// Prod returns the product over axes. Options: Axis, KeepDims.
func Prod(x *layers.Tensor, opts ...Option) *layers.Tensor {
	return layers.Operate("Prod", []any{x}, with(opts, map[string]any{"axis": nil, "keepdims": false}))
}

// Std returns the standard deviation over axes. Options: Axis, KeepDims.
func Std(x *layers.Tensor, opts ...Option) *layers.Tensor {
	return layers.Operate("Std", []any{x}, with(opts, map[string]any{"axis": nil, "keepdims": false}))
}

// Var returns the variance over axes. Options: Axis, KeepDims.
func Var(x *layers.Tensor, opts ...Option) *layers.Tensor {
	return layers.Operate("Var", []any{x}, with(opts, map[string]any{"axis": nil, "keepdims": false}))
}

// Logsumexp returns log(sum(exp(x))) over axes. Options: Axis, KeepDims.
func Logsumexp(x *layers.Tensor, opts ...Option) *layers.Tensor {
	return layers.Operate("Logsumexp", []any{x}, with(opts, map[string]any{"axis": nil, "keepdims": false}))
}

// Argmax returns the position of the largest number along an axis, or of all. Options: Axis (one),
// KeepDims.
func Argmax(x *layers.Tensor, opts ...Option) *layers.Tensor {
	return layers.Operate("Argmax", []any{x}, with(opts, map[string]any{"axis": nil, "keepdims": false}))
}

// Argmin returns the position of the smallest number along an axis, or of all. Options: Axis (one),
// KeepDims.
func Argmin(x *layers.Tensor, opts ...Option) *layers.Tensor {
	return layers.Operate("Argmin", []any{x}, with(opts, map[string]any{"axis": nil, "keepdims": false}))
}

// Norm returns the norm of vectors along an axis: of order 2, or 1, "inf" or another number.
// Options: Axis, KeepDims.
func Norm(x *layers.Tensor, order any, opts ...Option) *layers.Tensor {
	return layers.Operate("Norm", []any{x}, with(opts, map[string]any{"ord": order, "axis": nil, "keepdims": false}))
}

// Normalize divides by the norm of an axis, the last one by default; of order 2 as a rule.
// Options: Axis.
func Normalize(x *layers.Tensor, order int, opts ...Option) *layers.Tensor {
	return layers.Operate("Normalize", []any{x}, with(opts, map[string]any{"axis": -1, "order": order, "epsilon": nil}))
}

// Average returns the mean over axes, weighted; weights along one axis may be a vector, and
// nil weighs nothing. Options: Axis.
func Average(x, weights *layers.Tensor, opts ...Option) *layers.Tensor {
	args := []any{x}
	if weights != nil {
		args = append(args, weights)
	}
	return layers.Operate("Average", args, with(opts, map[string]any{"axis": nil}))
}

// CountNonzero returns how many elements are not 0. Options: Axis.
func CountNonzero(x *layers.Tensor, opts ...Option) *layers.Tensor {
	return layers.Operate("CountNonzero", []any{x}, with(opts, map[string]any{"axis": nil}))
}

// Cumsum returns the sums of each element and all before it. Options: Axis (one).
func Cumsum(x *layers.Tensor, opts ...Option) *layers.Tensor {
	return layers.Operate("Cumsum", []any{x}, with(opts, map[string]any{"axis": nil}))
}

// Cumprod returns the products of each element and all before it. Options: Axis (one).
func Cumprod(x *layers.Tensor, opts ...Option) *layers.Tensor {
	return layers.Operate("Cumprod", []any{x}, with(opts, map[string]any{"axis": nil}))
}

// Diff returns the differences of neighbours along an axis, taken n times. Options: Axis (one).
func Diff(x *layers.Tensor, n int, opts ...Option) *layers.Tensor {
	return layers.Operate("Diff", []any{x}, with(opts, map[string]any{"n": n, "axis": -1}))
}

// Sort returns the elements in ascending order along an axis. Options: Axis (one).
func Sort(x *layers.Tensor, opts ...Option) *layers.Tensor {
	return layers.Operate("Sort", []any{x}, with(opts, map[string]any{"axis": -1}))
}

// Argsort returns the positions of the elements in ascending order. Options: Axis (one).
func Argsort(x *layers.Tensor, opts ...Option) *layers.Tensor {
	return layers.Operate("Argsort", []any{x}, with(opts, map[string]any{"axis": -1}))
}

// TopK returns the k largest elements of the last dimension, the largest first, and their
// positions.
func TopK(x *layers.Tensor, k int) (values, indices *layers.Tensor) {
	out := layers.OperateAll("TopK", []any{x}, map[string]any{"k": k, "sorted": true})
	if len(out) < 2 {
		return out[0], out[0] // an error
	}
	return out[0], out[1]
}

// Matmul returns the product of matrices; dimensions before the last two are a batch. x and y are
// tensors or numbers.
func Matmul(x, y any) *layers.Tensor { return layers.Operate("Matmul", []any{x, y}, nil) }

// Dot returns the product of the last dimension of x with the last but one of y, or its only
// one.
func Dot(x, y *layers.Tensor) *layers.Tensor { return layers.Operate("Dot", []any{x, y}, nil) }

// Einsum returns a product of two tensors in Einstein's notation, such as "bi,bj->bij".
func Einsum(subscripts string, x, y *layers.Tensor) *layers.Tensor {
	return layers.Operate("Einsum", []any{x, y}, map[string]any{"subscripts": subscripts})
}

// Outer returns the products of all elements of x with all of y, a matrix.
func Outer(x, y *layers.Tensor) *layers.Tensor { return layers.Operate("Outer", []any{x, y}, nil) }

// Tensordot sums the products of x and y over pairs of their axes.
func Tensordot(x, y *layers.Tensor, ofX, ofY []int) *layers.Tensor {
	return layers.Operate("Tensordot", []any{x, y}, map[string]any{"axes": []any{ofX, ofY}})
}

// Amax returns the largest number over axes. Options: Axis, KeepDims.
func Amax(x *layers.Tensor, opts ...Option) *layers.Tensor {
	return layers.Operate("Amax", []any{x}, with(opts, map[string]any{"axis": nil, "keepdims": false}))
}

// Amin returns the smallest number over axes. Options: Axis, KeepDims.
func Amin(x *layers.Tensor, opts ...Option) *layers.Tensor {
	return layers.Operate("Amin", []any{x}, with(opts, map[string]any{"axis": nil, "keepdims": false}))
}

// Ptp returns the largest number less the smallest over axes. Options: Axis, KeepDims.
func Ptp(x *layers.Tensor, opts ...Option) *layers.Tensor {
	return layers.Operate("Ptp", []any{x}, with(opts, map[string]any{"axis": nil, "keepdims": false}))
}

// Nansum returns the sum over axes of the elements that are no NaN. Options: Axis, KeepDims.
func Nansum(x *layers.Tensor, opts ...Option) *layers.Tensor {
	return layers.Operate("Nansum", []any{x}, with(opts, map[string]any{"axis": nil, "keepdims": false}))
}

// Nanmean returns the mean over axes of the elements that are no NaN. Options: Axis, KeepDims.
func Nanmean(x *layers.Tensor, opts ...Option) *layers.Tensor {
	return layers.Operate("Nanmean", []any{x}, with(opts, map[string]any{"axis": nil, "keepdims": false}))
}

// Diagonal returns the diagonal of two dimensions of x, the first two of matrices (0, 1), as the
// last dimension.
func Diagonal(x *layers.Tensor, offset, axis1, axis2 int) *layers.Tensor {
	return layers.Operate("Diagonal", []any{x}, map[string]any{"offset": offset, "axis1": axis1, "axis2": axis2})
}

// Trace returns the sum of a diagonal.
func Trace(x *layers.Tensor, offset, axis1, axis2 int) *layers.Tensor {
	return layers.Operate("Trace", []any{x}, map[string]any{"offset": offset, "axis1": axis1, "axis2": axis2})
}

// Inner sums the products of the last dimensions of x and y.
func Inner(x, y *layers.Tensor) *layers.Tensor { return layers.Operate("Inner", []any{x, y}, nil) }

// Vdot sums the products of all elements of x and y.
func Vdot(x, y *layers.Tensor) *layers.Tensor { return layers.Operate("Vdot", []any{x, y}, nil) }

// SegmentSum adds the rows of x that have the same id; there are numSegments sums.
func SegmentSum(x, ids *layers.Tensor, numSegments int) *layers.Tensor {
	return segment("SegmentSum", x, ids, numSegments)
}

// SegmentMax returns the largest numbers of the rows of x that have the same id.
func SegmentMax(x, ids *Tensor, numSegments int) *Tensor {
	return segment("SegmentMax", x, ids, numSegments)
}

// SegmentMin returns the smallest numbers of the rows of x that have the same id.
func SegmentMin(x, ids *Tensor, numSegments int) *Tensor {
	return segment("SegmentMin", x, ids, numSegments)
}

// SegmentProd multiplies the rows of x that have the same id.
func SegmentProd(x, ids *Tensor, numSegments int) *Tensor {
	return segment("SegmentProd", x, ids, numSegments)
}

func segment(class string, x, ids *Tensor, n int) *Tensor {
	return layers.Operate(class, []any{x, ids}, map[string]any{"num_segments": n, "sorted": false})
}
