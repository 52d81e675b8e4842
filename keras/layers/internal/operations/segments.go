package operations

// This file holds operations along diagonals and segments.

import (
	"fmt"
	"slices"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"
)

// diagonal is the operation diagonal: x[…, i, …, i+offset, …], where the two indices are of axis1
// and axis2; all three are attributes. The diagonal becomes the last dimension. Equal axes, and an
// offset outside the matrices, panic.
func diagonal(o operands) *graph.Node {
	x := o.tensor(0)
	axes := normalAxes([]int{o.ints("axis1")[0], o.ints("axis2")[0]}, x.Rank())
	if axes[0] == axes[1] {
		panic(fmt.Errorf("got axis1 and axis2 %d, want two dimensions", axes[0]))
	}
	var order []int
	for d := range x.Rank() {
		if !slices.Contains(axes, d) {
			order = append(order, d)
		}
	}
	x = graph.TransposeAllAxes(x, append(order, axes...)...)
	rank, offset := x.Rank(), o.ints("offset")[0]
	rows, columns := x.Shape().Dimensions[rank-2], x.Shape().Dimensions[rank-1]
	first := [2]int{max(0, -offset), max(0, offset)}
	n := min(rows-first[0], columns-first[1])
	if n < 1 {
		panic(fmt.Errorf("got offset %d of matrices of %d rows and %d columns, want one within them", offset, rows, columns))
	}
	x = graph.SliceAxis(x, rank-2, graph.AxisRange(first[0], first[0]+n))
	x = graph.SliceAxis(x, rank-1, graph.AxisRange(first[1], first[1]+n))
	at := func(axis int) *graph.Node {
		return graph.Iota(x.Graph(), shapes.Make(dtypes.Int32, x.Shape().Dimensions...), axis)
	}
	kept := graph.Where(graph.Equal(at(rank-2), at(rank-1)), x, graph.ZerosLike(x))
	return graph.ReduceSum(kept, rank-2)
}

// traceOf is the operation trace: the sum of the diagonal of x that the attributes offset, axis1
// and axis2 select. Booleans count as int32. It panics as diagonal does.
func traceOf(o operands) *graph.Node {
	y := numbers(diagonal(o))
	return graph.ReduceSum(y, y.Rank()-1)
}

// inner is the operation inner: it sums the products of two tensors over their last dimensions.
func inner(o operands) *graph.Node {
	xs := o.promotedTensors()
	return graph.DotGeneral(xs[0], []int{xs[0].Rank() - 1}, nil, xs[1], []int{xs[1].Rank() - 1}, nil)
}

// vdot is the operation vdot: the sum of the products of all elements of two tensors, as a scalar.
func vdot(o operands) *graph.Node {
	xs := o.promotedTensors()
	return graph.Dot(graph.Reshape(xs[0], -1), graph.Reshape(xs[1], -1)).Product()
}

// promotedTensors returns arguments 0 and 1, tensors, both converted to the type that their types
// promote to.
func (o operands) promotedTensors() []*graph.Node {
	a, b := o.tensor(0), o.tensor(1)
	dtype := promote(a.DType(), b.DType())
	return []*graph.Node{graph.ConvertDType(a, dtype), graph.ConvertDType(b, dtype)}
}

// segmentSum returns for each segment the sum of the rows of x whose id, int32 [rows], is its
// number. Rows with ids out of range are ignored.
func segmentSum(o operands) *graph.Node {
	x, ids, n := o.segments()
	dims := slices.Clone(x.Shape().Dimensions)
	dims[0] = n + 1 // rows out of range go behind the others
	y := graph.Scatter(graph.InsertAxes(ids, -1), x, shapes.Make(x.DType(), dims...), false, false)
	return graph.SliceAxis(y, 0, graph.AxisRange(0, n))
}

// spreadOf is the operation ptp: the largest element minus the smallest over the attribute axis, by
// default all axes. keepdims, if true, keeps the reduced axes with size 1.
func spreadOf(o operands) *graph.Node { return graph.Sub(o.extreme(1), o.extreme(-1)) }

// withoutNaN returns x with 0 in place of NaN; booleans become int32.
func withoutNaN(x *graph.Node) *graph.Node {
	if !x.DType().IsFloat() {
		return numbers(x)
	}
	return graph.Where(graph.IsNaN(x), graph.ZerosLike(x), x)
}

// meanWithoutNaN is the operation nanmean: the mean, over the attribute axis, by default all axes,
// of the elements that are not NaN. It is NaN if all are. keepdims, if true, keeps the reduced axes
// with size 1.
func meanWithoutNaN(o operands) *graph.Node {
	x := fractions(o.tensor(0))
	axes := o.axes(x.Rank())
	counted := graph.ConvertDType(graph.LogicalNot(graph.IsNaN(x)), x.DType())
	return o.kept(graph.Div(graph.ReduceSum(withoutNaN(x), axes...), graph.ReduceSum(counted, axes...)), x)
}
