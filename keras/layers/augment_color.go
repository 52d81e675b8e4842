package layers

// This file defines the augmentations that change colors: RandomContrast, RandomBrightness,
// RandomHue, RandomSaturation, RandomGrayscale, RandomInvert, RandomPosterization,
// RandomColorDegeneration, Solarization, AutoContrast.

import (
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/keras/layers/internal/pixels"
)

// RandomContrast returns a layer that multiplies the differences from the mean of each channel
// of an image. factor is a number f, for factors between 1 and 1+f, or two, for 1-f0 to 1+f1.
// Options: Name, ValueRange, Seed, DataFormat, DType.
func RandomContrast(factor any, opts ...Option) *AugmentationLayer {
	return declare[*AugmentationLayer]("RandomContrast", []Option{set("Factor", factor)}, opts)
}

// RandomBrightness returns a layer that adds a number to each image. factor is a number f, for
// -f to f, or two numbers, in parts of the value range. Options: Name, ValueRange, Seed,
// DataFormat, DType.
func RandomBrightness(factor any, opts ...Option) *AugmentationLayer {
	return declare[*AugmentationLayer]("RandomBrightness", []Option{set("SignedFactor", factor)}, opts)
}

// RandomHue returns a layer that turns the hue of each image. factor is a number f, for 0 to f,
// or two numbers; 1 is half of the circle of hues, in either direction. Options: Name,
// ValueRange, Seed, DataFormat, DType.
func RandomHue(factor any, opts ...Option) *AugmentationLayer {
	return declare[*AugmentationLayer]("RandomHue", []Option{set("Factor", factor)}, opts)
}

// RandomSaturation returns a layer that multiplies the saturation of each image. factor is two
// numbers, or a number f for -f to f: 0 makes images gray, 0.5 leaves them, 1 saturates them.
// Options: Name, ValueRange, Seed, DataFormat, DType.
func RandomSaturation(factor any, opts ...Option) *AugmentationLayer {
	return declare[*AugmentationLayer]("RandomSaturation", []Option{set("SignedFactor", factor)}, opts)
}

// RandomGrayscale returns a layer that makes images gray with a probability; they keep their
// channels. Options: Name, Seed, DataFormat, DType.
func RandomGrayscale(probability float64, opts ...Option) *AugmentationLayer {
	return declare[*AugmentationLayer]("RandomGrayscale", []Option{set("Probability", probability)}, opts)
}

// RandomInvert returns a layer that inverts images with a probability: a number f, for 0 to f,
// or two numbers. Options: Name, ValueRange, Seed, DataFormat, DType.
func RandomInvert(factor any, opts ...Option) *AugmentationLayer {
	return declare[*AugmentationLayer]("RandomInvert", []Option{set("Factor", factor)}, opts)
}

// RandomPosterization returns a layer that keeps the high bits of each number. factor is how
// many of 8 bits: a number f, for 1 up to f, or two. Options: Name, ValueRange, Seed,
// DataFormat, DType.
func RandomPosterization(factor any, opts ...Option) *AugmentationLayer {
	return declare[*AugmentationLayer]("RandomPosterization", []Option{set("Bits", factor)}, opts)
}

// RandomColorDegeneration returns a layer that mixes each image with its grayscale. factor is
// the part of the grayscale: a number f, for -f to f, or two numbers. Options: Name, ValueRange,
// Seed, DataFormat, DType.
func RandomColorDegeneration(factor any, opts ...Option) *AugmentationLayer {
	return declare[*AugmentationLayer]("RandomColorDegeneration", []Option{set("SignedFactor", factor)}, opts)
}

// Solarization returns a layer that adds a number to each image and inverts what is then
// above a threshold. Options: Name, AdditionFactor, ThresholdFactor (0 by default), ValueRange,
// Seed, DataFormat, DType.
func Solarization(opts ...Option) *AugmentationLayer {
	return declare[*AugmentationLayer]("Solarization", opts)
}

