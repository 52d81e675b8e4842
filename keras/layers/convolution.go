package layers

// This file defines the convolutions over one, two or three spatial dimensions,
// channels last: plain, transposed, depthwise and separable.

import (
	"fmt"
	"slices"

	"github.com/gomlx/compute"
	"github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/keras/initializers"
	"github.com/gospmd/gospmd/keras/variable"
)

// convolution is the part that all convolutions have.
type convolution struct {
	declared
	Filters int                // 0 for depthwise convolutions
	Kernel  *variable.Variable // [spatial dimensions…, inputs, outputs]
	Bias    *variable.Variable // nil without bias
}

func newConvolution(d declared, rank int, causal bool) convolution {
	d.opts.window.toRank(&d.Base, rank, causal)
	return convolution{declared: d, Filters: d.opts.filters}
}

// kernelAndBias makes the variables of a convolution. The regularizer and the
// constraint of the kernel are those of the option KIND_regularizer.
func (l *convolution) kernelAndBias(b *Builder, kind, name string, channels []int, outputs int) (err error) {
	shape := slices.Concat(l.opts.window.size, channels)
	if l.Kernel, err = b.AddWeight(name, shape, l.DType(), l.opts.kernelInitializer, l.opts.limits.of(kind)...); err != nil || !l.opts.useBias {
		return err
	}
	l.Bias, err = b.AddWeight("bias", []int{outputs}, l.DType(), l.opts.biasInitializer, l.opts.limits.of("bias")...)
	return err
}

// finish returns activation(y + bias).
func (l *convolution) finish(c *Context, y *graph.Node) []*graph.Node {
	if l.Bias != nil {
		y = graph.Add(y, broadcastLast(c.Value(l.Bias), y))
	}
	return []*graph.Node{l.opts.activation(y)}
}

// convolve slides a kernel [spatial dimensions…, inputs, outputs] over x.
func (w window) convolve(x, kernel *graph.Node, groups int) *graph.Node {
	return graph.ConvGeneral(x, kernel, convAxes(len(w.size)), w.strides, w.padding(x), nil, w.dilation, groups, 1)
}

// convAxes returns the meaning of the axes of a convolution.
func convAxes(rank int) compute.ConvolveAxesConfig {
	spatial := spatialAxes(rank)
	kernel := make([]int, rank)
	for i := range kernel {
		kernel[i] = i
	}
	return compute.ConvolveAxesConfig{
		InputBatch: 0, InputSpatial: spatial, InputChannels: rank + 1,
		KernelSpatial: kernel, KernelInputChannels: rank, KernelOutputChannels: rank + 1,
		OutputBatch: 0, OutputSpatial: spatial, OutputChannels: rank + 1,
	}
}

// broadcastLast broadcasts v, whose dimensions are the last ones of x, to the
// shape of x.
func broadcastLast(v, x *graph.Node) *graph.Node {
	return graph.BroadcastToShape(graph.ExpandLeftToRank(v, x.Rank()), x.Shape())
}

// ConvLayer slides a kernel over its input: keras.layers.Conv1D, Conv2D, Conv3D. The
// kernel is [spatial dimensions…, channels/groups, filters].
type ConvLayer struct{ convolution }

// Conv1D returns a convolution over steps, with the given number of filters and size of
// the kernel, such as 3. Options: Name, Strides, Padding, DataFormat, DilationRate, Groups,
// Activation, UseBias, KernelInitializer, BiasInitializer, KernelRegularizer,
// BiasRegularizer, ActivityRegularizer, KernelConstraint, BiasConstraint, DType.
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

func newConv(d declared, rank int) *ConvLayer {
	l := &ConvLayer{newConvolution(d, rank, rank == 1)}
	if l.opts.groups < 1 {
		l.fail("%s: Groups: got %d, want a positive number", l.class, l.opts.groups)
	} else if l.err == nil && l.Filters%l.opts.groups != 0 {
		l.fail("%s: got %d filters in %d groups, want a multiple of the groups", l.class, l.Filters, l.opts.groups)
	}
	return l
}

// Build makes kernel and bias.
func (l *ConvLayer) Build(b *Builder, inputs []Spec) error {
	if err := l.opts.window.check(inputs); err != nil {
		return err
	}
	if err := l.opts.window.checkStrides(); err != nil {
		return err
	}
	channels := inputs[0].Shape[len(inputs[0].Shape)-1]
	if channels%l.opts.groups != 0 {
		return fmt.Errorf("got an input of %d channels for %d groups, want a multiple of the groups", channels, l.opts.groups)
	}
	if channels > 0 {
		channels /= l.opts.groups
	}
	return l.kernelAndBias(b, "kernel", "kernel", []int{channels, l.Filters}, l.Filters)
}

