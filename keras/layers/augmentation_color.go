package layers

// This file defines the augmentations that change colors: RandomContrast, RandomBrightness,
// RandomHue, RandomSaturation, RandomGrayscale, RandomInvert, RandomPosterization,
// RandomColorDegeneration, Solarization, AutoContrast, Equalization,
// ContrastLimitedAdaptiveHistogramEqualization; and their options.

import (
	"fmt"
	"math"
	"slices"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/internal/option"
	"github.com/gospmd/gospmd/keras/layers/internal/nodes"
	"github.com/gospmd/gospmd/keras/layers/internal/pixels"
)

// The classes of the layers of this file, which augment the colors of images.
var (
	randomContrast = classOf(func(d declared, o *unitColorOptions) Layer {
		return newAugmentation(d, &o.seedOptions, augmentation{draw: o.drawContrast})
	})
	randomBrightness = classOf(func(d declared, o *signedColorOptions) Layer {
		return newAugmentation(d, &o.seedOptions, augmentation{draw: o.drawBrightness})
	})
	randomHue = classOf(func(d declared, o *unitColorOptions) Layer {
		return newAugmentation(d, &o.seedOptions, augmentation{draw: o.drawHue, always: true})
	})
	randomSaturation = classOf(func(d declared, o *signedColorOptions) Layer {
		return newAugmentation(d, &o.seedOptions, augmentation{draw: o.drawSaturation, always: true})
	})
	randomGrayscale = classOf(func(d declared, o *grayscaleOptions) Layer {
		return newAugmentation(d, &o.seedOptions, augmentation{draw: o.draw, always: true})
	})
	randomInvert = classOf(func(d declared, o *unitColorOptions) Layer {
		return newAugmentation(d, &o.seedOptions, augmentation{draw: o.drawInvert})
	})
	randomPosterization = classOf(func(d declared, o *posterizationOptions) Layer {
		return newAugmentation(d, &o.seedOptions, augmentation{draw: o.draw, always: true})
	})

	randomColorDegeneration = classOf(func(d declared, o *signedColorOptions) Layer {
		return newAugmentation(d, &o.seedOptions, augmentation{draw: o.drawDegeneration, always: true})
	})
	solarization = classOf(func(d declared, o *solarOptions) Layer {
		return newAugmentation(d, &o.seedOptions, augmentation{draw: o.draw})
	})

	autoContrast = classOf(func(d declared, o *contrastOptions) Layer {
		return newAugmentation(d, nil, augmentation{draw: drawNothing(o.stretch), infer: o.stretch})
	})
	equalization = classOf(func(d declared, o *equalizationOptions) Layer {
		return newAugmentation(d, nil, augmentation{draw: drawNothing(o.equalize)})
	})
	contrastLimited = classOf(func(d declared, o *tileOptions) Layer {
		return newAugmentation(d, nil, augmentation{draw: drawNothing(o.limit), infer: o.limit})
	})
)

// unitColorOptions holds the options of color layers whose factor is within [0, 1]: Factor, and
// those in colorOptions.
type unitColorOptions struct {
	Factor unitFactor `argument:"factor"`
	colorOptions
}

// signedColorOptions holds the options of color layers whose factor is within [-1, 1]: Factor, and
// those in colorOptions.
type signedColorOptions struct {
	Factor signedFactor `argument:"factor"`
	colorOptions
}

// grayscaleOptions holds the options of RandomGrayscale: the probability that an image becomes
// gray, Seed and DataFormat.
type grayscaleOptions struct {
	Probability float64 `argument:"factor" want:"fraction"`
	imageOptions
}

// posterizationOptions holds the options of RandomPosterization: Bits, the range of the number of
// bits that are kept, and those in colorOptions.
type posterizationOptions struct {
	Bits bitsFactor `argument:"factor"`
	colorOptions
}

