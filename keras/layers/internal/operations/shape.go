package operations

// This file computes operations that change shapes and join tensors.

import (
	"fmt"
	"slices"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"
)

func castTo(o operands) *graph.Node {
	name, _ := o.attrs["dtype"].(string)
	dtype, err := dtypes.DTypeString(name)
	if err != nil {
		panic(fmt.Errorf("got dtype %q: %w", name, err))
	}
	return graph.ConvertDType(o.tensor(0), dtype)
}

// clip is the operation clip: it limits x to the attributes x_min and x_max. Each of them may be
// nil. As in jnp.clip, an element that equals a bound gets half of the gradient.
func clip(o operands) *graph.Node {
	x := o.tensor(0)
	low, high := o.attrs["x_min"], o.attrs["x_max"]
	bound := func(v any) *graph.Node { return graph.Scalar(x.Graph(), x.DType(), number(v)) }
	if low != nil {
		x = graph.Max(x, bound(low))
	}
	if high != nil {
		x = graph.Min(x, bound(high))
	}
	return x
}

func concatenate(o operands) *graph.Node {
	xs := o.list(0)
	return graph.Concatenate(xs, o.axis(xs[0].Rank()))
}

func stack(o operands) *graph.Node {
	xs := o.list(0)
	axis := o.axis(xs[0].Rank() + 1)
	grown := make([]*graph.Node, len(xs))
	for i, x := range xs {
		grown[i] = graph.InsertAxes(x, axis)
	}
	return graph.Concatenate(grown, axis)
}

func expand(o operands) *graph.Node {
	x := o.tensor(0)
	for _, a := range o.axes(x.Rank() + 1) {
		x = graph.InsertAxes(x, a)
	}
	return x
}

func squeeze(o operands) *graph.Node {
	x := o.tensor(0)
	if o.attrs["axis"] == nil {
		return graph.Squeeze(x)
	}
	return graph.Squeeze(x, o.axes(x.Rank())...)
}

func reshape(o operands) *graph.Node { return graph.Reshape(o.tensor(0), o.ints("newshape")...) }

func transpose(o operands) *graph.Node {
	x, order := o.tensor(0), o.ints("axes")
	if order == nil {
		for i := range x.Rank() {
			order = append(order, x.Rank()-1-i)
		}
	}
	return graph.TransposeAllAxes(x, order...)
}

func where(o operands) *graph.Node {
	xs := o.tensorsOf(o.arg(1), o.arg(2))
	condition := truth(o.tensor(0))
	dims := broadcastDims(condition.Shape().Dimensions, xs[0].Shape().Dimensions)
	full := func(x *graph.Node) *graph.Node {
		return graph.BroadcastToDims(graph.ExpandLeftToRank(x, len(dims)), dims...)
	}
	return graph.Where(full(condition), full(xs[0]), full(xs[1]))
}

// join concatenates tensors along an axis. Vectors are joined along axis 0 for the axis 1, and as
// the rows of a matrix for the axis 0.
func join(xs []*graph.Node, axis int) *graph.Node {
	xs = slices.Clone(xs)
	for i, x := range xs {
		switch {
		case x.Rank() == 1 && axis == 1:
			return graph.Concatenate(xs, 0)
		case x.Rank() == 1:
			xs[i] = graph.InsertAxes(x, 0)
		}
	}
	return graph.Concatenate(xs, axis)
}

func broadcastTo(o operands) *graph.Node {
	x, dims := o.tensor(0), o.ints("shape")
	if len(dims) < x.Rank() {
		panic(fmt.Errorf("got shape %v for %d dimensions, want at least as many", dims, x.Rank()))
	}
	x = graph.ExpandLeftToRank(x, len(dims))
	for i, d := range dims { // None keeps the size
		if d < 0 {
			dims = slices.Clone(dims)
			dims[i] = x.Shape().Dimensions[i]
		}
	}
	return graph.BroadcastToDims(x, dims...)
}

