package ops

// This file defines operations that move elements: by shapes and by indices.

import "github.com/gospmd/gospmd/keras/layers"

// BroadcastTo returns x broadcast to a shape: dimensions of size 1 are repeated, and new ones come
// first.
func BroadcastTo(x *layers.Tensor, shape ...int) *layers.Tensor {
	return layers.Operate("BroadcastTo", []any{x}, map[string]any{"shape": shape})
}

// Flip reverses the order of elements along axes, all by default. Options: Axis.
func Flip(x *layers.Tensor, opts ...Option) *layers.Tensor {
	return layers.Operate("Flip", []any{x}, with(opts, map[string]any{"axis": nil}))
}

// Hstack returns the tensors joined along axis 1, or along axis 0 if they are vectors.
func Hstack(xs ...*layers.Tensor) *layers.Tensor { return layers.Operate("Hstack", []any{xs}, nil) }

// Vstack returns the tensors joined along axis 0. Each vector counts as a row.
func Vstack(xs ...*layers.Tensor) *layers.Tensor { return layers.Operate("Vstack", []any{xs}, nil) }

// Moveaxis moves an axis from position source to destination. The other axes keep their order.
func Moveaxis(x *layers.Tensor, source, destination int) *layers.Tensor {
	return layers.Operate("Moveaxis", []any{x}, map[string]any{"source": source, "destination": destination})
}

// Swapaxes returns x with the axes a and b exchanged.
func Swapaxes(x *layers.Tensor, a, b int) *layers.Tensor {
	return layers.Operate("Swapaxes", []any{x}, map[string]any{"axis1": a, "axis2": b})
}

// Pad adds elements at both ends of each axis, also of the batch. widths has for each axis the
// numbers of elements before and after it. mode is "constant" (zeros), "symmetric" (the mirror
// image of the elements at the edge) or "reflect" (without the edge itself).
func Pad(x *layers.Tensor, mode string, widths ...[2]int) *layers.Tensor {
	list := make([]any, len(widths))
	for i, w := range widths {
		list[i] = []any{w[0], w[1]}
	}
	return layers.Operate("Pad", []any{x}, map[string]any{"pad_width": list, "mode": mode})
}

// Ravel returns all elements as a vector, in row-major order.
func Ravel(x *layers.Tensor) *layers.Tensor { return layers.Operate("Ravel", []any{x}, nil) }

// Repeat repeats each element along an axis, at least once. Without Axis it returns the repeated
// elements of the flattened x. Options: Axis (one).
func Repeat(x *layers.Tensor, repeats int, opts ...Option) *layers.Tensor {
	return layers.Operate("Repeat", []any{x}, with(opts, map[string]any{"repeats": repeats, "axis": nil}))
}

// Tile repeats the whole tensor along each axis as often as repeats says, one number for each axis.
func Tile(x *layers.Tensor, repeats ...int) *layers.Tensor {
	return layers.Operate("Tile", []any{x}, map[string]any{"repeats": repeats})
}

// Roll moves the elements of an axis shift positions on; elements that leave at one end enter at
// the other. Options: Axis (one). Without Axis it does so with all elements of x in row-major
// order, and keeps the shape.
func Roll(x *layers.Tensor, shift int, opts ...Option) *layers.Tensor {
	return layers.Operate("Roll", []any{x}, with(opts, map[string]any{"shift": shift, "axis": nil}))
}

// Split cuts an axis into parts. One number is the number of parts, which must divide the axis;
// several are the positions where to cut.
func Split(x *layers.Tensor, axis int, at ...int) []*layers.Tensor {
	attrs := map[string]any{"indices_or_sections": at, "axis": axis}
	if len(at) == 1 {
		attrs["indices_or_sections"] = at[0]
	}
	return layers.OperateAll("Split", []any{x}, attrs)
}

// Unstack returns the slices of x along an axis, without the axis.
func Unstack(x *layers.Tensor, axis int) []*layers.Tensor {
	return layers.OperateAll("Unstack", []any{x}, map[string]any{"num": nil, "axis": axis})
}

// Tril returns matrices with zeros above diagonal k: 0 is the main diagonal, and positive numbers
// are above it. The matrices are the last two axes of x.
func Tril(x *layers.Tensor, k int) *layers.Tensor {
	return layers.Operate("Tril", []any{x}, map[string]any{"k": k})
}

// Triu returns matrices with zeros below diagonal k: 0 is the main diagonal, and positive numbers
// are above it. The matrices are the last two axes of x.
func Triu(x *layers.Tensor, k int) *layers.Tensor {
	return layers.Operate("Triu", []any{x}, map[string]any{"k": k})
}

