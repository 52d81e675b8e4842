package layers

// This file defines the augmentations that move pixels: RandomFlip, RandomTranslation,
// RandomZoom, RandomRotation, RandomShear, RandomCrop.

import (
	"math"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/keras/layers/internal/pixels"
)

// flips are the modes of RandomFlip.
var flips = []string{"horizontal", "vertical", "horizontal_and_vertical"}

// RandomFlip returns a layer that flips half of the images: "horizontal", "vertical", or, in
// mode "horizontal_and_vertical", in both directions at once. Options: Name, Seed, DataFormat,
// DType.
func RandomFlip(mode string, opts ...Option) *AugmentationLayer {
	return declare[*AugmentationLayer]("RandomFlip", []Option{set("Mode", mode)}, opts)
}

// RandomRotation returns a layer that turns each image by an angle. factor is a number f, for
// -f to f, or two numbers, in parts of a full turn: 0.1 is up to 36 degrees in each direction.
// Options: Name, FillMode, Interpolation ("bilinear" by default), FillValue, Seed, DataFormat,
// DType.
func RandomRotation(factor any, opts ...Option) *AugmentationLayer {
	return declare[*AugmentationLayer]("RandomRotation", []Option{set("SignedFactor", factor)}, opts)
}

// RandomTranslation returns a layer that moves each image down and to the right by parts of its
// height and width. A factor is a number f, for -f to f, or two numbers. Options: Name,
// FillMode, Interpolation ("bilinear" by default), FillValue, Seed, DataFormat, DType.
func RandomTranslation(heightFactor, widthFactor any, opts ...Option) *AugmentationLayer {
	return declare[*AugmentationLayer]("RandomTranslation", []Option{set("HeightFactor", heightFactor), set("WidthFactor", widthFactor)}, opts)
}

// RandomZoom returns a layer that makes each image smaller (factors above 0) or larger (below).
// A factor is a number f, for -f to f, or two numbers. Without WidthFactor proportions stay.
// Options: Name, WidthFactor, FillMode, Interpolation ("bilinear" by default), FillValue, Seed,
// DataFormat, DType.
func RandomZoom(heightFactor any, opts ...Option) *AugmentationLayer {
	return declare[*AugmentationLayer]("RandomZoom", []Option{set("HeightFactor", heightFactor)}, opts)
}

// WidthFactor sets by how much RandomZoom changes widths: a number or two.
func WidthFactor(factor any) Option { return set("WidthFactor", factor) }

// RandomShear returns a layer that slants each image. Options: Name, XFactor, YFactor (0 by
// default), FillMode, Interpolation ("bilinear" by default), FillValue, Seed, DataFormat, DType.
func RandomShear(opts ...Option) *AugmentationLayer {
	return declare[*AugmentationLayer]("RandomShear", opts)
}

// XFactor sets by how much of a pixel RandomShear moves each row against the one above it: a
// number f, for -f to f, or two numbers.
func XFactor(factor any) Option { return set("XFactor", factor) }

// YFactor sets by how much of a pixel RandomShear moves each column against the one before.
func YFactor(factor any) Option { return set("YFactor", factor) }

// RandomCrop returns a layer that takes the same part of all images of a batch. Of images that
// are not larger, and when it is not training, it takes the largest middle of the same
// proportions and resizes it, bilinear. (Keras 3.15 describes this, but then returns images
// of another size.) Options: Name, Seed, DataFormat, DType.
func RandomCrop(height, width int, opts ...Option) *AugmentationLayer {
	return declare[*AugmentationLayer]("RandomCrop", []Option{set("Height", height), set("Width", width)}, opts)
}

var (
	randomFlip        = augmentation{draw: drawFlip}
	randomRotation    = warp(rotation)
	randomTranslation = warp(translation)
	randomZoom        = warp(zoom)
	randomShear       = warp(shear)
	randomCrop        = augmentation{draw: drawCrop, infer: cropMiddle}
)

func drawFlip(l *AugmentationLayer, d *draws, x *graph.Node) change {
	u := d.uniform(0, 1, batchOf(x), 1, 1, 1)
	chosen := graph.LessOrEqual(u, like(u, 0.5))
	return func(x *graph.Node) *graph.Node {
		if l.opts.mode != "vertical" {
			x = pixels.Select(chosen, graph.Reverse(x, 2), x)
		}
		if l.opts.mode != "horizontal" {
			x = pixels.Select(chosen, graph.Reverse(x, 1), x)
		}
		return x
	}
}

