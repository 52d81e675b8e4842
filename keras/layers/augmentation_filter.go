package layers

// This file defines the augmentations that filter images or erase parts of them:
// RandomSharpness, RandomGaussianBlur, RandomErasing; and their options.

import (
	"fmt"
	"slices"

	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/internal/brief"
	"github.com/gospmd/gospmd/internal/option"
	"github.com/gospmd/gospmd/keras/layers/internal/pixels"
)

// The classes of the layers of this file, which filter or erase pixels.
var (
	randomSharpness = classOf(func(d declared, o *unitColorOptions) Layer {
		return newAugmentation(d, &o.seedOptions, augmentation{draw: o.drawSharpness, always: true})
	})
	randomGaussianBlur = classOf(newBlur)
	randomErasing      = classOf(func(d declared, o *erasingOptions) Layer {
		return newAugmentation(d, &o.seedOptions, augmentation{draw: o.draw})
	})
)

// blurOptions holds the options of RandomGaussianBlur: the range of the probability, the kernel's
// size in pixels, the range of the standard deviation, and those in colorOptions.
type blurOptions struct {
	Factor   unitFactor `argument:"factor"`
	BlurSize blurSize   `option:"kernel_size" default:"3"`
	Sigma    unitFactor `option:"sigma" default:"1"`
	colorOptions
}

// erasingOptions holds the options of RandomErasing: the range of the probability, the range of the
// erased area, the value of erased pixels, and those in colorOptions.
type erasingOptions struct {
	Factor     unitFactor `argument:"factor"`
	ErasedArea unitFactor `option:"scale" default:"[0.02, 0.33]"`
	EraseWith  erasure    `option:"fill_value"`
	colorOptions
}

// blurSize holds the option BlurSize: the odd sizes of a filter in pixels, of the width and of the
// height, or one for both until the layer is made.
type blurSize []int

// Assign sets the size to v, a []int, a float64 or a list of numbers, which must be odd and from 1
// to 1023. Others are errors. It does not check how many they are.
func (s *blurSize) Assign(v any) error {
	*s = nil
	if given, ok := v.([]int); ok {
		*s = slices.Clone(given)
	} else {
		for _, n := range option.Floats(v) {
			*s = append(*s, int(n))
		}
	}
	if *s == nil {
		return fmt.Errorf("got %s, want integers", brief.Value(v))
	}
	return pixels.CheckBlur(*s)
}

// Read returns the two sizes, for the config.
func (s *blurSize) Read() any { return []int(*s) }

// erasure is the value of the option EraseWith: one number, or one for each of three channels. nil
// stands for random numbers.
type erasure []float64

// Assign sets the value of erased pixels to v: a number, three numbers, or nil for random numbers.
// Others are errors.
func (e *erasure) Assign(v any) error {
	*e = option.Floats(v)
	if n := len(*e); v != nil && n != 1 && n != 3 {
		return fmt.Errorf("got %s, want a number, or three", brief.Value(v))
	}
	return nil
}

// Read returns the value for the layer's config: nil, a number, or a list of three.
func (e *erasure) Read() any {
	switch len(*e) {
	case 0:
		return nil
	case 1:
		return (*e)[0]
	}
	return []float64(*e)
}

// RandomSharpness returns a layer that makes each image smoother (factors below 0.5) or sharper.
// factor is a number f, for 0 to f, or two numbers, within [0, 1]. Options: Name, ValueRange, Seed,
// DataFormat, DType.
func RandomSharpness(factor any, opts ...Option) *AugmentationLayer {
	return declare[*AugmentationLayer]("RandomSharpness", []Option{set("Factor", factor)}, opts)
}

// RandomGaussianBlur returns a layer that blurs each image with a random probability. factor is the
// range of the probability: a number f stands for 0 to f, two numbers are the limits, within [0,
// 1]. All images of a batch are blurred by the same kernel. Options: Name, BlurSize (3), Sigma (1),
// ValueRange, Seed, DataFormat, DType.
func RandomGaussianBlur(factor any, opts ...Option) *AugmentationLayer {
	return declare[*AugmentationLayer]("RandomGaussianBlur", []Option{set("Factor", factor)}, opts)
}

// BlurSize sets the kernel size of RandomGaussianBlur in pixels: one odd number, or one for width
// and one for height, up to 1023. The default is 3. Others are errors.
func BlurSize(size ...int) Option { return set("BlurSize", size) }

// Sigma sets the range of the standard deviation of RandomGaussianBlur in pixels: a number f, for 0
// to f, or two numbers, within [0, 1]. The default is 1, for 0 to 1. Others are errors.
func Sigma(factor any) Option { return set("Sigma", factor) }

// RandomErasing returns a layer that erases a rectangle of images with a random probability. factor
// is its range: a number f stands for 0 to f, two numbers are the limits, within [0, 1]. Options:
// Name, ErasedArea (0.02 to 0.33), EraseWith (normal numbers), ValueRange, Seed, DataFormat, DType.
func RandomErasing(factor any, opts ...Option) *AugmentationLayer {
	return declare[*AugmentationLayer]("RandomErasing", []Option{set("Factor", factor)}, opts)
}

// ErasedArea sets the range of the area that RandomErasing erases, as a fraction of an image: a
// number f, for 0 to f, or two numbers, within [0, 1]; 0.02 to 0.33 by default. The fractions of
// height and of width are the roots of two numbers drawn from it.
func ErasedArea(factor any) Option { return set("ErasedArea", factor) }

