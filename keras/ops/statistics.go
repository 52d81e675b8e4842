package ops

// This file defines statistics: quantiles, reductions that skip NaN, counts of values.

import "github.com/gospmd/gospmd/keras/layers"

// Median returns the median over axes, all by default. Options: Axis, KeepDims.
func Median(x *Tensor, opts ...Option) *Tensor {
	return layers.Operate("Median", []any{x}, with(opts, map[string]any{"axis": nil, "keepdims": false}))
}

// Nanmedian returns the median over axes, all by default, of the elements that are not NaN.
// Options: Axis, KeepDims.
func Nanmedian(x *Tensor, opts ...Option) *Tensor {
	return layers.Operate("Nanmedian", []any{x}, with(opts, map[string]any{"axis": nil, "keepdims": false}))
}

// Nanmax returns the largest element over axes, all by default, that is not NaN: NaN if all are.
// Options: Axis, KeepDims.
func Nanmax(x *Tensor, opts ...Option) *Tensor {
	return layers.Operate("Nanmax", []any{x}, with(opts, map[string]any{"axis": nil, "keepdims": false}))
}

// Nanmin returns the smallest element over axes, all by default, that is not NaN: NaN if all are.
// Options: Axis, KeepDims.
func Nanmin(x *Tensor, opts ...Option) *Tensor {
	return layers.Operate("Nanmin", []any{x}, with(opts, map[string]any{"axis": nil, "keepdims": false}))
}

// Nanprod returns the product over axes, all by default, of the elements that are not NaN: 1 if all
// are NaN. Options: Axis, KeepDims.
func Nanprod(x *Tensor, opts ...Option) *Tensor {
	return layers.Operate("Nanprod", []any{x}, with(opts, map[string]any{"axis": nil, "keepdims": false}))
}

// Nanstd returns the standard deviation over axes, all by default, of the elements that are not
// NaN: NaN if all are. Options: Axis, KeepDims.
func Nanstd(x *Tensor, opts ...Option) *Tensor {
	return layers.Operate("Nanstd", []any{x}, with(opts, map[string]any{"axis": nil, "keepdims": false}))
}

// Nanvar returns the variance over axes, all by default, of the elements that are not NaN: NaN if
// all are. Options: Axis, KeepDims.
func Nanvar(x *Tensor, opts ...Option) *Tensor {
	return layers.Operate("Nanvar", []any{x}, with(opts, map[string]any{"axis": nil, "keepdims": false}))
}

// Nanargmax returns the position along an axis of the largest element that is not NaN, or -1 if all
// are NaN. Without Axis it is the position in the flattened x. Options: Axis (one), KeepDims.
func Nanargmax(x *Tensor, opts ...Option) *Tensor {
	return layers.Operate("Nanargmax", []any{x}, with(opts, map[string]any{"axis": nil, "keepdims": false}))
}

// Nanargmin returns the position along an axis of the smallest element that is not NaN, or -1 if
// all are NaN. Without Axis it is the position in the flattened x. Options: Axis (one), KeepDims.
func Nanargmin(x *Tensor, opts ...Option) *Tensor {
	return layers.Operate("Nanargmin", []any{x}, with(opts, map[string]any{"axis": nil, "keepdims": false}))
}

// Nancumsum is Cumsum with 0 in place of NaN. Options: Axis (one).
func Nancumsum(x *Tensor, opts ...Option) *Tensor {
	return layers.Operate("Nancumsum", []any{x}, with(opts, map[string]any{"axis": nil, "dtype": nil}))
}

// Nancumprod is Cumprod with 1 in place of NaN. Options: Axis (one).
func Nancumprod(x *Tensor, opts ...Option) *Tensor {
	return layers.Operate("Nancumprod", []any{x}, with(opts, map[string]any{"axis": nil, "dtype": nil}))
}

