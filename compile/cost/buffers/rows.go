package buffers

// This file lowers gathers and scatters for accelerators. TPUs copy full rows of tiles. The tensor
// that rows are read from or added to is first copied to a layout in which a row is contiguous. Its
// last dimension is then along the columns of tiles, even if it fills only a few of them.

import "github.com/gospmd/gospmd/ir"

// gatherRows lowers a gather, which on TPUs reads rows of its operand, and returns the node of its
// result.
func (l *lowering) gatherRows(op *ir.Op) []*node {
	if l.model != TPU || len(op.Gather().DimensionNumbers().OffsetDims) == 0 {
		return l.gather(op)
	}
	n := l.g.addOne(kernel, op, op.Results[0].Type, l.toRows(op, l.value(op.Operands[0])), l.value(op.Operands[1]))
	n.rows = true
	return []*node{n}
}

// scatterRows lowers a scatter and returns the nodes of its results. On a GPU a scatter with one
// result computes its indices and updates itself. On a TPU a scatter of windows with one result
// adds rows to its operand; the result is then copied to another layout if that takes less memory.
// Also on a TPU, a scatter with one result that changes one element of each row (isOneOfRow)
// becomes element-wise. All other scatters are lowered as on CPUs.
func (l *lowering) scatterRows(op *ir.Op) []*node {
	d := op.Scatter().ScatterDimensionNumbers()
	t := op.Results[0].Type
	switch {
	case l.model == TPU && len(op.Results) == 1 && isOneOfRow(op):
		operands := l.operands(op.Operands)
		for i, o := range operands[1:] {
			operands[i+1] = l.g.addOne(broadcast, op, o.typ().WithDims(t.Dims), o)
		}
		return []*node{l.g.addOne(element, op, t, operands...)}
	case l.model == GPU && len(op.Results) == 1:
		n := l.g.addOne(scattered, op, t, l.operands(op.Operands)...)
		n.into = n.operands[0]
		return []*node{n}
	case l.model != TPU || len(op.Results) > 1 || len(d.UpdateWindowDims) == 0:
		return l.scatter(op)
	}
	n := l.g.addOne(kernel, op, t, l.toRows(op, l.value(op.Operands[0])), l.value(op.Operands[1]), l.toRows(op, l.value(op.Operands[2])))
	n.into, n.rows = n.operands[0], true
	if TPU.RowBytes(t) > TPU.Bytes(t) {
		n = l.g.addOne(kernel, op, t, n)
	}
	return []*node{n}
}

// toRows returns x in a layout whose last dimension is along the columns of tiles: a new copy, or x
// if it has that layout or the copy would not be larger.
func (l *lowering) toRows(op *ir.Op, x *node) *node {
	t := x.typ()
	if x.rows || TPU.RowBytes(t) <= TPU.Bytes(t) {
		return x
	}
	n := l.g.addOne(kernel, op, t, x)
	n.rows = true
	return n
}

// isOneOfRow reports whether a scatter changes one element of each row, as the gradient of a cross
// entropy does. For such a scatter libtpu compares the indices with those of all elements.
func isOneOfRow(op *ir.Op) bool {
	d := op.Scatter().ScatterDimensionNumbers()
	rows := 1
	for _, i := range d.InputBatchingDims {
		rows *= op.Operands[0].Type.Dims[i]
	}
	return len(d.UpdateWindowDims) == 0 && len(d.ScatterDimsToOperandDims) == 1 && len(d.InputBatchingDims) > 0 && op.Operands[2].Type.Size() == rows
}
