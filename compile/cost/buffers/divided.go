package buffers

// This file models how TPUs compute convolutions of small batches. A tile has eight rows, and fewer
// images leave rows empty. So libtpu divides each image into eight parts along its last spatial
// dimension (the columns), and treats each part as an image (SpaceToBatchConverter in XLA). The last
// parts are padded with columns.

import (
	"slices"

	"github.com/gospmd/gospmd/ir"
)

// partsOfImage is the number of parts of an image.
const partsOfImage = 8

// tilesOfImages returns the two dimensions of v, an operand or the result of the convolution op, that
// tiles are over: batch and features or, if one of them is too small and the other is larger than
// the rows of a tile, the last spatial dimension in its place. A size of 1 is too small, and so is a
// batch of images that are divided.
func tilesOfImages(op *ir.Op, v *ir.Value, batch, features int, spatial []int) (rows, columns int) {
	dims, last := v.Type.Dims, len(spatial)-1
	if last < 0 {
		return batch, features
	}
	divided := dims[batch] < tileRows && dims[spatial[last]] >= partsOfImage && dividesImages(op) && v != op.Operands[1]
	switch {
	case (dims[batch] == 1 || divided) && dims[features] > tileRows:
		return spatial[last], features
	case dims[features] == 1 && dims[batch] > tileRows:
		return batch, spatial[last]
	}
	return batch, features
}

// dividesImages reports whether the convolution op may divide its images: it is not that of a
// gradient of weights, whose window is as large as an image.
func dividesImages(op *ir.Op) bool {
	d := op.Convolution().DimensionNumbers()
	last := len(d.KernelSpatial) - 1
	return op.Operands[1].Type.Dims[d.KernelSpatial[last]] <= op.Results[0].Type.Dims[d.OutputSpatial[last]]
}

// dividedFor returns the dimension that v, the image of the convolution op, is divided along, and
// its index among the spatial dimensions. ok is false if v is not divided, or not along the last of
// them.
func (l *lowering) dividedFor(op *ir.Op, v *ir.Value) (dim, spatial int, ok bool) {
	at, ok := l.kept.divided[v]
	d := op.Convolution().DimensionNumbers()
	spatial = len(d.InputSpatial) - 1
	return at[1], spatial, ok && d.InputSpatial[spatial] == at[1]
}

// addEdges returns the operands of the convolution op as it reads them. If parts of divided images
// need columns of their neighbours, the images are in memory twice: as they are, and with the edges
// of the neighbours. Convolutions of these images with windows of one size share both.
func (l *lowering) addEdges(op *ir.Op, operands []*node) []*node {
	v := op.Operands[0]
	dim, spatial, ok := l.dividedFor(op, v)
	if !ok {
		return operands
	}
	c := op.Convolution()
	d := c.DimensionNumbers()
	window := min(op.Operands[1].Type.Dims[d.KernelSpatial[spatial]], op.Results[0].Type.Dims[d.OutputSpatial[spatial]])
	edges := window - max(c.WindowStrides()[spatial], c.RHSDilation()[spatial])
	if edges <= 0 {
		return operands
	}
	whole := operands[0]
	if whole.role != kernel {
		whole = l.move(kernel, op, v.Type, whole, nil)
		whole.shows = v
	}
	columns := roundUp(v.Type.Dims[dim], partsOfImage) + partsOfImage*edges
	copied := l.move(kernel, op, withDim(v.Type, dim, columns), whole, nil)
	copied.shows = v
	operands[0] = whole
	return append(operands, copied)
}

// padded returns the type of the copy of v, an image of the convolution op. If v is divided and op
// has strides, each part of the result reads as many columns of the copy as its own columns times
// the stride, so the copy may have more columns than v. The same holds for the gradient of weights
// of such a convolution, whose window is dilated. Otherwise it is v's type.
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

// joinParts returns the node that the reduction op reads in place of x. If x has divided images and
// op reduces each image by itself, two copies first join the parts.
func (l *lowering) joinParts(op *ir.Op, x *node) *node {
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
