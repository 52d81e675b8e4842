package operations

// This file computes statistics: quantiles, reductions that skip NaN, moments, counts of values.

import (
	"fmt"
	"math"
	"slices"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/internal/option"
	"github.com/gospmd/gospmd/keras/layers/internal/nodes"
)

// axesLast returns x with the axes of the attribute axis (by default all) moved to the end and
// joined to one dimension.
func (o operands) axesLast(x *graph.Node) *graph.Node {
	axes := o.axes(x.Rank())
	var order, kept []int
	for d := range x.Rank() {
		if !slices.Contains(axes, d) {
			order, kept = append(order, d), append(kept, x.Shape().Dimensions[d])
		}
	}
	x = graph.TransposeAllAxes(x, append(order, axes...)...)
	return graph.Reshape(x, append(kept, -1)...)
}

// quantiles returns an operation that computes quantiles as the method quantile does, over the
// attribute axis, by default all axes, interpolated by the attribute method. Its argument q is a
// scalar or a vector, from 0 to scale: scale is 1 or 100. If skip is true, the operation ignores
// NaN. If not, the quantiles of data with NaN are NaN. A q of another rank and unknown methods
// panic.
func quantiles(scale float64, skip bool) func(o operands) *graph.Node {
	return func(o operands) *graph.Node {
		x := fractions(o.tensor(0))
		var q *graph.Node
		switch v := o.arg(1).(type) {
		case *graph.Node:
			q = graph.ConvertDType(v, x.DType())
		default:
			ns := option.Floats(v)
			if len(ns) == 0 {
				panic(fmt.Errorf("got q %v, want a number or numbers", v))
			}
			q = graph.ConvertDType(graph.Const(o.g, ns), x.DType())
			if _, list := v.([]any); !list && len(ns) == 1 {
				q = graph.Squeeze(q)
			}
		}
		if q.Rank() > 1 {
			panic(fmt.Errorf("got q %s, want a number or a vector", q.Shape()))
		}
		method, _ := o.attrs["method"].(string)
		return o.quantile(x, graph.DivScalar(q, scale), method, skip)
	}
}

// medianOf returns the operation median, or nanmedian if skip is true, over the attribute axis, all
// by default. keepdims, if true, keeps the reduced axes with size 1. Without skip the median of
// data with NaN is NaN.
func medianOf(skip bool) func(o operands) *graph.Node {
	return func(o operands) *graph.Node {
		x := fractions(o.tensor(0))
		return o.quantile(x, nodes.Like(graph.Scalar(o.g, x.DType(), 0), .5), "linear", skip)
	}
}

// quantile returns the quantiles q of x, from 0 to 1, over the attribute axis, interpolated by
// method: linear, lower, higher, midpoint or nearest; others panic. If q is a vector, its dimension
// is the first of the result. If skip is true, it ignores NaN, and the quantile is NaN if all
// elements are; otherwise one NaN suffices. keepdims, if true, keeps the reduced axes with size 1.
func (o operands) quantile(x, q *graph.Node, method string, skip bool) *graph.Node {
	flat := o.axesLast(x)
	last := flat.Rank() - 1
	n := flat.Shape().Dimensions[last]
	rows := flat.Shape().Dimensions[:last]
	isNaN := graph.IsNaN(flat)
	ordered := graph.Where(isNaN, nodes.Like(flat, math.Inf(1)), flat)
	ordered = pick(ordered, order(ordered, last, false), last)
	counted := graph.ReduceSum(graph.ConvertDType(graph.LogicalNot(isNaN), x.DType()), last)
	if !skip {
		counted = nodes.Like(counted, float64(n))
	}
	one := func(q *graph.Node) *graph.Node {
		at := graph.Mul(graph.BroadcastToDims(q, rows...), graph.Max(graph.AddScalar(counted, -1), graph.ZerosLike(counted)))
		low, high := graph.Floor(at), graph.Ceil(at)
		element := func(at *graph.Node) *graph.Node {
			at = graph.ConvertDType(graph.InsertAxes(at, -1), dtypes.Int32)
			return graph.Squeeze(pick(ordered, at, last), last)
		}
		var y *graph.Node
		switch method {
		case "linear":
			share := graph.Sub(at, low)
			below, above := element(low), element(high)
			y = graph.Add(graph.Mul(below, graph.OneMinus(share)), graph.Mul(above, share))
		case "lower":
			y = element(low)
		case "higher":
			y = element(high)
		case "nearest":
			y = element(graph.Round(at))
		case "midpoint":
			y = graph.MulScalar(graph.Add(element(low), element(high)), .5)
		default:
			panic(fmt.Errorf("got method %q, want linear, lower, higher, midpoint or nearest", method))
		}
		none := graph.Equal(counted, graph.ZerosLike(counted))
		if !skip {
			none = graph.ReduceLogicalOr(isNaN, last)
		}
		return o.kept(graph.Where(none, nodes.Like(y, math.NaN()), y), x)
	}
	if q.Rank() == 0 {
		return one(q)
	}
	var all []*graph.Node
	for i := range q.Shape().Dimensions[0] {
		all = append(all, one(graph.Squeeze(graph.SliceAxis(q, 0, graph.AxisElem(i)), 0)))
	}
	return graph.Stack(all, 0)
}

