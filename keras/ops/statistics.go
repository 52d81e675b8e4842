package ops

// This file defines statistics: quantiles, what skips NaN, counts of values.

import "github.com/gospmd/gospmd/keras/layers"

// Median returns the median over axes. Options: Axis, KeepDims.
func Median(x *Tensor, opts ...Option) *Tensor {
	return layers.Operate("Median", []any{x}, with(opts, map[string]any{"axis": nil, "keepdims": false}))
}

// Nanmedian returns the median of the elements that are not NaN. Options: Axis, KeepDims.
func Nanmedian(x *Tensor, opts ...Option) *Tensor {
	return layers.Operate("Nanmedian", []any{x}, with(opts, map[string]any{"axis": nil, "keepdims": false}))
}

// Nanmax returns the largest element that is not NaN. Options: Axis, KeepDims.
func Nanmax(x *Tensor, opts ...Option) *Tensor {
	return layers.Operate("Nanmax", []any{x}, with(opts, map[string]any{"axis": nil, "keepdims": false}))
}

// Nanmin returns the smallest element that is not NaN. Options: Axis, KeepDims.
func Nanmin(x *Tensor, opts ...Option) *Tensor {
	return layers.Operate("Nanmin", []any{x}, with(opts, map[string]any{"axis": nil, "keepdims": false}))
}

// Nanprod returns the product of the elements that are not NaN. Options: Axis, KeepDims.
func Nanprod(x *Tensor, opts ...Option) *Tensor {
	return layers.Operate("Nanprod", []any{x}, with(opts, map[string]any{"axis": nil, "keepdims": false}))
}

// Nanstd returns the standard deviation of the elements that are not NaN. Options: Axis, KeepDims.
func Nanstd(x *Tensor, opts ...Option) *Tensor {
	return layers.Operate("Nanstd", []any{x}, with(opts, map[string]any{"axis": nil, "keepdims": false}))
}

// Nanvar returns the variance of the elements that are not NaN. Options: Axis, KeepDims.
func Nanvar(x *Tensor, opts ...Option) *Tensor {
	return layers.Operate("Nanvar", []any{x}, with(opts, map[string]any{"axis": nil, "keepdims": false}))
}

// Nanargmax returns the position of the largest number along an axis, -1 for none. Options: Axis,
// KeepDims.
func Nanargmax(x *Tensor, opts ...Option) *Tensor {
	return layers.Operate("Nanargmax", []any{x}, with(opts, map[string]any{"axis": nil, "keepdims": false}))
}

// Nanargmin returns the position of the smallest number along an axis, -1 for none. Options: Axis,
// KeepDims.
func Nanargmin(x *Tensor, opts ...Option) *Tensor {
	return layers.Operate("Nanargmin", []any{x}, with(opts, map[string]any{"axis": nil, "keepdims": false}))
}

// Nancumsum returns the sums of all elements up to each, NaN as 0. Options: Axis (one).
func Nancumsum(x *Tensor, opts ...Option) *Tensor {
	return layers.Operate("Nancumsum", []any{x}, with(opts, map[string]any{"axis": nil, "dtype": nil}))
}

// Nancumprod returns the products of all elements up to each, NaN as 1. Options: Axis (one).
func Nancumprod(x *Tensor, opts ...Option) *Tensor {
	return layers.Operate("Nancumprod", []any{x}, with(opts, map[string]any{"axis": nil, "dtype": nil}))
}

// Quantile returns the quantiles q, from 0 to 1: a number, a tensor or []float64, whose quantiles
// come first. Options: Axis, KeepDims, Method.
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

// listed returns a list of numbers as an argument.
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

// Moments returns mean and variance over axes. Options: KeepDims.
func Moments(x *Tensor, axes []int, opts ...Option) (mean, variance *Tensor) {
	return two(layers.OperateAll("Moments", []any{x}, with(opts, map[string]any{"axes": axes, "keepdims": false, "synchronized": false})))
}

// Corrcoef returns the correlations of the rows of a matrix.
func Corrcoef(x *Tensor) *Tensor { return layers.Operate("Corrcoef", []any{x}, nil) }

// SearchSorted returns where values would stand in a sorted vector: before equal ones ("left"), or
// behind them ("right").
func SearchSorted(sorted, values *Tensor, side string) *Tensor {
	return layers.Operate("SearchSorted", []any{sorted, values}, map[string]any{"side": side})
}

// Digitize returns the bin of each number, between borders that rise or fall: a tensor or a
// slice of numbers.
func Digitize(x *Tensor, bins any) *Tensor {
	return layers.Operate("Digitize", []any{x, layers.Ensure(bins)}, nil)
}

// Bincount returns how often each of the numbers 0 to n-1 is in x, a vector or rows; others do
// not count. With weights, not nil, it sums these.
func Bincount(x, weights *Tensor, n int) *Tensor {
	args := []any{x}
	if weights != nil {
		args = append(args, weights)
	}
	return layers.Operate("Bincount", args, map[string]any{"minlength": n, "sparse": false})
}

// Histogram returns how many elements of a vector are in each of n bins of equal width, and the
// borders of these. The range is that of x unless two numbers are given.
func Histogram(x *Tensor, n int, limits ...float64) (counts, borders *Tensor) {
	attrs := map[string]any{"bins": n, "range": nil}
	if len(limits) > 0 {
		attrs["range"] = limits
	}
	return two(layers.OperateAll("Histogram", []any{x}, attrs))
}
