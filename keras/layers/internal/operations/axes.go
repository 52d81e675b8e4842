package operations

// This file computes operations along axes, and products.

import (
	"fmt"
	"math"
	"slices"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/keras/layers/internal/nodes"
)

func softmaxOf(o operands) *graph.Node {
	x := fractions(o.tensor(0))
	return softmax(x, o.axis(x.Rank()))
}

// reduce returns an operation that reduces x, after convert, by f over the axes of the attribute
// axis, all by default. It drops them unless keepdims is true.
func reduce(f func(x *graph.Node, axes ...int) *graph.Node, convert func(x *graph.Node) *graph.Node) func(o operands) *graph.Node {
	return func(o operands) *graph.Node {
		x := convert(o.tensor(0))
		return o.kept(f(x, o.axes(x.Rank())...), x)
	}
}

// kept puts the reduced axes of x back into y, with size 1, if keepdims is true.
func (o operands) kept(y, x *graph.Node) *graph.Node {
	if o.attrs["keepdims"] != true {
		return y
	}
	dims := slices.Clone(x.Shape().Dimensions)
	for _, a := range o.axes(x.Rank()) {
		dims[a] = 1
	}
	return graph.Reshape(y, dims...)
}

// extreme returns the largest number over the attribute axis, by default all axes, if sign is 1,
// and the smallest if it is -1. The attribute initial, if given, is one of the numbers. keepdims,
// if true, keeps the reduced axes with size 1. Equal floats share the gradient.
func (o operands) extreme(sign float64) *graph.Node {
	x := numbers(o.tensor(0))
	axes := o.axes(x.Rank())
	var y *graph.Node
	switch {
	case !x.DType().IsFloat() && sign > 0:
		y = graph.ReduceMax(x, axes...)
	case !x.DType().IsFloat():
		y = graph.ReduceMin(x, axes...)
	default:
		y = graph.Squeeze(graph.MulScalar(nodes.MaxOfAll(graph.MulScalar(x, sign), nil, axes), sign), axes...)
	}
	if initial := o.attrs["initial"]; initial != nil {
		y = graph.MulScalar(graph.Max(graph.MulScalar(y, sign), nodes.Like(y, sign*number(initial))), sign)
	}
	return o.kept(y, x)
}

// matmul is the operation matmul: it multiplies matrices; the dimensions before the last two are
// batches, which are broadcast. A vector is a row as the first operand and a column as the second.
// Scalars panic.
func matmul(o operands) *graph.Node {
	a, b := o.tensor(0), o.tensor(1)
	dtype := promote(a.DType(), b.DType())
	a, b = graph.ConvertDType(a, dtype), graph.ConvertDType(b, dtype)
	switch {
	case a.Rank() == 0 || b.Rank() == 0:
		panic(fmt.Errorf("got %d and %d dimensions, want vectors or matrices", a.Rank(), b.Rank()))
	case b.Rank() == 1:
		return graph.DotGeneral(a, []int{a.Rank() - 1}, nil, b, []int{0}, nil)
	case a.Rank() == 1:
		o.args = []any{graph.InsertAxes(a, 0), b}
		y := matmul(o)
		return graph.Squeeze(y, y.Rank()-2)
	}
	if b.Rank() == 2 {
		return graph.DotGeneral(a, []int{a.Rank() - 1}, nil, b, []int{0}, nil)
	}
	dims := broadcastDims(a.Shape().Dimensions[:a.Rank()-2], b.Shape().Dimensions[:b.Rank()-2])
	full := func(x *graph.Node) *graph.Node {
		last := x.Shape().Dimensions[x.Rank()-2:]
		return graph.BroadcastToDims(graph.ExpandLeftToRank(x, len(dims)+2), slices.Concat(dims, last)...)
	}
	batch := make([]int, len(dims))
	for i := range batch {
		batch[i] = i
	}
	return graph.DotGeneral(full(a), []int{len(dims) + 1}, batch, full(b), []int{len(dims)}, batch)
}

