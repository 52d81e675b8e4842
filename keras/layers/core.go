package layers

// This file defines the layers Dense, Embedding, Activation, Dropout and
// Rescaling.

import (
	"fmt"
	"math"
	"slices"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/keras/random"
	"github.com/gospmd/gospmd/keras/variable"
)

// DenseLayer computes activation(x · kernel + bias) over the last dimension:
// keras.layers.Dense.
type DenseLayer struct {
	declared
	keepsMask
	Units  int
	Kernel *variable.Variable // [input features, units]
	Bias   *variable.Variable // [units]; nil without bias
}

// Dense returns a fully connected layer with the given number of outputs.
// Options: Name, Activation, UseBias, KernelInitializer, BiasInitializer,
// KernelRegularizer, BiasRegularizer, ActivityRegularizer, KernelConstraint,
// BiasConstraint, DType.
func Dense(units int, opts ...Option) *DenseLayer {
	return declare[*DenseLayer]("Dense", []Option{set("Units", units)}, opts)
}

// Build makes kernel and bias.
func (l *DenseLayer) Build(b *Builder, inputs []Spec) error {
	if len(inputs) != 1 || len(inputs[0].Shape) < 2 {
		return fmt.Errorf("got inputs %v, want one of at least 2 dimensions: (batch, features)", inputs)
	}
	features := inputs[0].Shape[len(inputs[0].Shape)-1]
	var err error
	if l.Kernel, err = b.AddWeight("kernel", []int{features, l.Units}, l.DType(), l.opts.kernelInitializer, l.opts.limits.of("kernel")...); err != nil {
		return err
	}
	if l.opts.useBias {
		l.Bias, err = b.AddWeight("bias", []int{l.Units}, l.DType(), l.opts.biasInitializer, l.opts.limits.of("bias")...)
	}
	return err
}

// Call computes the output.
func (l *DenseLayer) Call(c *Context, inputs []*graph.Node) []*graph.Node {
	x := graph.ConvertDType(inputs[0], l.ComputeDType())
	y := graph.DotGeneral(x, []int{x.Rank() - 1}, nil, c.Value(l.Kernel), []int{0}, nil)
	if l.Bias != nil {
		y = graph.Add(y, broadcastLast(c.Value(l.Bias), y))
	}
	return []*graph.Node{l.opts.activation(y)}
}

// EmbeddingLayer looks up the rows of a table: keras.layers.Embedding.
type EmbeddingLayer struct {
	declared
	InputDim, OutputDim int
	Embeddings          *variable.Variable // [input dim, output dim]
}

// Embedding returns a layer that replaces each number of its input, in
// [0, inputDim), by a row of a trained table. As in Keras on JAX, negative
// numbers count from the end, and numbers out of range give NaN; those of an input that the layer
// is applied to are an error before. Options: Name,
// EmbeddingsInitializer, EmbeddingsRegularizer, EmbeddingsConstraint,
// ActivityRegularizer, MaskZero, DType.
func Embedding(inputDim, outputDim int, opts ...Option) *EmbeddingLayer {
	return declare[*EmbeddingLayer]("Embedding", []Option{set("InputDim", inputDim), set("OutputDim", outputDim)}, opts)
}

// Build makes the table.
func (l *EmbeddingLayer) Build(b *Builder, inputs []Spec) (err error) {
	if err := checkOne(inputs, 1); err != nil {
		return err
	}
	l.Embeddings, err = b.AddWeight("embeddings", []int{l.InputDim, l.OutputDim}, l.DType(), l.opts.embeddingsInitializer, l.opts.limits.of("embeddings")...)
	return err
}

// Call looks up the rows.
func (l *EmbeddingLayer) Call(c *Context, inputs []*graph.Node) []*graph.Node {
	row := graph.ConvertDType(inputs[0], dtypes.Int32)
	g := row.Graph()
	number := func(n int) *graph.Node { return graph.BroadcastToShape(graph.Scalar(g, row.DType(), n), row.Shape()) }
	first, last := number(0), number(l.InputDim-1)
	row = graph.Where(graph.LessThan(row, first), graph.Add(row, number(l.InputDim)), row)
	outside := graph.LogicalOr(graph.LessThan(row, first), graph.GreaterThan(row, last))
	y := graph.Gather(c.StatelessScope.Value(l.Embeddings), graph.InsertAxes(graph.Where(outside, first, row), -1))
	y = graph.ConvertDType(y, l.ComputeDType())
	nan := graph.BroadcastToShape(graph.Scalar(g, y.DType(), math.NaN()), y.Shape())
	outside = graph.BroadcastToDims(graph.InsertAxes(outside, -1), y.Shape().Dimensions...)
	return []*graph.Node{graph.Where(outside, nan, y)}
}

