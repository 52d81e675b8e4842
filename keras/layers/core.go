package layers

// This file defines the layers Dense, Embedding, Activation, Dropout and
// Rescaling.

import (
	"fmt"
	"math"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/keras/random"
	"github.com/gospmd/gospmd/keras/variable"
)

// DenseLayer computes activation(x · kernel + bias) over the last dimension:
// keras.layers.Dense.
type DenseLayer struct {
	Base
	keepsMask
	Units  int
	Kernel *variable.Variable // [input features, units]
	Bias   *variable.Variable // [units]; nil without bias
	opts   options
}

// Dense returns a fully connected layer with the given number of outputs.
// Options: Name, Activation, UseBias, KernelInitializer, BiasInitializer,
// KernelRegularizer, BiasRegularizer, ActivityRegularizer, KernelConstraint,
// BiasConstraint, DType.
func Dense(units int, opts ...Option) *DenseLayer {
	l := &DenseLayer{Units: units}
	l.opts = l.configure("Dense", append([]Option{KernelInitializer("glorot_uniform"), BiasInitializer("zeros")}, opts...),
		append([]string{"Name", "Activation", "UseBias", "KernelInitializer", "BiasInitializer", "DType"}, weightLimits...)...)
	if units < 1 {
		l.fail("Dense: got %d units, want a positive number", units)
	}
	return l
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

// Config returns the options.
func (l *DenseLayer) Config() (map[string]any, error) {
	activation, err := l.opts.activationName()
	config := map[string]any{
		"units": l.Units, "activation": activation, "use_bias": l.opts.useBias,
		"kernel_initializer": l.opts.kernelInitializer, "bias_initializer": l.opts.biasInitializer,
	}
	l.opts.limits.config(config, map[string]string{"kernel": "kernel", "bias": "bias", "activity": "activity"})
	return config, err
}

// EmbeddingLayer looks up the rows of a table: keras.layers.Embedding.
type EmbeddingLayer struct {
	Base
	InputDim, OutputDim int
	Embeddings          *variable.Variable // [input dim, output dim]
	opts                options
}

// Embedding returns a layer that replaces each number of its input, in
// [0, inputDim), by a row of a trained table. As in Keras on JAX, negative
// numbers count from the end, and numbers out of range give NaN. Options: Name,
// EmbeddingsInitializer, EmbeddingsRegularizer, EmbeddingsConstraint,
// ActivityRegularizer, MaskZero, DType.
func Embedding(inputDim, outputDim int, opts ...Option) *EmbeddingLayer {
	l := &EmbeddingLayer{InputDim: inputDim, OutputDim: outputDim}
	l.opts = l.configure("Embedding", append([]Option{EmbeddingsInitializer("uniform")}, opts...),
		"Name", "EmbeddingsInitializer", "EmbeddingsRegularizer", "EmbeddingsConstraint", "ActivityRegularizer", "MaskZero", "DType")
	if inputDim < 1 || outputDim < 1 {
		l.fail("Embedding: got a table of %d rows and %d columns, want positive numbers", inputDim, outputDim)
	} else if inputDim > math.MaxInt32 {
		l.fail("Embedding: got a table of %d rows, want at most %d: rows are numbered in int32", inputDim, math.MaxInt32)
	}
	return l
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

// Config returns the options.
func (l *EmbeddingLayer) Config() (map[string]any, error) {
	config := map[string]any{
		"input_dim": l.InputDim, "output_dim": l.OutputDim, "embeddings_initializer": l.opts.embeddingsInitializer, "mask_zero": l.opts.maskZero,
	}
	l.opts.limits.config(config, map[string]string{"embeddings": "embeddings", "activity": "activity"})
	return config, nil
}

// ActivationLayer applies an activation function: keras.layers.Activation.
type ActivationLayer struct {
	Base
	keepsMask
	opts options
}

// NewActivation returns a layer that applies an activation: the name of one, or
// an activations.Func. Options: Name.
//
// Keras calls this layer Activation, which is the name of an option here.
func NewActivation(activation any, opts ...Option) *ActivationLayer {
	l := &ActivationLayer{}
	l.opts = l.configure("Activation", append([]Option{Activation(activation)}, opts...), "Name", "Activation")
	return l
}

// Call applies the function.
func (l *ActivationLayer) Call(_ *Context, inputs []*graph.Node) []*graph.Node {
	return []*graph.Node{l.opts.activation(inputs[0])}
}

// Config returns the options.
func (l *ActivationLayer) Config() (map[string]any, error) {
	activation, err := l.opts.activationName()
	return map[string]any{"activation": activation}, err
}

// DropoutLayer sets random elements of its input to 0 while training:
// keras.layers.Dropout. The mask depends on the seed, on how often the layer was
// called, and on the global index of the element; it does not depend on the
// mesh.
type DropoutLayer struct {
	Base
	keepsMask
	Rate float64

	seed       *random.SeedGenerator
	seedOption any // the argument of Seed, nil without one
	state      *variable.Variable
}

// Dropout returns a layer that drops elements with probability rate, in [0, 1],
// and scales the others by 1/(1-rate). Options: Name, Seed.
func Dropout(rate float64, opts ...Option) *DropoutLayer {
	l := &DropoutLayer{Rate: rate}
	o := l.configure("Dropout", opts, "Name", "Seed")
	if !(rate >= 0 && rate <= 1) {
		l.fail("Dropout: got rate %g, want a probability in [0, 1]", rate)
	}
	l.seed, l.seedOption = o.seedGenerator(), o.seedConfig()
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
	return []*graph.Node{key.Dropout(x, l.Rate)}
}

// Config returns the options.
func (l *DropoutLayer) Config() (map[string]any, error) {
	return map[string]any{"rate": l.Rate, "seed": l.seedOption, "noise_shape": nil}, nil
}

// RescalingLayer computes x·scale + offset: keras.layers.Rescaling.
type RescalingLayer struct {
	Base
	keepsMask
	Scale float64
	opts  options
}

// Rescaling returns a layer that computes x·scale + offset: a scale of 1/255
// maps bytes to [0, 1]. Options: Name, Offset, DType.
func Rescaling(scale float64, opts ...Option) *RescalingLayer {
	l := &RescalingLayer{Scale: scale}
	l.opts = l.configure("Rescaling", opts, "Name", "Offset", "DType")
	return l
}

// Build checks the number of inputs.
func (l *RescalingLayer) Build(_ *Builder, inputs []Spec) error { return checkOne(inputs, 1) }

// Call scales.
func (l *RescalingLayer) Call(_ *Context, inputs []*graph.Node) []*graph.Node {
	x := graph.ConvertDType(inputs[0], l.ComputeDType())
	return []*graph.Node{graph.AddScalar(graph.MulScalar(x, l.Scale), l.opts.offset)}
}

// Config returns the options.
func (l *RescalingLayer) Config() (map[string]any, error) {
	return map[string]any{"scale": l.Scale, "offset": l.opts.offset}, nil
}
