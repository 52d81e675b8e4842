package operations

// This file computes what NumPy does with arrays: joins, cuts, grids, diagonals, comparisons.

import (
	"fmt"
	"math"
	"slices"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/keras/layers/internal/nodes"
)

// dtype returns the element type that the attribute key names, or otherwise if the attribute is not
// given. It panics for an unknown name.
func (o operands) dtype(key string, otherwise dtypes.DType) dtypes.DType {
	name, ok := o.attrs[key].(string)
	if !ok {
		return otherwise
	}
	dtype, err := dtypes.DTypeString(name)
	if err != nil {
		panic(fmt.Errorf("got %s %q: %w", key, name, err))
	}
	return dtype
}

// convert is the operation cast: x converted to the type that the attribute dtype names, or x
// without it. An unknown name panics.
func convert(o operands) *graph.Node {
	x := o.tensor(0)
	return graph.ConvertDType(x, o.dtype("dtype", x.DType()))
}

// castSaturated is the operation saturate_cast: x converted to the type of the attribute dtype. A
// value out of the type's range becomes the nearest value of the range.
func castSaturated(o operands) *graph.Node {
	x := o.tensor(0)
	return nodes.Saturate(x, o.dtype("dtype", x.DType()))
}

// appendTo is the operation append: it joins two tensors along the attribute axis, or without one
// all their elements as a vector.
func appendTo(o operands) *graph.Node {
	xs := o.promotedTensors()
	if o.attrs["axis"] == nil {
		return graph.Concatenate([]*graph.Node{graph.Reshape(xs[0], -1), graph.Reshape(xs[1], -1)}, 0)
	}
	return graph.Concatenate(xs, o.axis(xs[0].Rank()))
}

// splitUnevenly is the operation array_split: it cuts the attribute axis into indices_or_sections
// parts. If their number does not divide the size, the first parts are one element longer. A number
// that is not from 1 to the size panics.
func splitUnevenly(o operands) (parts []*graph.Node) {
	x, sections := o.tensor(0), o.ints("indices_or_sections")
	axis := o.axis(x.Rank())
	n := x.Shape().Dimensions[axis]
	if len(sections) != 1 || sections[0] < 1 || sections[0] > n {
		panic(fmt.Errorf("got %v sections for %d elements, want 1 to %d", o.attrs["indices_or_sections"], n, n))
	}
	from := 0
	for i := range sections[0] {
		to := from + n/sections[0]
		if i < n%sections[0] {
			to++
		}
		parts = append(parts, graph.SliceAxis(x, axis, graph.AxisRange(from, to)))
		from = to
	}
	return parts
}

// splitAlong returns an operation that cuts its tensor along the given axis, as split does by the
// attribute indices_or_sections. As hsplit (axis 1) it cuts a vector along its only axis. Too few
// dimensions are a panic.
func splitAlong(axis int) func(o operands) []*graph.Node {
	return func(o operands) []*graph.Node {
		x := o.tensor(0)
		at := axis
		if x.Rank() == 1 && axis == 1 {
			at = 0
		}
		if at >= x.Rank() {
			panic(fmt.Errorf("got %d dimensions, want at least %d", x.Rank(), axis+1))
		}
		o.attrs = map[string]any{"axis": at, "indices_or_sections": o.attrs["indices_or_sections"]}
		return split(o)
	}
}

// stackDepth is the operation dstack: it joins the tensors of a list along the third dimension, as
// numpy.dstack does.
func stackDepth(o operands) *graph.Node {
	xs := slices.Clone(o.list(0))
	for i, x := range xs {
		switch x.Rank() {
		case 0:
			xs[i] = graph.Reshape(x, 1, 1, 1)
		case 1:
			xs[i] = graph.InsertAxes(x, 0, -1)
		case 2:
			xs[i] = graph.InsertAxes(x, -1)
		}
	}
	return graph.Concatenate(xs, 2)
}

