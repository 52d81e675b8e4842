package layers

// This file defines the augmentations that move pixels: RandomFlip, RandomTranslation, RandomZoom,
// RandomRotation, RandomShear, RandomCrop, RandomPerspective, RandomElasticTransform; and their
// options.

import (
	"math"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/keras/layers/internal/nodes"
	"github.com/gospmd/gospmd/keras/layers/internal/pixels"
)

// The classes of the layers of this file, which move the pixels of images.
var (
	randomFlip = classOf(func(d declared, o *flipOptions) Layer {
		return newAugmentation(d, &o.seedOptions, augmentation{draw: o.draw})
	})
	randomCrop = classOf(func(d declared, o *cropOptions) Layer {
		return newAugmentation(d, &o.seedOptions, augmentation{draw: o.draw, infer: o.cropMiddle})
	})
	randomRotation    = classOf(func(d declared, o *rotationOptions) Layer { return newWarp(d, &o.warpOptions, o.rotate) })
	randomTranslation = classOf(func(d declared, o *translationOptions) Layer { return newWarp(d, &o.warpOptions, o.translate) })
	randomZoom        = classOf(func(d declared, o *zoomOptions) Layer { return newWarp(d, &o.warpOptions, o.zoom) })
	randomShear       = classOf(func(d declared, o *shearOptions) Layer { return newWarp(d, &o.warpOptions, o.shear) })

	randomPerspective = classOf(func(d declared, o *perspectiveOptions) Layer {
		return newAugmentation(d, &o.seedOptions, augmentation{draw: o.draw})
	})
	randomElasticTransform = classOf(func(d declared, o *elasticOptions) Layer {
		return newAugmentation(d, &o.seedOptions, augmentation{draw: o.draw})
	})
)

// flipOptions holds the options of RandomFlip: Mode, "horizontal", "vertical" or
// "horizontal_and_vertical", Seed and DataFormat.
type flipOptions struct {
	Mode string `argument:"mode" oneof:"horizontal vertical horizontal_and_vertical"`
	imageOptions
}

// cropOptions holds the options of RandomCrop: Height and Width of the crop in pixels, DataFormat
// and Seed.
type cropOptions struct {
	imageSizeOptions
	seedOptions
}

// rotationOptions holds the options of RandomRotation: Factor, the range of the angle in full
// turns, and those in warpOptions.
type rotationOptions struct {
	Factor signedFactor `argument:"factor"`
	warpOptions
}

// translationOptions holds the options of RandomTranslation: the ranges of the shifts, as fractions
// of height and width, and those in warpOptions.
type translationOptions struct {
	HeightFactor signedAsGiven `argument:"height_factor"`
	WidthFactor  signedAsGiven `argument:"width_factor"`
	warpOptions
}

// zoomOptions holds the options of RandomZoom: the ranges of the zoom along height and width, and
// those in warpOptions.
type zoomOptions struct {
	HeightFactor signedAsGiven `argument:"height_factor"`
	WidthFactor  signedAsGiven `option:"width_factor"`
	warpOptions
}

// shearOptions holds the options of RandomShear: the ranges of the slants along x and y, and those
// in warpOptions.
type shearOptions struct {
	XFactor signedFactor `option:"x_factor" default:"0"`
	YFactor signedFactor `option:"y_factor" default:"0"`
	warpOptions
}

// perspectiveOptions holds the options of RandomPerspective: the range of its probability,
// CornerScale, how far corners move, and those in samplingOptions.
type perspectiveOptions struct {
	Factor      unitFactor `argument:"factor"`
	CornerScale float64    `option:"scale" default:"1" want:"fraction"`
	samplingOptions
}

// elasticOptions holds the options of RandomElasticTransform: the range of its probability,
// Distortion, how far pixels move, ValueRange, and those in warpOptions.
type elasticOptions struct {
	Factor     unitFactor `argument:"factor"`
	Distortion unitFactor `option:"scale" default:"1"`
	rangeOptions
	warpOptions
}

// RandomFlip returns a layer that flips each image with probability 1/2: "horizontal", "vertical",
// or, in mode "horizontal_and_vertical", in both directions at once. Other modes are errors.
// Options: Name, Seed, DataFormat, DType.
func RandomFlip(mode string, opts ...Option) *AugmentationLayer {
	return declare[*AugmentationLayer]("RandomFlip", []Option{set("Mode", mode)}, opts)
}

