package layers

// This file defines the layers that change their input at random while training: Dropout,
// SpatialDropout1D to 3D, GaussianNoise, GaussianDropout, AlphaDropout; ActivityRegularization;
// and their options. The random numbers depend on the seed, on how often the layer was called, and
// on the global index of the element; they do not depend on the mesh.

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/keras/layers/internal/nodes"
	"github.com/gospmd/gospmd/keras/random"
	"github.com/gospmd/gospmd/keras/regularizers"
	"github.com/gospmd/gospmd/keras/variable"
)

// regularizationClasses has the dropout and noise layers: by the name of the class in Keras, how a
// layer is made of its options.
var regularizationClasses = map[string]class{
	"ActivityRegularization": classOf(newActivityRegularization),

	"Dropout": classOf(newDropout),
	"AlphaDropout": classOf(func(d declared, o *maskedDropoutOptions) Layer {
		return newNoise(d, &o.seedOptions, 0, o.Rate, o.alphaDropout)
	}),
	"GaussianDropout": classOf(func(d declared, o *dropoutOptions) Layer {
		return newNoise(d, &o.seedOptions, 0, o.Rate, o.gaussianDropout)
	}),
	"GaussianNoise": classOf(func(d declared, o *noiseOptions) Layer { return newNoise(d, &o.seedOptions, 0, o.Stddev, o.add) }),
	"SpatialDropout1D": classOf(func(d declared, o *dropoutOptions) Layer {
		return newNoise(d, &o.seedOptions, 1, o.Rate, o.dropChannels)
	}),
	"SpatialDropout2D": classOf(func(d declared, o *imageDropoutOptions) Layer {
		return newNoise(d, &o.seedOptions, 2, o.Rate, o.dropChannels)
	}),
	"SpatialDropout3D": classOf(func(d declared, o *imageDropoutOptions) Layer {
		return newNoise(d, &o.seedOptions, 3, o.Rate, o.dropChannels)
	}),
}

// dropoutOptions holds the options of SpatialDropout1D and GaussianDropout: the rate, a fraction,
// and Seed.
type dropoutOptions struct {
	Rate float64 `argument:"rate" want:"fraction"`
	seedOptions
}

// imageDropoutOptions holds the options of SpatialDropout2D and SpatialDropout3D: the rate, Seed
// and DataFormat.
type imageDropoutOptions struct {
	dropoutOptions
	formatOptions
}

// maskedDropoutOptions holds the options of Dropout and AlphaDropout: the rate, Seed and
// NoiseShape.
type maskedDropoutOptions struct {
	dropoutOptions
	NoiseShape openShape `option:"noise_shape"` // nil for that of the input
}

// noiseOptions holds the options of GaussianNoise: the standard deviation and Seed.
type noiseOptions struct {
	Stddev float64 `argument:"stddev" want:"notNegative"`
	seedOptions
}

// activityL1L2Options holds the options of ActivityRegularization: the factors L1 and L2.
type activityL1L2Options struct {
	L1 float64 `option:"l1" want:"notNegative"`
	L2 float64 `option:"l2" want:"notNegative"`
}

// NoiseShape sets the shape of the mask of a Dropout or AlphaDropout, the batch included: None is
// the size of the input; along a dimension of 1 the same elements are dropped. By default it is
// that of the input. Another number of dimensions, and other sizes, are errors when the layer is
// applied.
func NoiseShape(dims ...int) Option { return set("NoiseShape", dims) }

// L1 sets the factor of the sum of absolute values in ActivityRegularization: 0 by default. A
// negative number is an error.
func L1(factor float64) Option { return set("L1", factor) }

// L2 sets the factor of the sum of squares in ActivityRegularization: 0 by default. A negative
// number is an error.
func L2(factor float64) Option { return set("L2", factor) }

// DropoutLayer sets random elements of its input to 0 while training:
// keras.layers.Dropout. The mask depends on the seed, on how often the layer was
// called, and on the global index of the element; it does not depend on the
// mesh.
type DropoutLayer struct {
	declared
	keepsMask
	opts  *maskedDropoutOptions
	Rate  float64
	seed  *random.SeedGenerator
	state *variable.Variable
}

// Dropout returns a layer that, while training, drops elements with probability rate, in [0, 1],
// and scales the others by 1/(1-rate). Options: Name, Seed, NoiseShape, DType.
func Dropout(rate float64, opts ...Option) *DropoutLayer {
	return declare[*DropoutLayer]("Dropout", []Option{set("Rate", rate)}, opts)
}

func newDropout(d declared, o *maskedDropoutOptions) Layer {
	l := &DropoutLayer{declared: d, opts: o, Rate: o.Rate}
	if l.Rate > 0 {
		l.seed = o.generator()
	}
	return l
}

// Build makes the state of the seed generator, unless the rate is 0.
func (l *DropoutLayer) Build(b *Builder, _ []Spec) (err error) {
	if l.Rate > 0 {
		l.state, err = b.SeedGenerator(l.seed)
	}
	return err
}