// flippedAlong returns an operation that reverses the given axis of its tensor. Too few dimensions
// are a panic.
func flippedAlong(axis int) func(o operands) *graph.Node {
	return func(o operands) *graph.Node {
		x := o.tensor(0)
		if x.Rank() <= axis {
			panic(fmt.Errorf("got %d dimensions, want at least %d", x.Rank(), axis+1))
		}
		return graph.Reverse(x, axis)
	}
}

// turn is the operation rot90: it rotates x by attribute k quarters of a circle, from the first of
// the two attribute axes towards the second. It panics unless there are two.
func turn(o operands) *graph.Node {
	x, axes := o.tensor(0), o.ints("axes")
	if len(axes) != 2 {
		panic(fmt.Errorf("got axes %v, want two", o.attrs["axes"]))
	}
	axes = normalAxes(axes, x.Rank())
	switch k := int(number(o.attrs["k"])); ((k % 4) + 4) % 4 {
	case 1:
		return graph.Transpose(graph.Reverse(x, axes[1]), axes[0], axes[1])
	case 2:
		return graph.Reverse(x, axes[0], axes[1])
	case 3:
		return graph.Reverse(graph.Transpose(x, axes[0], axes[1]), axes[1])
	}
	return x
}

// extremeOf returns a function that computes, element by element, a where beyond(a, b) is true, and
// else b. Where only one of both is NaN, it takes the other.
func extremeOf(beyond func(a, b *graph.Node) *graph.Node) func(a, b *graph.Node) *graph.Node {
	return func(a, b *graph.Node) *graph.Node {
		takes := beyond(a, b)
		if a.DType().IsFloat() {
			takes = graph.LogicalOr(takes, graph.IsNaN(b))
		}
		return graph.Where(takes, a, b)
	}
}

// quotientOrZero returns a / b as floats, and 0 where b is 0.
func quotientOrZero(a, b *graph.Node) *graph.Node {
	a, b = fractions(a), fractions(b)
	zero := graph.Equal(b, graph.ZerosLike(b))
	return graph.Where(zero, graph.ZerosLike(a), graph.Div(a, graph.Where(zero, graph.OnesLike(b), b)))
}

// near reports for each element whether a and b are equal up to a tolerance, |a-b| ≤ atol +
// rtol·|b|, or are the same infinity. With the attribute equal_nan, two NaNs are equal too.
func (o operands) near(a, b *graph.Node, rtol, atol float64) *graph.Node {
	a, b = fractions(a), fractions(b)
	bound := graph.AddScalar(graph.MulScalar(graph.Abs(b), rtol), atol)
	finite := graph.LogicalAnd(graph.IsFinite(a), graph.IsFinite(b))
	y := graph.LogicalOr(graph.LogicalAnd(finite, graph.LessOrEqual(graph.Abs(graph.Sub(a, b)), bound)), graph.Equal(a, b))
	if o.attrs["equal_nan"] == true {
		y = graph.LogicalOr(y, graph.LogicalAnd(graph.IsNaN(a), graph.IsNaN(b)))
	}
	return y
}

func isClose(o operands) *graph.Node {
	xs := o.tensorsOf(o.arg(0), o.arg(1))
	rtol, atol := 1e-5, 1e-8
	if len(o.args) > 2 {
		rtol = number(o.arg(2))
	}
	if len(o.args) > 3 {
		atol = number(o.arg(3))
	}
	return o.near(xs[0], xs[1], rtol, atol)
}

func allClose(o operands) *graph.Node {
	xs := o.tensorsOf(o.arg(0), o.arg(1))
	y := o.near(xs[0], xs[1], number(o.attrs["rtol"]), number(o.attrs["atol"]))
	return graph.ReduceLogicalAnd(y, count(y.Rank())...)
}