// RandomRotation returns a layer that turns each image by an angle. factor is a number f, for -f to
// f, or two numbers, in parts of a full turn, within [-1, 1]: 0.1 is up to 36 degrees in each
// direction. Options: Name, FillMode, Interpolation ("bilinear" by default), FillValue, Seed,
// DataFormat, DType.
func RandomRotation(factor any, opts ...Option) *AugmentationLayer {
	return declare[*AugmentationLayer]("RandomRotation", []Option{set("Factor", factor)}, opts)
}

// RandomTranslation returns a layer that moves each image down and to the right by parts of its
// height and width. A factor is a number f, for -f to f, or two numbers, within [-1, 1]. Options:
// Name, FillMode, Interpolation ("bilinear" by default), FillValue, Seed, DataFormat, DType.
func RandomTranslation(heightFactor, widthFactor any, opts ...Option) *AugmentationLayer {
	return declare[*AugmentationLayer]("RandomTranslation", []Option{set("HeightFactor", heightFactor), set("WidthFactor", widthFactor)}, opts)
}

// RandomZoom returns a layer that makes each image smaller (factors above 0) or larger (below). A
// factor is a number f, for -f to f, or two numbers, within [-1, 1]. Without WidthFactor
// proportions stay. Options: Name, WidthFactor, FillMode, Interpolation ("bilinear" by default),
// FillValue, Seed, DataFormat, DType.
func RandomZoom(heightFactor any, opts ...Option) *AugmentationLayer {
	return declare[*AugmentationLayer]("RandomZoom", []Option{set("HeightFactor", heightFactor)}, opts)
}

// WidthFactor sets the range of RandomZoom's factor for widths: a number f, for -f to f, or two
// numbers, within [-1, 1]. By default it is the factor of heights.
func WidthFactor(factor any) Option { return set("WidthFactor", factor) }

// RandomShear returns a layer that slants each image. Options: Name, XFactor, YFactor (0 by
// default), FillMode, Interpolation ("bilinear" by default), FillValue, Seed, DataFormat, DType.
func RandomShear(opts ...Option) *AugmentationLayer {
	return declare[*AugmentationLayer]("RandomShear", opts)
}

// XFactor sets how far RandomShear moves each row relative to the row above it, in pixels: a number
// f, for -f to f, or two numbers, within [-1, 1]; 0 by default. Half of the images are moved in the
// opposite direction.
func XFactor(factor any) Option { return set("XFactor", factor) }

// YFactor sets how far RandomShear moves each column relative to the column before it, in pixels: a
// number f, for -f to f, or two numbers, within [-1, 1]; 0 by default. Half of the images are moved
// in the opposite direction.
func YFactor(factor any) Option { return set("YFactor", factor) }

// RandomCrop returns a layer that cuts height x width pixels out of images, at one random place for
// all images of a batch. When it is not training, or images are not larger in both directions, it
// takes instead the largest middle of the images with the proportions of height x width, and
// resizes it to that size, bilinear. (Keras 3.15 describes this, but then returns images of another
// size.) Options: Name, Seed, DataFormat, DType.
func RandomCrop(height, width int, opts ...Option) *AugmentationLayer {
	return declare[*AugmentationLayer]("RandomCrop", []Option{set("Height", height), set("Width", width)}, opts)
}

// RandomPerspective returns a layer that changes the perspective of images with a probability.
// factor is the probability: a number f, for 0 to f, or two numbers, within [0, 1]. Options: Name,
// CornerScale (1 by default), Interpolation ("bilinear" by default), FillValue, Seed, DataFormat,
// DType.
func RandomPerspective(factor any, opts ...Option) *AugmentationLayer {
	return declare[*AugmentationLayer]("RandomPerspective", []Option{set("Factor", factor)}, opts)
}

// CornerScale sets by how much RandomPerspective moves corners, in [0, 1]: 1, the default, is up to
// half of their distance from the upper left one. Other numbers are errors.
func CornerScale(scale float64) Option { return set("CornerScale", scale) }

