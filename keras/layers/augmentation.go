package layers

// This file defines the common part of layers that change images at random during training. Each
// draws its random numbers for a batch, and returns a function of images. The file also holds the
// options that the layers share, and factors: the ranges that random numbers are drawn from.

import (
	"fmt"
	"math"
	"slices"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/internal/brief"
	"github.com/gospmd/gospmd/internal/option"
	"github.com/gospmd/gospmd/keras/layers/internal/nodes"
	"github.com/gospmd/gospmd/keras/layers/internal/pixels"
	"github.com/gospmd/gospmd/keras/random"
	"github.com/gospmd/gospmd/keras/variable"
)

// augmentationClasses has the augmentation layers, those of all files of this family, by the name
// of the class in Keras.
var augmentationClasses = map[string]class{
	"RandomFlip": randomFlip, "RandomCrop": randomCrop, "RandomRotation": randomRotation, "RandomTranslation": randomTranslation,
	"RandomZoom": randomZoom, "RandomShear": randomShear, "RandomPerspective": randomPerspective, "RandomElasticTransform": randomElasticTransform,

	"AutoContrast": autoContrast, "RandomBrightness": randomBrightness, "RandomColorDegeneration": randomColorDegeneration,
	"RandomContrast": randomContrast, "RandomGrayscale": randomGrayscale, "RandomHue": randomHue, "RandomInvert": randomInvert,
	"RandomPosterization": randomPosterization, "RandomSaturation": randomSaturation, "Solarization": solarization,
	"Equalization": equalization, "ContrastLimitedAdaptiveHistogramEqualization": contrastLimited,

	"RandomErasing": randomErasing, "RandomGaussianBlur": randomGaussianBlur, "RandomSharpness": randomSharpness,

	"CutMix": cutMix, "MixUp": mixUp,

	"AugMix": augMix, "RandAugment": randAugment, "RandomColorJitter": randomColorJitter,
}

// imageOptions holds the options of all augmentations with random numbers: Seed and DataFormat.
type imageOptions struct {
	seedOptions
	lastFormatOptions
}

// colorOptions holds the options of augmentations that need the value range of images: ValueRange,
// Seed and DataFormat.
type colorOptions struct {
	rangeOptions
	imageOptions
}

// rangeOptions holds the option ValueRange, the values of black and white: 0 and 255 by default.
type rangeOptions struct {
	ValueRange valueRange `option:"value_range" default:"[0, 255]"`
}

// samplingOptions holds the options that say how values between pixels are computed: Interpolation,
// and FillValue for pixels beyond the edge; and those in imageOptions.
type samplingOptions struct {
	Interpolation string  `option:"interpolation" default:"bilinear" oneof:"nearest bilinear"`
	FillValue     float64 `option:"fill_value"`
	imageOptions
}

// warpOptions holds the options of augmentations that move pixels: FillMode, which says what is
// beyond the edge, and those in samplingOptions.
type warpOptions struct {
	FillMode string `option:"fill_mode" default:"reflect" oneof:"constant nearest wrap reflect"`
	samplingOptions
}

// sampling returns the options Interpolation, FillMode and FillValue, in the form of package
// pixels.
func (o *warpOptions) sampling() pixels.Sampling {
	return pixels.Sampling{Interpolation: o.Interpolation, FillMode: o.FillMode, FillValue: o.FillValue}
}

// clip returns x with numbers outside the layer's value range set to the nearer end of it.
func (o *rangeOptions) clip(x *graph.Node) *graph.Node {
	return pixels.Clip(x, o.ValueRange[0], o.ValueRange[1])
}

// colorRange is the range that some changes are defined for. Images are converted to it, changed,
// and converted back.
var colorRange = [2]float64{0, 255}

// inColors returns f of the images x, converted back: x has the value range of the layer, and f
// gets and returns numbers from 0 to 255.
func (o *rangeOptions) inColors(x *graph.Node, f change) *graph.Node {
	r := [2]float64(o.ValueRange)
	return pixels.Rescale(f(pixels.Rescale(x, r, colorRange)), colorRange, r)
}

// FillMode sets what is beyond the edge of an image in RandomRotation, RandomTranslation,
// RandomZoom, RandomShear and RandomElasticTransform. For four pixels abcd it is: "reflect", the
// default, dcba|abcd|dcba; "nearest" aaaa|abcd|dddd; "wrap" abcd|abcd|abcd; "constant" the option
// FillValue. Others are errors.
func FillMode(mode string) Option { return set("FillMode", mode) }

// ValueRange sets the values of black and of white in the images of an augmentation that depends on
// them, such as RandomBrightness: 0 and 255 by default. It is an error unless black is below white.
func ValueRange(black, white float64) Option { return set("ValueRange", []float64{black, white}) }

// valueRange holds two numbers: the value of black, then that of white.
type valueRange []float64