// isAmong is the operation isin: it reports for each element of argument 0 whether it occurs in
// argument 1, a tensor or a list. If the attribute invert is true, it reports the opposite.
func isAmong(o operands) *graph.Node {
	xs := []*graph.Node{o.tensor(0), o.vector(1)}
	dtype := promote(xs[0].DType(), xs[1].DType())
	x, of := graph.ConvertDType(xs[0], dtype), graph.Reshape(graph.ConvertDType(xs[1], dtype), -1)
	dims := append(slices.Clone(x.Shape().Dimensions), of.Shape().Dimensions[0])
	y := graph.Equal(graph.BroadcastToDims(graph.InsertAxes(x, -1), dims...), graph.BroadcastToDims(graph.ExpandLeftToRank(of, len(dims)), dims...))
	y = graph.ReduceLogicalOr(y, x.Rank())
	if o.attrs["invert"] == true {
		return graph.LogicalNot(y)
	}
	return y
}

// choose is the operation select: for each element, the choice (a list, argument 1) of the first
// condition (a list, argument 0) that is true, or argument 2 if none is. Lists of different lengths
// panic.
func choose(o operands) *graph.Node {
	conditions, choices := o.list(0), o.arg(1).([]any)
	if len(choices) != len(conditions) {
		panic(fmt.Errorf("got %d conditions and %d choices, want as many", len(conditions), len(choices)))
	}
	all := o.tensorsOf(append(slices.Clone(choices), o.arg(2))...)
	y := all[len(all)-1]
	for i := len(conditions) - 1; i >= 0; i-- {
		c := o
		c.args = []any{conditions[i], all[i], y}
		y = where(c)
	}
	return y
}

// crossProduct is the operation cross: the cross product of the vectors of two or three elements
// that x1 and x2 have along the attributes axisa and axisb. The result has its vectors along axisc.
// The attribute axis, if given, stands for all three. The product of two vectors of two elements is
// a number. Other sizes are panics.
func crossProduct(o operands) *graph.Node {
	xs := o.promotedTensors()
	of := func(key string) int {
		if v := o.attrs["axis"]; v != nil {
			key = "axis"
		}
		return o.ints(key)[0]
	}
	for i, key := range []string{"axisa", "axisb"} {
		axis := normalAxes([]int{of(key)}, xs[i].Rank())[0]
		rest := slices.DeleteFunc(count(xs[i].Rank()), func(d int) bool { return d == axis })
		xs[i] = graph.TransposeAllAxes(xs[i], append(rest, axis)...)
	}
	part := func(x *graph.Node, i int) any {
		if i >= x.Shape().Dim(-1) {
			return 0
		}
		return graph.Squeeze(graph.SliceAxis(x, x.Rank()-1, graph.AxisElem(i)), x.Rank()-1)
	}
	for _, x := range xs {
		if n := x.Shape().Dim(-1); n != 2 && n != 3 {
			panic(fmt.Errorf("got vectors of %d numbers, want 2 or 3", n))
		}
	}
	component := func(i, k int) *graph.Node {
		a := o.tensorsOf(part(xs[0], i), part(xs[1], k))
		b := o.tensorsOf(part(xs[0], k), part(xs[1], i))
		all := o.tensorsOf(graph.Mul(a[0], a[1]), graph.Mul(b[0], b[1]))
		return graph.Sub(all[0], all[1])
	}
	if xs[0].Shape().Dim(-1) == 2 && xs[1].Shape().Dim(-1) == 2 {
		return component(0, 1)
	}
	all := o.tensorsOf(component(1, 2), component(2, 0), component(0, 1))
	return graph.Stack(all, normalAxes([]int{of("axisc")}, all[0].Rank()+1)[0])
}

// diagonalMatrix is the operation diag: a matrix with a vector on diagonal k and zeros elsewhere.
// Of a matrix it returns diagonal k. Other ranks panic.
func diagonalMatrix(o operands) *graph.Node {
	x := o.tensor(0)
	k := int(number(o.attrs["k"]))
	switch x.Rank() {
	case 1:
		return onDiagonal(x, k)
	case 2:
		o.attrs = map[string]any{"offset": k, "axis1": 0, "axis2": 1}
		return diagonal(o)
	}
	panic(fmt.Errorf("got %d dimensions, want a vector or a matrix", x.Rank()))
}