// ActivationLayer applies an activation function: keras.layers.Activation.
type ActivationLayer struct {
	declared
	keepsMask
}

// NewActivation returns a layer that applies an activation: the name of one, or
// an activations.Func. Options: Name.
//
// Keras calls this layer Activation, which is the name of an option here.
func NewActivation(activation any, opts ...Option) *ActivationLayer {
	return declare[*ActivationLayer]("Activation", []Option{Activation(activation)}, opts)
}

// Call applies the function.
func (l *ActivationLayer) Call(_ *Context, inputs []*graph.Node) []*graph.Node {
	return []*graph.Node{l.opts.activation(inputs[0])}
}

// DropoutLayer sets random elements of its input to 0 while training:
// keras.layers.Dropout. The mask depends on the seed, on how often the layer was
// called, and on the global index of the element; it does not depend on the
// mesh.
type DropoutLayer struct {
	declared
	keepsMask
	Rate  float64
	seed  *random.SeedGenerator
	state *variable.Variable
}

// Dropout returns a layer that drops elements with probability rate, in [0, 1],
// and scales the others by 1/(1-rate). Options: Name, Seed, NoiseShape, DType.
func Dropout(rate float64, opts ...Option) *DropoutLayer {
	return declare[*DropoutLayer]("Dropout", []Option{set("Rate", rate)}, opts)
}

func newDropout(d declared) *DropoutLayer {
	l := &DropoutLayer{declared: d, Rate: d.opts.rate}
	if l.Rate > 0 {
		l.seed = d.opts.seedGenerator()
	}
	return l
}

// seedGenerator returns a generator with the seed of the option Seed, or with a
// new seed.
func (o *options) seedGenerator() *random.SeedGenerator {
	if o.seed != nil {
		return random.NewSeedGenerator(*o.seed)
	}
	return random.NewSeedGenerator(random.MakeDefaultSeed())
}

// Build makes the state of the seed generator.
func (l *DropoutLayer) Build(b *Builder, _ []Spec) (err error) {
	if l.Rate > 0 {
		l.state, err = b.SeedGenerator(l.seed)
	}
	return err
}

// Call drops elements while training.
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
	return []*graph.Node{graph.Where(kept, graph.Div(x, like(x, 1-l.Rate)), graph.ZerosLike(x))}
}

// noiseDims returns the shape of the mask of a dropout.
func (o *options) noiseDims(x *graph.Node) []int {
	dims := slices.Clone(x.Shape().Dimensions)
	if o.noiseShape == nil {
		return dims
	}
	if len(o.noiseShape) != len(dims) {
		panic(fmt.Errorf("got the noise shape %s for an input of %d dimensions, want as many sizes, the batch included: None is the input's", ShapeText(o.noiseShape), len(dims)))
	}
	for i, n := range o.noiseShape {
		if n != None && n != 1 && n != dims[i] {
			panic(fmt.Errorf("got the noise shape %s for an input of shape %v, want its sizes, 1 or None", ShapeText(o.noiseShape), dims))
		}
		if n != None {
			dims[i] = n
		}
	}
	return dims
}

// RescalingLayer computes x·scale + offset: keras.layers.Rescaling.
type RescalingLayer struct {
	declared
	keepsMask
}

// Rescaling returns a layer that computes x·scale + offset: a scale of 1/255
// maps bytes to [0, 1]. Options: Name, ScaleBy, Offset, DType.
func Rescaling(scale float64, opts ...Option) *RescalingLayer {
	return declare[*RescalingLayer]("Rescaling", []Option{ScaleBy(scale)}, opts)
}

// ScaleBy sets the factors of Rescaling, one for each channel, instead of one for all.
func ScaleBy(factors ...float64) Option { return set("ScaleBy", factors) }

// Build checks the input.
func (l *RescalingLayer) Build(_ *Builder, inputs []Spec) error {
	if err := checkOne(inputs, 1); err != nil {
		return err
	}
	shape := inputs[0].Shape
	for _, a := range []*array{l.opts.scaleBy, l.opts.offset} {
		for i := range a.dims {
			at := len(shape) - 1 - i
			if n := a.dims[len(a.dims)-1-i]; at < 0 || n != 1 && shape[at] >= 0 && n != shape[at] {
				return fmt.Errorf("got numbers of shape %v for an input of shape %s, want one, or one for each channel", a.dims, ShapeText(shape))
			}
		}
	}
	return nil
}

// Call scales.
func (l *RescalingLayer) Call(_ *Context, inputs []*graph.Node) []*graph.Node {
	x := graph.ConvertDType(inputs[0], l.ComputeDType())
	return []*graph.Node{graph.Add(graph.Mul(x, l.opts.scaleBy.like(x)), l.opts.offset.like(x))}
}
