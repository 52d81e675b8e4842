package layers

// This file defines the layers that change their input at random while training:
// SpatialDropout1D to 3D, GaussianNoise, GaussianDropout, AlphaDropout; and
// ActivityRegularization. The random numbers depend on the seed, on how often the layer was
// called, and on the global index of the element; they do not depend on the mesh.

import (
	"math"
	"slices"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/keras/random"
	"github.com/gospmd/gospmd/keras/regularizers"
	"github.com/gospmd/gospmd/keras/variable"
)

// NoiseLayer changes its input at random while training: keras.layers.SpatialDropout1D,
// SpatialDropout2D, SpatialDropout3D, GaussianNoise, GaussianDropout, AlphaDropout.
type NoiseLayer struct {
	declared
	keepsMask
	change func(o *options, key random.TracedKey, x *graph.Node) *graph.Node
	rank   int // of spatial dimensions, 0 for any
	seed   *random.SeedGenerator
	state  *variable.Variable
}

func newNoise(d declared, rank int, change func(o *options, key random.TracedKey, x *graph.Node) *graph.Node) *NoiseLayer {
	l := &NoiseLayer{declared: d, change: change, rank: rank}
	if l.active() {
		l.seed = d.opts.seedGenerator()
	}
	return l
}

// SpatialDropout1D returns a layer that drops features of all steps with probability rate,
// in [0, 1], and scales the others by 1/(1-rate). Options: Name, Seed, DType.
func SpatialDropout1D(rate float64, opts ...Option) *NoiseLayer {
	return declare[*NoiseLayer]("SpatialDropout1D", []Option{set("Rate", rate)}, opts)
}

// SpatialDropout2D returns a layer that drops channels of images. Options: Name, Seed,
// DataFormat, DType.
func SpatialDropout2D(rate float64, opts ...Option) *NoiseLayer {
	return declare[*NoiseLayer]("SpatialDropout2D", []Option{set("Rate", rate)}, opts)
}

// SpatialDropout3D returns a layer that drops channels of volumes. Options: Name, Seed,
// DataFormat, DType.
func SpatialDropout3D(rate float64, opts ...Option) *NoiseLayer {
	return declare[*NoiseLayer]("SpatialDropout3D", []Option{set("Rate", rate)}, opts)
}

// GaussianNoise returns a layer that adds normal numbers of a standard deviation. Options:
// Name, Seed, DType.
func GaussianNoise(stddev float64, opts ...Option) *NoiseLayer {
	return declare[*NoiseLayer]("GaussianNoise", []Option{set("Stddev", stddev)}, opts)
}

// GaussianDropout returns a layer that multiplies by normal numbers of mean 1, whose
// variance is rate/(1-rate). Options: Name, Seed, DType.
func GaussianDropout(rate float64, opts ...Option) *NoiseLayer {
	return declare[*NoiseLayer]("GaussianDropout", []Option{set("Rate", rate)}, opts)
}

// AlphaDropout returns a layer that drops elements to the negative limit of selu, and keeps
// mean and variance (Klambauer et al., 2017). Options: Name, Seed, DType.
func AlphaDropout(rate float64, opts ...Option) *NoiseLayer {
	return declare[*NoiseLayer]("AlphaDropout", []Option{set("Rate", rate)}, opts)
}

// Build makes the state of the seed generator.
func (l *NoiseLayer) Build(b *Builder, inputs []Spec) (err error) {
	if l.rank > 0 {
		err = checkSpatial(inputs, l.rank)
	} else {
		err = checkOne(inputs, 1)
	}
	if err == nil && l.active() {
		l.state, err = b.SeedGenerator(l.seed)
	}
	return err
}

// active reports whether the layer changes anything.
func (l *NoiseLayer) active() bool { return l.opts.rate > 0 || l.opts.stddev > 0 }

// Call changes the input while training.
func (l *NoiseLayer) Call(c *Context, inputs []*graph.Node) []*graph.Node {
	x := graph.ConvertDType(inputs[0], l.ComputeDType())
	if !c.Training || !l.active() {
		return []*graph.Node{x}
	}
	key, next := random.Next(c.Value(l.state))
	c.Assign(l.state, next)
	return []*graph.Node{l.change(&l.opts, key, x)}
}

// dropChannels drops the same channels everywhere in a sample.
func dropChannels(o *options, key random.TracedKey, x *graph.Node) *graph.Node {
	if o.rate == 1 {
		return graph.ZerosLike(x)
	}
	dims := slices.Clone(x.Shape().Dimensions)
	for i := 1; i < len(dims)-1; i++ {
		dims[i] = 1
	}
	kept := graph.BroadcastToDims(key.Bernoulli(1-o.rate, dims...), x.Shape().Dimensions...)
	return graph.Where(kept, graph.Div(x, like(x, 1-o.rate)), graph.ZerosLike(x))
}

func addNoise(o *options, key random.TracedKey, x *graph.Node) *graph.Node {
	return graph.Add(x, key.Normal(x.DType(), 0, o.stddev, x.Shape().Dimensions...))
}

func gaussianDropout(o *options, key random.TracedKey, x *graph.Node) *graph.Node {
	return graph.Mul(x, key.Normal(x.DType(), 1, math.Sqrt(o.rate/(1-o.rate)), x.Shape().Dimensions...))
}

func alphaDropout(o *options, key random.TracedKey, x *graph.Node) *graph.Node {
	const low = -1.6732632423543772848170429916717 * 1.0507009873554804934193349852946 // of selu
	u := key.Uniform(dtypes.Float32, 0, 1, o.noiseDims(x)...)
	kept := graph.BroadcastToDims(graph.GreaterOrEqual(u, like(u, o.rate)), x.Shape().Dimensions...)
	a := 1 / math.Sqrt((1-o.rate)*(1+o.rate*low*low))
	return graph.AddScalar(graph.MulScalar(graph.Where(kept, x, like(x, low)), a), -a*low*o.rate)
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

// L1 sets the factor of the sum of absolute values.
func L1(factor float64) Option { return set("L1", factor) }

// L2 sets the factor of the sum of squares.
func L2(factor float64) Option { return set("L2", factor) }

func newActivityRegularization(d declared) *ActivityRegularizationLayer {
	d.activity = regularizers.L1L2(d.opts.l1, d.opts.l2)
	return &ActivityRegularizationLayer{declared: d}
}

// Call returns the input.
func (l *ActivityRegularizationLayer) Call(_ *Context, inputs []*graph.Node) []*graph.Node {
	return inputs
}