func logSoftmaxOf(o operands) *graph.Node {
	x := fractions(o.tensor(0))
	return logSoftmax(x, o.axis(x.Rank()))
}

// extremeAt returns an operation for the index, int32, that f finds along the attribute axis: of
// the largest or smallest number. Without an axis it is the index in the flattened x. keepdims, if
// true, keeps the reduced axes with size 1.
func extremeAt(f func(x *graph.Node, axis int, dtype ...dtypes.DType) *graph.Node) func(o operands) *graph.Node {
	return func(o operands) *graph.Node {
		x := o.tensor(0)
		if o.attrs["axis"] != nil {
			return o.kept(f(x, o.axis(x.Rank()), dtypes.Int32), x)
		}
		return o.kept(f(graph.Reshape(x, -1), 0, dtypes.Int32), x)
	}
}

// average is the operation average: the weighted mean over the attribute axis, all by default. The
// weights, argument 1, are broadcast to x; for one axis they may be a vector along it. Without them
// it is the mean.
func average(o operands) *graph.Node {
	x := fractions(o.tensor(0))
	axes := o.axes(x.Rank())
	if len(o.args) < 2 || o.args[1] == nil {
		return graph.ReduceMean(x, axes...)
	}
	w := fractions(o.tensor(1))
	if w.Rank() == 1 && x.Rank() > 1 && len(axes) == 1 {
		dims := slices.Repeat([]int{1}, x.Rank())
		dims[axes[0]] = w.Shape().Dimensions[0]
		w = graph.Reshape(w, dims...)
	}
	w = graph.BroadcastToShape(w, x.Shape())
	return graph.Div(graph.ReduceSum(graph.Mul(x, w), axes...), graph.ReduceSum(w, axes...))
}

// cumulative returns an operation that combines by f each element with all elements before it along
// the attribute axis, in log2(n) steps. Without an axis it does so for the flattened x. f must
// return its first argument if the second is neutral.
func cumulative(f func(a, b *graph.Node) *graph.Node, neutral float64) func(o operands) *graph.Node {
	return func(o operands) *graph.Node {
		x := numbers(o.tensor(0))
		if o.attrs["axis"] == nil {
			x = graph.Reshape(x, -1)
		}
		axis := 0
		if o.attrs["axis"] != nil {
			axis = o.axis(x.Rank())
		}
		for by := 1; by < x.Shape().Dimensions[axis]; by *= 2 {
			x = f(x, graph.ShiftWithScalar(x, axis, graph.ShiftDirRight, by, neutral))
		}
		return x
	}
}

// differences is the operation diff: it subtracts from each element along the attribute axis the
// one before it, n times in turn. Too few elements panic.
func differences(o operands) *graph.Node {
	x := o.tensor(0)
	axis := o.axis(x.Rank())
	for range int(number(o.attrs["n"])) {
		n := x.Shape().Dimensions[axis]
		if n < 2 {
			panic(fmt.Errorf("got %d elements on axis %d, want more than n", n, axis))
		}
		x = graph.Sub(graph.SliceAxis(x, axis, graph.AxisRange(1)), graph.SliceAxis(x, axis, graph.AxisRange(0, n-1)))
	}
	return x
}

// logsumexp is the operation logsumexp: log Σ eˣ over the axes, without overflow. It is ∞ if an
// element is, and -∞ if all are.
func logsumexp(o operands) *graph.Node {
	x := fractions(o.tensor(0))
	axes := o.axes(x.Rank())
	top := shiftFor(graph.ReduceAndKeep(x, graph.ReduceMax, axes...))
	sum := graph.ReduceSum(graph.Exp(graph.Sub(x, graph.BroadcastToShape(top, x.Shape()))), axes...)
	return o.kept(graph.Add(graph.Log(sum), graph.Squeeze(top, axes...)), x)
}