func diagonalFlat(o operands) *graph.Node {
	return onDiagonal(graph.Reshape(o.tensor(0), -1), int(number(o.attrs["k"])))
}

func onDiagonal(x *graph.Node, k int) *graph.Node {
	inner := x.Shape().Dimensions[0]
	n := inner + max(k, -k)
	wide := padAxis(x, 0, max(0, -k), n-inner-max(0, -k), "constant", 0) // by rows
	shape := shapes.Make(dtypes.Int32, n, n)
	is := graph.Equal(graph.AddScalar(graph.Iota(x.Graph(), shape, 0), float64(k)), graph.Iota(x.Graph(), shape, 1))
	full := graph.BroadcastToDims(graph.InsertAxes(wide, 1), n, n)
	return graph.Where(is, full, graph.ZerosLike(full))
}

// kronecker is the operation kron: the Kronecker product, blocks that are each an element of a
// times all of b.
func kronecker(o operands) *graph.Node {
	xs := o.promotedTensors()
	rank := max(xs[0].Rank(), xs[1].Rank())
	a, b := graph.ExpandLeftToRank(xs[0], rank), graph.ExpandLeftToRank(xs[1], rank)
	var full, joined, da, db []int
	for d := range rank {
		na, nb := a.Shape().Dimensions[d], b.Shape().Dimensions[d]
		da, db = append(da, na, 1), append(db, 1, nb)
		full, joined = append(full, na, nb), append(joined, na*nb)
	}
	a, b = graph.BroadcastToDims(graph.Reshape(a, da...), full...), graph.BroadcastToDims(graph.Reshape(b, db...), full...)
	return graph.Reshape(graph.Mul(a, b), joined...)
}

// correlate returns the cross-correlation of two vectors: the sums of the products of one and the
// shifted other. The attribute mode chooses the shifts: valid, same or full. Other modes, and
// tensors that are not vectors, panic.
func correlate(o operands) *graph.Node {
	xs := o.promotedTensors()
	a, b := xs[0], xs[1]
	if a.Rank() != 1 || b.Rank() != 1 {
		panic(fmt.Errorf("got %d and %d dimensions, want vectors", a.Rank(), b.Rank()))
	}
	longer, shorter := a, b
	flip := a.Shape().Dim(0) < b.Shape().Dim(0)
	if flip {
		longer, shorter = b, a
	}
	n, size := longer.Shape().Dim(0), shorter.Shape().Dim(0)
	var before, after int
	switch mode := o.attrs["mode"]; mode {
	case "valid":
	case "same":
		before = size / 2
		after = size - 1 - before
	case "full":
		before, after = size-1, size-1
	default:
		panic(fmt.Errorf("got mode %v, want valid, same or full", mode))
	}
	longer = padAxis(longer, 0, before, after, "constant", 0)
	var sum *graph.Node
	length := n + before + after - size + 1
	for i := range size {
		element := graph.BroadcastToDims(graph.Squeeze(graph.SliceAxis(shorter, 0, graph.AxisElem(i))), length)
		part := graph.Mul(graph.SliceAxis(longer, 0, graph.AxisRange(i, i+length)), element)
		if sum == nil {
			sum = part
		} else {
			sum = graph.Add(sum, part)
		}
	}
	if flip {
		return graph.Reverse(sum, 0)
	}
	return sum
}

