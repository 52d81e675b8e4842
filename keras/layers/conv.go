package layers

// This file defines the convolutions over one, two or three spatial dimensions,
// channels last: plain, transposed, depthwise and separable; and their options.

import (
	"fmt"
	"slices"

	"github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/internal/option"
	"github.com/gospmd/gospmd/keras/layers/internal/nodes"
	"github.com/gospmd/gospmd/keras/variable"
)

// convClasses has the convolutions: by the name of the class in Keras, how a layer is made of its
// options.
var convClasses = map[string]class{
	"Conv1D": classOf(func(d declared, o *convOptions) Layer { return newConv(d, o, 1) }),
	"Conv2D": classOf(func(d declared, o *convOptions) Layer { return newConv(d, o, 2) }),
	"Conv3D": classOf(func(d declared, o *convOptions) Layer { return newConv(d, o, 3) }),

	"Conv1DTranspose": classOf(func(d declared, o *convTransposeOptions) Layer { return newConvTranspose(d, o, 1) }),
	"Conv2DTranspose": classOf(func(d declared, o *convTransposeOptions) Layer { return newConvTranspose(d, o, 2) }),
	"Conv3DTranspose": classOf(func(d declared, o *convTransposeOptions) Layer { return newConvTranspose(d, o, 3) }),

	"DepthwiseConv1D": classOf(func(d declared, o *depthwiseOptions) Layer { return newDepthwiseConv(d, o, 1) }),
	"DepthwiseConv2D": classOf(func(d declared, o *depthwiseOptions) Layer { return newDepthwiseConv(d, o, 2) }),
	"SeparableConv1D": classOf(func(d declared, o *separableOptions) Layer { return newSeparableConv(d, o, 1) }),
	"SeparableConv2D": classOf(func(d declared, o *separableOptions) Layer { return newSeparableConv(d, o, 2) }),
}

// convWindowOptions holds the options of the window of a convolution: KernelSize, Strides, Padding,
// DilationRate and DataFormat.
type convWindowOptions struct {
	KernelSize   []int  `argument:"kernel_size" want:"sizes"`
	Strides      []int  `option:"strides" default:"1" want:"sizes"`
	Padding      string `option:"padding" default:"valid"`
	DilationRate []int  `option:"dilation_rate" default:"1" want:"sizes"`
	formatOptions
}

// window returns the window of a convolution over rank spatial dimensions. It extends size, strides
// and dilation to one number for each, also in the options. causal allows the padding "causal". A
// wrong option becomes the error of b.
func (o *convWindowOptions) window(b *Base, rank int, causal bool) nodes.Window {
	w := nodes.Window{Size: o.KernelSize, Strides: o.Strides, Dilation: o.DilationRate, Pad: o.Padding}
	toRank(b, &w, rank, causal)
	o.KernelSize, o.Strides, o.DilationRate = w.Size, w.Strides, w.Dilation
	return w
}

// convolutionOptions holds the options of all convolutions: those of the window, Activation, those
// of the bias and ActivityRegularizer.
type convolutionOptions struct {
	convWindowOptions
	activationOptions
	biasOptions
	activityOptions
}

// filterOptions holds the option Filters, the number of output channels of a convolution.
type filterOptions struct {
	Filters int `argument:"filters" want:"size"`
}

// convOptions holds the options of Conv1D, Conv2D and Conv3D: Filters, those of the kernel, Groups,
// LoraRank and LoraAlpha, and those in convolutionOptions.
type convOptions struct {
	filterOptions
	kernelOptions
	convolutionOptions
	Groups groupCount `option:"groups" default:"1"`
	loraOptions
}

// convTransposeOptions holds the options of the transposed convolutions: Filters, those of the
// kernel, OutputPadding, and those in convolutionOptions.
type convTransposeOptions struct {
	filterOptions
	kernelOptions
	convolutionOptions
	OutputPadding []int `option:"output_padding"` // nil for the default
}

// depthwiseOptions holds the options of the depthwise convolutions: DepthMultiplier, those of the
// kernel of each channel, and those in convolutionOptions.
type depthwiseOptions struct {
	DepthMultiplier int           `option:"depth_multiplier" default:"1" want:"size"`
	Depthwise       weightOptions `prefix:"depthwise" default:"glorot_uniform"`
	convolutionOptions
}

// separableOptions holds the options of the separable convolutions: Filters, those of the kernel
// that mixes channels, and those in depthwiseOptions.
type separableOptions struct {
	filterOptions
	Pointwise weightOptions `prefix:"pointwise" default:"glorot_uniform"`
	depthwiseOptions
}