// solarOptions holds the options of Solarization: AdditionFactor and ThresholdFactor, fractions of
// the value range, and those in colorOptions.
type solarOptions struct {
	AdditionFactor  unitFactor `option:"addition_factor" default:"0"`
	ThresholdFactor unitFactor `option:"threshold_factor" default:"0"`
	colorOptions
}

// contrastOptions holds the options of AutoContrast, which other layers have too: ValueRange and
// DataFormat.
type contrastOptions struct {
	rangeOptions
	lastFormatOptions
}

// equalizationOptions holds the options of Equalization: Bins, the number of bins of a histogram,
// ValueRange and DataFormat.
type equalizationOptions struct {
	contrastOptions
	Bins int `option:"bins" default:"256" most:"65536"`
}

// tileOptions holds the options of ContrastLimitedAdaptiveHistogramEqualization: ClipLimit,
// TileGridSize, ValueRange and DataFormat.
type tileOptions struct {
	contrastOptions
	ClipLimit    float64  `option:"clip_limit" default:"4" want:"notNegative"`
	TileGridSize tileGrid `option:"tile_grid_size" default:"[8, 8]"`
}

// tileGrid holds two numbers of tiles: along the height, then along the width.
type tileGrid []int

// Assign sets t to v, two whole numbers between 1 and 1024: of rows and of columns. Anything else
// is an error.
func (t *tileGrid) Assign(v any) error {
	n := option.Floats(v)
	if given, ok := v.([]int); ok {
		for _, x := range given {
			n = append(n, float64(x))
		}
	}
	if len(n) != 2 || slices.ContainsFunc(n, func(n float64) bool { return !(n >= 1 && n <= 1024) || n != math.Trunc(n) }) {
		return fmt.Errorf("got %v, want two numbers between 1 and 1024: of rows and of columns", v)
	}
	*t = tileGrid{int(n[0]), int(n[1])}
	return nil
}

// Read returns the numbers of rows and columns, for the config.
func (t *tileGrid) Read() any { return []int(*t) }

// RandomContrast returns a layer that multiplies the differences from the mean of each channel of
// an image. factor is a number f, for factors between 1 and 1+f, or two, for 1-f0 to 1+f1. Numbers
// outside [0, 1] are errors. Options: Name, ValueRange, Seed, DataFormat, DType.
func RandomContrast(factor any, opts ...Option) *AugmentationLayer {
	return declare[*AugmentationLayer]("RandomContrast", []Option{set("Factor", factor)}, opts)
}

// RandomBrightness returns a layer that adds a number to each image. factor is a number f, for -f
// to f, or two numbers, in parts of the value range. Numbers outside [-1, 1] are errors. Options:
// Name, ValueRange, Seed, DataFormat, DType.
func RandomBrightness(factor any, opts ...Option) *AugmentationLayer {
	return declare[*AugmentationLayer]("RandomBrightness", []Option{set("Factor", factor)}, opts)
}

// RandomHue returns a layer that rotates the hue of each image. factor is a number f, for 0 to f,
// or two numbers; 1 is half of the circle of hues, in either direction. Numbers outside [0, 1] are
// errors. Options: Name, ValueRange, Seed, DataFormat, DType.
func RandomHue(factor any, opts ...Option) *AugmentationLayer {
	return declare[*AugmentationLayer]("RandomHue", []Option{set("Factor", factor)}, opts)
}

// RandomSaturation returns a layer that multiplies the saturation of each image. factor is two
// numbers, or a number f for -f to f: 0 makes images gray, 0.5 leaves them, 1 saturates them.
// Numbers outside [-1, 1] are errors. Options: Name, ValueRange, Seed, DataFormat, DType.
func RandomSaturation(factor any, opts ...Option) *AugmentationLayer {
	return declare[*AugmentationLayer]("RandomSaturation", []Option{set("Factor", factor)}, opts)
}