// trapezoid is the operation trapezoid: it integrates argument 0 along the attribute axis, as the
// sum of the means of neighbours times their distance. Argument 1, if given, holds the coordinates:
// a vector, or a tensor like argument 0. Without it, the distance is the attribute dx.
func trapezoid(o operands) *graph.Node {
	y := fractions(o.tensor(0))
	axis := o.axis(y.Rank())
	n := y.Shape().Dimensions[axis]
	ends := func(x *graph.Node, axis int) (left, right *graph.Node) {
		return graph.SliceAxis(x, axis, graph.AxisRange(0, n-1)), graph.SliceAxis(x, axis, graph.AxisRange(1, n))
	}
	left, right := ends(y, axis)
	mean := graph.MulScalar(graph.Add(left, right), .5)
	if len(o.args) > 1 && o.args[1] != nil {
		x := graph.ConvertDType(o.tensor(1), y.DType())
		if x.Rank() == 1 {
			from, to := ends(x, 0)
			dims := slices.Repeat([]int{1}, y.Rank())
			dims[axis] = n - 1
			return graph.ReduceSum(graph.Mul(mean, graph.BroadcastToShape(graph.Reshape(graph.Sub(to, from), dims...), mean.Shape())), axis)
		}
		from, to := ends(x, axis)
		return graph.ReduceSum(graph.Mul(mean, graph.Sub(to, from)), axis)
	}
	return graph.MulScalar(graph.ReduceSum(mean, axis), number(o.attrs["dx"]))
}

// powersOf is the operation vander: a matrix [n, N] whose columns are powers of the n elements of a
// vector. The powers are 0 to N-1 if the attribute increasing is true, and otherwise N-1 to 0.
// Without the attribute N there are n columns. A tensor that is no vector panics.
func powersOf(o operands) *graph.Node {
	x := o.tensor(0)
	if x.Rank() != 1 {
		panic(fmt.Errorf("got %d dimensions, want a vector", x.Rank()))
	}
	n := x.Shape().Dim(0)
	if v := o.ints("N"); v != nil {
		n = v[0]
	}
	columns := []*graph.Node{graph.OnesLike(x)}
	for len(columns) < n {
		columns = append(columns, graph.Mul(columns[len(columns)-1], x))
	}
	if columns = columns[:n]; o.attrs["increasing"] != true {
		slices.Reverse(columns)
	}
	return graph.Stack(columns, 1)
}

// grids is the operation meshgrid: the coordinates of the points of a grid, one tensor for each
// vector. The dimensions of the tensors are those of the vectors; if the attribute indexing is xy,
// the first two are swapped, and if it is ij, they are not. Other values panic.
func grids(o operands) (out []*graph.Node) {
	indexing := o.attrs["indexing"]
	if indexing != "xy" && indexing != "ij" {
		panic(fmt.Errorf("got indexing %v, want xy or ij", indexing))
	}
	n := len(o.args)
	dims := make([]int, n)
	place := func(i int) int {
		if indexing == "xy" && i < 2 && n > 1 {
			return 1 - i
		}
		return i
	}
	for i := range n {
		dims[place(i)] = o.tensor(i).Shape().Size()
	}
	for i := range n {
		own := slices.Repeat([]int{1}, n)
		own[place(i)] = dims[place(i)]
		out = append(out, graph.BroadcastToDims(graph.Reshape(o.tensor(i), own...), dims...))
	}
	return out
}

// unravel is the operation unravel_index: it converts indices into a flattened array to coordinates
// in an array of the attribute shape, one tensor for each dimension. Negative indices count from
// the end, and an index out of range becomes the nearest one in it. It panics if the indices are
// not integers.
func unravel(o operands) (out []*graph.Node) {
	at, dims := o.tensor(0), o.ints("shape")
	checkIntegers(at)
	size := 1
	for _, d := range dims {
		size *= d
	}
	at = graph.Where(graph.LessThan(at, graph.ZerosLike(at)), graph.AddScalar(at, float64(size)), at)
	at = graph.Max(graph.Min(at, nodes.Like(at, float64(size-1))), graph.ZerosLike(at))
	for i := len(dims) - 1; i >= 0; i-- {
		n := nodes.Like(at, float64(dims[i]))
		out = append(out, graph.Rem(at, n))
		at = graph.Div(at, n)
	}
	slices.Reverse(out)
	return out
}

