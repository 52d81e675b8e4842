package operations

// This file computes operations that pick elements: by indices, in sorted order.

import (
	"fmt"
	"slices"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"
)

// getItem returns the part of x that operand 1 selects, an index as in Python: numbers, slices,
// None, an ellipsis, or a list of them. More indices than dimensions, and a step below 1, panic.
func getItem(o operands) *graph.Node {
	x := o.tensor(0)
	items, ok := o.arg(1).([]any)
	if !ok {
		items = []any{o.arg(1)}
	}
	used := 0
	for _, item := range items {
		if _, ok := item.(Ellipsis); !ok && item != nil {
			used++
		}
	}
	if used > x.Rank() {
		panic(fmt.Errorf("got %d indices for %d dimensions", used, x.Rank()))
	}
	specs := slices.Repeat([]graph.SliceAxisSpec{graph.AxisRange()}, x.Rank())
	var dropped, grown []int
	axis, out := 0, 0 // of x, of the result
	for _, item := range items {
		switch item := item.(type) {
		case nil:
			grown = append(grown, out)
			out++
		case Ellipsis:
			axis, out = axis+x.Rank()-used, out+x.Rank()-used
		case Slice:
			specs[axis] = item.of(x.Shape().Dimensions[axis])
			axis, out = axis+1, out+1
		default:
			specs[axis] = graph.AxisElem(int(number(item)))
			dropped = append(dropped, axis)
			axis++
		}
	}
	y := graph.Slice(x, specs...)
	if len(dropped) > 0 {
		y = graph.Squeeze(y, dropped...)
	}
	for _, a := range grown {
		y = graph.InsertAxes(y, a)
	}
	return y
}

// of returns the range of a dimension of a given size that the slice stands for, as in Python. A
// step that is not positive panics.
func (s Slice) of(size int) graph.SliceAxisSpec {
	step := 1
	if s.Step != nil {
		step = *s.Step
	}
	if step < 1 {
		panic(fmt.Errorf("got a step of %d, want a positive one", step))
	}
	at := func(n *int, otherwise int) int {
		if n == nil {
			return otherwise
		}
		if *n < 0 {
			return max(0, *n+size)
		}
		return min(*n, size)
	}
	return graph.AxisRange(at(s.Start, 0), at(s.Stop, size)).Stride(step)
}

// hot returns the one-hot vectors of the integers x along a new axis, in attribute dtype, by
// default float32, and the position of that axis. A number that is none of the num_classes classes
// becomes zeros. An unknown dtype panics.
func (o operands) hot(x *graph.Node) (y *graph.Node, axis int) {
	n := int(number(o.attrs["num_classes"]))
	dtype := dtypes.Float32
	if name, ok := o.attrs["dtype"].(string); ok {
		var err error
		if dtype, err = dtypes.DTypeString(name); err != nil {
			panic(fmt.Errorf("got dtype %q: %w", name, err))
		}
	}
	axis = o.axis(x.Rank() + 1)
	x = graph.InsertAxes(x, axis)
	dims := slices.Clone(x.Shape().Dimensions)
	dims[axis] = n
	shape := x.Shape().Clone()
	shape.Dimensions = dims
	classes := graph.Iota(x.Graph(), shape, axis)
	return graph.ConvertDType(graph.Equal(graph.BroadcastToDims(x, dims...), classes), dtype), axis
}

func oneHot(o operands) *graph.Node {
	y, _ := o.hot(o.tensor(0))
	return y
}

// multiHot is the operation multi_hot: for each sample, a row of x, a vector with 1 at each of its
// classes, and 0 elsewhere. A vector x is one sample.
func multiHot(o operands) *graph.Node {
	x := o.tensor(0)
	y, _ := o.hot(x)
	return graph.ReduceMax(y, min(1, x.Rank()-1))
}

// triangle returns an operation, tril or triu, on the last two axes. It keeps an element if keep is
// true of its row plus k and its column. The others become 0.
func triangle(keep func(a, b *graph.Node) *graph.Node) func(o operands) *graph.Node {
	return func(o operands) *graph.Node {
		x := o.tensor(0)
		shape := x.Shape().Clone()
		shape.DType = dtypes.Int32
		row, column := graph.Iota(x.Graph(), shape, x.Rank()-2), graph.Iota(x.Graph(), shape, x.Rank()-1)
		row = graph.AddScalar(row, number(o.attrs["k"]))
		return graph.Where(keep(row, column), x, graph.ZerosLike(x))
	}
}