// OneHot converts class numbers to vectors of length classes along a new last axis, with 1 at the
// class and 0 elsewhere. For a number that is no class the vector is all 0.
func OneHot(x *layers.Tensor, classes int) *layers.Tensor {
	return layers.Operate("OneHot", []any{x}, map[string]any{"num_classes": classes, "axis": -1, "sparse": false})
}

// MultiHot returns for each sample a vector of length classes, with 1 at each of the sample's
// classes and 0 elsewhere. x has a row of class numbers for each sample; with one axis only, it is
// one sample. Numbers that are no class count nothing.
func MultiHot(x *layers.Tensor, classes int) *layers.Tensor {
	return layers.Operate("MultiHot", []any{x}, map[string]any{"num_classes": classes, "axis": -1, "sparse": false})
}

// Take returns the elements of an axis at some positions: a tensor, a number or a []int. Negative
// positions count from the end. The dimensions of the positions replace the axis. Without Axis it
// takes the elements from the flattened x. Options: Axis (one).
func Take(x *layers.Tensor, indices any, opts ...Option) *layers.Tensor {
	if list, ok := indices.([]int); ok {
		all := make([]any, len(list))
		for i, v := range list {
			all[i] = v
		}
		indices = all
	}
	return layers.Operate("Take", []any{x, indices}, with(opts, map[string]any{"axis": nil}))
}

// TakeAlongAxis returns, for each position of indices, the element of x at that position, with the
// index in place of the position along an axis. Without Axis it indexes the flattened x. Options:
// Axis (one).
func TakeAlongAxis(x, indices *layers.Tensor, opts ...Option) *layers.Tensor {
	return layers.Operate("TakeAlongAxis", []any{x, indices}, with(opts, map[string]any{"axis": nil}))
}

// Cast converts x to another type, such as "float32", element by element.
func Cast(x *layers.Tensor, dtype string) *layers.Tensor {
	return layers.Operate("Cast", []any{x}, map[string]any{"dtype": dtype})
}

// Concatenate joins tensors along the dimension axis; their other dimensions must be equal.
func Concatenate(xs []*layers.Tensor, axis int) *layers.Tensor {
	return layers.Operate("Concatenate", []any{xs}, map[string]any{"axis": axis})
}

// Stack joins tensors of one shape along a new axis, which is at position axis of the result.
func Stack(xs []*layers.Tensor, axis int) *layers.Tensor {
	return layers.Operate("Stack", []any{xs}, map[string]any{"axis": axis})
}

// ExpandDims inserts a dimension of size 1, which is at position axis of the result.
func ExpandDims(x *layers.Tensor, axis int) *layers.Tensor {
	return layers.Operate("ExpandDims", []any{x}, map[string]any{"axis": axis})
}

// Squeeze returns x without dimensions of size 1: without the given ones, or without all. Options:
// Axis.
func Squeeze(x *layers.Tensor, opts ...Option) *layers.Tensor {
	return layers.Operate("Squeeze", []any{x}, with(opts, map[string]any{"axis": nil}))
}

// Reshape returns the elements of x in another shape, which includes the batch. One size may be -1:
// it is computed from the others.
func Reshape(x *layers.Tensor, shape ...int) *layers.Tensor {
	return layers.Operate("Reshape", []any{x}, map[string]any{"newshape": shape})
}

// Transpose changes the order of dimensions; the batch is one of them. axes are dimensions of x in
// the order of the result. Without axes the order is reversed.
func Transpose(x *layers.Tensor, axes ...int) *layers.Tensor {
	attrs := map[string]any{"axes": nil}
	if len(axes) > 0 {
		attrs["axes"] = axes
	}
	return layers.Operate("Transpose", []any{x}, attrs)
}

// GetItem indexes x as Python does, the batch first. items are numbers, ranges (Range, From, To,
// Full), Ellipsis, nil for a new dimension, and ranges and an ellipsis as texts in Python: "1:3",
// "...".
func GetItem(x *layers.Tensor, items ...any) *layers.Tensor { return x.GetItem(items...) }

// Ellipsis stands in an index for all dimensions that the other items do not index.
var Ellipsis = layers.Ellipsis{}

// Range is start:stop in an index of GetItem: the elements from start to stop-1.
func Range(start, stop int) layers.Slice { return layers.Slice{Start: &start, Stop: &stop} }

// From is start: in an index of GetItem: all elements from start on.
func From(start int) layers.Slice { return layers.Slice{Start: &start} }

// To stands for :stop in an index: the elements before stop.
func To(stop int) layers.Slice { return layers.Slice{Stop: &stop} }

// Full stands for : in an index: all elements.
func Full() layers.Slice { return layers.Slice{} }