// warp is an augmentation by affine transforms. rows draws, for each image, where (x, y) of the
// output comes from: (a0·x + a1·y + a2, b0·x + b1·y + b2). Each is float32 [batch, 1]; nil is 0.
func warp(rows func(o *options, d *draws, x *graph.Node) [6]*graph.Node) augmentation {
	return augmentation{draw: func(l *AugmentationLayer, d *draws, x *graph.Node) change {
		columns := rows(&l.opts, d, x)
		var like *graph.Node
		for _, c := range columns {
			if c != nil {
				like = c
			}
		}
		for i, c := range columns {
			if c == nil {
				columns[i] = graph.ZerosLike(like)
			}
		}
		transform := graph.Concatenate(columns[:], 1)
		return func(x *graph.Node) *graph.Node { return pixels.Affine(x, transform, l.opts.sampling()) }
	}}
}

func rotation(o *options, d *draws, x *graph.Node) [6]*graph.Node {
	angle := d.uniform(o.factor.low*360, o.factor.high*360, batchOf(x), 1)
	angle = graph.MulScalar(angle, math.Pi/180)
	cos, sin := graph.Cos(angle), graph.Sin(angle)
	size := imageSize(x)
	cy, cx := 0.5*float64(size[0]-1), 0.5*float64(size[1]-1)
	// shift keeps the center where it is.
	shift := func(center float64, a, b *graph.Node) *graph.Node {
		return graph.Sub(graph.AddScalar(graph.MulScalar(a, -cx), center), graph.MulScalar(b, cy))
	}
	return [6]*graph.Node{cos, graph.Neg(sin), shift(cx, cos, graph.Neg(sin)), sin, cos, shift(cy, sin, cos)}
}

func translation(o *options, d *draws, x *graph.Node) [6]*graph.Node {
	size := imageSize(x)
	down := graph.MulScalar(d.uniform(o.heightFactor.low, o.heightFactor.high, batchOf(x), 1), float64(size[0]))
	right := graph.MulScalar(d.uniform(o.widthFactor.low, o.widthFactor.high, batchOf(x), 1), float64(size[1]))
	one := graph.OnesLike(down)
	return [6]*graph.Node{one, nil, graph.Neg(right), nil, one, graph.Neg(down)}
}

func zoom(o *options, d *draws, x *graph.Node) [6]*graph.Node {
	height := d.uniform(1+o.heightFactor.low, 1+o.heightFactor.high, batchOf(x), 1)
	width := height
	if o.widthFactor.given != nil {
		width = d.uniform(1+o.widthFactor.low, 1+o.widthFactor.high, batchOf(x), 1)
	}
	size := imageSize(x)
	offset := func(size int, zoom *graph.Node) *graph.Node {
		return graph.MulScalar(graph.OneMinus(zoom), float64(size-1)/2)
	}
	return [6]*graph.Node{width, nil, offset(size[1], width), nil, height, offset(size[0], height)}
}

func shear(o *options, d *draws, x *graph.Node) [6]*graph.Node {
	sign := d.sign(x.DType(), batchOf(x), 1)
	draw := func(f factor) *graph.Node {
		return graph.ConvertDType(graph.Mul(d.uniformOf(x.DType(), f.low, f.high, batchOf(x), 1), sign), dtypes.Float32)
	}
	down := draw(o.yFactor)
	right := draw(o.xFactor)
	one := graph.OnesLike(down)
	return [6]*graph.Node{one, right, nil, down, one, nil}
}

func drawCrop(l *AugmentationLayer, d *draws, x *graph.Node) change {
	in, out := imageSize(x), l.opts.size()
	if in[0] <= out[0] || in[1] <= out[1] {
		return func(x *graph.Node) *graph.Node { return cropMiddle(l, x) }
	}
	var start [2]*graph.Node
	for i := range start {
		start[i] = graph.ConvertDType(d.uniform(0, float64(in[i]-out[i]+1)), dtypes.Int32)
	}
	return func(x *graph.Node) *graph.Node {
		zero := graph.ZerosLike(start[0])
		dims := x.Shape().Dimensions
		return graph.DynamicSlice(x, []*graph.Node{zero, start[0], start[1], zero}, []int{dims[0], out[0], out[1], dims[3]})
	}
}

// cropMiddle takes the largest middle of the proportions of the output, and resizes it.
func cropMiddle(l *AugmentationLayer, x *graph.Node) *graph.Node {
	in, out := imageSize(x), l.opts.size()
	x = middle(x, proportioned(in, out, func(a, b int) int { return max(min(a, b), 1) }))
	for i, n := range out {
		x = resize(x, i+1, n, "bilinear", false)
	}
	return x
}
