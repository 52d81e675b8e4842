package layers

// This file defines the core layers Dense, Activation, Masking, Lambda, Identity and Pipeline; and
// their options.

import (
	"fmt"

	"github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/keras/layers/internal/nodes"
	"github.com/gospmd/gospmd/keras/variable"
)

// coreClasses has the core layers, those of this file and EinsumDense: by the name of the class in
// Keras, how a layer is made of its options.
var coreClasses = map[string]class{
	"Activation": classOf(func(d declared, o *activationLayerOptions) Layer { return &ActivationLayer{declared: d, opts: o} }),
	"Dense":      classOf(func(d declared, o *denseOptions) Layer { return &DenseLayer{declared: d, opts: o, Units: o.Units} }),
	"EinsumDense": classOf(func(d declared, o *einsumOptions) Layer {
		return &EinsumDenseLayer{declared: d, opts: o}
	}),
	"Identity": classOf(func(d declared, _ *noOptions) Layer { return &IdentityLayer{declared: d} }),
	"Masking":  classOf(func(d declared, o *maskingOptions) Layer { return &MaskingLayer{d, o.MaskValue} }),
	"Pipeline": classOf(newPipeline),
}

// denseOptions holds the options of Dense: Units, the number of outputs, Activation, those of
// kernel and bias, ActivityRegularizer, LoraRank and LoraAlpha.
type denseOptions struct {
	Units int `argument:"units" want:"size"`
	activationOptions
	kernelOptions
	biasOptions
	activityOptions
	loraOptions
}

// activationLayerOptions holds the only option of the layer Activation: the function, which is an
// argument of NewActivation.
type activationLayerOptions struct {
	Activation activation `argument:"activation"`
}

// maskingOptions holds the only option of Masking: the value of the features of a step that is
// masked.
type maskingOptions struct {
	MaskValue float64 `argument:"mask_value"`
}

// pipelineOptions holds the only option of Pipeline: its layers, in order of their calls.
type pipelineOptions struct {
	Layers layerList[Layer] `argument:"layers"`
}

// DenseLayer computes activation(x · kernel + bias) over the last dimension:
// keras.layers.Dense.
type DenseLayer struct {
	declared
	keepsMask
	lora
	opts   *denseOptions
	Units  int
	Kernel *variable.Variable // [input features, units]
	Bias   *variable.Variable // [units]; nil without bias
}

// Dense returns a fully connected layer with the given number of outputs.
// Options: Name, Activation, UseBias, KernelInitializer, BiasInitializer,
// KernelRegularizer, BiasRegularizer, ActivityRegularizer, KernelConstraint,
// BiasConstraint, LoraRank, LoraAlpha, DType.
func Dense(units int, opts ...Option) *DenseLayer {
	return declare[*DenseLayer]("Dense", []Option{set("Units", units)}, opts)
}

// Build makes the kernel [features, units] and the bias [units], if there is one, for an input
// [batch, ..., features], and with LoraRank the adaptation of the kernel. Another number of inputs,
// features of unknown size, and LoraAlpha without LoraRank are errors.
func (l *DenseLayer) Build(b *Builder, inputs []Spec) error {
	if len(inputs) != 1 || len(inputs[0].Shape) < 2 {
		return fmt.Errorf("got inputs %v, want one of at least 2 dimensions: (batch, features)", inputs)
	}
	features := inputs[0].Shape[len(inputs[0].Shape)-1]
	var err error
	if l.Kernel, err = l.opts.Kernel.add(b, "kernel", []int{features, l.Units}, l.DType()); err != nil {
		return err
	}
	if l.opts.UseBias {
		if l.Bias, err = l.opts.Bias.add(b, "bias", []int{l.Units}, l.DType()); err != nil {
			return err
		}
	}
	return l.lora.build(b, l.Kernel, &l.opts.Kernel, &l.opts.loraOptions)
}

// Call returns one node, the activation of the product of the input and the kernel plus the bias:
// the input's dimensions with Units in place of the last.
func (l *DenseLayer) Call(c *Context, inputs []*graph.Node) []*graph.Node {
	x := graph.ConvertDType(inputs[0], l.ComputeDType())
	y := graph.DotGeneral(x, []int{x.Rank() - 1}, nil, l.adapted(c.Value), []int{0}, nil)
	if l.Bias != nil {
		y = graph.Add(y, nodes.BroadcastLast(c.Value(l.Bias), y))
	}
	return []*graph.Node{c.activate(l.opts.Activation, y)}
}

// ActivationLayer applies an activation function to its only input: keras.layers.Activation.
type ActivationLayer struct {
	declared
	keepsMask
	opts *activationLayerOptions
}

