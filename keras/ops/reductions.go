package ops

// This file defines operations along axes, and products.

import "github.com/gospmd/gospmd/keras/layers"

// Sum returns the sum over axes, all by default. Options: Axis, KeepDims.
func Sum(x *layers.Tensor, opts ...Option) *layers.Tensor {
	return layers.Operate("Sum", []any{x}, with(opts, map[string]any{"axis": nil, "keepdims": false}))
}

// Mean returns the mean over axes, all by default. Options: Axis, KeepDims.
func Mean(x *layers.Tensor, opts ...Option) *layers.Tensor {
	return layers.Operate("Mean", []any{x}, with(opts, map[string]any{"axis": nil, "keepdims": false}))
}

// Max returns the largest element over axes, all by default. Options: Axis, KeepDims.
func Max(x *layers.Tensor, opts ...Option) *layers.Tensor {
	return layers.Operate("Max", []any{x}, with(opts, map[string]any{"axis": nil, "keepdims": false}))
}

// Min returns the smallest element over axes, all by default. Options: Axis, KeepDims.
func Min(x *layers.Tensor, opts ...Option) *layers.Tensor {
	return layers.Operate("Min", []any{x}, with(opts, map[string]any{"axis": nil, "keepdims": false}))
}

// All reports whether all elements over axes, all by default, are true. Options: Axis, KeepDims.
func All(x *layers.Tensor, opts ...Option) *layers.Tensor {
	return layers.Operate("All", []any{x}, with(opts, map[string]any{"axis": nil, "keepdims": false}))
}

// Any reports whether at least one element over axes, all by default, is true. Options: Axis,
// KeepDims.
func Any(x *layers.Tensor, opts ...Option) *layers.Tensor {
	return layers.Operate("Any", []any{x}, with(opts, map[string]any{"axis": nil, "keepdims": false}))
}

// Prod returns the product over axes, all by default. Options: Axis, KeepDims.
func Prod(x *layers.Tensor, opts ...Option) *layers.Tensor {
	return layers.Operate("Prod", []any{x}, with(opts, map[string]any{"axis": nil, "keepdims": false}))
}

// Std returns the standard deviation over axes, all by default: the root of Var. Options: Axis,
// KeepDims.
func Std(x *layers.Tensor, opts ...Option) *layers.Tensor {
	return layers.Operate("Std", []any{x}, with(opts, map[string]any{"axis": nil, "keepdims": false}))
}

// Var returns the variance over axes, all by default: the mean squared distance from the mean.
// Options: Axis, KeepDims.
func Var(x *layers.Tensor, opts ...Option) *layers.Tensor {
	return layers.Operate("Var", []any{x}, with(opts, map[string]any{"axis": nil, "keepdims": false}))
}

// Logsumexp returns log(sum(exp(x))) over axes, all by default. Options: Axis, KeepDims.
func Logsumexp(x *layers.Tensor, opts ...Option) *layers.Tensor {
	return layers.Operate("Logsumexp", []any{x}, with(opts, map[string]any{"axis": nil, "keepdims": false}))
}

// Argmax returns the position, int32, of the largest element along an axis. Without Axis it is the
// position in the flattened x. Options: Axis (one), KeepDims.
func Argmax(x *layers.Tensor, opts ...Option) *layers.Tensor {
	return layers.Operate("Argmax", []any{x}, with(opts, map[string]any{"axis": nil, "keepdims": false}))
}

// Argmin returns the position, int32, of the smallest element along an axis. Without Axis it is the
// position in the flattened x. Options: Axis (one), KeepDims.
func Argmin(x *layers.Tensor, opts ...Option) *layers.Tensor {
	return layers.Operate("Argmin", []any{x}, with(opts, map[string]any{"axis": nil, "keepdims": false}))
}

// Norm returns a norm over axes, all by default. order is 2, which nil stands for, 1, "inf" or
// another number; 0 counts the elements that are not 0. With two axes it is a norm of matrices:
// "fro", "nuc", 1, 2, "inf" or a negative one of these. Over more axes order must be nil. Options:
// Axis, KeepDims.
func Norm(x *layers.Tensor, order any, opts ...Option) *layers.Tensor {
	return layers.Operate("Norm", []any{x}, with(opts, map[string]any{"ord": order, "axis": nil, "keepdims": false}))
}