// RandomElasticTransform returns a layer that moves the pixels of images with a probability. factor
// is the probability: a number f, for 0 to f, or two numbers, within [0, 1]. Neighbours move by
// similar distances (Simard et al., Best Practices for Convolutional Neural Networks, 2003).
// Options: Name, Distortion (0 to 1), FillMode, Interpolation ("bilinear" by default), FillValue,
// ValueRange, Seed, DataFormat, DType.
//
// The distances are smoothed over a window that grows with the image, up to a third of its shorter
// side. In a program that is compiled, Keras on JAX refuses this layer.
func RandomElasticTransform(factor any, opts ...Option) *AugmentationLayer {
	return declare[*AugmentationLayer]("RandomElasticTransform", []Option{set("Factor", factor)}, opts)
}

// Distortion sets how far RandomElasticTransform moves pixels: a number f, for 0 to f, or two
// numbers, within [0, 1]; 0 to 1 by default. 1 is a tenth of the longer side.
func Distortion(factor any) Option { return set("Distortion", factor) }

func (o *flipOptions) draw(d *draws, x *graph.Node) change {
	u := d.uniform(0, 1, batchOf(x), 1, 1, 1)
	chosen := graph.LessOrEqual(u, nodes.Like(u, 0.5))
	return func(x *graph.Node) *graph.Node {
		if o.Mode != "vertical" {
			x = pixels.Select(chosen, graph.Reverse(x, 2), x)
		}
		if o.Mode != "horizontal" {
			x = pixels.Select(chosen, graph.Reverse(x, 1), x)
		}
		return x
	}
}

// newWarp makes a layer that moves the pixels of images by affine transforms. The pixel at (x, y)
// of the output comes from (a0·x + a1·y + a2, b0·x + b1·y + b2) of the input; rows draws these six
// numbers for each image, float32 [batch, 1]; nil is 0.
func newWarp(d declared, o *warpOptions, rows func(d *draws, x *graph.Node) [6]*graph.Node) *AugmentationLayer {
	return newAugmentation(d, &o.seedOptions, augmentation{draw: func(d *draws, x *graph.Node) change {
		columns := rows(d, x)
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
		return func(x *graph.Node) *graph.Node { return pixels.Affine(x, transform, o.sampling()) }
	}})
}

func (o *rotationOptions) rotate(d *draws, x *graph.Node) [6]*graph.Node {
	angle := d.uniform(o.Factor.low*360, o.Factor.high*360, batchOf(x), 1)
	angle = graph.MulScalar(angle, math.Pi/180)
	cos, sin := graph.Cos(angle), graph.Sin(angle)
	size := pixels.Size(x)
	cy, cx := 0.5*float64(size[0]-1), 0.5*float64(size[1]-1)
	// shift keeps the center where it is.
	shift := func(center float64, a, b *graph.Node) *graph.Node {
		return graph.Sub(graph.AddScalar(graph.MulScalar(a, -cx), center), graph.MulScalar(b, cy))
	}
	return [6]*graph.Node{cos, graph.Neg(sin), shift(cx, cos, graph.Neg(sin)), sin, cos, shift(cy, sin, cos)}
}

func (o *translationOptions) translate(d *draws, x *graph.Node) [6]*graph.Node {
	size := pixels.Size(x)
	down := graph.MulScalar(d.uniform(o.HeightFactor.low, o.HeightFactor.high, batchOf(x), 1), float64(size[0]))
	right := graph.MulScalar(d.uniform(o.WidthFactor.low, o.WidthFactor.high, batchOf(x), 1), float64(size[1]))
	one := graph.OnesLike(down)
	return [6]*graph.Node{one, nil, graph.Neg(right), nil, one, graph.Neg(down)}
}

func (o *zoomOptions) zoom(d *draws, x *graph.Node) [6]*graph.Node {
	height := d.uniform(1+o.HeightFactor.low, 1+o.HeightFactor.high, batchOf(x), 1)
	width := height
	if o.WidthFactor.given != nil {
		width = d.uniform(1+o.WidthFactor.low, 1+o.WidthFactor.high, batchOf(x), 1)
	}
	size := pixels.Size(x)
	offset := func(size int, zoom *graph.Node) *graph.Node {
		return graph.MulScalar(graph.OneMinus(zoom), float64(size-1)/2)
	}
	return [6]*graph.Node{width, nil, offset(size[1], width), nil, height, offset(size[0], height)}
}