// groupCount is a number of groups of channels. -1 makes a group of each channel.
type groupCount int

// Assign sets the number to v, a positive integer, an equal float64, or -1 for a group of each
// channel. Others, and numbers above option.MaxSize, are errors.
func (n *groupCount) Assign(v any) error {
	count, ok := v.(int)
	if x, isFloat := v.(float64); isFloat {
		count, ok = int(x), x == float64(int(x))
	}
	if !ok || count != -1 && (count < 1 || count > option.MaxSize) {
		return fmt.Errorf("got %v, want a positive number of at most %d", v, option.MaxSize)
	}
	*n = groupCount(count)
	return nil
}

// Read returns the number of groups, for the config.
func (n *groupCount) Read() any { return int(*n) }

// Strides sets the step of a window: one number for all dimensions, or one for each. The default is
// 1 for convolutions, and the window's size for poolings. Numbers below 1, and another count of
// numbers, are errors.
func Strides(n ...int) Option { return set("Strides", n) }

// DilationRate sets the distance between the elements of a convolution's kernel: one number for all
// dimensions, or one for each. The default is 1. Numbers below 1 are errors. So are numbers above 1
// of both strides and dilation, except in depthwise and separable convolutions.
func DilationRate(n ...int) Option { return set("DilationRate", n) }

// Padding sets the kind of padding of convolutions, poolings and STFTSpectrogram. "valid", the
// default, keeps windows within the input. With "same" the output has the size of the input divided
// by the strides, rounded up, or multiplied by them in a transposed convolution. "causal", only of
// Conv1D, pads at the start: an output depends on no later step. Others are errors.
func Padding(kind string) Option { return set("Padding", kind) }

// OutputPadding sets how many elements a transposed convolution adds at the end of each dimension
// of its output: one number for all dimensions, or one for each. Numbers that are negative or not
// below the strides are errors. By default the output has at least the size of the input times the
// strides.
func OutputPadding(n ...int) Option { return set("OutputPadding", n) }

// Groups sets the number of groups of channels. The default is 1 for convolutions, which convolve
// each group on its own, and 32 for GroupNormalization. There, -1 makes each channel a group. It
// must divide the channels and, in a convolution, the filters; other numbers below 1 are errors.
func Groups(n int) Option { return set("Groups", n) }

// DepthMultiplier sets how many outputs a depthwise or separable convolution computes of each
// channel of its input, which the latter then mixes: 1 by default. A number below 1 is an error.
func DepthMultiplier(n int) Option { return set("DepthMultiplier", n) }

// DepthwiseInitializer sets the initializer of the kernel that depthwise and separable convolutions
// apply to each channel, a name or an initializer: "glorot_uniform" by default.
func DepthwiseInitializer(init any) Option { return set("DepthwiseInitializer", init) }

// PointwiseInitializer sets the initializer of the kernel of a separable convolution that mixes
// channels, a name or an initializer: "glorot_uniform" by default.
func PointwiseInitializer(init any) Option { return set("PointwiseInitializer", init) }

// DepthwiseRegularizer adds to the loss a penalty on the kernel that depthwise and separable
// convolutions apply to each channel. r is a name or a regularizer; there is none by default.
func DepthwiseRegularizer(r any) Option { return set("DepthwiseRegularizer", r) }

// DepthwiseConstraint projects the kernel that depthwise and separable convolutions apply to each
// channel, after each step of the optimizer. c is a name or a constraint; there is none by default.
func DepthwiseConstraint(c any) Option { return set("DepthwiseConstraint", c) }

// PointwiseRegularizer adds to the loss a penalty on the second kernel of a separable convolution,
// which mixes channels. r is a name or a regularizer; there is none by default.
func PointwiseRegularizer(r any) Option { return set("PointwiseRegularizer", r) }

// PointwiseConstraint projects the second kernel of a separable convolution, which mixes channels,
// after each step of the optimizer. c is a name or a constraint; there is none by default.
func PointwiseConstraint(c any) Option { return set("PointwiseConstraint", c) }

// convolution is the common part of all convolutions: their variables, options and window.
type convolution struct {
	declared
	Filters int                // 0 for depthwise convolutions
	Kernel  *variable.Variable // [spatial dimensions…, inputs, outputs]
	Bias    *variable.Variable // nil without bias
	opts    *convolutionOptions
	window  nodes.Window
}

func newConvolution(d declared, o *convolutionOptions, filters, rank int, causal bool) convolution {
	l := convolution{declared: d, Filters: filters, opts: o}
	l.window = o.window(&l.Base, rank, causal)
	return l
}