// RandomGrayscale returns a layer that makes images gray with a probability, from 0 to 1; they keep
// their channels. Options: Name, Seed, DataFormat, DType.
func RandomGrayscale(probability float64, opts ...Option) *AugmentationLayer {
	return declare[*AugmentationLayer]("RandomGrayscale", []Option{set("Probability", probability)}, opts)
}

// RandomInvert returns a layer that inverts images with a probability: a number f, for 0 to f, or
// two numbers, within [0, 1]. Options: Name, ValueRange, Seed, DataFormat, DType.
func RandomInvert(factor any, opts ...Option) *AugmentationLayer {
	return declare[*AugmentationLayer]("RandomInvert", []Option{set("Factor", factor)}, opts)
}

// RandomPosterization returns a layer that keeps only the high bits of each value. factor is the
// number of bits, of 8: a number f, for 1 to f, or two numbers, within [1, 8]. Options: Name,
// ValueRange, Seed, DataFormat, DType.
func RandomPosterization(factor any, opts ...Option) *AugmentationLayer {
	return declare[*AugmentationLayer]("RandomPosterization", []Option{set("Bits", factor)}, opts)
}

// RandomColorDegeneration returns a layer that mixes each image with its grayscale image. factor is
// the weight of the grayscale image: a number f, for -f to f, or two numbers, within [-1, 1].
// Options: Name, ValueRange, Seed, DataFormat, DType.
func RandomColorDegeneration(factor any, opts ...Option) *AugmentationLayer {
	return declare[*AugmentationLayer]("RandomColorDegeneration", []Option{set("Factor", factor)}, opts)
}

// Solarization returns a layer that adds a random number to each image while training, and then
// inverts values above a random threshold. Options: Name, AdditionFactor, ThresholdFactor (0 by
// default), ValueRange, Seed, DataFormat, DType.
func Solarization(opts ...Option) *AugmentationLayer {
	return declare[*AugmentationLayer]("Solarization", opts)
}

// AdditionFactor sets the number that Solarization adds, as a fraction of the value range: a number
// f, for 0 to f, or two numbers, within [0, 1]; 0 by default. As in Keras, the lower of two numbers
// counts in parts of 1/255 of the value range.
func AdditionFactor(factor any) Option { return set("AdditionFactor", factor) }

// ThresholdFactor sets the threshold above which Solarization inverts, as a fraction of the value
// range: a number f, for 0 to f, or two numbers, within [0, 1]; 0 by default. As in Keras, the
// lower of two numbers counts in parts of 1/255 of the value range.
func ThresholdFactor(factor any) Option { return set("ThresholdFactor", factor) }

// AutoContrast returns a layer that scales each channel of an image to the value range, also when
// it is not training. A channel whose values are all equal stays as it is. Options: Name,
// ValueRange, DataFormat, DType.
func AutoContrast(opts ...Option) *AugmentationLayer {
	return declare[*AugmentationLayer]("AutoContrast", opts)
}

// Equalization returns a layer that changes the values of each channel during training, so that all
// values occur about equally often. Options: Name, ValueRange, Bins (256), DataFormat, DType.
//
// As in Keras the histogram of a channel is over all images of the batch. If the images are on
// several devices, their counts are added.
func Equalization(opts ...Option) *AugmentationLayer {
	return declare[*AugmentationLayer]("Equalization", opts)
}

// Bins sets the number of bins of Equalization's histograms: 256 by default. A number below 1 or
// above 65536 is an error.
func Bins(n int) Option { return set("Bins", n) }

// ContrastLimitedAdaptiveHistogramEqualization returns a layer that increases the contrast of the
// tiles of each image, up to a limit (Zuiderveld, Contrast Limited Adaptive Histogram Equalization,
// 1994). It does so also outside training. Options: Name, ValueRange, ClipLimit (4), TileGridSize
// (8, 8), DataFormat, DType.
func ContrastLimitedAdaptiveHistogramEqualization(opts ...Option) *AugmentationLayer {
	return declare[*AugmentationLayer]("ContrastLimitedAdaptiveHistogramEqualization", opts)
}