// replacingNaN returns an operation that applies f after it has replaced NaN in argument 0 by v,
// and booleans by int32.
func replacingNaN(v float64, f func(o operands) *graph.Node) func(o operands) *graph.Node {
	return func(o operands) *graph.Node {
		x := numbers(o.tensor(0))
		if x.DType().IsFloat() {
			x = graph.Where(graph.IsNaN(x), nodes.Like(x, v), x)
		}
		o.args = append([]any{x}, o.args[1:]...)
		return f(o)
	}
}

// extremeWithoutNaN returns an operation for the largest (sign 1) or smallest (sign -1) element
// that is not NaN, over the attribute axis, by default all axes. Where all elements are NaN, the
// result is NaN. keepdims, if true, keeps the reduced axes with size 1.
func extremeWithoutNaN(sign float64) func(o operands) *graph.Node {
	return func(o operands) *graph.Node {
		x := numbers(o.tensor(0))
		y := replacingNaN(-sign*math.Inf(1), func(o operands) *graph.Node { return o.extreme(sign) })(o)
		if !x.DType().IsFloat() {
			return y
		}
		none := o.kept(graph.ReduceLogicalAnd(graph.IsNaN(x), o.axes(x.Rank())...), x)
		return graph.Where(none, nodes.Like(y, math.NaN()), y)
	}
}

// extremeAtWithoutNaN returns an operation for the position, int32, of the largest (sign 1) or
// smallest (sign -1) element that is not NaN along the attribute axis, or without an axis in the
// flattened x. It is -1 if all are NaN. keepdims, if true, keeps the reduced axes with size 1.
func extremeAtWithoutNaN(sign float64) func(o operands) *graph.Node {
	find := extremeAt(graph.ArgMax)
	if sign < 0 {
		find = extremeAt(graph.ArgMin)
	}
	return func(o operands) *graph.Node {
		x := fractions(o.tensor(0))
		at := replacingNaN(-sign*math.Inf(1), find)(o)
		none := o.kept(graph.ReduceLogicalAnd(graph.IsNaN(x), o.axes(x.Rank())...), x)
		return graph.Where(none, nodes.Like(at, -1), at)
	}
}

// varianceWithoutNaN is the operation nanvar: the variance, over the attribute axis, by default all
// axes, of the elements that are not NaN. It is NaN if all are. keepdims, if true, keeps the
// reduced axes with size 1.
func varianceWithoutNaN(o operands) *graph.Node {
	x := fractions(o.tensor(0))
	axes := o.axes(x.Rank())
	isNaN := graph.IsNaN(x)
	counts := graph.ReduceAndKeep(graph.ConvertDType(graph.LogicalNot(isNaN), x.DType()), graph.ReduceSum, axes...)
	filled := graph.Where(isNaN, graph.ZerosLike(x), x)
	mean := graph.Div(graph.ReduceAndKeep(filled, graph.ReduceSum, axes...), counts)
	distance := graph.Where(isNaN, graph.ZerosLike(x), graph.Sub(filled, graph.BroadcastToShape(mean, x.Shape())))
	y := graph.Div(graph.ReduceAndKeep(graph.Square(distance), graph.ReduceSum, axes...), counts)
	return o.kept(graph.Squeeze(y, axes...), x)
}

