package buffers

// This file models how TPUs compute convolutions of small batches. A tile has eight rows, but there
// are fewer images. So libtpu divides each image into eight parts along its last spatial dimension,
// the columns, and takes them for images (SpaceToBatchConverter in XLA). The parts have columns of
// padding.

import (
	"slices"

	"github.com/gospmd/gospmd/ir"
)

// tilesOfImages returns the two dimensions of a convolution's operand or result that tiles are over:
// batch and features or, if one of them is too small and the other is larger than the rows of a
// tile, the last spatial dimension in its place. A batch of fewer images than the rows of a tile is
// too small, and so are features of size 1.
func tilesOfImages(dims []int, batch, features int, spatial []int) (int, int) {
	if n := len(spatial); n > 0 && dims[batch] < tileRows && dims[features] > tileRows {
		batch = spatial[n-1]
	} else if n > 0 && dims[features] == 1 && dims[batch] > tileRows {
		features = spatial[n-1]
	}
	return batch, features
}

// partsOfImage is the number of parts of an image.
const partsOfImage = 8

// dividedFor returns the dimension that v, the image of the convolution op, is divided along, and
// its index among the spatial dimensions. ok is false if v is not divided, or not along the last of
// them.
func (l *lowering) dividedFor(op *ir.Op, v *ir.Value) (dim, spatial int, ok bool) {
	at, ok := l.kept.divided[v]
	d := op.Convolution().DimensionNumbers()
	spatial = len(d.InputSpatial) - 1
	return at[1], spatial, ok && d.InputSpatial[spatial] == at[1]
}

// withEdges returns the operands of the convolution op as it reads them. If parts of divided images
// need columns of their neighbours, the images are in memory twice: as they are, and with the edges
// of the neighbours. All convolutions of these images share both.
func (l *lowering) withEdges(op *ir.Op, operands []*node) []*node {
	v := op.Operands[0]
	dim, spatial, ok := l.dividedFor(op, v)
	if !ok {
		return operands
	}
	d := op.Convolution().DimensionNumbers()
	window := min(op.Operands[1].Type.Dims[d.KernelSpatial[spatial]], op.Results[0].Type.Dims[d.OutputSpatial[spatial]])
	if window == 1 {
		return operands
	}
	whole := operands[0]
	if whole.role != kernel {
		whole = l.move(kernel, op, v.Type, whole, nil)
		whole.shows = v
	}
	columns := roundUp(v.Type.Dims[dim], partsOfImage) + partsOfImage*(window-1)
	edges := l.move(kernel, op, withDim(v.Type, dim, columns), whole, nil)
	edges.shows = v
	operands[0] = whole
	return append(operands, edges)
}

// padded returns the type of the copy of v, an image of the convolution op. If v is divided, and op
// reads it in strides, or op is that of a gradient of such a convolution, each part of the result, or
// of its gradient, reads a part of the copy. Otherwise it is v's type.
func (l *lowering) padded(op *ir.Op, v *ir.Value) ir.Type {
	dim, spatial, ok := l.dividedFor(op, v)
	if !ok {
		return v.Type
	}
	c := op.Convolution()
	d := c.DimensionNumbers()
	parts, stride := op.Results[0].Type.Dims[d.OutputSpatial[spatial]], c.WindowStrides()[spatial]
	if stride == 1 {
		parts, stride = op.Operands[1].Type.Dims[d.KernelSpatial[spatial]], c.RHSDilation()[spatial]
	}
	if stride == 1 {
		return v.Type
	}
	return withDim(v.Type, dim, max(v.Type.Dims[dim], roundUp(parts, partsOfImage)*stride))
}

// withDim returns t with another size of one dimension.
func withDim(t ir.Type, dim, size int) ir.Type {
	dims := slices.Clone(t.Dims)
	dims[dim] = size
	return t.WithDims(dims)
}

// together returns the node that op, a reduction of x, reads. If op reduces each image, and x are
// divided images, two copies join the parts before.
func (l *lowering) together(op *ir.Op, x *node) *node {
	at, ok := l.kept.divided[op.Operands[0]]
	dims := op.Reduce().Dimensions()
	if !ok || slices.Contains(dims, at[0]) || !slices.Contains(dims, at[1]) {
		return x
	}
	for range 2 {
		x = l.move(kernel, op, x.typ(), x, nil)
		x.shows = op.Operands[0]
	}
	return x
}