// AdditionFactor sets how much Solarization adds, in parts of the value range: a number f, for
// 0 to f, or two numbers.
func AdditionFactor(factor any) Option { return set("AdditionFactor", factor) }

// ThresholdFactor sets from where on Solarization inverts, in parts of the value range: a number
// f, for 0 to f, or two numbers.
func ThresholdFactor(factor any) Option { return set("ThresholdFactor", factor) }

// AutoContrast returns a layer that scales each channel of an image to the value range, also
// when it is not training. Options: Name, ValueRange, DataFormat, DType.
func AutoContrast(opts ...Option) *AugmentationLayer {
	return declare[*AugmentationLayer]("AutoContrast", opts)
}

var (
	randomContrast          = augmentation{draw: drawContrast}
	randomBrightness        = augmentation{draw: drawBrightness}
	randomHue               = augmentation{draw: drawHue, always: true}
	randomSaturation        = augmentation{draw: drawSaturation, always: true}
	randomGrayscale         = augmentation{draw: drawGrayscale, always: true}
	randomInvert            = augmentation{draw: drawInvert}
	randomPosterization     = augmentation{draw: drawPosterization, always: true}
	randomColorDegeneration = augmentation{draw: drawDegeneration, always: true}
	solarization            = augmentation{draw: drawSolarization}
	autoContrast            = augmentation{draw: drawNothing(stretch), infer: stretch, fixed: true}
)

// drawNothing makes an augmentation of a function without random numbers.
func drawNothing(f func(l *AugmentationLayer, x *graph.Node) *graph.Node) func(*AugmentationLayer, *draws, *graph.Node) change {
	return func(l *AugmentationLayer, _ *draws, _ *graph.Node) change {
		return func(x *graph.Node) *graph.Node { return f(l, x) }
	}
}

func drawContrast(l *AugmentationLayer, d *draws, x *graph.Node) change {
	f := l.opts.factor
	by := d.uniformOf(x.DType(), 1-f.low, 1+f.high, batchOf(x), 1, 1, 1)
	return func(x *graph.Node) *graph.Node {
		mean := graph.ReduceAndKeep(x, graph.ReduceMean, 1, 2)
		return l.opts.clip(graph.Add(graph.Mul(graph.Sub(x, mean), by), mean))
	}
}

func drawBrightness(l *AugmentationLayer, d *draws, x *graph.Node) change {
	r := l.opts.valueRange
	more := d.uniform(l.opts.factor.low, l.opts.factor.high, batchOf(x), 1, 1, 1)
	more = graph.ConvertDType(graph.MulScalar(more, r[1]-r[0]), x.DType())
	return func(x *graph.Node) *graph.Node { return l.opts.clip(graph.Add(x, more)) }
}

func drawHue(l *AugmentationLayer, d *draws, x *graph.Node) change {
	sign := d.sign(dtypes.Float32, batchOf(x), 1, 1, 1)
	by := graph.Mul(sign, d.uniform(l.opts.factor.low, l.opts.factor.high, batchOf(x), 1, 1, 1))
	by = graph.ConvertDType(graph.MulScalar(by, 0.5), x.DType())
	return func(x *graph.Node) *graph.Node {
		r, unit := [2]float64(l.opts.valueRange), [2]float64{0, 1}
		c := pixels.Channels(pixels.RGBToHSV(pixels.Rescale(x, r, unit)))
		hue := graph.Add(c[0], by)
		hue = graph.Where(graph.GreaterThan(hue, like(hue, 1)), graph.AddScalar(hue, -1), hue)
		c[0] = graph.Where(graph.LessThan(hue, like(hue, 0)), graph.AddScalar(hue, 1), hue)
		return pixels.Rescale(pixels.Clip(pixels.HSVToRGB(pixels.Joined(c)), 0, 1), unit, r)
	}
}