// Assign sets the range from the option ValueRange. It returns an error unless v is two numbers,
// the first less than the second.
func (r *valueRange) Assign(v any) error {
	n := option.Floats(v)
	if len(n) != 2 || !(n[0] < n[1]) {
		return fmt.Errorf("got %v, want two numbers, black below white", v)
	}
	*r = n
	return nil
}

// Read returns the two numbers of the range, for the config.
func (r *valueRange) Read() any { return []float64(*r) }

// factor is an option: the range of random numbers that say how much an augmentation changes
// images.
type factor struct {
	low, high float64
	given     any // a number or two, as the program gave it; nil for none
}

// assign sets the range from v: a number, two numbers in any order, or nil for the range from 0 to
// 0. A number f stands for the range from -|f| to |f|, or from least if that is larger. Other
// values, and numbers outside of [least, most], are errors.
func (f *factor) assign(v any, least, most float64) error {
	if v == nil {
		*f = factor{}
		return nil
	}
	n := option.Floats(v)
	if len(n) != 1 && len(n) != 2 {
		return fmt.Errorf("got %s, want a number, or two: []float64{low, high}", brief.Value(v))
	}
	if slices.ContainsFunc(n, func(x float64) bool { return !(x >= least && x <= most) }) {
		return fmt.Errorf("got %s, want numbers between %g and %g", brief.Value(v), least, most)
	}
	if len(n) == 1 {
		size := math.Abs(n[0])
		*f = factor{max(-size, least), size, n[0]}
	} else {
		*f = factor{min(n[0], n[1]), max(n[0], n[1]), n}
	}
	return nil
}

// Read returns the range as two numbers, for the config, or nil if none was given.
func (f *factor) Read() any {
	if f.given == nil {
		return nil
	}
	return []float64{f.low, f.high}
}

// unitFactor is a factor whose range must be within [0, 1].
type unitFactor struct{ factor }

// Assign sets the range from one number f, which stands for 0 to f, from two numbers in any order,
// or from nil, which stands for none. Numbers below 0 or above 1 are an error.
func (f *unitFactor) Assign(v any) error { return f.assign(v, 0, 1) }

// signedFactor is a factor whose range must be within [-1, 1].
type signedFactor struct{ factor }

// Assign sets the range from one number f, which stands for -|f| to |f|, from two numbers in any
// order, or from nil, which stands for none. Numbers below -1 or above 1 are an error.
func (f *signedFactor) Assign(v any) error { return f.assign(v, -1, 1) }

// bitsFactor is a factor within [1, 8], in bits of a pixel's value.
type bitsFactor struct{ factor }

// Assign sets the range from one number f, which stands for 1 to f, from two numbers in any order,
// or from nil, which stands for none. Numbers below 1 or above 8 are an error.
func (f *bitsFactor) Assign(v any) error { return f.assign(v, 1, 8) }

// unitAsGiven is a unitFactor that configs hold as the user gave it, a number or two, and not as a
// range.
type unitAsGiven struct{ unitFactor }

// Read returns the value that Assign got, for the layer's config: a number, two, or nil.
func (f *unitAsGiven) Read() any { return f.given }

// signedAsGiven is a signedFactor that configs hold as the user gave it, a number or two, and not
// as a range.
type signedAsGiven struct{ signedFactor }

// Read returns the value that Assign got, for the layer's config: a number, two, or nil.
func (f *signedAsGiven) Read() any { return f.given }

// AugmentationLayer changes images at random while training: keras.layers.RandomFlip and the
// other layers of image augmentation. Its input is channels last.
//
// The random numbers are those of Keras on JAX with the same seed: they depend on the seed, on
// how often the layer was called, and on the global index of the image. They do not depend on
// the mesh, and no device needs the images of another one.
type AugmentationLayer struct {
	declared
	augmentation
	parts []*AugmentationLayer // the layers that it consists of
	generator
}

// augmentation defines what a layer does to images: how it draws random numbers and changes images
// while training, and what it does otherwise.
type augmentation struct {
	// draw draws the random numbers for images of x's shape, and returns the function that changes
	// the images.
	draw func(d *draws, x *graph.Node) change
	// infer is what the layer does when it is not training; nil is nothing.
	infer change
	// always says that the layer draws random numbers also outside training. They are unused, but
	// Keras draws them, and the next numbers must be the same.
	always bool
}

// change computes new images from images x, both [batch, height, width, channels] and of one type.
type change func(x *graph.Node) *graph.Node

// generator makes the keys of a layer's random numbers. The zero value is for a layer without
// random numbers.
type generator struct {
	seed  *random.SeedGenerator
	state *variable.Variable
}

func (s *generator) build(b *Builder) (err error) {
	if s.seed != nil {
		s.state, err = b.SeedGenerator(s.seed)
	}
	return err
}