func deviationWithoutNaN(o operands) *graph.Node { return graph.Sqrt(varianceWithoutNaN(o)) }

// momentsOf is the operation moments: the mean and the variance over the axes of the attribute
// axes. keepdims, if true, keeps them with size 1.
func momentsOf(o operands) []*graph.Node {
	x := fractions(o.tensor(0))
	axes := normalAxes(o.ints("axes"), x.Rank())
	o.attrs = map[string]any{"axis": axes, "keepdims": o.attrs["keepdims"]}
	return []*graph.Node{o.kept(graph.ReduceMean(x, axes...), x), o.kept(variance(x, axes...), x)}
}

// correlations is the operation corrcoef: the correlation coefficients of each pair of rows of x, a
// matrix [rows, observations], as [rows, rows]. Other ranks panic.
func correlations(o operands) *graph.Node {
	x := fractions(o.tensor(0))
	if x.Rank() != 2 {
		panic(fmt.Errorf("got %d dimensions, want a matrix: variables, observations", x.Rank()))
	}
	x = graph.Sub(x, graph.BroadcastToShape(graph.ReduceAndKeep(x, graph.ReduceMean, 1), x.Shape()))
	c := graph.DivScalar(graph.DotGeneral(x, []int{1}, nil, x, []int{1}, nil), float64(x.Shape().Dimensions[1]-1))
	size := graph.Sqrt(graph.DivScalar(graph.ReduceSum(graph.Square(x), 1), float64(x.Shape().Dimensions[1]-1)))
	c = graph.Div(c, graph.BroadcastToShape(graph.InsertAxes(size, 1), c.Shape()))
	c = graph.Div(c, graph.BroadcastToShape(graph.InsertAxes(size, 0), c.Shape()))
	return graph.ClipScalar(c, -1, 1)
}

// rank returns for each element of x how many elements of a sorted vector are below it, or with
// orEqual not above it, as int32 in the shape of x. It panics if sorted is no vector.
func rank(sorted, x *graph.Node, orEqual bool) *graph.Node {
	if sorted.Rank() != 1 {
		panic(fmt.Errorf("got %d dimensions of what is sorted, want a vector", sorted.Rank()))
	}
	dtype := promote(sorted.DType(), x.DType())
	sorted, x = graph.ConvertDType(sorted, dtype), graph.ConvertDType(x, dtype)
	dims := append(slices.Clone(x.Shape().Dimensions), sorted.Shape().Dimensions[0])
	a, b := graph.BroadcastToDims(graph.ExpandLeftToRank(sorted, len(dims)), dims...), graph.BroadcastToDims(graph.InsertAxes(x, -1), dims...)
	before := graph.LessThan(a, b)
	if orEqual {
		before = graph.LessOrEqual(a, b)
	}
	return graph.ReduceSum(graph.ConvertDType(before, dtypes.Int32), len(dims)-1)
}

// searchSorted is the operation searchsorted: the positions where the values, argument 1, would be
// inserted in the sorted vector, argument 0. The attribute side "left" is before equal elements,
// "right" after them; others panic.
func searchSorted(o operands) *graph.Node {
	side, _ := o.attrs["side"].(string)
	if side != "left" && side != "right" {
		panic(fmt.Errorf("got side %q, want left or right", side))
	}
	return rank(o.tensor(0), o.tensor(1), side == "right")
}

// digitize is the operation digitize: for each element of x the number of its bin, int32: how many
// of the bounds, argument 1, are not above it, or, if they descend, how many are above it.
func digitize(o operands) *graph.Node {
	x, bins := o.tensor(0), o.vector(1)
	n := bins.Shape().Dimensions[0]
	rising := rank(bins, x, true)
	falling := graph.Neg(graph.AddScalar(rank(bins, x, true), -float64(n)))
	first, last := graph.SliceAxis(bins, 0, graph.AxisElem(0)), graph.SliceAxis(bins, 0, graph.AxisElem(n-1))
	rises := graph.BroadcastToDims(graph.Squeeze(graph.LessOrEqual(first, last)), x.Shape().Dimensions...)
	return graph.Where(rises, rising, falling)
}