// addKernel makes the kernel variable, with the window's size and then the dimensions channels, and
// the bias of that many outputs if the layer has one. It sets l.Kernel and l.Bias. Open sizes are
// an error.
func (l *convolution) addKernel(b *Builder, kernel *weightOptions, channels []int, outputs int) (err error) {
	if l.Kernel, err = kernel.add(b, "kernel", slices.Concat(l.window.Size, channels), l.DType()); err != nil {
		return err
	}
	return l.addBias(b, outputs)
}

// addBias makes the bias variable of that many outputs, and sets l.Bias, unless the option UseBias
// is false.
func (l *convolution) addBias(b *Builder, outputs int) (err error) {
	if l.opts.UseBias {
		l.Bias, err = l.opts.Bias.add(b, "bias", []int{outputs}, l.DType())
	}
	return err
}

// finish returns one node: y plus the bias, if the layer has one, with the activation applied.
func (l *convolution) finish(c *Context, y *graph.Node) []*graph.Node {
	if l.Bias != nil {
		y = graph.Add(y, nodes.BroadcastLast(c.Value(l.Bias), y))
	}
	return []*graph.Node{c.activate(l.opts.Activation, y)}
}

// ConvLayer convolves its input with a kernel [spatial dimensions…, channels/groups, filters]:
// keras.layers.Conv1D, Conv2D, Conv3D.
type ConvLayer struct {
	convolution
	lora
	opts *convOptions
}

// Conv1D returns a convolution over steps, with the given number of filters and size of
// the kernel, such as 3. Options: Name, Strides, Padding, DataFormat, DilationRate, Groups,
// Activation, UseBias, KernelInitializer, BiasInitializer, KernelRegularizer,
// BiasRegularizer, ActivityRegularizer, KernelConstraint, BiasConstraint, LoraRank, LoraAlpha,
// DType.
func Conv1D[S Sizes](filters int, kernelSize S, opts ...Option) *ConvLayer {
	return declare[*ConvLayer]("Conv1D", kernelOf(filters, kernelSize), opts)
}

// Conv2D returns a convolution over images. The size of the kernel is one number, or
// height and width: 3, or []int{3, 5}. Options: those of Conv1D.
func Conv2D[S Sizes](filters int, kernelSize S, opts ...Option) *ConvLayer {
	return declare[*ConvLayer]("Conv2D", kernelOf(filters, kernelSize), opts)
}

// Conv3D returns a convolution over volumes. The size of the kernel is one number, or
// depth, height and width. Options: those of Conv1D.
func Conv3D[S Sizes](filters int, kernelSize S, opts ...Option) *ConvLayer {
	return declare[*ConvLayer]("Conv3D", kernelOf(filters, kernelSize), opts)
}

func kernelOf[S Sizes](filters int, kernelSize S) []Option {
	return []Option{set("Filters", filters), set("KernelSize", sizesOf(kernelSize))}
}

func newConv(d declared, o *convOptions, rank int) *ConvLayer {
	l := &ConvLayer{convolution: newConvolution(d, &o.convolutionOptions, o.Filters, rank, rank == 1), opts: o}
	if o.Groups < 1 {
		l.fail("%s: Groups: got %d, want a positive number", l.class, o.Groups)
	} else if l.err == nil && l.Filters%int(o.Groups) != 0 {
		l.fail("%s: got %d filters in %d groups, want a multiple of the groups", l.class, l.Filters, o.Groups)
	}
	return l
}

// Build makes kernel and bias for the input's channels, and with LoraRank the adaptation of the
// kernel. Groups that do not divide the channels, an input of another rank or smaller than the
// window, strides and dilation that are both above 1, and LoraAlpha without LoraRank are errors.
func (l *ConvLayer) Build(b *Builder, inputs []Spec) error {
	if err := checkWindow(l.window, inputs); err != nil {
		return err
	}
	if err := l.window.CheckStrides(); err != nil {
		return err
	}
	channels := inputs[0].Shape[len(inputs[0].Shape)-1]
	if channels%int(l.opts.Groups) != 0 {
		return fmt.Errorf("got an input of %d channels for %d groups, want a multiple of the groups", channels, l.opts.Groups)
	}
	if channels > 0 {
		channels /= int(l.opts.Groups)
	}
	if err := l.addKernel(b, &l.opts.Kernel, []int{channels, l.Filters}, l.Filters); err != nil {
		return err
	}
	return l.lora.build(b, l.Kernel, &l.opts.Kernel, &l.opts.loraOptions)
}