// drawing calls f with a source of random numbers for one call of the layer. Then it stores the
// next state of the layer's seed generator, if the layer has one. All ops of f get one place in the
// source.
func (s *generator) drawing(c *Context, f func(d *draws)) {
	d := &draws{}
	if s.state != nil {
		d.state = c.Value(s.state)
	}
	c.Recorder.AtOnePlace(func() { f(d) })
	if s.state != nil {
		c.Assign(s.state, d.state)
	}
}

// newAugmentation returns the layer that changes images as a says. seed has the options of its
// random numbers; nil is for a layer without random numbers.
func newAugmentation(d declared, seed *seedOptions, a augmentation) *AugmentationLayer {
	l := &AugmentationLayer{declared: d, augmentation: a}
	if seed != nil {
		l.seed = seed.generator()
	}
	return l
}

// Build makes the state of the seed generator, if the layer draws random numbers. It returns an
// error unless there is one input, [batch, height, width, channels].
func (l *AugmentationLayer) Build(b *Builder, inputs []Spec) error {
	if err := checkSpatial(inputs, 2); err != nil {
		return err
	}
	return l.generator.build(b)
}

// Call returns the images after the layer's augmentation while training. Otherwise it returns them
// unchanged, or after infer if the layer has that. When it draws random numbers, while training and
// in some layers always, it stores the next state of the seed.
func (l *AugmentationLayer) Call(c *Context, inputs []*graph.Node) []*graph.Node {
	x := graph.ConvertDType(inputs[0], l.ComputeDType())
	apply := change(nothing)
	if c.Training || l.always {
		l.drawing(c, func(d *draws) { apply = l.draw(d, x) })
	}
	switch {
	case c.Training:
		x = apply(x)
	case l.infer != nil:
		x = l.infer(x)
	}
	return []*graph.Node{x}
}

// Parts returns the layers that the layer consists of, such as those of RandAugment; most layers
// have none. They draw their random numbers from its seed.
func (l *AugmentationLayer) Parts() (parts []Part) {
	for _, p := range l.parts {
		parts = append(parts, Part{Field: p.class, Layers: []Layer{p}})
	}
	return parts
}

// addPart adds a layer of the class c, with that name, as a part of l. It gets those of opts that
// its class has. Its error becomes that of l.
func (l *AugmentationLayer) addPart(name string, c class, opts []Option) {
	taken := slices.DeleteFunc(slices.Clone(opts), func(o Option) bool { return !option.Takes(o.Name(), c.options()) })
	p := c.newLayer(name, taken).(*AugmentationLayer)
	if p.err != nil {
		l.fail("%w", p.err)
	}
	l.parts = append(l.parts, p)
}

// draws is the source of the random numbers of one call of a layer. It holds the state of the
// layer's seed. Each draw takes the next key and changes the state, as in Keras.
type draws struct{ state *graph.Node }

func (d *draws) key() random.TracedKey {
	key, next := random.Next(d.state)
	d.state = next
	return key
}

// uniform returns a float32 tensor of the dimensions dims, with random numbers in [low, high).
func (d *draws) uniform(low, high float64, dims ...int) *graph.Node {
	return d.uniformOf(dtypes.Float32, low, high, dims...)
}

// uniformOf returns a tensor of the type and the dimensions dims, with random numbers in [low,
// high). If low is not below high, all its numbers are low.
func (d *draws) uniformOf(dtype dtypes.DType, low, high float64, dims ...int) *graph.Node {
	key := d.key()
	if low >= high {
		return graph.BroadcastToDims(graph.Scalar(key.Node().Graph(), dtype, low), dims...)
	}
	return key.Uniform(dtype, low, high, dims...)
}

// choose returns which images of a batch are to change, at random: bool [batch, 1, 1, 1]. For each
// image it draws first a probability within the factor's range, then whether the image changes.
func (d *draws) choose(f factor, batch int) *graph.Node {
	probability := d.uniform(f.low, f.high, batch, 1, 1, 1)
	return graph.LessThan(d.uniform(0, 1, batch, 1, 1, 1), probability)
}

// perImage returns a number for each image of x, drawn uniformly from the range of the factor:
// [batch, 1, 1, 1], in the type of x.
func (d *draws) perImage(f factor, x *graph.Node) *graph.Node {
	return graph.ConvertDType(d.uniform(f.low, f.high, batchOf(x), 1, 1, 1), x.DType())
}

// sign returns a random tensor of -1 and 1, each with probability 1/2, of a type and shape.
func (d *draws) sign(dtype dtypes.DType, dims ...int) *graph.Node {
	u := d.uniformOf(dtype, 0, 1, dims...)
	return graph.Where(graph.GreaterThan(u, nodes.Like(u, 0.5)), nodes.Like(u, -1), nodes.Like(u, 1))
}

func batchOf(x *graph.Node) int { return x.Shape().Dim(0) }

// nothing returns images unchanged.
func nothing(x *graph.Node) *graph.Node { return x }