// Call convolves.
func (l *ConvLayer) Call(c *Context, inputs []*graph.Node) []*graph.Node {
	x := graph.ConvertDType(inputs[0], l.ComputeDType())
	return l.finish(c, l.opts.window.convolve(x, c.Value(l.Kernel), l.opts.groups))
}

// ConvTransposeLayer is the gradient of a convolution: each element of its input adds a
// kernel to the output. keras.layers.Conv1DTranspose, Conv2DTranspose, Conv3DTranspose.
// The kernel is [spatial dimensions…, filters, channels].
type ConvTransposeLayer struct{ convolution }

// Conv1DTranspose returns a transposed convolution over steps, with the given number of
// filters and size of the kernel. Options: Name, Strides, Padding, OutputPadding,
// DataFormat, DilationRate, Activation, UseBias, KernelInitializer, BiasInitializer,
// KernelRegularizer, BiasRegularizer, ActivityRegularizer, KernelConstraint,
// BiasConstraint, DType.
func Conv1DTranspose[S Sizes](filters int, kernelSize S, opts ...Option) *ConvTransposeLayer {
	return declare[*ConvTransposeLayer]("Conv1DTranspose", kernelOf(filters, kernelSize), opts)
}

// Conv2DTranspose returns a transposed convolution over images. Options: those of
// Conv1DTranspose.
func Conv2DTranspose[S Sizes](filters int, kernelSize S, opts ...Option) *ConvTransposeLayer {
	return declare[*ConvTransposeLayer]("Conv2DTranspose", kernelOf(filters, kernelSize), opts)
}

// Conv3DTranspose returns a transposed convolution over volumes. Options: those of
// Conv1DTranspose.
func Conv3DTranspose[S Sizes](filters int, kernelSize S, opts ...Option) *ConvTransposeLayer {
	return declare[*ConvTransposeLayer]("Conv3DTranspose", kernelOf(filters, kernelSize), opts)
}

func newConvTranspose(d declared, rank int) *ConvTransposeLayer {
	l := &ConvTransposeLayer{newConvolution(d, rank, false)}
	if l.opts.outputPadding == nil {
		return l
	}
	l.toRank("OutputPadding", &l.opts.outputPadding, rank)
	for i, p := range l.opts.outputPadding {
		if p < 0 || p >= l.opts.window.strides[i] {
			l.fail("%s: got output padding %v for strides %v, want less in each dimension", l.class, l.opts.outputPadding, l.opts.window.strides)
		}
	}
	return l
}

// Build makes kernel and bias.
func (l *ConvTransposeLayer) Build(b *Builder, inputs []Spec) error {
	if err := checkSpatial(inputs, len(l.opts.window.size)); err != nil {
		return err
	}
	if err := l.opts.window.checkStrides(); err != nil {
		return err
	}
	channels := inputs[0].Shape[len(inputs[0].Shape)-1]
	return l.kernelAndBias(b, "kernel", "kernel", []int{l.Filters, channels}, l.Filters)
}

// Call convolves.
func (l *ConvTransposeLayer) Call(c *Context, inputs []*graph.Node) []*graph.Node {
	x := graph.ConvertDType(inputs[0], l.ComputeDType())
	return l.finish(c, l.opts.window.convolveTransposed(x, c.Value(l.Kernel), l.opts.outputPadding))
}

// convolveTransposed convolves with the kernel [spatial dimensions…, outputs, inputs] turned
// around, over x with holes of the strides.
func (w window) convolveTransposed(x, kernel *graph.Node, outputPadding []int) *graph.Node {
	axes := convAxes(len(w.size))
	axes.KernelInputChannels, axes.KernelOutputChannels = axes.KernelOutputChannels, axes.KernelInputChannels
	kernel = graph.Reverse(kernel, axes.KernelSpatial...)
	return graph.ConvGeneral(x, kernel, axes, nil, w.paddingTransposed(outputPadding), w.strides, w.dilation, 1, 1)
}

// paddingTransposed returns how many elements are added at both edges of the input with its holes:
// keras.src.backend.common.backend_utils' rule for JAX.
func (w window) paddingTransposed(outputPadding []int) [][2]int {
	out := make([][2]int, len(w.size))
	for i := range out {
		size, stride := w.spread(i), w.strides[i]
		if w.pad == "valid" {
			more := max(size, stride) - size
			if outputPadding != nil {
				more = outputPadding[i]
			}
			out[i] = [2]int{size - 1, size - 1 + more}
			continue
		}
		total := stride + size - 2
		if outputPadding != nil {
			total = size + size%2 - 2 + outputPadding[i]
		}
		left := min(total/2+total%2, size-1)
		out[i] = [2]int{left, total - left}
	}
	return out
}

