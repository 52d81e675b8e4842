package layers

// This file defines the convolutions: Conv2D and DepthwiseConv2D. Images are
// channels last.

import (
	"fmt"
	"strings"

	"github.com/gomlx/compute"
	"github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/keras/variable"
)

// Conv2DLayer slides a kernel over images: keras.layers.Conv2D.
type Conv2DLayer struct {
	Base
	Filters int
	Kernel  *variable.Variable // [height, width, channels/groups, filters]
	Bias    *variable.Variable // [filters]; nil without bias
	opts    options
}

// Conv2D returns a convolution with the given number of filters and size of the
// kernel: one number, or height and width. Options: Name, Strides, Padding,
// DilationRate, Groups, Activation, UseBias, KernelInitializer,
// BiasInitializer, KernelRegularizer, BiasRegularizer, ActivityRegularizer,
// KernelConstraint, BiasConstraint, DType.
func Conv2D(filters int, kernelSize []int, opts ...Option) *Conv2DLayer {
	l := &Conv2DLayer{Filters: filters}
	l.opts = l.configureConv("Conv2D", kernelSize, opts, "Groups")
	if filters < 1 {
		l.fail("Conv2D: got %d filters, want a positive number", filters)
	} else if filters%l.opts.groups != 0 {
		l.fail("Conv2D: got %d filters in %d groups, want a multiple of the groups", filters, l.opts.groups)
	}
	return l
}

// Build makes kernel and bias.
func (l *Conv2DLayer) Build(b *Builder, inputs []Spec) error {
	if err := l.opts.window.check(inputs); err != nil {
		return err
	}
	channels := inputs[0].Shape[3]
	if channels%l.opts.groups != 0 {
		return fmt.Errorf("got an input of %d channels for %d groups, want a multiple of the groups", channels, l.opts.groups)
	}
	if channels > 0 {
		channels /= l.opts.groups
	}
	size := l.opts.window.size
	return b.kernelAndBias(&l.opts, []int{size[0], size[1], channels, l.Filters}, l.Filters, &l.Kernel, &l.Bias)
}

// Call convolves.
func (l *Conv2DLayer) Call(c *Context, inputs []*graph.Node) []*graph.Node {
	x := graph.ConvertDType(inputs[0], l.ComputeDType())
	return []*graph.Node{l.opts.convolve(c, x, c.Value(l.Kernel), l.opts.groups, l.Bias)}
}

// Config returns the options.
func (l *Conv2DLayer) Config() (map[string]any, error) {
	config, err := l.opts.convConfig("kernel_initializer")
	config["filters"], config["groups"] = l.Filters, l.opts.groups
	return config, err
}

// DepthwiseConv2DLayer convolves each channel separately:
// keras.layers.DepthwiseConv2D.
type DepthwiseConv2DLayer struct {
	Base
	Kernel *variable.Variable // [height, width, channels, depth multiplier]
	Bias   *variable.Variable // [channels · depth multiplier]; nil without bias
	opts   options
}

// DepthwiseConv2D returns a depthwise convolution with the given size of the
// kernel: one number, or height and width. Options: Name, Strides, Padding,
// DilationRate, DepthMultiplier, Activation, UseBias, KernelInitializer (Keras'
// depthwise_initializer), BiasInitializer, KernelRegularizer, BiasRegularizer,
// ActivityRegularizer, KernelConstraint, BiasConstraint, DType.
func DepthwiseConv2D(kernelSize []int, opts ...Option) *DepthwiseConv2DLayer {
	l := &DepthwiseConv2DLayer{}
	l.opts = l.configureConv("DepthwiseConv2D", kernelSize, opts, "DepthMultiplier")
	return l
}

// Build makes kernel and bias.
func (l *DepthwiseConv2DLayer) Build(b *Builder, inputs []Spec) error {
	if err := l.opts.window.check(inputs); err != nil {
		return err
	}
	channels, depth, size := inputs[0].Shape[3], l.opts.depthMultiplier, l.opts.window.size
	return b.kernelAndBias(&l.opts, []int{size[0], size[1], channels, depth}, channels*depth, &l.Kernel, &l.Bias)
}

