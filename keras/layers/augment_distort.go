package layers

// This file defines the augmentations that distort images: RandomPerspective and
// RandomElasticTransform.

import (
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/keras/layers/internal/pixels"
)

// RandomPerspective returns a layer that shows images from another side with a probability: a
// number f, for 0 to f, or two numbers. Options: Name, CornerScale (1 by default),
// Interpolation ("bilinear" by default), FillValue, Seed, DataFormat, DType.
func RandomPerspective(factor any, opts ...Option) *AugmentationLayer {
	return declare[*AugmentationLayer]("RandomPerspective", []Option{set("Factor", factor)}, opts)
}

// CornerScale sets by how much RandomPerspective moves corners, in [0, 1]: 1 is up to half of
// their distance from the upper left one.
func CornerScale(scale float64) Option { return set("CornerScale", scale) }

// RandomElasticTransform returns a layer that moves the pixels of images with a probability: a
// number f, for 0 to f, or two numbers; neighbours move by similar distances (Simard et al.,
// Best Practices for Convolutional Neural Networks, 2003). Options: Name, Distortion (0 to 1),
// FillMode, Interpolation ("bilinear" by default), FillValue, ValueRange, Seed, DataFormat, DType.
//
// The distances are smoothed over a window that grows with the image, up to a third of its
// shorter side. In a program that is compiled, Keras on JAX refuses this layer.
func RandomElasticTransform(factor any, opts ...Option) *AugmentationLayer {
	return declare[*AugmentationLayer]("RandomElasticTransform", []Option{set("Factor", factor)}, opts)
}

// Distortion sets how far RandomElasticTransform moves pixels: a number f, for 0 to f, or two
// numbers. 1 is a tenth of the longer side.
func Distortion(factor any) Option { return set("Distortion", factor) }

var (
	randomPerspective      = augmentation{draw: drawPerspective}
	randomElasticTransform = augmentation{draw: drawElastic}
)

func drawPerspective(l *AugmentationLayer, d *draws, x *graph.Node) change {
	chosen := d.choose(l.opts.factor, batchOf(x))
	by := d.uniformOf(x.DType(), -0.5*l.opts.corners, 0.5*l.opts.corners, batchOf(x), 4, 2)
	size := imageSize(x)
	right, bottom := float64(size[1]-1), float64(size[0]-1)
	corners := graph.Const(x.Graph(), [][][]float64{{{0, 0}, {right, 0}, {0, bottom}, {right, bottom}}})
	from := graph.BroadcastToShape(graph.ConvertDType(corners, x.DType()), by.Shape())
	to := graph.Add(from, graph.Mul(from, by))
	s := l.opts.sampling()
	s.FillMode = "constant"
	return func(x *graph.Node) *graph.Node {
		return pixels.Select(chosen, pixels.Perspective(x, from, to, s), x)
	}
}

func drawElastic(l *AugmentationLayer, d *draws, x *graph.Node) change {
	f := l.opts.distortion
	if f.high == 0 || l.opts.factor.high == 0 {
		return nothing
	}
	chosen := d.choose(l.opts.factor, batchOf(x))
	scale := d.uniformOf(x.DType(), f.low, f.high)
	size := imageSize(x)
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
		moved := pixels.Sample(x, graph.Add(row, distance), graph.Add(column, distance), l.opts.sampling())
		return l.opts.clip(pixels.Select(chosen, moved, x))
	}
}