func flip(o operands) *graph.Node {
	x := o.tensor(0)
	return graph.Reverse(x, o.axes(x.Rank())...)
}

// moveAxis moves the axes of attribute source to the positions of attribute destination, as many.
// The other axes keep their order. Different numbers of both panic.
func moveAxis(o operands) *graph.Node {
	x := o.tensor(0)
	from, to := normalAxes(o.ints("source"), x.Rank()), normalAxes(o.ints("destination"), x.Rank())
	if len(from) != len(to) {
		panic(fmt.Errorf("got source %v and destination %v, want as many", from, to))
	}
	order := slices.Repeat([]int{-1}, x.Rank())
	for i, a := range to {
		order[a] = from[i]
	}
	next := 0
	for i, a := range order {
		if a >= 0 {
			continue
		}
		for slices.Contains(from, next) {
			next++
		}
		order[i] = next
		next++
	}
	return graph.TransposeAllAxes(x, order...)
}

func swapAxes(o operands) *graph.Node {
	x := o.tensor(0)
	axes := normalAxes([]int{int(number(o.attrs["axis1"])), int(number(o.attrs["axis2"]))}, x.Rank())
	return graph.Transpose(x, axes[0], axes[1])
}

// pad is the operation pad: it adds elements at both ends of each axis, as many as the attribute
// pad_width says, a list of pairs. mode "constant" adds argument 1, by default 0. "symmetric" adds
// the mirror image of the elements at the edge, "reflect" the mirror image without the edge element
// itself. Other modes, and lists that do not fit, panic.
func pad(o operands) *graph.Node {
	x := o.tensor(0)
	widths, ok := o.attrs["pad_width"].([]any)
	mode, _ := o.attrs["mode"].(string)
	if !ok || len(widths) != x.Rank() {
		panic(fmt.Errorf("got pad_width %v for %d dimensions, want a pair for each", o.attrs["pad_width"], x.Rank()))
	}
	value := 0.0
	if len(o.args) > 1 && o.args[1] != nil {
		value = number(o.args[1])
	}
	for axis, w := range widths {
		pair := integersOf("pad_width", w)
		if len(pair) != 2 {
			panic(fmt.Errorf("got pad_width %v, want pairs", widths))
		}
		x = padAxis(x, axis, pair[0], pair[1], mode, value)
	}
	return x
}

// padAxis returns x with before and after elements added to the ends of an axis. mode is constant,
// which adds value, or symmetric or reflect, as in numpy.pad. Other modes panic, and so does a
// mirror image that needs more elements than there are.
func padAxis(x *graph.Node, axis, before, after int, mode string, value float64) *graph.Node {
	if before == 0 && after == 0 {
		return x
	}
	n := x.Shape().Dimensions[axis]
	filled := func(size int) *graph.Node {
		shape := x.Shape().Clone()
		shape.Dimensions[axis] = size
		return graph.BroadcastToShape(graph.Scalar(x.Graph(), x.DType(), value), shape)
	}
	mirror := func(from, size int) *graph.Node {
		return graph.Reverse(graph.SliceAxis(x, axis, graph.AxisRange(from, from+size)), axis)
	}
	inner := map[string]int{"reflect": 1, "symmetric": 0}
	var parts []*graph.Node
	for _, end := range []struct{ size, from int }{{before, inner[mode]}, {after, n - after - inner[mode]}} {
		skip, mirrors := inner[mode]
		switch {
		case mirrors && end.size > n-skip:
			panic(fmt.Errorf("got a width of %d for %d elements, want at most %d with mode %q", end.size, n, n-skip, mode))
		case mirrors:
			parts = append(parts, mirror(end.from, end.size))
		case mode == "constant":
			parts = append(parts, filled(end.size))
		default:
			panic(fmt.Errorf("got mode %q, want constant, reflect or symmetric", mode))
		}
	}
	return graph.Concatenate([]*graph.Node{parts[0], x, parts[1]}, axis)
}