// Call returns the convolution of the input with the kernel, plus the bias, with the activation
// applied.
func (l *ConvLayer) Call(c *Context, inputs []*graph.Node) []*graph.Node {
	x := graph.ConvertDType(inputs[0], l.ComputeDType())
	return l.finish(c, l.window.Convolve(x, l.adapted(c.Value), int(l.opts.Groups)))
}

// ConvTransposeLayer is the gradient of a convolution: each element of its input adds a
// kernel to the output. keras.layers.Conv1DTranspose, Conv2DTranspose, Conv3DTranspose.
// The kernel is [spatial dimensions…, filters, channels].
type ConvTransposeLayer struct {
	convolution
	opts *convTransposeOptions
}

// Conv1DTranspose returns a transposed convolution over steps, with the given number of
// filters and size of the kernel. Options: Name, Strides, Padding, OutputPadding,
// DataFormat, DilationRate, Activation, UseBias, KernelInitializer, BiasInitializer,
// KernelRegularizer, BiasRegularizer, ActivityRegularizer, KernelConstraint,
// BiasConstraint, DType.
func Conv1DTranspose[S Sizes](filters int, kernelSize S, opts ...Option) *ConvTransposeLayer {
	return declare[*ConvTransposeLayer]("Conv1DTranspose", kernelOf(filters, kernelSize), opts)
}

// Conv2DTranspose returns a transposed convolution over images. The size of the kernel is one
// number, or height and width. Options: those of Conv1DTranspose.
func Conv2DTranspose[S Sizes](filters int, kernelSize S, opts ...Option) *ConvTransposeLayer {
	return declare[*ConvTransposeLayer]("Conv2DTranspose", kernelOf(filters, kernelSize), opts)
}

// Conv3DTranspose returns a transposed convolution over volumes. The size of the kernel is one
// number, or depth, height and width. Options: those of Conv1DTranspose.
func Conv3DTranspose[S Sizes](filters int, kernelSize S, opts ...Option) *ConvTransposeLayer {
	return declare[*ConvTransposeLayer]("Conv3DTranspose", kernelOf(filters, kernelSize), opts)
}

func newConvTranspose(d declared, o *convTransposeOptions, rank int) *ConvTransposeLayer {
	l := &ConvTransposeLayer{newConvolution(d, &o.convolutionOptions, o.Filters, rank, false), o}
	if o.OutputPadding == nil {
		return l
	}
	l.toRank("OutputPadding", &o.OutputPadding, rank)
	for i, p := range o.OutputPadding {
		if p < 0 || p >= l.window.Strides[i] {
			l.fail("%s: got output padding %v for strides %v, want less in each dimension", l.class, o.OutputPadding, l.window.Strides)
		}
	}
	return l
}

// Build makes kernel and bias for the input's channels. An input of another rank, and strides and
// dilation that are both above 1, are errors.
func (l *ConvTransposeLayer) Build(b *Builder, inputs []Spec) error {
	if err := checkSpatial(inputs, len(l.window.Size)); err != nil {
		return err
	}
	if err := l.window.CheckStrides(); err != nil {
		return err
	}
	channels := inputs[0].Shape[len(inputs[0].Shape)-1]
	return l.addKernel(b, &l.opts.Kernel, []int{l.Filters, channels}, l.Filters)
}

// Call returns the transposed convolution of the input with the kernel, plus the bias, with the
// activation applied.
func (l *ConvTransposeLayer) Call(c *Context, inputs []*graph.Node) []*graph.Node {
	x := graph.ConvertDType(inputs[0], l.ComputeDType())
	return l.finish(c, l.window.ConvolveTransposed(x, c.Value(l.Kernel), l.opts.OutputPadding))
}

// DepthwiseConvLayer convolves each channel separately: keras.layers.DepthwiseConv1D,
// DepthwiseConv2D. The kernel is [spatial dimensions…, channels, depth multiplier].
type DepthwiseConvLayer struct {
	convolution
	opts *depthwiseOptions
}

// DepthwiseConv1D returns a depthwise convolution over steps with the given size of the
// kernel. Options: Name, Strides, Padding, DataFormat, DilationRate, DepthMultiplier,
// Activation, UseBias, DepthwiseInitializer, BiasInitializer, DepthwiseRegularizer,
// BiasRegularizer, ActivityRegularizer, DepthwiseConstraint, BiasConstraint, DType.
func DepthwiseConv1D[S Sizes](kernelSize S, opts ...Option) *DepthwiseConvLayer {
	return declare[*DepthwiseConvLayer]("DepthwiseConv1D", []Option{set("KernelSize", sizesOf(kernelSize))}, opts)
}