// Quantile returns the quantiles of x over axes, all by default, at q, which is from 0 to 1. q is a
// number, a tensor or a []float64. If q has a dimension, it is the first of the result. Options:
// Axis, KeepDims, Method.
func Quantile(x *Tensor, q any, opts ...Option) *Tensor {
	return layers.Operate("Quantile", []any{x, listed(q)}, with(opts, map[string]any{"axis": nil, "method": "linear", "keepdims": false}))
}

// Percentile is Quantile with q from 0 to 100. Options: Axis, KeepDims, Method.
func Percentile(x *Tensor, q any, opts ...Option) *Tensor {
	return layers.Operate("Percentile", []any{x, listed(q)}, with(opts, map[string]any{"axis": nil, "method": "linear", "keepdims": false}))
}

// Nanquantile is Quantile of the elements that are not NaN. Options: Axis, KeepDims, Method.
func Nanquantile(x *Tensor, q any, opts ...Option) *Tensor {
	return layers.Operate("Nanquantile", []any{x, listed(q)}, with(opts, map[string]any{"axis": nil, "method": "linear", "keepdims": false}))
}

// Nanpercentile is Percentile of the elements that are not NaN. Options: Axis, KeepDims, Method.
func Nanpercentile(x *Tensor, q any, opts ...Option) *Tensor {
	return layers.Operate("Nanpercentile", []any{x, listed(q)}, with(opts, map[string]any{"axis": nil, "method": "linear", "keepdims": false}))
}

// listed returns a []float64 or a []int as []any, the form of lists in the arguments of operations.
// It returns other values as they are.
func listed(v any) any {
	var out []any
	switch v := v.(type) {
	case []float64:
		for _, x := range v {
			out = append(out, x)
		}
	case []int:
		for _, x := range v {
			out = append(out, x)
		}
	default:
		return v
	}
	return out
}

// Moments returns the mean and the variance of x over axes, without these axes. Options: KeepDims.
func Moments(x *Tensor, axes []int, opts ...Option) (mean, variance *Tensor) {
	return two(layers.OperateAll("Moments", []any{x}, with(opts, map[string]any{"axes": axes, "keepdims": false, "synchronized": false})))
}

// Corrcoef returns the correlation coefficient of each pair of rows of a matrix: a square matrix.
func Corrcoef(x *Tensor) *Tensor { return layers.Operate("Corrcoef", []any{x}, nil) }

// SearchSorted returns for each of the values the position, from 0 to the length, where it belongs
// in the vector sorted, which is in ascending order. side is "left" (before equal elements) or
// "right" (after them); others are errors.
func SearchSorted(sorted, values *Tensor, side string) *Tensor {
	return layers.Operate("SearchSorted", []any{sorted, values}, map[string]any{"side": side})
}

// Digitize returns for each element of x the number of its bin: 0 before the first bound, 1 after
// it and so on. bins holds the bounds, in ascending or descending order: a tensor or a slice of
// numbers.
func Digitize(x *Tensor, bins any) *Tensor {
	return layers.Operate("Digitize", []any{x, layers.Ensure(bins)}, nil)
}

// Bincount returns how often each of the numbers 0 to n-1 is in x, a vector, as a vector of n
// counts. If x has rows, it does so for each row. It ignores other numbers. If weights, in the
// shape of x, is not nil, it sums the weights of the elements instead.
func Bincount(x, weights *Tensor, n int) *Tensor {
	args := []any{x}
	if weights != nil {
		args = append(args, weights)
	}
	return layers.Operate("Bincount", args, map[string]any{"minlength": n, "sparse": false})
}

// Histogram returns the number of elements of a vector in each of n bins of equal width, and the
// n+1 bounds of the bins. limits holds the least and the largest bound; without it, they are the
// least and the largest element of x. The last bin includes its upper bound.
func Histogram(x *Tensor, n int, limits ...float64) (counts, borders *Tensor) {
	attrs := map[string]any{"bins": n, "range": nil}
	if len(limits) > 0 {
		attrs["range"] = limits
	}
	return two(layers.OperateAll("Histogram", []any{x}, attrs))
}