// repeat is the operation repeat: each element along the attribute axis, repeats times. Without an
// axis it repeats the elements of the flattened x. It panics if the attribute repeats is not one
// positive number.
func repeat(o operands) *graph.Node {
	x := o.tensor(0)
	n, ok := o.attrs["repeats"].(int)
	if !ok || n < 1 {
		panic(fmt.Errorf("got repeats %v, want one positive number", o.attrs["repeats"]))
	}
	axis := 0
	if o.attrs["axis"] == nil {
		x = graph.Reshape(x, -1)
	} else {
		axis = o.axis(x.Rank())
	}
	dims := slices.Clone(x.Shape().Dimensions)
	y := graph.BroadcastToDims(graph.InsertAxes(x, axis+1), slices.Insert(slices.Clone(dims), axis+1, n)...)
	dims[axis] *= n
	return graph.Reshape(y, dims...)
}

// roll is the operation roll: it shifts elements along the attribute axis by the attribute shift,
// or without an axis in the flattened x, which keeps its shape. Elements that leave at one end
// enter at the other. Different numbers of axes and shifts panic.
func roll(o operands) *graph.Node {
	x, by := o.tensor(0), o.ints("shift")
	dims := x.Shape().Dimensions
	if o.attrs["axis"] == nil {
		return graph.Reshape(rolled(graph.Reshape(x, -1), 0, by[0]), dims...)
	}
	axes := o.axes(x.Rank())
	if len(axes) != len(by) {
		panic(fmt.Errorf("got shift %v and axis %v, want as many", by, axes))
	}
	for i, a := range axes {
		x = rolled(x, a, by[i])
	}
	return x
}

func rolled(x *graph.Node, axis, by int) *graph.Node {
	n := x.Shape().Dimensions[axis]
	if n == 0 {
		return x
	}
	if by = ((by % n) + n) % n; by == 0 {
		return x
	}
	return graph.Concatenate([]*graph.Node{graph.SliceAxis(x, axis, graph.AxisRange(n-by)), graph.SliceAxis(x, axis, graph.AxisRange(0, n-by))}, axis)
}

// split is the operation split: it cuts the attribute axis into equal parts, if indices_or_sections
// is a number, or before the positions that it lists. It returns the parts. A number that does not
// divide the size panics.
func split(o operands) (parts []*graph.Node) {
	x := o.tensor(0)
	axis := o.axis(x.Rank())
	n := x.Shape().Dimensions[axis]
	var ends []int
	if sections, ok := o.attrs["indices_or_sections"].(int); ok {
		if sections < 1 || n%sections != 0 {
			panic(fmt.Errorf("got %d sections for %d elements on axis %d, want a number that divides it", sections, n, axis))
		}
		for i := range sections {
			ends = append(ends, (i+1)*(n/sections))
		}
	} else {
		ends = append(slices.Clone(o.ints("indices_or_sections")), n)
	}
	from := 0
	for _, to := range ends {
		parts = append(parts, graph.SliceAxis(x, axis, graph.AxisRange(from, to)))
		from = to
	}
	return parts
}

func unstack(o operands) (parts []*graph.Node) {
	x := o.tensor(0)
	axis := o.axis(x.Rank())
	for i := range x.Shape().Dimensions[axis] {
		parts = append(parts, graph.Squeeze(graph.SliceAxis(x, axis, graph.AxisElem(i)), axis))
	}
	return parts
}

// tile is the operation tile: x repeated as a whole along each axis as often as the attribute
// repeats says. Its numbers are those of the last axes; if there are more than axes, x gets axes in
// front.
func tile(o operands) *graph.Node {
	x, times := o.tensor(0), o.ints("repeats")
	if len(times) > x.Rank() {
		x = graph.ExpandLeftToRank(x, len(times))
	}
	for i, n := range times {
		axis := x.Rank() - len(times) + i
		if n > 1 {
			x = graph.Concatenate(slices.Repeat([]*graph.Node{x}, n), axis)
		}
	}
	return x
}

// count returns the n numbers 0, 1, …, n-1.
func count(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}