// DepthwiseConv2D returns a depthwise convolution over images. The size of the kernel is
// one number, or height and width. Options: those of DepthwiseConv1D.
func DepthwiseConv2D[S Sizes](kernelSize S, opts ...Option) *DepthwiseConvLayer {
	return declare[*DepthwiseConvLayer]("DepthwiseConv2D", []Option{set("KernelSize", sizesOf(kernelSize))}, opts)
}

func newDepthwiseConv(d declared, o *depthwiseOptions, rank int) *DepthwiseConvLayer {
	return &DepthwiseConvLayer{newConvolution(d, &o.convolutionOptions, 0, rank, false), o}
}

// Build makes the kernel, for each channel of the input DepthMultiplier filters, and the bias. An
// input of another rank, or smaller than the window, is an error.
func (l *DepthwiseConvLayer) Build(b *Builder, inputs []Spec) error {
	if err := checkWindow(l.window, inputs); err != nil {
		return err
	}
	channels, depth := inputs[0].Shape[len(inputs[0].Shape)-1], l.opts.DepthMultiplier
	return l.addKernel(b, &l.opts.Depthwise, []int{channels, depth}, channels*depth)
}

// Call returns the convolution of each channel of the input with its own kernels, plus the bias,
// with the activation applied.
func (l *DepthwiseConvLayer) Call(c *Context, inputs []*graph.Node) []*graph.Node {
	x := graph.ConvertDType(inputs[0], l.ComputeDType())
	return l.finish(c, l.window.Depthwise(x, c.Value(l.Kernel)))
}

// SeparableConvLayer convolves each channel on its own and then mixes the channels:
// keras.layers.SeparableConv1D, SeparableConv2D. The first kernel is [spatial dimensions…,
// channels, depth multiplier].
type SeparableConvLayer struct {
	convolution
	Pointwise *variable.Variable // [1…, channels · depth multiplier, filters]
	opts      *separableOptions
}

// SeparableConv1D returns a separable convolution over steps with the given number of
// filters and size of the kernel. Options: those of DepthwiseConv1D, and
// PointwiseInitializer, PointwiseRegularizer, PointwiseConstraint.
func SeparableConv1D[S Sizes](filters int, kernelSize S, opts ...Option) *SeparableConvLayer {
	return declare[*SeparableConvLayer]("SeparableConv1D", kernelOf(filters, kernelSize), opts)
}

// SeparableConv2D returns a separable convolution over images. The size of the kernel is one
// number, or height and width. Options: those of SeparableConv1D.
func SeparableConv2D[S Sizes](filters int, kernelSize S, opts ...Option) *SeparableConvLayer {
	return declare[*SeparableConvLayer]("SeparableConv2D", kernelOf(filters, kernelSize), opts)
}

func newSeparableConv(d declared, o *separableOptions, rank int) *SeparableConvLayer {
	return &SeparableConvLayer{convolution: newConvolution(d, &o.convolutionOptions, o.Filters, rank, false), opts: o}
}

// Build makes the depthwise and the pointwise kernel for the input's channels, and the bias. An
// input of another rank, or smaller than the window, is an error.
func (l *SeparableConvLayer) Build(b *Builder, inputs []Spec) (err error) {
	if err := checkWindow(l.window, inputs); err != nil {
		return err
	}
	channels, depth := inputs[0].Shape[len(inputs[0].Shape)-1], l.opts.DepthMultiplier
	depthwise := slices.Concat(l.window.Size, []int{channels, depth})
	if l.Kernel, err = l.opts.Depthwise.add(b, "depthwise_kernel", depthwise, l.DType()); err != nil {
		return err
	}
	mix := slices.Concat(slices.Repeat([]int{1}, len(l.window.Size)), []int{channels * depth, l.Filters})
	if l.Pointwise, err = l.opts.Pointwise.add(b, "pointwise_kernel", mix, l.DType()); err != nil {
		return err
	}
	return l.addBias(b, l.Filters)
}

// Call returns the convolution of each channel of the input on its own, with the channels mixed by
// the second kernel, plus the bias, with the activation applied.
func (l *SeparableConvLayer) Call(c *Context, inputs []*graph.Node) []*graph.Node {
	x := graph.ConvertDType(inputs[0], l.ComputeDType())
	y := l.window.Depthwise(x, c.Value(l.Kernel))
	rank := len(l.window.Size)
	return l.finish(c, graph.ConvGeneral(y, c.Value(l.Pointwise), nodes.ConvAxes(rank), nil, nil, nil, nil, 1, 1))
}