// spacedBy returns an operation that makes attribute num values between two tensors, along the
// attribute axis, a new one. The function between computes a value from the share of the way, 0 to
// 1. If the attribute endpoint is false, the last share is one step before 1. The attribute dtype
// is the type of the result. The operation panics if num is not positive.
func spacedBy(between func(o operands, from, to, share *graph.Node) *graph.Node) func(o operands) *graph.Node {
	return func(o operands) *graph.Node {
		xs := o.tensorsOf(o.arg(0), o.arg(1))
		from, to := fractions(xs[0]), fractions(xs[1])
		n := o.ints("num")
		if n == nil || n[0] < 1 {
			panic(fmt.Errorf("got num %v, want a positive number", o.attrs["num"]))
		}
		steps := n[0]
		if o.attrs["endpoint"] != false {
			steps--
		}
		axis := normalAxes(o.ints("axis"), from.Rank()+1)[0]
		dims := slices.Insert(slices.Clone(from.Shape().Dimensions), axis, n[0])
		shape := shapes.Make(from.DType(), dims...)
		share := graph.DivScalar(graph.Iota(o.g, shape, axis), float64(max(steps, 1)))
		full := func(x *graph.Node) *graph.Node { return graph.BroadcastToShape(graph.InsertAxes(x, axis), shape) }
		y := between(o, full(from), full(to), share)
		return graph.ConvertDType(y, o.dtype("dtype", y.DType()))
	}
}

func linearly(_ operands, from, to, share *graph.Node) *graph.Node {
	return graph.Add(graph.Mul(from, graph.OneMinus(share)), graph.Mul(to, share))
}

func asPowers(o operands, from, to, share *graph.Node) *graph.Node {
	return graph.Pow(nodes.Like(from, number(o.attrs["base"])), linearly(o, from, to, share))
}

func geometrically(o operands, from, to, share *graph.Node) *graph.Node {
	sign := graph.Sign(from)
	log := linearly(o, graph.Log(graph.Abs(from)), graph.Log(graph.Abs(to)), share)
	return graph.Mul(sign, graph.Exp(log))
}

// leastPositions is the operation argpartition: the positions of all elements along the attribute
// axis, sorted by their values, so that the smallest come first for each kth. Without an axis they
// are positions in the flattened x. It panics without the attribute kth, whose value it does not
// need.
func leastPositions(o operands) *graph.Node {
	x := o.tensor(0)
	if k := o.ints("kth"); k == nil {
		panic(fmt.Errorf("got kth %v, want a position", o.attrs["kth"]))
	}
	if o.attrs["axis"] == nil {
		return order(graph.Reshape(x, -1), 0, false)
	}
	return order(x, o.axis(x.Rank()), false)
}

// besselI0 returns the modified Bessel function of the first kind of order 0, of each element, by
// Cephes' Chebyshev polynomials.
func besselI0(x *graph.Node) *graph.Node {
	size := graph.Abs(x)
	near := chebyshev(graph.AddScalar(graph.MulScalar(graph.Min(size, nodes.Like(x, 8)), .5), -2), besselNear)
	far := graph.Max(size, nodes.Like(x, 8))
	above := graph.Div(chebyshev(graph.AddScalar(graph.Div(nodes.Like(x, 32), far), -2), besselFar), graph.Sqrt(far))
	return graph.Mul(graph.Exp(size), graph.Where(graph.LessOrEqual(size, nodes.Like(x, 8)), near, above))
}

// chebyshev returns, for each element of x, the sum of Chebyshev polynomials of x/2 with the
// coefficients, those of the highest degree first, by Clenshaw's recurrence.
func chebyshev(x *graph.Node, coefficients []float64) *graph.Node {
	b0, b1, b2 := graph.ZerosLike(x), graph.ZerosLike(x), graph.ZerosLike(x)
	for _, c := range coefficients {
		b2, b1 = b1, b0
		b0 = graph.AddScalar(graph.Sub(graph.Mul(x, b1), b2), c)
	}
	return graph.MulScalar(graph.Sub(b0, b2), .5)
}