// Call convolves, with a group for each channel.
func (l *DepthwiseConv2DLayer) Call(c *Context, inputs []*graph.Node) []*graph.Node {
	x := graph.ConvertDType(inputs[0], l.ComputeDType())
	kernel := c.Value(l.Kernel)
	d := kernel.Shape().Dimensions
	kernel = graph.Reshape(kernel, d[0], d[1], 1, d[2]*d[3])
	return []*graph.Node{l.opts.convolve(c, x, kernel, d[2], l.Bias)}
}

// Config returns the options.
func (l *DepthwiseConv2DLayer) Config() (map[string]any, error) {
	config, err := l.opts.convConfig("depthwise_initializer")
	config["depth_multiplier"] = l.opts.depthMultiplier
	return config, err
}

// configureConv applies the options that both convolutions take, and the one
// named own.
func (b *Base) configureConv(kind string, kernelSize []int, opts []Option, own string) options {
	defaults := []Option{KernelInitializer("glorot_uniform"), BiasInitializer("zeros"), Strides(1)}
	o := b.configure(kind, append(defaults, opts...), "Name", "Strides", "Padding", "DilationRate", own,
		"Activation", "UseBias", "KernelInitializer", "BiasInitializer", "DType",
		"KernelRegularizer", "BiasRegularizer", "ActivityRegularizer", "KernelConstraint", "BiasConstraint")
	var err error
	if o.window.size, err = pair(kernelSize); err != nil {
		b.fail("%s: kernel size: %w", kind, err)
	}
	return o
}

// kernelAndBias makes the variables of a convolution.
func (b *Builder) kernelAndBias(o *options, shape []int, outputs int, kernel, bias **variable.Variable) (err error) {
	if *kernel, err = b.AddWeight("kernel", shape, o.policy.variable, o.kernelInitializer, o.limits.of("kernel")...); err != nil || !o.useBias {
		return err
	}
	*bias, err = b.AddWeight("bias", []int{outputs}, o.policy.variable, o.biasInitializer, o.limits.of("bias")...)
	return err
}

// convolve returns activation(x * kernel + bias).
func (o *options) convolve(c *Context, x, kernel *graph.Node, groups int, bias *variable.Variable) *graph.Node {
	axes := compute.ConvolveAxesConfig{
		InputBatch: 0, InputSpatial: []int{1, 2}, InputChannels: 3,
		KernelSpatial: []int{0, 1}, KernelInputChannels: 2, KernelOutputChannels: 3,
		OutputBatch: 0, OutputSpatial: []int{1, 2}, OutputChannels: 3,
	}
	w := o.window
	y := graph.ConvGeneral(x, kernel, axes, w.strides[:], w.padding(x), nil, w.dilation[:], groups, 1)
	if bias != nil {
		y = graph.Add(y, broadcastLast(c.Value(bias), y))
	}
	return o.activation(y)
}

// broadcastLast broadcasts v, whose dimensions are the last ones of x, to the
// shape of x.
func broadcastLast(v, x *graph.Node) *graph.Node {
	return graph.BroadcastToShape(graph.ExpandLeftToRank(v, x.Rank()), x.Shape())
}

// convConfig returns the options that both convolutions have.
func (o *options) convConfig(kernel string) (map[string]any, error) {
	activation, err := o.activationName()
	config := map[string]any{
		"kernel_size": o.window.size, "strides": o.window.strides, "padding": o.window.paddingName(),
		"data_format": channelsLast, "dilation_rate": o.window.dilation, "activation": activation,
		"use_bias": o.useBias, kernel: o.kernelInitializer, "bias_initializer": o.biasInitializer,
	}
	o.limits.config(config, map[string]string{"kernel": strings.TrimSuffix(kernel, "_initializer"), "bias": "bias", "activity": "activity"})
	return config, err
}