// Normalize divides x by its norm along an axis, the last one by default; a norm below 1e-7 counts
// as 1e-7. The usual order is 2. Options: Axis.
func Normalize(x *layers.Tensor, order int, opts ...Option) *layers.Tensor {
	return layers.Operate("Normalize", []any{x}, with(opts, map[string]any{"axis": -1, "order": order, "epsilon": nil}))
}

// Average returns the weighted mean over axes, all by default. For one axis the weights may be a
// vector. With nil weights it is the mean. Options: Axis.
func Average(x, weights *layers.Tensor, opts ...Option) *layers.Tensor {
	args := []any{x}
	if weights != nil {
		args = append(args, weights)
	}
	return layers.Operate("Average", args, with(opts, map[string]any{"axis": nil}))
}

// CountNonzero returns the number of elements over axes, all by default, that are not 0. Options:
// Axis.
func CountNonzero(x *layers.Tensor, opts ...Option) *layers.Tensor {
	return layers.Operate("CountNonzero", []any{x}, with(opts, map[string]any{"axis": nil}))
}

// Cumsum returns for each element the sum of it and of all elements before it along an axis.
// Without Axis it does so for the flattened x. Options: Axis (one).
func Cumsum(x *layers.Tensor, opts ...Option) *layers.Tensor {
	return layers.Operate("Cumsum", []any{x}, with(opts, map[string]any{"axis": nil}))
}

// Cumprod returns for each element the product of it and of all elements before it along an axis.
// Without Axis it does so for the flattened x. Options: Axis (one).
func Cumprod(x *layers.Tensor, opts ...Option) *layers.Tensor {
	return layers.Operate("Cumprod", []any{x}, with(opts, map[string]any{"axis": nil}))
}

// Diff returns the differences of neighbours along an axis, taken n times in turn: the axis is n
// elements shorter. Options: Axis (one, the last by default).
func Diff(x *layers.Tensor, n int, opts ...Option) *layers.Tensor {
	return layers.Operate("Diff", []any{x}, with(opts, map[string]any{"n": n, "axis": -1}))
}

// Sort returns the elements in ascending order along an axis. Options: Axis (one, the last by
// default).
func Sort(x *layers.Tensor, opts ...Option) *layers.Tensor {
	return layers.Operate("Sort", []any{x}, with(opts, map[string]any{"axis": -1}))
}

// Argsort returns the positions of the elements along an axis, ordered by ascending value. Options:
// Axis (one, the last by default).
func Argsort(x *layers.Tensor, opts ...Option) *layers.Tensor {
	return layers.Operate("Argsort", []any{x}, with(opts, map[string]any{"axis": -1}))
}

// TopK returns the k largest elements of the last dimension, the largest first, and their positions
// in it, int32. k must be from 1 to the size of the dimension.
func TopK(x *layers.Tensor, k int) (values, indices *layers.Tensor) {
	out := layers.OperateAll("TopK", []any{x}, map[string]any{"k": k, "sorted": true})
	if len(out) < 2 {
		return out[0], out[0] // an error
	}
	return out[0], out[1]
}

// Matmul returns the matrix product of the last two dimensions. The dimensions before them are a
// batch. A vector is a row as x and a column as y. x and y are Tensors or a *tensors.Tensor, of at
// least one dimension.
func Matmul(x, y any) *layers.Tensor { return layers.Operate("Matmul", []any{x, y}, nil) }

// Dot sums the products of x and y over the last dimension of x and the last but one of y, or over
// the only one of a vector y. The result has the other dimensions of x, then those of y. A scalar
// multiplies each element of the other tensor.
func Dot(x, y *layers.Tensor) *layers.Tensor { return layers.Operate("Dot", []any{x, y}, nil) }

// Einsum returns a product of two tensors in Einstein's notation, such as "bi,bj->bij".
func Einsum(subscripts string, x, y *layers.Tensor) *layers.Tensor {
	return layers.Operate("Einsum", []any{x, y}, map[string]any{"subscripts": subscripts})
}

// Outer returns a matrix: the products of each element of x with each of y.
func Outer(x, y *layers.Tensor) *layers.Tensor { return layers.Operate("Outer", []any{x, y}, nil) }

// Tensordot sums the products of x and y over pairs of their axes: over the last axes of x and the
// first of y, whose number is given, or over those in two lists.
//
//	ops.Tensordot(x, y, 1)
//	ops.Tensordot(x, y, []int{1}, []int{0}) // the same for matrices
func Tensordot[S layers.Sizes](x, y *layers.Tensor, axes ...S) *layers.Tensor {
	var given any = axes
	switch list := given.(type) {
	case []int:
		if len(list) == 1 {
			given = list[0]
		}
	case [][]int:
		if len(list) == 2 {
			given = []any{list[0], list[1]}
		}
	}
	return layers.Operate("Tensordot", []any{x, y}, map[string]any{"axes": given})
}

