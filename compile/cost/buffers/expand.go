package buffers

// This file lowers the ops that become several instructions: contractions,
// reductions, scatters and windows.

import (
	"slices"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/ir"
)

// tile is the number of elements that a large reduction reduces in its first step.
const tile = 32

// reduce lowers a reduction, and returns the nodes of its results. On CPUs, if it has one result, a
// dimension of more than tile elements is reduced in two steps: first tiles, by a window.
func (l *lowering) reduce(op *ir.Op) []*node {
	operands := l.operands(op.Operands)
	if len(op.Results) > 1 {
		n := l.g.add(reduce, op, ir.TypesOf(op.Results), operands...)
		n.expensive = true
		return l.parts(n)
	}
	if l.model == TPU {
		operands[0] = l.joinParts(op, operands[0])
	}
	x, dims, negative := l.reductionInput(op, l.widen(op, operands[0]))
	t := l.computed(op.Results[0].Type)
	tiles, long := slices.Clone(x.typ().Dims), false
	for _, d := range dims {
		long = long || tiles[d] > tile
		tiles[d] = (tiles[d] + tile - 1) / tile
	}
	if long && !l.model.accelerator() {
		x = l.g.addOne(kernel, op, x.typ().WithDims(tiles), x, l.input(op, 1))
	}
	n := l.g.addOne(reduce, op, t, x, l.input(op, 1))
	n.expensive = true
	if negative {
		n = l.g.addOne(element, op, t, n)
	}
	return []*node{n}
}

// reductionInput returns the node that a reduction of x reads, and the dimensions that it reduces.
// It skips a transpose that keeps the order of the other dimensions and, if op is a sum, a negation
// before that: negative says that the sum must then be negated.
func (l *lowering) reductionInput(op *ir.Op, x *node) (from *node, dims []int, negative bool) {
	dims = op.Reduce().Dimensions()
	if kind, ok := ir.ReductionOf(op); ok && kind == ir.OpAdd && x.role == element && x.op.Kind == ir.OpNegate {
		x, negative = x.operands[0], true
	}
	if x.role != transpose || x.op.Kind != ir.OpTranspose {
		return x, dims, negative
	}
	order, inner := x.op.Transpose().Permutation(), make([]int, 0, len(dims))
	last := -1
	for i, d := range order {
		if slices.Contains(dims, i) {
			inner = append(inner, d)
			continue
		}
		if d < last {
			return x, dims, negative
		}
		last = d
	}
	return x.operands[0], inner, negative
}

// base is the length of the pieces that a cumulative sum is computed in.
const base = 16

// reduceWindow lowers a windowed reduction, and returns the nodes of its results. A cumulative
// reduction along a long dimension is computed in pieces: first within each piece, then over the
// last elements of the pieces; then both are combined.
func (l *lowering) reduceWindow(op *ir.Op) []*node {
	dim := cumulativeDim(op)
	if dim < 0 {
		if len(op.Results) > 1 {
			return l.kernel(op, l.operands(op.Operands)...)
		}
		x, first := l.input(op, 0), l.input(op, 1)
		return []*node{l.g.addOne(kernel, op, l.computed(op.Results[0].Type), skipPad(x, first), first)}
	}
	x, first := l.input(op, 0), l.input(op, 1)
	order, back := make([]int, 0, x.typ().Rank()), make([]int, x.typ().Rank())
	for d := range x.typ().Dims {
		if d != dim {
			order = append(order, d)
		}
	}
	order = append(order, dim)
	for i, d := range order {
		back[d] = i
	}
	x = l.transposeTo(op, x, order)
	both := l.cumulated(op, x, x.typ().Dims[x.typ().Rank()-1], first)
	return []*node{l.transposeTo(op, l.reshapeTo(op, both, x.typ()), back)}
}

// cumulated returns the cumulative reductions of x, rows of length elements, by op, from first on.
// It computes them in pieces, and the reductions of whole pieces in the same way, until a row has
// at most base pieces. That many are reduced at once, up to each and of none, one more than there
// are.
func (l *lowering) cumulated(op *ir.Op, x *node, length int, first *node) *node {
	rows := x.elements() / max(length, 1)
	vector := func(n int) ir.Type { return ir.Tensor(x.typ().DType, rows*n) }
	if length <= base {
		return l.g.addOne(kernel, op, vector(length+1), x, first)
	}
	count := (length + base - 1) / base
	pieces := l.g.addOne(kernel, op, vector(count*base), l.g.addOne(view, op, vector(length), x), first)
	sums := l.cumulated(op, l.g.addOne(slice, op, vector(count), pieces), count, first)
	return l.g.addOne(element, op, vector(length), pieces, l.g.addOne(broadcast, op, pieces.typ(), sums))
}