// NewActivation returns a layer that applies an activation: the name of one, or an
// activations.Func; an unknown name is an error of the layer. Options: Name.
//
// Keras calls this layer Activation, which is the name of an option here.
func NewActivation(activation any, opts ...Option) *ActivationLayer {
	return declare[*ActivationLayer]("Activation", []Option{Activation(activation)}, opts)
}

// Call returns one node, the activation function of the first input.
func (l *ActivationLayer) Call(c *Context, inputs []*graph.Node) []*graph.Node {
	return []*graph.Node{c.activate(l.opts.Activation, inputs[0])}
}

// MaskingLayer masks the steps whose features all equal MaskValue: keras.layers.Masking.
type MaskingLayer struct {
	declared
	MaskValue float64
}

// Masking returns a layer for inputs (batch, time, features). It masks the steps whose features all
// equal maskValue, and sets them to 0. Options: Name, DType.
func Masking(maskValue float64, opts ...Option) *MaskingLayer {
	return declare[*MaskingLayer]("Masking", []Option{set("MaskValue", maskValue)}, opts)
}

// Build returns an error unless there is one input of at least two dimensions.
func (l *MaskingLayer) Build(_ *Builder, inputs []Spec) error { return checkOne(inputs, 2) }

// Call returns one node: the input with 0 in all features of the masked steps.
func (l *MaskingLayer) Call(c *Context, inputs []*graph.Node) []*graph.Node {
	x := inputs[0]
	mask := graph.InsertAxes(l.ComputeMask(c, inputs, nil)[0], -1)
	return []*graph.Node{graph.Where(graph.BroadcastToDims(mask, x.Shape().Dimensions...), x, graph.ZerosLike(x))}
}

// ComputeMask returns one mask, bool [batch, time]: true for steps with a feature that differs from
// the mask value.
func (l *MaskingLayer) ComputeMask(_ *Context, inputs, _ []*graph.Node) []*graph.Node {
	x := inputs[0]
	value := graph.BroadcastToShape(graph.Scalar(x.Graph(), x.DType(), l.MaskValue), x.Shape())
	return []*graph.Node{graph.LogicalAny(graph.NotEqual(x, value), x.Rank()-1)}
}

// LambdaLayer applies a Go function: keras.layers.Lambda. A .keras archive cannot hold it, because
// it holds no code. Use functions of package ops in models that are saved.
type LambdaLayer struct {
	Base
	keepsMask
	f func(x *graph.Node) *graph.Node
}

// Lambda returns a layer that applies f to its only input. A nil f is an error of the layer.
// Options: Name, DType.
func Lambda(f func(x *graph.Node) *graph.Node, opts ...Option) *LambdaLayer {
	l := &LambdaLayer{f: f}
	l.configure("Lambda", opts)
	if f == nil {
		l.fail("Lambda: got a nil function, want one of a *graph.Node")
	}
	return l
}

// Build returns an error unless there is one input.
func (l *LambdaLayer) Build(_ *Builder, inputs []Spec) error { return checkOne(inputs, 1) }

// Call returns one node, the layer's function of the input.
func (l *LambdaLayer) Call(_ *Context, inputs []*graph.Node) []*graph.Node {
	return []*graph.Node{l.f(inputs[0])}
}

// IdentityLayer returns its input: keras.layers.Identity.
type IdentityLayer struct {
	declared
	keepsMask
}

// Identity returns a layer that returns its input. Options: Name, DType.
func Identity(opts ...Option) *IdentityLayer { return declare[*IdentityLayer]("Identity", opts) }

// Call returns the inputs unchanged.
func (l *IdentityLayer) Call(_ *Context, inputs []*graph.Node) []*graph.Node { return inputs }

// PipelineLayer runs layers one after the other: keras.layers.Pipeline.
type PipelineLayer struct {
	declared
	Layers []Layer
}

// Pipeline returns a layer that runs the layers ls one after the other, such as those that augment
// images. A layer that is nil is an error of the result. Options: Name.
func Pipeline(ls []Layer, opts ...Option) *PipelineLayer {
	return declare[*PipelineLayer]("Pipeline", []Option{set("Layers", ls)}, opts)
}

func newPipeline(d declared, o *pipelineOptions) Layer {
	for i, l := range o.Layers {
		if isNil(l) {
			d.fail("Pipeline: layer %d is nil: want a layer, such as layers.Rescaling(0.5)", i)
		}
	}
	return &PipelineLayer{declared: d, Layers: o.Layers}
}

// Call applies the layers one after the other to the inputs, and returns the outputs of the last
// one.
func (l *PipelineLayer) Call(c *Context, inputs []*graph.Node) []*graph.Node {
	for _, part := range l.Layers {
		inputs = c.ApplyAll(part, inputs...)
	}
	return inputs
}
