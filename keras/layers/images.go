package layers

// This file defines the layers that give images another size: CenterCrop and Resizing.
// Inputs are channels last.

import (
	"slices"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"
)

// CenterCropLayer takes the middle of images: keras.layers.CenterCrop.
type CenterCropLayer struct{ declared }

// CenterCrop returns a layer that takes the middle of images. Of images that are smaller, it
// takes the largest middle of the same proportions and resizes it, bilinear. Options: Name,
// DataFormat, DType.
func CenterCrop(height, width int, opts ...Option) *CenterCropLayer {
	return declare[*CenterCropLayer]("CenterCrop", []Option{set("Height", height), set("Width", width)}, opts)
}

// Build checks the input.
func (l *CenterCropLayer) Build(_ *Builder, inputs []Spec) error { return checkSpatial(inputs, 2) }

// Call crops.
func (l *CenterCropLayer) Call(_ *Context, inputs []*graph.Node) []*graph.Node {
	x := graph.ConvertDType(inputs[0], l.ComputeDType())
	in, out := imageSize(x), l.opts.size()
	if in[0] >= out[0] && in[1] >= out[1] {
		return []*graph.Node{middle(x, out)}
	}
	x = middle(x, proportioned(in, out, func(a, b int) int { return max(min(a, b), 1) }))
	for i, n := range out {
		x = resize(x, i+1, n, "bilinear", false)
	}
	return []*graph.Node{x}
}

// ResizingLayer resizes images: keras.layers.Resizing.
type ResizingLayer struct{ declared }

// Resizing returns a layer that resizes images. Integers are rounded and stay integers.
// Options: Name, Interpolation ("bilinear" by default), CropToAspectRatio, PadToAspectRatio,
// FillValue, Antialias, DataFormat, DType.
func Resizing(height, width int, opts ...Option) *ResizingLayer {
	return declare[*ResizingLayer]("Resizing", []Option{set("Height", height), set("Width", width)}, opts)
}

// CropToAspectRatio lets Resizing take the largest middle of the wanted proportions before.
func CropToAspectRatio(crop bool) Option { return set("CropToAspectRatio", crop) }

// PadToAspectRatio lets Resizing add FillValue at two sides, up to the wanted proportions,
// before.
func PadToAspectRatio(pad bool) Option { return set("PadToAspectRatio", pad) }

// FillValue sets the number outside of an image: 0 by default.
func FillValue(x float64) Option { return set("FillValue", x) }

// Antialias lets Resizing take means over more elements where images become smaller.
func Antialias(smooth bool) Option { return set("Antialias", smooth) }

func newResizing(d declared) *ResizingLayer {
	if d.opts.cropToAspect && d.opts.padToAspect {
		d.fail("Resizing: got CropToAspectRatio and PadToAspectRatio, want one of them")
	}
	return &ResizingLayer{d}
}

// Build checks the input.
func (l *ResizingLayer) Build(_ *Builder, inputs []Spec) error { return checkSpatial(inputs, 2) }

// Call resizes.
func (l *ResizingLayer) Call(_ *Context, inputs []*graph.Node) []*graph.Node {
	x := inputs[0]
	if x.DType().IsFloat() {
		x = graph.ConvertDType(x, l.ComputeDType())
	}
	x = resized(x, l.opts.size(), &l.opts)
	if dtype := inputs[0].DType(); !dtype.IsFloat() && x.DType() != dtype {
		x = saturated(graph.Round(x), dtype)
	}
	return []*graph.Node{x}
}

// resized gives images another size, cut or padded to its proportions before if asked for.
func resized(x *graph.Node, out [2]int, o *options) *graph.Node {
	in := imageSize(x)
	switch {
	case o.cropToAspect:
		x = middle(x, proportioned(in, out, func(a, b int) int { return max(min(a, b), 1) }))
	case o.padToAspect:
		x = padded(x, proportioned(in, out, func(a, b int) int { return max(a, b) }), o.fillValue)
	}
	for i, n := range out {
		x = resize(x, i+1, n, o.interpolation, o.antialias)
	}
	return x
}

// size returns Height and Width.
func (o *options) size() [2]int { return [2]int{o.height, o.width} }

func imageSize(x *graph.Node) [2]int { return [2]int(x.Shape().Dimensions[1:3]) }

// proportioned returns the size that an image of size in has after it was cut or padded to
// the proportions of out, as pick says.
func proportioned(in, out [2]int, pick func(have, fitting int) int) [2]int {
	return [2]int{
		pick(in[0], int(float64(in[1]*out[0])/float64(out[1]))),
		pick(in[1], int(float64(in[0]*out[1])/float64(out[0]))),
	}
}

// middle returns the middle of images, of at most their size.
func middle(x *graph.Node, size [2]int) *graph.Node {
	kept := slices.Repeat([]graph.SliceAxisSpec{graph.AxisRange()}, x.Rank())
	for i, n := range size {
		start := (x.Shape().Dimensions[i+1] - n) / 2
		kept[i+1] = graph.AxisRange(start, start+n)
	}
	return graph.Slice(x, kept...)
}

// padded adds as many elements at both sides of images, of the first dimension that has to
// grow, as Keras does.
func padded(x *graph.Node, size [2]int, fill float64) *graph.Node {
	pad := make([]graph.PadAxis, x.Rank())
	for i, n := range size {
		if more := (n - x.Shape().Dimensions[i+1]) / 2; more > 0 {
			pad[i+1] = graph.PadAxis{Start: more, End: more}
			break
		}
	}
	return graph.Pad(x, graph.Scalar(x.Graph(), x.DType(), fill), pad...)
}

// saturated converts whole numbers to integers, those out of range to the closest one.
func saturated(x *graph.Node, dtype dtypes.DType) *graph.Node {
	if dtype == dtypes.Uint8 {
		x = graph.ClipScalar(x, 0, 255)
	}
	return graph.ConvertDType(x, dtype)
}