// skipPad returns the operand of x if x only pads it with value, because a window can pad by
// itself. Otherwise it returns x.
func skipPad(x, value *node) *node {
	if x.role != pad || x.op.Kind != ir.OpPad || x.operands[1].role != constant || value.role != constant {
		return x
	}
	a, b := x.operands[1].op.Literal(), value.op.Literal()
	if !a.IsSplat() || !b.IsSplat() || !slices.Equal(a.Data, b.Data) {
		return x
	}
	return x.operands[0]
}

// cumulativeDim returns the dimension of a cumulative reduction, in which each result reduces all
// elements up to it, or all from it on. It returns -1 if op is not cumulative, has several results,
// or if the dimension has at most base elements.
func cumulativeDim(op *ir.Op) int {
	w := op.ReduceWindow()
	if len(op.Results) != 1 {
		return -1
	}
	dim := -1
	for d, n := range w.WindowDimensions() {
		if n == 1 {
			continue
		}
		pad, stride := w.Padding()[d], w.WindowStrides()[d]
		if dim >= 0 || n != op.Operands[0].Type.Dims[d] || pad[0]+pad[1] != n-1 || pad[0] != 0 && pad[1] != 0 || stride != 1 {
			return -1
		}
		dim = d
	}
	if dim >= 0 && op.Operands[0].Type.Dims[dim] <= base {
		return -1
	}
	return dim
}

// dot lowers a matrix product, and returns the node of its result. Operands are transposed to the
// order batch, free, contracted (for the second operand: batch, contracted, free), unless they are
// in this order except that the last two dimensions are swapped. Several dimensions of one kind
// become one.
func (l *lowering) dot(op *ir.Op) []*node {
	d := op.DotGeneral().DotDimensionNumbers()
	x := l.matrix(op, l.input(op, 0), d.LHSBatch, d.LHSContracting, false)
	y := l.matrix(op, l.input(op, 1), d.RHSBatch, d.RHSContracting, true)
	t := l.computed(op.Results[0].Type)
	merged, how := t, kernel
	if x.role == view || y.role == view {
		merged = ir.Tensor(t.DType, t.Size())
	}
	isVector := func(v *ir.Value, dims []int) bool {
		return len(dims) == v.Type.Rank() && v.Type.MemoryBytes() < maxVector
	}
	if isVector(op.Operands[0], d.LHSContracting) || isVector(op.Operands[1], d.RHSContracting) {
		how = vectorDot
	}
	return []*node{l.reshapeTo(op, l.g.addOne(how, op, merged, x, y), t)}
}

// maxVector is the largest size, in bytes, of a vector operand whose product is computed like an
// element-wise op.
const maxVector = 16 << 10

// matrix returns the node of operand x of a contraction in the form in which the multiplication
// reads it: transposed and reshaped to batch, free and contracted dimensions, with the contracted
// ones first if contractedFirst is true. If x has that form already, it is x; if x is a transpose
// that only swaps rows and columns (swapsRows), it is the operand of x.
func (l *lowering) matrix(op *ir.Op, x *node, batch, contracted []int, contractedFirst bool) *node {
	used := make([]bool, x.typ().Rank())
	for _, d := range slices.Concat(batch, contracted) {
		used[d] = true
	}
	var free []int
	for d, u := range used {
		if !u {
			free = append(free, d)
		}
	}
	// outside of a loop it is transposed once
	if len(free) == 1 && len(contracted) == 1 && x.graph == l.g && swapsRows(x, batch) {
		return x.operands[0]
	}
	// XLA transposes before it converts. The conversion leaves the loop, with the transpose.
	to, leaves := x.typ().DType, widens(x) && x.operands[0].graph != l.g && !l.model.accelerator()
	if leaves {
		x = x.operands[0]
	}
	ordered, merge := true, len(free) > 1 || len(contracted) > 1
	for i, d := range batch {
		ordered, merge = ordered && d == i, merge || x.typ().Dims[d] == 1
	}
	groups := [][]int{batch, free, contracted}
	if contractedFirst {
		groups = [][]int{batch, contracted, free}
	}
	if !ordered || merge || leaves {
		x = l.transposeTo(op, x, slices.Concat(groups...))
	}
	if merge {
		x = l.reshapeTo(op, x, ir.Tensor(x.typ().DType, x.elements()))
	}
	return l.convert(op, x, to)
}