var (
	besselNear = []float64{
		-1.30002500998624804212e-8, 6.04699502254191894932e-8, -2.67079385394061173391e-7, 1.11738753912010371815e-6,
		-4.41673835845875056359e-6, 1.64484480707288970893e-5, -5.75419501008210370398e-5, 1.88502885095841655729e-4,
		-5.76375574538582365885e-4, 1.63947561694133579842e-3, -4.32430999505057594430e-3, 1.05464603945949983183e-2,
		-2.37374148058994688156e-2, 4.93052842396707084878e-2, -9.49010970480476444210e-2, 1.71620901522208775349e-1,
		-3.04682672343198398683e-1, 6.76795274409476084995e-1,
	}
	besselFar = []float64{
		3.39623202570838634515e-9, 2.26666899049817806459e-8, 2.04891858946906374183e-7, 2.89137052083475648297e-6,
		6.88975834691682398426e-5, 3.36911647825569408990e-3, 8.04490411014108831608e-1,
	}
)

// isComplex reports whether x has a complex type.
func isComplex(x *graph.Node) bool {
	return x.DType() == dtypes.Complex64 || x.DType() == dtypes.Complex128
}

// ofComplex returns an operation that applies complexes to a complex tensor, and reals to one of
// real numbers.
func ofComplex(complexes, reals func(x *graph.Node) *graph.Node) func(o operands) *graph.Node {
	return func(o operands) *graph.Node {
		if x := o.tensor(0); isComplex(x) {
			return complexes(x)
		}
		return reals(o.tensor(0))
	}
}

func itself(x *graph.Node) *graph.Node { return x }

// angleOf returns the angles of complex numbers in radians, from -π to π.
func angleOf(x *graph.Node) *graph.Node { return graph.Atan2(graph.Imag(x), graph.Real(x)) }

func angleOfReal(x *graph.Node) *graph.Node {
	x = fractions(x)
	return graph.Where(graph.LessThan(x, graph.ZerosLike(x)), nodes.Like(x, math.Pi), graph.ZerosLike(x))
}

func hasNoImaginary(x *graph.Node) *graph.Node {
	im := graph.Imag(x)
	return graph.Equal(im, graph.ZerosLike(im))
}

func alwaysReal(x *graph.Node) *graph.Node {
	return graph.Equal(graph.ZerosLike(x), graph.ZerosLike(x))
}

// fromPolar returns the complex numbers with the absolute values size and the angles angle, in
// radians.
func fromPolar(size, angle *graph.Node) *graph.Node {
	size, angle = fractions(size), fractions(angle)
	return graph.Complex(graph.Mul(size, graph.Cos(angle)), graph.Mul(size, graph.Sin(angle)))
}

// asComplex is the operation view_as_complex: complex numbers of the last dimension, which has size
// 2, the real and the imaginary part. Other sizes panic. asReal is its inverse.
func asComplex(o operands) *graph.Node {
	x := fractions(o.tensor(0))
	if x.Rank() < 1 || x.Shape().Dim(-1) != 2 {
		panic(fmt.Errorf("got %s, want a last dimension of 2: real and imaginary parts", x.Shape()))
	}
	last := x.Rank() - 1
	part := func(i int) *graph.Node { return graph.Squeeze(graph.SliceAxis(x, last, graph.AxisElem(i)), last) }
	return graph.Complex(part(0), part(1))
}

func asReal(o operands) *graph.Node {
	x := o.tensor(0)
	if !isComplex(x) {
		return graph.Stack([]*graph.Node{x, graph.ZerosLike(x)}, x.Rank())
	}
	return graph.Stack(parts(x), x.Rank())
}