func (o *shearOptions) shear(d *draws, x *graph.Node) [6]*graph.Node {
	sign := d.sign(x.DType(), batchOf(x), 1)
	draw := func(f factor) *graph.Node {
		return graph.ConvertDType(graph.Mul(d.uniformOf(x.DType(), f.low, f.high, batchOf(x), 1), sign), dtypes.Float32)
	}
	down := draw(o.YFactor.factor)
	right := draw(o.XFactor.factor)
	one := graph.OnesLike(down)
	return [6]*graph.Node{one, right, nil, down, one, nil}
}

func (o *cropOptions) draw(d *draws, x *graph.Node) change {
	in, out := pixels.Size(x), o.size()
	if in[0] <= out[0] || in[1] <= out[1] {
		return func(x *graph.Node) *graph.Node { return o.cropMiddle(x) }
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

// cropMiddle returns the largest part in the middle of images x that has the proportions of the
// layer's size, resized to this size.
func (o *cropOptions) cropMiddle(x *graph.Node) *graph.Node {
	in, out := pixels.Size(x), o.size()
	x = pixels.Middle(x, pixels.Inscribe(in, out))
	for i, n := range out {
		x = pixels.Resize(x, i+1, n, "bilinear", false)
	}
	return x
}

func (o *perspectiveOptions) draw(d *draws, x *graph.Node) change {
	chosen := d.choose(o.Factor.factor, batchOf(x))
	by := d.uniformOf(x.DType(), -0.5*o.CornerScale, 0.5*o.CornerScale, batchOf(x), 4, 2)
	size := pixels.Size(x)
	right, bottom := float64(size[1]-1), float64(size[0]-1)
	corners := graph.Const(x.Graph(), [][][]float64{{{0, 0}, {right, 0}, {0, bottom}, {right, bottom}}})
	from := graph.BroadcastToShape(graph.ConvertDType(corners, x.DType()), by.Shape())
	to := graph.Add(from, graph.Mul(from, by))
	s := pixels.Sampling{Interpolation: o.Interpolation, FillMode: "constant", FillValue: o.FillValue}
	return func(x *graph.Node) *graph.Node {
		return pixels.Select(chosen, pixels.Perspective(x, from, to, s), x)
	}
}

func (o *elasticOptions) draw(d *draws, x *graph.Node) change {
	f := o.Distortion
	if f.high == 0 || o.Factor.high == 0 {
		return nothing
	}
	chosen := d.choose(o.Factor.factor, batchOf(x))
	scale := d.uniformOf(x.DType(), f.low, f.high)
	size := pixels.Size(x)
	short, long := min(size[0], size[1]), max(size[0], size[1])
	alpha := graph.MulScalar(graph.MulScalar(scale, 0.1), float64(long))
	sigma := graph.MulScalar(graph.MulScalar(scale, 0.05), float64(short))
	noise := d.key().Normal(x.DType(), 0, 1, batchOf(x), size[0], size[1]) // of both directions
	// The window depends on sigma: it is as large as it can be, and its ends are left out.
	window := int(6*float64(float32(0.05*f.high)*float32(short))+1e-3) | 1
	whole := graph.ConvertDType(graph.MulScalar(sigma, 6), dtypes.Int32)
	reach := graph.ConvertDType(graph.Div(whole, graph.Scalar(x.Graph(), dtypes.Int32, 2)), x.DType())
	weights := pixels.Gaussian(window, sigma, reach)
	distance := graph.Squeeze(pixels.Filter(graph.InsertAxes(graph.Mul(noise, graph.BroadcastToShape(sigma, noise.Shape())), -1), weights, weights), -1)
	distance = graph.ConvertDType(graph.Mul(distance, graph.BroadcastToShape(alpha, distance.Shape())), dtypes.Float32)
	return func(x *graph.Node) *graph.Node {
		row, column := pixels.Grid(x)
		moved := pixels.Sample(x, graph.Add(row, distance), graph.Add(column, distance), o.sampling())
		return o.clip(pixels.Select(chosen, moved, x))
	}
}