// EraseWith sets the value of the pixels that RandomErasing erases: one number, or one for each of
// three channels; another number of values is an error. By default the pixels become random:
// numbers of a normal distribution times the value of white. All are limited to ValueRange.
func EraseWith(values ...float64) Option { return set("EraseWith", values) }

func newBlur(d declared, o *blurOptions) Layer {
	switch n := o.BlurSize; {
	case len(n) == 1:
		o.BlurSize = blurSize{n[0], n[0]}
	case len(n) != 2:
		d.fail("RandomGaussianBlur: BlurSize: got %v, want one number, or two", []int(n))
	}
	return newAugmentation(d, &o.seedOptions, augmentation{draw: o.draw})
}

func (o *unitColorOptions) drawSharpness(d *draws, x *graph.Node) change {
	by := graph.ConvertDType(graph.MulScalar(d.uniform(o.Factor.low, o.Factor.high, batchOf(x), 1, 1, 1), 2), x.DType())
	return func(x *graph.Node) *graph.Node {
		// The weights around a pixel are 1/13, its own is 5/13.
		ones := graph.BroadcastToDims(graph.ScalarOne(x.Graph(), x.DType()), 3)
		smooth := graph.MulScalar(graph.Add(pixels.Filter(x, ones, ones), graph.MulScalar(x, 4)), 1.0/13)
		return o.clip(graph.Add(x, graph.Mul(graph.OneMinus(by), graph.Sub(smooth, x))))
	}
}

func (o *blurOptions) draw(d *draws, x *graph.Node) change {
	chosen := d.choose(o.Factor.factor, batchOf(x))
	sigma := graph.AddScalar(d.uniformOf(x.DType(), o.Sigma.low, o.Sigma.high, 2), 1e-6)
	return func(x *graph.Node) *graph.Node {
		return o.clip(pixels.Select(chosen, pixels.Blur(x, [2]int(o.BlurSize), sigma), x))
	}
}

func (o *erasingOptions) draw(d *draws, x *graph.Node) change {
	part := graph.Sqrt(d.uniformOf(x.DType(), o.ErasedArea.low, o.ErasedArea.high, batchOf(x), 2))
	erased := d.box(x, graph.SliceAxis(part, 1, graph.AxisRange(1, 2)), graph.SliceAxis(part, 1, graph.AxisRange(0, 1))).mask
	erased = graph.LogicalAnd(erased, d.choose(o.Factor.factor, batchOf(x)))
	with := o.clip(o.fill(d, x))
	return func(x *graph.Node) *graph.Node { return pixels.Select(erased, with, x) }
}

// fill returns what the pixels of erased rectangles of the images x become: the option EraseWith,
// [1, 1, 1, 1 or channels], or without it random normal numbers times the value of white, in the
// shape of x.
func (o *erasingOptions) fill(d *draws, x *graph.Node) *graph.Node {
	if o.EraseWith == nil {
		return graph.MulScalar(d.key().Normal(x.DType(), 0, 1, x.Shape().Dimensions...), o.ValueRange[1])
	}
	v := graph.ConvertDType(graph.Const(x.Graph(), []float64(o.EraseWith)), x.DType())
	return graph.Reshape(v, 1, 1, 1, len(o.EraseWith))
}

// box is a rectangle in each image.
type box struct {
	mask *graph.Node // true where the box is: bool [batch, height, width, 1]
	area *graph.Node // the fraction of the image that the box covers: [batch, 1, 1, 1]
}

// box draws a random position for a rectangle in each image of x, and returns these rectangles.
// height and width are their sizes as fractions of the image's, [batch, 1].
func (d *draws) box(x, height, width *graph.Node) box {
	size := pixels.Size(x)
	place := func(part *graph.Node, axis int) (start, end, index *graph.Node) {
		length := graph.MulScalar(part, float64(size[axis-1]))
		u := d.uniformOf(x.DType(), 0, 1, batchOf(x), 1)
		start = graph.Mul(u, graph.AddScalar(graph.Neg(length), float64(size[axis-1])))
		dims := []int{1, 1, 1, 1}
		dims[axis] = size[axis-1]
		return start, graph.Add(start, length), graph.Iota(x.Graph(), shapes.Make(x.DType(), dims...), axis)
	}
	full := func(v *graph.Node) *graph.Node { return graph.Reshape(v, batchOf(x), 1, 1, 1) }
	x0, x1, column := place(width, 2)
	y0, y1, row := place(height, 1)
	covers := func(start, end, at *graph.Node) *graph.Node {
		dims := slices.Clone(at.Shape().Dimensions)
		dims[0] = batchOf(x)
		at = graph.BroadcastToDims(at, dims...)
		start, end = graph.BroadcastToDims(full(start), dims...), graph.BroadcastToDims(full(end), dims...)
		return graph.LogicalAnd(graph.GreaterOrEqual(at, start), graph.LessThan(at, end))
	}
	area := graph.DivScalar(graph.Mul(graph.Sub(x1, x0), graph.Sub(y1, y0)), float64(size[0]*size[1]))
	return box{graph.LogicalAnd(covers(y0, y1, row), covers(x0, x1, column)), full(area)}
}