// indices returns argument i, positions on an axis of n elements, as an int32 tensor with negative
// positions counted from the end.
func (o operands) indices(i, n int) *graph.Node {
	var at *graph.Node
	switch v := o.arg(i).(type) {
	case *graph.Node:
		at = graph.ConvertDType(v, dtypes.Int32)
	default:
		list := integersOf("indices", v)
		flat := make([]int32, len(list))
		for k, x := range list {
			flat[k] = int32(x)
		}
		at = graph.Const(o.g, flat)
		if _, one := v.(int); one {
			at = graph.Squeeze(at, 0)
		}
	}
	return graph.Where(graph.LessThan(at, graph.ZerosLike(at)), graph.AddScalar(at, float64(n)), at)
}

// take is the operation take: the elements of the attribute axis at the positions of argument 1.
// Without an axis they are positions in the flattened x.
func take(o operands) *graph.Node {
	x := o.tensor(0)
	axis := 0
	if o.attrs["axis"] == nil {
		x = graph.Reshape(x, -1)
	} else {
		axis = o.axis(x.Rank())
	}
	at := o.indices(1, x.Shape().Dimensions[axis])
	order := append([]int{axis}, slices.DeleteFunc(count(x.Rank()), func(a int) bool { return a == axis })...)
	y := graph.Gather(graph.TransposeAllAxes(x, order...), graph.InsertAxes(at, at.Rank()))
	// y has the dimensions of the positions first; they belong where the axis was.
	back := count(y.Rank())
	moved := slices.Concat(back[at.Rank():at.Rank()+axis], back[:at.Rank()], back[at.Rank()+axis:])
	return graph.TransposeAllAxes(y, moved...)
}

// takeAlongAxis is the operation take_along_axis: for each row along the attribute axis, the
// elements at the row's own indices. Without an axis it takes the flattened x.
func takeAlongAxis(o operands) *graph.Node {
	x := o.tensor(0)
	axis := 0
	if o.attrs["axis"] == nil {
		x = graph.Reshape(x, -1)
	} else {
		axis = o.axis(x.Rank())
	}
	return pick(x, o.indices(1, x.Shape().Dimensions[axis]), axis)
}

// pick returns x[…, at[…], …]. The result has the shape of at: that of x except for the axis.
func pick(x, at *graph.Node, axis int) *graph.Node {
	coordinates := make([]*graph.Node, x.Rank())
	for i := range coordinates {
		if coordinates[i] = at; i != axis {
			coordinates[i] = graph.Iota(x.Graph(), at.Shape(), i)
		}
		coordinates[i] = graph.InsertAxes(coordinates[i], x.Rank())
	}
	return graph.Gather(x, graph.Concatenate(coordinates, x.Rank()))
}

// order returns the positions of the elements of x along an axis, int32, in ascending or descending
// order of the elements. Equal elements keep their order.
func order(x *graph.Node, axis int, descending bool) *graph.Node {
	shape := x.Shape().Clone()
	shape.DType = dtypes.Int32
	before := graph.NewClosure(x.Graph(), func(g *graph.Graph) []*graph.Node {
		a, b := graph.Parameter(g, "a", shapes.Make(x.DType())), graph.Parameter(g, "b", shapes.Make(x.DType()))
		graph.Parameter(g, "i", shapes.Make(dtypes.Int32)) // of the positions, which do not count
		graph.Parameter(g, "j", shapes.Make(dtypes.Int32))
		if descending {
			a, b = b, a
		}
		return []*graph.Node{graph.LessThan(a, b)}
	})
	return graph.SortFunc(before, axis, true, graph.StopGradient(x), graph.Iota(x.Graph(), shape, axis))[1]
}

func argsort(o operands) *graph.Node {
	x := o.tensor(0)
	if o.attrs["axis"] == nil {
		return order(graph.Reshape(x, -1), 0, false)
	}
	return order(x, o.axis(x.Rank()), false)
}

func sortAlong(o operands) *graph.Node {
	x := o.tensor(0)
	axis := o.axis(x.Rank())
	return pick(x, order(x, axis, false), axis)
}

// topK is the operation top_k: the k largest elements of the last axis, the largest first, and
// their positions. A k below 1 or above the size panics.
func topK(o operands) []*graph.Node {
	x := o.tensor(0)
	axis, k := x.Rank()-1, int(number(o.attrs["k"]))
	if n := x.Shape().Dimensions[axis]; k < 1 || k > n {
		panic(fmt.Errorf("got k %d for %d elements, want 1 to %d", k, n, n))
	}
	at := graph.SliceAxis(order(x, axis, true), axis, graph.AxisRange(0, k))
	return []*graph.Node{pick(x, at, axis), at}
}