// Amax returns the largest element over axes, all by default, as Max does. Options: Axis, KeepDims.
func Amax(x *layers.Tensor, opts ...Option) *layers.Tensor {
	return layers.Operate("Amax", []any{x}, with(opts, map[string]any{"axis": nil, "keepdims": false}))
}

// Amin returns the smallest element over axes, all by default, as Min does. Options: Axis,
// KeepDims.
func Amin(x *layers.Tensor, opts ...Option) *layers.Tensor {
	return layers.Operate("Amin", []any{x}, with(opts, map[string]any{"axis": nil, "keepdims": false}))
}

// Ptp returns the largest element minus the smallest over axes, all by default. Options: Axis,
// KeepDims.
func Ptp(x *layers.Tensor, opts ...Option) *layers.Tensor {
	return layers.Operate("Ptp", []any{x}, with(opts, map[string]any{"axis": nil, "keepdims": false}))
}

// Nansum returns the sum over axes, all by default, of the elements that are not NaN: 0 if all are.
// Options: Axis, KeepDims.
func Nansum(x *layers.Tensor, opts ...Option) *layers.Tensor {
	return layers.Operate("Nansum", []any{x}, with(opts, map[string]any{"axis": nil, "keepdims": false}))
}

// Nanmean returns the mean over axes, all by default, of the elements that are not NaN: NaN if all
// are. Options: Axis, KeepDims.
func Nanmean(x *layers.Tensor, opts ...Option) *layers.Tensor {
	return layers.Operate("Nanmean", []any{x}, with(opts, map[string]any{"axis": nil, "keepdims": false}))
}

// Diagonal returns a diagonal of the dimensions axis1 and axis2 of x, along a new last dimension.
// offset moves the diagonal up (above 0) or down.
func Diagonal(x *layers.Tensor, offset, axis1, axis2 int) *layers.Tensor {
	return layers.Operate("Diagonal", []any{x}, map[string]any{"offset": offset, "axis1": axis1, "axis2": axis2})
}

// Trace returns the sum of the diagonal of axis1 and axis2 that Diagonal returns, with the same
// offset.
func Trace(x *layers.Tensor, offset, axis1, axis2 int) *layers.Tensor {
	return layers.Operate("Trace", []any{x}, map[string]any{"offset": offset, "axis1": axis1, "axis2": axis2})
}

// Inner sums the products of the last dimensions of x and y. The result has the other dimensions of
// x, then those of y.
func Inner(x, y *layers.Tensor) *layers.Tensor { return layers.Operate("Inner", []any{x, y}, nil) }

// Vdot returns the sum of the products of all elements of x and y, as a scalar.
func Vdot(x, y *layers.Tensor) *layers.Tensor { return layers.Operate("Vdot", []any{x, y}, nil) }

// SegmentSum returns for each segment the sum of the rows of x whose id is its number, 0 if there
// are none. The segments are 0 to numSegments-1; rows with other ids are ignored.
func SegmentSum(x, ids *layers.Tensor, numSegments int) *layers.Tensor {
	return segment("SegmentSum", x, ids, numSegments)
}

// SegmentMax returns for each segment the largest elements of the rows of x whose id is its number.
// Without rows they are -∞, or the lowest integer. The segments are 0 to numSegments-1; rows with
// other ids are ignored.
func SegmentMax(x, ids *Tensor, numSegments int) *Tensor {
	return segment("SegmentMax", x, ids, numSegments)
}

// SegmentMin returns for each segment the smallest elements of the rows of x whose id is its
// number. Without rows they are +∞, or the highest integer. The segments are 0 to numSegments-1;
// rows with other ids are ignored.
func SegmentMin(x, ids *Tensor, numSegments int) *Tensor {
	return segment("SegmentMin", x, ids, numSegments)
}

// SegmentProd returns for each segment the product of the rows of x whose id is its number, 1 if
// there are none. The segments are 0 to numSegments-1; rows with other ids are ignored.
func SegmentProd(x, ids *Tensor, numSegments int) *Tensor {
	return segment("SegmentProd", x, ids, numSegments)
}

func segment(class string, x, ids *Tensor, n int) *Tensor {
	return layers.Operate(class, []any{x, ids}, map[string]any{"num_segments": n, "sorted": false})
}
