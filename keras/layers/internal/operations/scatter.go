package operations

// This file computes operations that read and write parts of tensors at computed positions, and
// reductions of segments.

import (
	"fmt"
	"slices"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/keras/layers/internal/nodes"
)

// scatter is the operation scatter: zeros of the attribute shape with the values, argument 1, added
// at the indices, argument 0. The last dimension of indices holds the coordinates of one position.
func scatter(o operands) *graph.Node {
	at, values := o.tensor(0), o.tensor(1)
	shape := shapes.Make(values.DType(), o.ints("shape")...)
	return graph.ScatterSum(graph.Zeros(o.g, shape), o.places(at, shape.Dimensions), values, false, false)
}

// places returns the indices at as int32, whose last dimension holds one index for each of the
// first dimensions of dims. Negative indices count from the end. It panics if there are more
// indices than dimensions, or if they are not integers.
func (o operands) places(at *graph.Node, dims []int) *graph.Node {
	checkIntegers(at)
	n := at.Shape().Dim(-1)
	if n > len(dims) {
		panic(fmt.Errorf("got indices %s for %d dimensions, want at most as many in the last one", at.Shape(), len(dims)))
	}
	at = graph.ConvertDType(at, dtypes.Int32)
	sizes := make([]int32, n)
	for i := range sizes {
		sizes[i] = int32(dims[i])
	}
	size := graph.BroadcastToShape(graph.ExpandLeftToRank(graph.Const(o.g, sizes), at.Rank()), at.Shape())
	return graph.Where(graph.LessThan(at, graph.ZerosLike(at)), graph.Add(at, size), at)
}

// updateScattered returns x with the updates, operand 2, at the indices, operand 1: they replace
// the elements there, or are combined with them by attribute reduction: add, max, min or mul.
// Others panic.
func updateScattered(o operands) *graph.Node {
	x := o.tensor(0)
	at, updates := o.places(o.tensor(1), x.Shape().Dimensions), graph.ConvertDType(o.tensor(2), x.DType())
	switch reduction := o.attrs["reduction"]; reduction {
	case nil:
		return replacedAt(x, at, updates)
	case "add":
		return graph.ScatterSum(x, at, updates, false, false)
	case "max", "min":
		return scatterExtreme(x, at, updates, reduction == "max")
	case "mul":
		return multipliedAt(x, at, updates)
	default:
		panic(fmt.Errorf("got reduction %v, want nil, add, max, min or mul", reduction))
	}
}

// replacedAt returns x with updates in place of the elements at the positions at. If several
// updates have one position, the last one counts, and it alone gets the gradient.
func replacedAt(x, at, updates *graph.Node) *graph.Node {
	rank := at.Shape().Dim(-1)
	window := x.Shape().Dimensions[rank:]
	flatAt := graph.Reshape(at, -1, rank)
	n := flatAt.Shape().Dim(0)
	flat := graph.Reshape(updates, append([]int{n}, window...)...)
	// Each element gets the number of its last update, counted from 1.
	numbers := graph.AddScalar(graph.Iota(x.Graph(), shapes.Make(dtypes.Int32, n), 0), 1)
	last := graph.ScatterMax(graph.Zeros(x.Graph(), shapes.Make(dtypes.Int32, x.Shape().Dimensions[:rank]...)), flatAt, numbers, false, false)
	last = graph.StopGradient(last)
	picked := graph.Gather(flat, graph.InsertAxes(graph.Max(graph.AddScalar(last, -1), graph.ZerosLike(last)), -1))
	isHit := graph.NotEqual(last, graph.ZerosLike(last))
	for range window {
		isHit = graph.InsertAxes(isHit, -1)
	}
	return graph.Where(graph.BroadcastToDims(isHit, x.Shape().Dimensions...), picked, x)
}

// scatterExtreme returns x with the larger (or smaller) of its elements and the updates at the
// positions at. Equal ones share the gradient.
func scatterExtreme(x, at, updates *graph.Node, largest bool) *graph.Node {
	scatter := graph.ScatterMin
	if largest {
		scatter = graph.ScatterMax
	}
	y := graph.StopGradient(scatter(graph.StopGradient(x), at, graph.StopGradient(updates), false, false))
	if !x.DType().IsFloat() {
		return y
	}
	own := graph.ConvertDType(graph.Equal(x, y), x.DType())
	there := graph.Gather(y, at)
	of := graph.ConvertDType(graph.Equal(updates, there), x.DType())
	ties := graph.Add(own, graph.ScatterSum(graph.ZerosLike(x), at, of, false, false))
	// Zeros that carry the gradient.
	carrier := func(v, takes *graph.Node) *graph.Node {
		finite := graph.LogicalAnd(graph.IsFinite(v), graph.NotEqual(takes, graph.ZerosLike(takes)))
		v = graph.Where(finite, v, graph.ZerosLike(v))
		return graph.Sub(v, graph.StopGradient(v))
	}
	change := graph.Add(carrier(x, own), graph.ScatterSum(graph.ZerosLike(x), at, carrier(updates, of), false, false))
	return graph.Add(y, graph.Div(change, graph.Max(ties, graph.OnesLike(ties))))
}