// ClipLimit sets how often a value may occur in a tile of
// ContrastLimitedAdaptiveHistogramEqualization, as a multiple of the mean count of a value: 4 by
// default; 0 is no limit. A negative number is an error.
func ClipLimit(x float64) Option { return set("ClipLimit", x) }

// TileGridSize sets into how many tiles ContrastLimitedAdaptiveHistogramEqualization divides the
// height (rows) and the width (columns) of an image: 8 and 8 by default. Numbers below 1 or above
// 1024 are errors.
func TileGridSize(rows, columns int) Option { return set("TileGridSize", []int{rows, columns}) }

// drawNothing returns the draw function of an augmentation that needs no random numbers: it always
// returns the change f.
func drawNothing(f change) func(*draws, *graph.Node) change {
	return func(*draws, *graph.Node) change { return f }
}

func (o *unitColorOptions) drawContrast(d *draws, x *graph.Node) change {
	f := o.Factor
	by := d.uniformOf(x.DType(), 1-f.low, 1+f.high, batchOf(x), 1, 1, 1)
	return func(x *graph.Node) *graph.Node {
		mean := graph.ReduceAndKeep(x, graph.ReduceMean, 1, 2)
		return o.clip(graph.Add(graph.Mul(graph.Sub(x, mean), by), mean))
	}
}

func (o *signedColorOptions) drawBrightness(d *draws, x *graph.Node) change {
	r := o.ValueRange
	more := d.uniform(o.Factor.low, o.Factor.high, batchOf(x), 1, 1, 1)
	more = graph.ConvertDType(graph.MulScalar(more, r[1]-r[0]), x.DType())
	return func(x *graph.Node) *graph.Node { return o.clip(graph.Add(x, more)) }
}

func (o *unitColorOptions) drawHue(d *draws, x *graph.Node) change {
	sign := d.sign(dtypes.Float32, batchOf(x), 1, 1, 1)
	by := graph.Mul(sign, d.uniform(o.Factor.low, o.Factor.high, batchOf(x), 1, 1, 1))
	by = graph.ConvertDType(graph.MulScalar(by, 0.5), x.DType())
	return func(x *graph.Node) *graph.Node {
		r, unit := [2]float64(o.ValueRange), [2]float64{0, 1}
		c := pixels.Channels(pixels.RGBToHSV(pixels.Rescale(x, r, unit)))
		hue := graph.Add(c[0], by)
		hue = graph.Where(graph.GreaterThan(hue, nodes.Like(hue, 1)), graph.AddScalar(hue, -1), hue)
		c[0] = graph.Where(graph.LessThan(hue, nodes.Like(hue, 0)), graph.AddScalar(hue, 1), hue)
		return pixels.Rescale(pixels.Clip(pixels.HSVToRGB(pixels.Join(c)), 0, 1), unit, r)
	}
}

func (o *signedColorOptions) drawSaturation(d *draws, x *graph.Node) change {
	const epsilon = 1e-7 // keras.config.epsilon
	f := d.uniform(o.Factor.low, o.Factor.high, batchOf(x), 1, 1, 1)
	by := graph.ConvertDType(graph.Div(f, graph.AddScalar(graph.OneMinus(f), epsilon)), x.DType())
	return func(x *graph.Node) *graph.Node {
		c := pixels.Channels(pixels.RGBToHSV(x))
		c[1] = o.clip(graph.Mul(c[1], by))
		return pixels.HSVToRGB(pixels.Join(c))
	}
}

func (o *grayscaleOptions) draw(d *draws, x *graph.Node) change {
	u := d.uniform(0, 1, batchOf(x), 1, 1, 1)
	chosen := graph.LessThan(u, nodes.Like(u, o.Probability))
	return func(x *graph.Node) *graph.Node { return pixels.Select(chosen, pixels.Grayscale(x), x) }
}

