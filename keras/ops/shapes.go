package ops

// This file defines operations that move elements: shapes, indices.

import "github.com/gospmd/gospmd/keras/layers"

// BroadcastTo returns x in a larger shape.
func BroadcastTo(x *layers.Tensor, shape ...int) *layers.Tensor {
	return layers.Operate("BroadcastTo", []any{x}, map[string]any{"shape": shape})
}

// Flip turns axes around; all by default. Options: Axis.
func Flip(x *layers.Tensor, opts ...Option) *layers.Tensor {
	return layers.Operate("Flip", []any{x}, with(opts, map[string]any{"axis": nil}))
}

// Hstack joins tensors along axis 1, vectors along their only one.
func Hstack(xs ...*layers.Tensor) *layers.Tensor { return layers.Operate("Hstack", []any{xs}, nil) }

// Vstack joins tensors along axis 0, vectors as rows.
func Vstack(xs ...*layers.Tensor) *layers.Tensor { return layers.Operate("Vstack", []any{xs}, nil) }

// Moveaxis moves an axis to another place; the others keep their order.
func Moveaxis(x *layers.Tensor, source, destination int) *layers.Tensor {
	return layers.Operate("Moveaxis", []any{x}, map[string]any{"source": source, "destination": destination})
}

// Swapaxes exchanges two axes.
func Swapaxes(x *layers.Tensor, a, b int) *layers.Tensor {
	return layers.Operate("Swapaxes", []any{x}, map[string]any{"axis1": a, "axis2": b})
}

// Pad adds elements before and after on each axis, the batch's among them: mode is
// "constant" (zeros), "reflect" or "symmetric".
func Pad(x *layers.Tensor, mode string, widths ...[2]int) *layers.Tensor {
	list := make([]any, len(widths))
	for i, w := range widths {
		list[i] = []any{w[0], w[1]}
	}
	return layers.Operate("Pad", []any{x}, map[string]any{"pad_width": list, "mode": mode})
}

// Ravel returns all elements as a vector.
func Ravel(x *layers.Tensor) *layers.Tensor { return layers.Operate("Ravel", []any{x}, nil) }

// Repeat repeats each element along an axis, or all elements as a vector. Options: Axis (one).
func Repeat(x *layers.Tensor, repeats int, opts ...Option) *layers.Tensor {
	return layers.Operate("Repeat", []any{x}, with(opts, map[string]any{"repeats": repeats, "axis": nil}))
}

// Tile repeats the whole tensor along each axis.
func Tile(x *layers.Tensor, repeats ...int) *layers.Tensor {
	return layers.Operate("Tile", []any{x}, map[string]any{"repeats": repeats})
}

// Roll moves the elements of an axis; those that leave at one end enter at the other.
// Options: Axis (one).
func Roll(x *layers.Tensor, shift int, opts ...Option) *layers.Tensor {
	return layers.Operate("Roll", []any{x}, with(opts, map[string]any{"shift": shift, "axis": nil}))
}

// Split cuts an axis into parts: one number of them, or the positions where to cut.
func Split(x *layers.Tensor, axis int, at ...int) []*layers.Tensor {
	attrs := map[string]any{"indices_or_sections": at, "axis": axis}
	if len(at) == 1 {
		attrs["indices_or_sections"] = at[0]
	}
	return layers.OperateAll("Split", []any{x}, attrs)
}

// Unstack cuts an axis into its elements.
func Unstack(x *layers.Tensor, axis int) []*layers.Tensor {
	return layers.OperateAll("Unstack", []any{x}, map[string]any{"num": nil, "axis": axis})
}

// Tril returns matrices with zeros above diagonal k.
func Tril(x *layers.Tensor, k int) *layers.Tensor {
	return layers.Operate("Tril", []any{x}, map[string]any{"k": k})
}

// Triu returns matrices with zeros below diagonal k.
func Triu(x *layers.Tensor, k int) *layers.Tensor {
	return layers.Operate("Triu", []any{x}, map[string]any{"k": k})
}

// OneHot returns vectors with a 1 at the class, along a new last axis.
func OneHot(x *layers.Tensor, classes int) *layers.Tensor {
	return layers.Operate("OneHot", []any{x}, map[string]any{"num_classes": classes, "axis": -1, "sparse": false})
}

// MultiHot returns a vector for each sample with a 1 at each of its classes.
func MultiHot(x *layers.Tensor, classes int) *layers.Tensor {
	return layers.Operate("MultiHot", []any{x}, map[string]any{"num_classes": classes, "axis": -1, "sparse": false})
}

// Take returns elements of an axis, or of all elements, by their positions: a tensor, a number or
// []int. Options: Axis (one).
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

// TakeAlongAxis returns an element of each row by its position. Options: Axis (one).
func TakeAlongAxis(x, indices *layers.Tensor, opts ...Option) *layers.Tensor {
	return layers.Operate("TakeAlongAxis", []any{x, indices}, with(opts, map[string]any{"axis": nil}))
}

// Cast returns x as another type, such as "float32".
func Cast(x *layers.Tensor, dtype string) *layers.Tensor {
	return layers.Operate("Cast", []any{x}, map[string]any{"dtype": dtype})
}

// Concatenate joins tensors along an axis.
func Concatenate(xs []*layers.Tensor, axis int) *layers.Tensor {
	return layers.Operate("Concatenate", []any{xs}, map[string]any{"axis": axis})
}

// Stack joins tensors along a new axis.
func Stack(xs []*layers.Tensor, axis int) *layers.Tensor {
	return layers.Operate("Stack", []any{xs}, map[string]any{"axis": axis})
}

// ExpandDims inserts a dimension of size 1.
func ExpandDims(x *layers.Tensor, axis int) *layers.Tensor {
	return layers.Operate("ExpandDims", []any{x}, map[string]any{"axis": axis})
}

// Squeeze drops dimensions of size 1: those of Axis, or all. Options: Axis.
func Squeeze(x *layers.Tensor, opts ...Option) *layers.Tensor {
	return layers.Operate("Squeeze", []any{x}, with(opts, map[string]any{"axis": nil}))
}

// Reshape returns x in another shape, the batch included; one size may be -1.
func Reshape(x *layers.Tensor, shape ...int) *layers.Tensor {
	return layers.Operate("Reshape", []any{x}, map[string]any{"newshape": shape})
}

// Transpose changes the order of dimensions, the batch included: axes are those of x, in the
// order of the result; none turn the order around.
func Transpose(x *layers.Tensor, axes ...int) *layers.Tensor {
	attrs := map[string]any{"axes": nil}
	if len(axes) > 0 {
		attrs["axes"] = axes
	}
	return layers.Operate("Transpose", []any{x}, attrs)
}

// GetItem indexes x, the batch first, as Python does: items are numbers, ranges (Range, From,
// To, Full), Ellipsis, and nil for a new dimension.
func GetItem(x *layers.Tensor, items ...any) *layers.Tensor { return x.GetItem(items...) }

// Ellipsis stands in an index for all dimensions between.
var Ellipsis = layers.Ellipsis{}

// Range is start:stop in an index.
func Range(start, stop int) layers.Slice { return layers.Slice{Start: &start, Stop: &stop} }

// From is start: in an index.
func From(start int) layers.Slice { return layers.Slice{Start: &start} }

// To is :stop in an index.
func To(stop int) layers.Slice { return layers.Slice{Stop: &stop} }

// Full is : in an index.
func Full() layers.Slice { return layers.Slice{} }