// Call returns the input. While training, random elements are 0 and the others scaled by
// 1/(1-rate), and it stores the generator's next state. With the rate 1 all are 0, with the rate 0
// none, and it draws nothing.
func (l *DropoutLayer) Call(c *Context, inputs []*graph.Node) []*graph.Node {
	x := inputs[0]
	if !c.Training || l.Rate == 0 {
		return []*graph.Node{x}
	}
	if l.Rate == 1 {
		return []*graph.Node{graph.ZerosLike(x)}
	}
	key, next := random.Next(c.Value(l.state))
	c.Assign(l.state, next)
	kept := graph.BroadcastToDims(key.Bernoulli(1-l.Rate, l.opts.noiseDims(x)...), x.Shape().Dimensions...)
	return []*graph.Node{graph.Where(kept, graph.Div(x, nodes.Like(x, 1-l.Rate)), graph.ZerosLike(x))}
}

// noiseDims returns the shape of the random mask of x: that of x, except for the dimensions whose
// size NoiseShape gives. Elements of a dimension of size 1 are dropped together. It panics if
// NoiseShape does not fit x.
func (o *maskedDropoutOptions) noiseDims(x *graph.Node) []int {
	dims := slices.Clone(x.Shape().Dimensions)
	if o.NoiseShape == nil {
		return dims
	}
	if len(o.NoiseShape) != len(dims) {
		panic(fmt.Errorf("got the noise shape %s for an input of %d dimensions, want as many sizes, the batch included: None is the input's", ShapeText(o.NoiseShape), len(dims)))
	}
	for i, n := range o.NoiseShape {
		if n != None && n != 1 && n != dims[i] {
			panic(fmt.Errorf("got the noise shape %s for an input of shape %v, want its sizes, 1 or None", ShapeText(o.NoiseShape), dims))
		}
		if n != None {
			dims[i] = n
		}
	}
	return dims
}

// NoiseLayer changes its input at random while training, and returns it unchanged otherwise:
// keras.layers.SpatialDropout1D, SpatialDropout2D, SpatialDropout3D, GaussianNoise,
// GaussianDropout, AlphaDropout.
type NoiseLayer struct {
	declared
	keepsMask
	change   func(key random.TracedKey, x *graph.Node) *graph.Node
	strength float64 // the rate, or the standard deviation
	rank     int     // of spatial dimensions, 0 for any
	seed     *random.SeedGenerator
	state    *variable.Variable
}

func newNoise(d declared, seed *seedOptions, rank int, strength float64, change func(key random.TracedKey, x *graph.Node) *graph.Node) *NoiseLayer {
	l := &NoiseLayer{declared: d, change: change, strength: strength, rank: rank}
	if strength > 0 {
		l.seed = seed.generator()
	}
	return l
}

// SpatialDropout1D returns a layer that drops features with probability rate, in [0, 1], each in
// all steps of a sample, and scales the others by 1/(1-rate). Options: Name, Seed, DType.
func SpatialDropout1D(rate float64, opts ...Option) *NoiseLayer {
	return declare[*NoiseLayer]("SpatialDropout1D", []Option{set("Rate", rate)}, opts)
}

// SpatialDropout2D returns a layer that drops channels of images with probability rate, in [0, 1],
// each in all pixels of a sample, and scales the others by 1/(1-rate). Options: Name, Seed,
// DataFormat, DType.
func SpatialDropout2D(rate float64, opts ...Option) *NoiseLayer {
	return declare[*NoiseLayer]("SpatialDropout2D", []Option{set("Rate", rate)}, opts)
}

// SpatialDropout3D returns a layer that drops channels of volumes with probability rate, in [0, 1],
// each everywhere in a sample, and scales the others by 1/(1-rate). Options: Name, Seed,
// DataFormat, DType.
func SpatialDropout3D(rate float64, opts ...Option) *NoiseLayer {
	return declare[*NoiseLayer]("SpatialDropout3D", []Option{set("Rate", rate)}, opts)
}

// GaussianNoise returns a layer that adds normally distributed random numbers, of mean 0 and this
// standard deviation, while training. Options: Name, Seed, DType.
func GaussianNoise(stddev float64, opts ...Option) *NoiseLayer {
	return declare[*NoiseLayer]("GaussianNoise", []Option{set("Stddev", stddev)}, opts)
}

// GaussianDropout returns a layer that multiplies its input, while training, by normally
// distributed random numbers of mean 1 and variance rate/(1-rate). The rate is in [0, 1]; with 1
// the layer cannot be trained, as in Keras. Options: Name, Seed, DType.
func GaussianDropout(rate float64, opts ...Option) *NoiseLayer {
	return declare[*NoiseLayer]("GaussianDropout", []Option{set("Rate", rate)}, opts)
}