func (o *unitColorOptions) drawInvert(d *draws, x *graph.Node) change {
	chosen := d.choose(o.Factor.factor, batchOf(x))
	return func(x *graph.Node) *graph.Node {
		return pixels.Select(chosen, graph.AddScalar(graph.Neg(x), o.ValueRange[1]), x)
	}
}

func (o *posterizationOptions) draw(d *draws, x *graph.Node) change {
	dims := []int{batchOf(x), 1, 1, 1}
	low, high := int64(o.Bits.low), int64(o.Bits.high)
	var bits *graph.Node
	if low == high {
		bits = graph.BroadcastToDims(graph.Scalar(x.Graph(), dtypes.Uint8, low), dims...)
	} else {
		bits = d.key().RandInt(dtypes.Uint8, low, high, dims...)
	}
	lost := graph.Sub(nodes.Like(bits, 8), bits)
	return func(x *graph.Node) *graph.Node {
		return o.inColors(x, func(x *graph.Node) *graph.Node {
			whole := graph.ConvertDType(graph.StopGradient(x), dtypes.Uint8)
			by := graph.BroadcastToShape(lost, whole.Shape())
			high := graph.BitwiseShiftLeft(graph.BitwiseShiftRightLogical(whole, by), by)
			return graph.ConvertDType(high, x.DType())
		})
	}
}

func (o *signedColorOptions) drawDegeneration(d *draws, x *graph.Node) change {
	by := d.perImage(o.Factor.factor, x)
	return func(x *graph.Node) *graph.Node {
		return o.clip(graph.Add(x, graph.Mul(by, graph.Sub(pixels.Grayscale(x), x))))
	}
}

func (o *solarOptions) draw(d *draws, x *graph.Node) change {
	draw := func(f factor) *graph.Node {
		return d.uniformOf(x.DType(), f.low, f.high*255, batchOf(x), 1, 1, 1)
	}
	addition := draw(o.AdditionFactor.factor)
	threshold := draw(o.ThresholdFactor.factor)
	return func(x *graph.Node) *graph.Node {
		return o.inColors(x, func(x *graph.Node) *graph.Node {
			x = pixels.Clip(graph.Add(x, addition), 0, 255)
			below := graph.LessThan(x, graph.BroadcastToShape(threshold, x.Shape()))
			return graph.Where(below, x, graph.AddScalar(graph.Neg(x), 255))
		})
	}
}

// stretch scales each channel of an image to the value range. A channel whose values are all equal
// is unchanged.
func (o *contrastOptions) stretch(x *graph.Node) *graph.Node {
	var flat *graph.Node
	y := o.inColors(x, func(x *graph.Node) *graph.Node {
		low := graph.Neg(nodes.MaxOfAll(graph.Neg(x), nil, []int{1, 2}))
		high := nodes.MaxOfAll(x, nil, []int{1, 2})
		flat = graph.Equal(low, high)
		scale := graph.Div(nodes.Like(low, 255), graph.Where(flat, graph.OnesLike(low), graph.Sub(high, low)))
		return pixels.Clip(graph.Add(graph.Mul(x, scale), graph.Mul(graph.Neg(low), scale)), 0, 255)
	})
	return pixels.Select(flat, x, y)
}

// equalize returns the images x with the histogram of each channel equalized, in Bins bins, within
// the value range of the layer.
func (o *equalizationOptions) equalize(x *graph.Node) *graph.Node {
	return o.inColors(x, func(x *graph.Node) *graph.Node { return pixels.Equalize(x, o.Bins) })
}

// limit returns x with the contrast of each tile of its images increased up to the layer's limit.
// It has no gradient.
func (o *tileOptions) limit(x *graph.Node) *graph.Node {
	y := o.inColors(graph.ConvertDType(graph.StopGradient(x), dtypes.Float32), func(x *graph.Node) *graph.Node {
		return pixels.LimitContrast(x, [2]int(o.TileGridSize), o.ClipLimit)
	})
	return graph.ConvertDType(y, x.DType())
}