func variance(x *graph.Node, axes ...int) *graph.Node {
	mean := graph.BroadcastToShape(graph.ReduceAndKeep(x, graph.ReduceMean, axes...), x.Shape())
	return graph.ReduceMean(graph.Square(graph.Sub(x, mean)), axes...)
}

func deviation(x *graph.Node, axes ...int) *graph.Node { return graph.Sqrt(variance(x, axes...)) }

// norm is the operation norm: a norm over the attribute axis, by default all axes, which keepdims,
// if true, keeps with size 1. Without ord, or with "fro", it is the root of the sum of squares.
// Over two axes, any other ord is a norm of matrices. Over one axis, ord is the order of a norm of
// vectors: 0, the number of elements that are not 0, "inf" or another number. Over more axes, and
// for an unknown ord, it panics.
func norm(o operands) *graph.Node {
	x := fractions(o.tensor(0))
	axes := o.axes(x.Rank())
	order := o.attrs["ord"]
	if len(axes) == 2 && order != nil && order != "fro" {
		return o.kept(matrixNorm(x, order, axes), x)
	}
	if len(axes) > 2 && order != nil {
		panic(fmt.Errorf("got ord %v over %d axes, want one axis, or two of matrices", order, len(axes)))
	}
	return o.kept(lengths(x, order, axes), x)
}

// matrixNorm returns a norm of matrices, whose rows and columns are the two axes, which the result
// lacks. The norm is one of their singular values (order "nuc", their sum; 2 or -2, the largest or
// smallest), or the largest or smallest sum of the absolute values of a column (1, -1) or a row
// ("inf" or an infinity). It panics for another order.
func matrixNorm(x *graph.Node, order any, axes []int) *graph.Node {
	rest := slices.DeleteFunc(count(x.Rank()), func(d int) bool { return slices.Contains(axes, d) })
	x = graph.TransposeAllAxes(x, append(rest, axes...)...)
	row, column := x.Rank()-2, x.Rank()-1
	extreme := func(y *graph.Node, sign float64) *graph.Node {
		last := y.Rank() - 1
		return graph.Squeeze(graph.MulScalar(nodes.MaxOfAll(graph.MulScalar(y, sign), nil, []int{last}), sign), last)
	}
	n := number(order)
	switch {
	case order == "inf" || math.IsInf(n, 1):
		return extreme(graph.ReduceSum(graph.Abs(x), column), 1)
	case math.IsInf(n, -1):
		return extreme(graph.ReduceSum(graph.Abs(x), column), -1)
	case n == 1 || n == -1:
		return extreme(graph.ReduceSum(graph.Abs(x), row), n)
	case order == "nuc" || n == 2 || n == -2:
		_, s, _ := thinSingular(x)
		if order == "nuc" {
			return graph.ReduceSum(s, s.Rank()-1)
		}
		return extreme(s, n/2)
	}
	panic(fmt.Errorf("got ord %v of matrices, want fro, nuc, 1, 2, inf or a negative one of these", order))
}

// lengths returns the norms of the vectors in x along axes, which the result lacks. order is the
// order of the norm: nil or "fro" stands for 2, "inf" for an infinity, and 0 counts the elements
// that are not 0. It panics for other texts.
func lengths(x *graph.Node, order any, axes []int) *graph.Node {
	switch n := number(order); {
	case order == nil || order == "fro" || n == 2:
		return graph.Sqrt(graph.ReduceSum(graph.Square(x), axes...))
	case order == "inf" || math.IsInf(n, 1):
		return graph.ReduceMax(graph.Abs(x), axes...)
	case math.IsInf(n, -1):
		return graph.ReduceMin(graph.Abs(x), axes...)
	case n == 1:
		return graph.ReduceSum(graph.Abs(x), axes...)
	case order == 0 || order == 0.0:
		return graph.ReduceSum(graph.ConvertDType(graph.NotEqual(x, graph.ZerosLike(x)), x.DType()), axes...)
	case n != 0:
		return graph.Pow(graph.ReduceSum(graph.Pow(graph.Abs(x), nodes.Like(x, n)), axes...), graph.Scalar(x.Graph(), x.DType(), 1/n))
	}
	panic(fmt.Errorf("got ord %v, want a number or inf", order))
}