// multipliedAt returns x multiplied by the updates at the positions at. It computes the product of
// the updates of an element by ScatterSum: from the sum of the logarithms of their absolute values,
// the number of negative ones, which gives the sign, and the number of zeros.
func multipliedAt(x, at, updates *graph.Node) *graph.Node {
	shape := shapes.Make(dtypes.Int32, x.Shape().Dimensions...)
	count := func(where *graph.Node) *graph.Node {
		return graph.ScatterSum(graph.Zeros(x.Graph(), shape), at, graph.ConvertDType(where, dtypes.Int32), false, false)
	}
	zero := graph.Equal(updates, graph.ZerosLike(updates))
	safe := graph.Where(zero, graph.OnesLike(updates), updates)
	log := graph.ScatterSum(graph.Zeros(x.Graph(), shapes.Make(fractions(x).DType(), x.Shape().Dimensions...)), at, graph.Log(graph.Abs(fractions(safe))), false, false)
	factor := graph.Exp(log)
	odd := graph.Equal(graph.Rem(count(graph.LessThan(updates, graph.ZerosLike(updates))), nodes.Like(graph.Zeros(x.Graph(), shape), 2)), nodes.Like(graph.Zeros(x.Graph(), shape), 1))
	factor = graph.Where(odd, graph.Neg(factor), factor)
	zeros := count(zero)
	factor = graph.Where(graph.GreaterThan(zeros, graph.ZerosLike(zeros)), graph.ZerosLike(factor), factor)
	if !x.DType().IsFloat() {
		factor = graph.Round(factor)
	}
	return graph.Mul(x, graph.ConvertDType(factor, x.DType()))
}

// starts returns argument i, the start of a slice, as one int32 scalar for each of rank dimensions.
// It may be a tensor or a list of numbers. It panics for anything else, and for another number of
// them.
func (o operands) starts(i, rank int) (out []*graph.Node) {
	switch v := o.arg(i).(type) {
	case *graph.Node:
		for d := range v.Shape().Size() {
			out = append(out, graph.Reshape(graph.ConvertDType(graph.SliceAxis(graph.Reshape(v, -1), 0, graph.AxisElem(d)), dtypes.Int32)))
		}
	case []any:
		for _, x := range v {
			if n, ok := x.(*graph.Node); ok {
				out = append(out, graph.Reshape(graph.ConvertDType(n, dtypes.Int32)))
				continue
			}
			out = append(out, graph.Scalar(o.g, dtypes.Int32, number(x)))
		}
	}
	if len(out) != rank {
		panic(fmt.Errorf("got %d start indices for %d dimensions", len(out), rank))
	}
	return out
}

// sliceOut is the operation slice: the part of x of the attribute shape that begins at computed
// indices, argument 1. A size of -1 reaches to the end; it panics if the start is not a list of
// numbers. Another number of sizes than dimensions panics.
func sliceOut(o operands) *graph.Node {
	x := o.tensor(0)
	size := slices.Clone(o.ints("shape"))
	if len(size) != x.Rank() {
		panic(fmt.Errorf("got shape %v for %d dimensions", size, x.Rank()))
	}
	for d, n := range size {
		if n >= 0 {
			continue
		}
		list, ok := o.arg(1).([]any)
		if !ok {
			panic(fmt.Errorf("got size -1 with computed start indices, want a number: the shape of the result depends on it"))
		}
		size[d] = x.Shape().Dimensions[d] - int(number(list[d]))
	}
	return graph.DynamicSlice(x, o.starts(1, x.Rank()), size)
}

// updateSlice is the operation slice_update: x with the updates, argument 2, in place of the
// elements from computed indices, argument 1, on.
func updateSlice(o operands) *graph.Node {
	x := o.tensor(0)
	return graph.DynamicUpdateSlice(x, graph.ConvertDType(o.tensor(2), x.DType()), o.starts(1, x.Rank()))
}

// segments returns the data, operand 0, the segment ids of its rows, operand 1, as int32, and the
// number of segments, attribute num_segments. It panics if that is not given or not positive. An id
// out of range becomes n.
func (o operands) segments() (x, ids *graph.Node, n int) {
	x, ids = numbers(o.tensor(0)), graph.ConvertDType(o.tensor(1), dtypes.Int32)
	count := o.ints("num_segments")
	if count == nil || count[0] < 1 {
		panic(fmt.Errorf("got num_segments %v, want a positive number: the shape of the result depends on it", o.attrs["num_segments"]))
	}
	n = count[0]
	valid := graph.LogicalAnd(graph.GreaterOrEqual(ids, graph.ZerosLike(ids)), graph.LessThan(ids, nodes.Like(ids, float64(n))))
	return x, graph.Where(valid, ids, nodes.Like(ids, float64(n))), n
}

// segmentExtreme returns an operation for the largest or smallest elements of each segment. A
// segment without rows has the infinity -Inf (or +Inf), and for integers the lowest (or highest)
// number of the type. Rows whose segment is out of range are left out.
func segmentExtreme(largest bool) func(o operands) *graph.Node {
	return func(o operands) *graph.Node {
		x, ids, n := o.segments()
		dims := append([]int{n + 1}, x.Shape().Dimensions[1:]...)
		none := x.DType().HighestValue()
		if largest {
			none = x.DType().LowestValue()
		}
		start := graph.BroadcastToDims(graph.Const(o.g, none), dims...)
		y := scatterExtreme(start, graph.InsertAxes(ids, -1), x, largest)
		return graph.SliceAxis(y, 0, graph.AxisRange(0, n))
	}
}

// segmentProduct is the operation segment_prod: the product of the rows of each segment, 1 for a
// segment without rows. Rows whose segment is out of range are left out.
func segmentProduct(o operands) *graph.Node {
	x, ids, n := o.segments()
	dims := append([]int{n, x.Shape().Dimensions[0]}, x.Shape().Dimensions[1:]...)
	shape := shapes.Make(dtypes.Int32, dims...)
	idDims := slices.Repeat([]int{1}, len(dims))
	idDims[1] = dims[1]
	is := graph.Equal(graph.BroadcastToShape(graph.Reshape(ids, idDims...), shape), graph.Iota(o.g, shape, 0))
	full := graph.BroadcastToDims(graph.InsertAxes(x, 0), dims...)
	return graph.ReduceMultiply(graph.Where(is, full, graph.OnesLike(full)), 1)
}