func drawSaturation(l *AugmentationLayer, d *draws, x *graph.Node) change {
	const epsilon = 1e-7 // keras.config.epsilon
	f := d.uniform(l.opts.factor.low, l.opts.factor.high, batchOf(x), 1, 1, 1)
	by := graph.ConvertDType(graph.Div(f, graph.AddScalar(graph.OneMinus(f), epsilon)), x.DType())
	return func(x *graph.Node) *graph.Node {
		c := pixels.Channels(pixels.RGBToHSV(x))
		c[1] = l.opts.clip(graph.Mul(c[1], by))
		return pixels.HSVToRGB(pixels.Joined(c))
	}
}

func drawGrayscale(l *AugmentationLayer, d *draws, x *graph.Node) change {
	u := d.uniform(0, 1, batchOf(x), 1, 1, 1)
	chosen := graph.LessThan(u, like(u, l.opts.probability))
	return func(x *graph.Node) *graph.Node { return pixels.Select(chosen, pixels.Grayscale(x), x) }
}

func drawInvert(l *AugmentationLayer, d *draws, x *graph.Node) change {
	chosen := d.choose(l.opts.factor, batchOf(x))
	return func(x *graph.Node) *graph.Node {
		return pixels.Select(chosen, graph.AddScalar(graph.Neg(x), l.opts.valueRange[1]), x)
	}
}

func drawPosterization(l *AugmentationLayer, d *draws, x *graph.Node) change {
	dims := []int{batchOf(x), 1, 1, 1}
	low, high := int64(l.opts.factor.low), int64(l.opts.factor.high)
	var bits *graph.Node
	if low == high {
		bits = graph.BroadcastToDims(graph.Scalar(x.Graph(), dtypes.Uint8, low), dims...)
	} else {
		bits = d.key().RandInt(dtypes.Uint8, low, high, dims...)
	}
	lost := graph.Sub(like(bits, 8), bits)
	return func(x *graph.Node) *graph.Node {
		return l.opts.inColors(x, func(x *graph.Node) *graph.Node {
			whole := graph.ConvertDType(graph.StopGradient(x), dtypes.Uint8)
			by := graph.BroadcastToShape(lost, whole.Shape())
			high := graph.BitwiseShiftLeft(graph.BitwiseShiftRightLogical(whole, by), by)
			return graph.ConvertDType(high, x.DType())
		})
	}
}

func drawDegeneration(l *AugmentationLayer, d *draws, x *graph.Node) change {
	by := d.perImage(l.opts.factor, x)
	return func(x *graph.Node) *graph.Node {
		return l.opts.clip(graph.Add(x, graph.Mul(by, graph.Sub(pixels.Grayscale(x), x))))
	}
}

func drawSolarization(l *AugmentationLayer, d *draws, x *graph.Node) change {
	draw := func(f factor) *graph.Node {
		return d.uniformOf(x.DType(), f.low, f.high*255, batchOf(x), 1, 1, 1)
	}
	addition := draw(l.opts.addition)
	threshold := draw(l.opts.thresholds)
	return func(x *graph.Node) *graph.Node {
		return l.opts.inColors(x, func(x *graph.Node) *graph.Node {
			x = pixels.Clip(graph.Add(x, addition), 0, 255)
			below := graph.LessThan(x, graph.BroadcastToShape(threshold, x.Shape()))
			return graph.Where(below, x, graph.AddScalar(graph.Neg(x), 255))
		})
	}
}

// stretch scales each channel of an image to the value range; one of equal numbers stays.
func stretch(l *AugmentationLayer, x *graph.Node) *graph.Node {
	var flat *graph.Node
	y := l.opts.inColors(x, func(x *graph.Node) *graph.Node {
		low := graph.Neg(maxOfAll(graph.Neg(x), nil, []int{1, 2}))
		high := maxOfAll(x, nil, []int{1, 2})
		flat = graph.Equal(low, high)
		scale := graph.Div(like(low, 255), graph.Where(flat, graph.OnesLike(low), graph.Sub(high, low)))
		return pixels.Clip(graph.Add(graph.Mul(x, scale), graph.Mul(graph.Neg(low), scale)), 0, 255)
	})
	return pixels.Select(flat, x, y)
}