// DepthwiseConvLayer convolves each channel separately: keras.layers.DepthwiseConv1D,
// DepthwiseConv2D. The kernel is [spatial dimensions…, channels, depth multiplier].
type DepthwiseConvLayer struct{ convolution }

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

func newDepthwiseConv(d declared, rank int) *DepthwiseConvLayer {
	return &DepthwiseConvLayer{newConvolution(d, rank, false)}
}

// Build makes kernel and bias.
func (l *DepthwiseConvLayer) Build(b *Builder, inputs []Spec) error {
	if err := l.opts.window.check(inputs); err != nil {
		return err
	}
	channels, depth := inputs[0].Shape[len(inputs[0].Shape)-1], l.opts.depthMultiplier
	return l.kernelAndBias(b, "depthwise", "kernel", []int{channels, depth}, channels*depth)
}

// Call convolves.
func (l *DepthwiseConvLayer) Call(c *Context, inputs []*graph.Node) []*graph.Node {
	x := graph.ConvertDType(inputs[0], l.ComputeDType())
	return l.finish(c, l.opts.window.depthwise(x, c.Value(l.Kernel)))
}

// depthwise convolves with a group for each channel.
func (w window) depthwise(x, kernel *graph.Node) *graph.Node {
	d := kernel.Shape().Dimensions
	rank := len(d) - 2
	kernel = graph.Reshape(kernel, slices.Concat(d[:rank], []int{1, d[rank] * d[rank+1]})...)
	return w.convolve(x, kernel, d[rank])
}

// SeparableConvLayer convolves each channel separately and then mixes the channels:
// keras.layers.SeparableConv1D, SeparableConv2D. Kernel is [spatial dimensions…,
// channels, depth multiplier].
type SeparableConvLayer struct {
	convolution
	Pointwise *variable.Variable // [1…, channels · depth multiplier, filters]
}

// SeparableConv1D returns a separable convolution over steps with the given number of
// filters and size of the kernel. Options: those of DepthwiseConv1D, and
// PointwiseInitializer, PointwiseRegularizer, PointwiseConstraint.
func SeparableConv1D[S Sizes](filters int, kernelSize S, opts ...Option) *SeparableConvLayer {
	return declare[*SeparableConvLayer]("SeparableConv1D", kernelOf(filters, kernelSize), opts)
}

// SeparableConv2D returns a separable convolution over images. Options: those of
// SeparableConv1D.
func SeparableConv2D[S Sizes](filters int, kernelSize S, opts ...Option) *SeparableConvLayer {
	return declare[*SeparableConvLayer]("SeparableConv2D", kernelOf(filters, kernelSize), opts)
}

func newSeparableConv(d declared, rank int) *SeparableConvLayer {
	return &SeparableConvLayer{convolution: newConvolution(d, rank, false)}
}

// Build makes both kernels and the bias.
func (l *SeparableConvLayer) Build(b *Builder, inputs []Spec) (err error) {
	if err := l.opts.window.check(inputs); err != nil {
		return err
	}
	channels, depth := inputs[0].Shape[len(inputs[0].Shape)-1], l.opts.depthMultiplier
	add := func(to **variable.Variable, kind, name string, shape []int, init initializers.Initializer) {
		if err == nil {
			*to, err = b.AddWeight(name, shape, l.DType(), init, l.opts.limits.of(kind)...)
		}
	}
	add(&l.Kernel, "depthwise", "depthwise_kernel", slices.Concat(l.opts.window.size, []int{channels, depth}), l.opts.kernelInitializer)
	mix := slices.Concat(slices.Repeat([]int{1}, len(l.opts.window.size)), []int{channels * depth, l.Filters})
	add(&l.Pointwise, "pointwise", "pointwise_kernel", mix, l.opts.pointwiseInitializer)
	if l.opts.useBias {
		add(&l.Bias, "bias", "bias", []int{l.Filters}, l.opts.biasInitializer)
	}
	return err
}

// Call convolves and mixes.
func (l *SeparableConvLayer) Call(c *Context, inputs []*graph.Node) []*graph.Node {
	x := graph.ConvertDType(inputs[0], l.ComputeDType())
	y := l.opts.window.depthwise(x, c.Value(l.Kernel))
	rank := len(l.opts.window.size)
	return l.finish(c, graph.ConvGeneral(y, c.Value(l.Pointwise), convAxes(rank), nil, nil, nil, nil, 1, 1))
}