// AlphaDropout returns a layer that, while training, sets elements to the negative limit of selu
// with probability rate, and then scales and shifts all, so that mean and variance stay (Klambauer
// et al., 2017). The rate is in [0, 1]; with 1 the layer cannot be trained, as in Keras. Options:
// Name, Seed, NoiseShape, DType.
func AlphaDropout(rate float64, opts ...Option) *NoiseLayer {
	return declare[*NoiseLayer]("AlphaDropout", []Option{set("Rate", rate)}, opts)
}

// Build makes the state of the seed generator, if there is noise. It returns an error unless there
// is one input, of the rank that the layer needs.
func (l *NoiseLayer) Build(b *Builder, inputs []Spec) (err error) {
	if l.rank > 0 {
		err = checkSpatial(inputs, l.rank)
	} else {
		err = checkOne(inputs, 1)
	}
	if err == nil && l.strength > 0 {
		l.state, err = b.SeedGenerator(l.seed)
	}
	return err
}

// Call returns the input. While training it changes it by noise, and stores the generator's next
// state. With the rate or the standard deviation 0 it does neither.
func (l *NoiseLayer) Call(c *Context, inputs []*graph.Node) []*graph.Node {
	x := graph.ConvertDType(inputs[0], l.ComputeDType())
	if !c.Training || l.strength == 0 {
		return []*graph.Node{x}
	}
	key, next := random.Next(c.Value(l.state))
	c.Assign(l.state, next)
	return []*graph.Node{l.change(key, x)}
}

// dropChannels sets the same random channels of x to 0 everywhere in a sample, with probability
// Rate, and scales the others by 1/(1-Rate).
func (o *dropoutOptions) dropChannels(key random.TracedKey, x *graph.Node) *graph.Node {
	if o.Rate == 1 {
		return graph.ZerosLike(x)
	}
	dims := slices.Clone(x.Shape().Dimensions)
	for i := 1; i < len(dims)-1; i++ {
		dims[i] = 1
	}
	kept := graph.BroadcastToDims(key.Bernoulli(1-o.Rate, dims...), x.Shape().Dimensions...)
	return graph.Where(kept, graph.Div(x, nodes.Like(x, 1-o.Rate)), graph.ZerosLike(x))
}

// add returns x plus random numbers, drawn by key from a normal distribution with mean 0 and the
// option's standard deviation.
func (o *noiseOptions) add(key random.TracedKey, x *graph.Node) *graph.Node {
	return graph.Add(x, key.Normal(x.DType(), 0, o.Stddev, x.Shape().Dimensions...))
}

// needsBelowOne panics if the rate is 1: the scale would be infinite.
func needsBelowOne(rate float64) {
	if rate == 1 {
		panic(errors.New("got the rate 1 in training, want one below 1"))
	}
}

// gaussianDropout returns x times random numbers, drawn by key from a normal distribution with mean
// 1 and variance rate/(1-rate).
func (o *dropoutOptions) gaussianDropout(key random.TracedKey, x *graph.Node) *graph.Node {
	needsBelowOne(o.Rate)
	return graph.Mul(x, key.Normal(x.DType(), 1, math.Sqrt(o.Rate/(1-o.Rate)), x.Shape().Dimensions...))
}

// alphaDropout returns x with the dropped elements replaced by the limit of selu for -∞, and then
// all scaled and shifted, so that mean and variance stay.
func (o *maskedDropoutOptions) alphaDropout(key random.TracedKey, x *graph.Node) *graph.Node {
	needsBelowOne(o.Rate)
	const low = -1.6732632423543772848170429916717 * 1.0507009873554804934193349852946 // of selu
	u := key.Uniform(dtypes.Float32, 0, 1, o.noiseDims(x)...)
	kept := graph.BroadcastToDims(graph.GreaterOrEqual(u, nodes.Like(u, o.Rate)), x.Shape().Dimensions...)
	a := 1 / math.Sqrt((1-o.Rate)*(1+o.Rate*low*low))
	return graph.AddScalar(graph.MulScalar(graph.Where(kept, x, nodes.Like(x, low)), a), -a*low*o.Rate)
}

// ActivityRegularizationLayer adds a penalty on its input to the loss:
// keras.layers.ActivityRegularization.
type ActivityRegularizationLayer struct {
	declared
	keepsMask
}

// ActivityRegularization returns a layer that adds L1·sum|x| + L2·sum x² to the loss, divided
// by the size of the batch. Options: Name, L1, L2 (0 by default), DType.
func ActivityRegularization(opts ...Option) *ActivityRegularizationLayer {
	return declare[*ActivityRegularizationLayer]("ActivityRegularization", opts)
}

func newActivityRegularization(d declared, o *activityL1L2Options) Layer {
	d.activity = regularizers.L1L2(o.L1, o.L2)
	return &ActivityRegularizationLayer{declared: d}
}

// Call returns the input unchanged.
func (l *ActivityRegularizationLayer) Call(_ *Context, inputs []*graph.Node) []*graph.Node {
	return inputs
}