// swapsRows reports whether x is a transpose that only swaps the last two dimensions after the
// batch dimensions. A multiplication can also read its operand before such a transpose.
func swapsRows(x *node, batch []int) bool {
	if x.role != transpose || x.op.Kind != ir.OpTranspose {
		return false
	}
	order := x.op.Transpose().Permutation()
	n := len(batch)
	for i := range n {
		if order[i] != i || batch[i] != i {
			return false
		}
	}
	return len(order) == n+2 && order[n] == n+1
}

// convolution lowers a convolution, and returns the node of its result. It transposes the input to
// the order batch, spatial, features, the weights to spatial, input features, output features, and
// the result back from batch, spatial, features.
func (l *lowering) convolution(op *ir.Op) []*node {
	d := op.Convolution().DimensionNumbers()
	x, k := l.input(op, 0), l.input(op, 1)
	input := append(append([]int{d.InputBatch}, d.InputSpatial...), d.InputFeature)
	weights := append(append([]int{}, d.KernelSpatial...), d.KernelInputFeature, d.KernelOutputFeature)
	output := append(append([]int{d.OutputBatch}, d.OutputSpatial...), d.OutputFeature)
	t := op.Results[0].Type
	dims, back := make([]int, len(output)), make([]int, len(output))
	for i, at := range output {
		dims[i], back[at] = t.Dims[at], i
	}
	n := l.g.addOne(kernel, op, l.computed(t).WithDims(dims), l.transposeTo(op, x, input), l.transposeTo(op, k, weights))
	return []*node{l.transposeTo(op, n, back)}
}

// scatter lowers a scatter, and returns the nodes of its results. With one result it writes into
// the memory of its input. Its indices and updates are first brought into rows. A scatter by one
// index becomes an update of a slice.
func (l *lowering) scatter(op *ir.Op) []*node {
	operands := l.inputs(op)
	first := len(op.Results)
	d := op.Scatter().ScatterDimensionNumbers()
	if indices := operands[first].elements(); first == 1 && indices == max(1, len(d.ScatterDimsToOperandDims)) {
		n := l.g.addOne(update, op, operands[0].typ(), operands[0], operands[2], operands[1])
		n.into = n.operands[0]
		return []*node{n}
	}
	operands[first] = l.reshapeTo(op, operands[first], ir.Tensor(operands[first].typ().DType, operands[first].elements()))
	for i := first + 1; i < len(operands); i++ {
		x := operands[i]
		order := d.UpdateWindowDims
		for d := x.typ().Rank() - 1; d >= 0; d-- {
			if !slices.Contains(order, d) {
				order = append([]int{d}, order...)
			}
		}
		x = l.transposeTo(op, x, order)
		operands[i] = l.reshapeTo(op, x, ir.Tensor(x.typ().DType, x.elements()))
	}
	types := make([]ir.Type, first)
	for i := range types {
		types[i] = operands[i].typ()
	}
	n := l.g.add(kernel, op, types, operands...)
	if len(types) == 1 {
		n.into = operands[0]
	}
	return l.parts(n)
}

// selectAndScatter lowers a select_and_scatter, and returns the node of its result. A reduction
// over windows of the operand, and of the indices along each dimension, finds the position that
// each window selects. A scatter adds to these positions. GPUs compute the indices inside of both.
func (l *lowering) selectAndScatter(op *ir.Op) []*node {
	x, source := l.input(op, 0), l.input(op, 1)
	at := x.typ().WithDType(dtypes.Int32)
	places := source.typ().WithDType(dtypes.Int32)
	inputs, types := []*node{x}, []ir.Type{source.typ().WithDType(x.typ().DType)}
	for range at.Dims {
		types = append(types, places)
		if l.model != GPU { // there the kernel computes the indices
			inputs = append(inputs, l.g.addOne(ramp, op, at))
		}
	}
	found := l.parts(l.g.add(kernel, op, types, inputs...))
	rows := ir.Tensor(dtypes.Int32, places.Size(), at.Rank())
	indices := l.g.addOne(concatenate, op, rows, found[1:]...)
	t := l.computed(op.Results[0].Type)
	zero := l.g.addOne(broadcast, op, t, l.input(op, 2))
	as := kernel
	if l.model == GPU {
		as = scattered
	}
	n := l.g.addOne(as, op, t, zero, indices, l.g.addOne(transpose, op, source.typ(), source))
	n.into = zero
	return []*node{n}
}