// normalize is the operation normalize: x divided by its norm along the attribute axis, of the
// attribute order. A norm below the attribute epsilon, by default 1e-7, counts as epsilon.
func normalize(o operands) *graph.Node {
	x := fractions(o.tensor(0))
	axes := o.axes(x.Rank())
	epsilon := 1e-7 // Keras' backend.epsilon()
	if v := o.attrs["epsilon"]; v != nil {
		epsilon = number(v)
	}
	dims := slices.Clone(x.Shape().Dimensions)
	for _, a := range axes {
		dims[a] = 1
	}
	if order := number(o.attrs["order"]); order != 2 {
		size := graph.Reshape(lengths(x, order, axes), dims...)
		return graph.Div(x, graph.BroadcastToShape(graph.Max(size, nodes.Like(size, epsilon)), x.Shape()))
	}
	inverse := graph.Rsqrt(graph.Reshape(graph.ReduceSum(graph.Square(x), axes...), dims...))
	return graph.Mul(x, graph.BroadcastToShape(graph.Min(inverse, nodes.Like(inverse, 1/epsilon)), x.Shape()))
}

// dot is the operation dot: it sums the products of a and b over the last dimension of a and the
// last but one of b, or the only one of a vector b. A scalar multiplies each element of the other.
func dot(o operands) *graph.Node {
	dtype := promote(o.tensor(0).DType(), o.tensor(1).DType())
	a, b := graph.ConvertDType(o.tensor(0), dtype), graph.ConvertDType(o.tensor(1), dtype)
	if a.Rank() == 0 || b.Rank() == 0 {
		xs := o.tensorsOf(a, b)
		return graph.Mul(xs[0], xs[1])
	}
	return graph.DotGeneral(a, []int{a.Rank() - 1}, nil, b, []int{max(0, b.Rank()-2)}, nil)
}

func einsumOf(o operands) *graph.Node {
	equation, _ := o.attrs["subscripts"].(string)
	if len(o.args) != 2 {
		panic(fmt.Errorf("got %d tensors for %q, want two", len(o.args), equation))
	}
	dtype := promote(o.tensor(0).DType(), o.tensor(1).DType())
	return graph.Einsum(equation, graph.ConvertDType(o.tensor(0), dtype), graph.ConvertDType(o.tensor(1), dtype))
}

func outer(o operands) *graph.Node {
	a, b := graph.Reshape(o.tensor(0), -1, 1), graph.Reshape(o.tensor(1), 1, -1)
	xs := o.tensorsOf(a, b)
	return graph.Mul(xs[0], xs[1])
}

// tensordot sums the products of a and b over pairs of axes: the attribute axes is two lists, or a
// number n, which stands for the last n of a and the first n of b. Other values panic.
func tensordot(o operands) *graph.Node {
	dtype := promote(o.tensor(0).DType(), o.tensor(1).DType())
	a, b := graph.ConvertDType(o.tensor(0), dtype), graph.ConvertDType(o.tensor(1), dtype)
	var of [2][]int
	switch axes := o.attrs["axes"].(type) {
	case int:
		for i := range axes {
			of[0], of[1] = append(of[0], a.Rank()-axes+i), append(of[1], i)
		}
	case []any:
		if len(axes) != 2 {
			panic(fmt.Errorf("got axes %v, want those of two tensors", axes))
		}
		for i, rank := range []int{a.Rank(), b.Rank()} {
			of[i] = normalAxes(integersOf("axes", axes[i]), rank)
		}
	default:
		panic(fmt.Errorf("got axes %v, want a number or lists of two tensors", axes))
	}
	return graph.DotGeneral(a, of[0], nil, b, of[1], nil)
}