// vector returns argument i, a tensor, a number or a list of numbers, as a tensor. Numbers become
// float32. It panics for anything else.
func (o operands) vector(i int) *graph.Node {
	if x, ok := o.arg(i).(*graph.Node); ok {
		return x
	}
	ns := option.Floats(o.arg(i))
	if len(ns) == 0 {
		panic(fmt.Errorf("argument %d is %v, want a tensor or numbers", i, o.arg(i)))
	}
	return graph.ConvertDType(graph.Const(o.g, ns), dtypes.Float32)
}

// counts is the operation bincount: how often each of the numbers 0 to minlength-1 is in x, a
// vector or the rows of a matrix, as int32. With weights, argument 1, it returns the sums of the
// weights of the elements. Other numbers are ignored. It panics for other ranks, and without a
// positive attribute minlength.
func counts(o operands) *graph.Node {
	x, n := o.tensor(0), o.ints("minlength")
	if n == nil || n[0] < 1 {
		panic(fmt.Errorf("got minlength %v, want the number of different values: the shape of the result depends on it", o.attrs["minlength"]))
	}
	if x.Rank() < 1 || x.Rank() > 2 {
		panic(fmt.Errorf("got %d dimensions, want one or two", x.Rank()))
	}
	shape := shapes.Make(x.DType(), append(slices.Clone(x.Shape().Dimensions), n[0])...)
	is := graph.Equal(graph.BroadcastToShape(graph.InsertAxes(x, -1), shape), graph.Iota(o.g, shape, shape.Rank()-1))
	if len(o.args) > 1 && o.args[1] != nil {
		w := graph.BroadcastToDims(graph.InsertAxes(o.tensor(1), -1), shape.Dimensions...)
		return graph.ReduceSum(graph.Where(is, w, graph.ZerosLike(w)), x.Rank()-1)
	}
	return graph.ReduceSum(graph.ConvertDType(is, dtypes.Int32), x.Rank()-1)
}

// histogramOf is the operation histogram: the counts of the elements of a vector in bins of equal
// width, in the type of the elements, and the bounds of the bins. The attribute bins is their
// number, and range holds the lowest and the highest bound, by default the smallest and the largest
// element; where both are equal, they are moved apart by 1. Elements outside do not count. The last
// bin includes its upper bound. It panics if x is no vector or bins is not positive.
func histogramOf(o operands) []*graph.Node {
	x := fractions(o.tensor(0))
	n := o.ints("bins")
	if x.Rank() != 1 || n == nil || n[0] < 1 {
		panic(fmt.Errorf("got %d dimensions and bins %v, want a vector and a positive number", x.Rank(), o.attrs["bins"]))
	}
	low, high := graph.ReduceAllMin(x), graph.ReduceAllMax(x)
	if r := option.Floats(o.attrs["range"]); len(r) == 2 {
		low, high = nodes.Like(low, r[0]), nodes.Like(high, r[1])
	}
	same := graph.Equal(low, high)
	low, high = graph.Where(same, graph.AddScalar(low, -.5), low), graph.Where(same, graph.AddScalar(high, .5), high)
	at := graph.DivScalar(graph.Iota(o.g, shapes.Make(x.DType(), n[0]+1), 0), float64(n[0]))
	full := func(v *graph.Node) *graph.Node { return graph.BroadcastToDims(v, n[0]+1) }
	edges := graph.Add(graph.Mul(full(low), graph.OneMinus(at)), graph.Mul(full(high), at))
	size := x.Shape().Dimensions[0]
	wide := func(v *graph.Node, axis int) *graph.Node {
		return graph.BroadcastToDims(graph.InsertAxes(v, axis), size, n[0])
	}
	xs := wide(x, 1)
	starts, ends := wide(graph.SliceAxis(edges, 0, graph.AxisRange(0, n[0])), 0), wide(graph.SliceAxis(edges, 0, graph.AxisRange(1, n[0]+1)), 0)
	isLast := graph.Equal(graph.Iota(o.g, shapes.Make(dtypes.Int32, size, n[0]), 1), graph.Scalar(o.g, dtypes.Int32, n[0]-1))
	atEnd := graph.LogicalAnd(isLast, graph.Equal(xs, ends))
	in := graph.LogicalAnd(graph.GreaterOrEqual(xs, starts), graph.LogicalOr(graph.LessThan(xs, ends), atEnd))
	return []*graph.Node{graph.ReduceSum(graph.ConvertDType(in, x.DType()), 0), edges}
}
