package trace

// This file supplies the gradient of convolutions in place of GoMLX's, which is
// misaligned for windows of even size and splits a grouped convolution into
// one for each group. What is here stays one convolution for each operand.

import (
	"slices"

	"github.com/gomlx/compute"
	"github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/ir"
)

// conv holds the attributes of a recorded convolution, by spatial dimension.
type conv struct {
	axes                               compute.ConvolveAxesConfig
	strides, inputDilation, kernelStep []int // kernelStep is the kernel's dilation
	padLow                             []int
	input, kernel, output              []int // sizes with dilation
	groups                             int
}

func newConv(n node, op *ir.Op) conv {
	d := op.Attrs.Get("dimension_numbers").(*ir.ConvDims)
	c := conv{
		axes: compute.ConvolveAxesConfig{
			InputBatch: d.InputBatch, InputChannels: d.InputFeature, InputSpatial: d.InputSpatial,
			KernelInputChannels: d.KernelInputFeature, KernelOutputChannels: d.KernelOutputFeature, KernelSpatial: d.KernelSpatial,
			OutputBatch: d.OutputBatch, OutputChannels: d.OutputFeature, OutputSpatial: d.OutputSpatial,
		},
		strides:       op.Ints("window_strides"),
		inputDilation: op.Ints("lhs_dilation"),
		kernelStep:    op.Ints("rhs_dilation"),
		groups:        op.Int("feature_group_count"),
	}
	x, k := n.Inputs()[0].Shape().Dimensions, n.Inputs()[1].Shape().Dimensions
	spread := func(size, step int) int { return max(0, (size-1)*step+1) }
	for i, row := range op.Matrix("padding") {
		c.padLow = append(c.padLow, row[0])
		c.input = append(c.input, spread(x[d.InputSpatial[i]], c.inputDilation[i]))
		c.kernel = append(c.kernel, spread(k[d.KernelSpatial[i]], c.kernelStep[i]))
		c.output = append(c.output, spread(n.Shape().Dimensions[d.OutputSpatial[i]], c.strides[i]))
	}
	return c
}

// convVJP returns the gradients of input and kernel. With batch groups, which
// only second derivatives of grouped convolutions have, it leaves the work to
// GoMLX.
func convVJP(n, v node, op *ir.Op) []node {
	if op.Int("batch_group_count") > 1 {
		return gomlxConvVJP(n, []node{v}, n.Shape())
	}
	c := newConv(n, op)
	return []node{c.inputVJP(n.Inputs()[1], v), c.kernelVJP(n.Inputs()[0], v)}
}

var gomlxConvVJP = graph.VJPRegistration[graph.NodeTypeConvGeneral]

// inputVJP slides the kernel, turned around and with its channels exchanged,
// over v: strides of the one direction are holes in the input of the other.
func (c conv) inputVJP(kernel, v node) node {
	axes := compute.ConvolveAxesConfig{
		InputBatch: c.axes.OutputBatch, InputChannels: c.axes.OutputChannels, InputSpatial: c.axes.OutputSpatial,
		KernelInputChannels: c.axes.KernelOutputChannels, KernelOutputChannels: c.axes.KernelInputChannels, KernelSpatial: c.axes.KernelSpatial,
		OutputBatch: c.axes.InputBatch, OutputChannels: c.axes.InputChannels, OutputSpatial: c.axes.InputSpatial,
	}
	padding := make([][2]int, len(c.strides))
	for i := range padding {
		low := c.kernel[i] - 1 - c.padLow[i]
		padding[i] = [2]int{low, c.input[i] + c.kernel[i] - 1 - c.output[i] - low}
	}
	return graph.ConvGeneral(v, graph.Reverse(c.groupsToInput(kernel), c.axes.KernelSpatial...), axes,
		c.inputDilation, padding, c.strides, c.kernelStep, c.groups, 1)
}

// groupsToInput moves the groups from the kernel's output channels, g·o, to its
// input channels: (i, g·o) becomes (g·i, o).
func (c conv) groupsToInput(kernel node) node {
	if c.groups == 1 {
		return kernel
	}
	in, out := c.axes.KernelInputChannels, c.axes.KernelOutputChannels
	dims := kernel.Shape().Dimensions
	split := slices.Insert(slices.Clone(dims), out, c.groups)
	split[out+1] /= c.groups
	from := out // the axis of the groups, then that before which it goes
	to := in
	if in > out {
		to = in + 1
	}
	order := make([]int, 0, len(split))
	for i := range split {
		if i == to {
			order = append(order, from)
		}
		if i != from {
			order = append(order, i)
		}
	}
	merged := slices.Clone(dims)
	merged[in] *= c.groups
	merged[out] /= c.groups
	return graph.Reshape(graph.TransposeAllAxes(graph.Reshape(kernel, split...), order...), merged...)
}

// kernelVJP slides v over the input, with batch and channels exchanged, so that
// the batch is what is summed over.
func (c conv) kernelVJP(x, v node) node {
	axes := compute.ConvolveAxesConfig{
		InputBatch: c.axes.InputChannels, InputChannels: c.axes.InputBatch, InputSpatial: c.axes.InputSpatial,
		KernelInputChannels: c.axes.OutputBatch, KernelOutputChannels: c.axes.OutputChannels, KernelSpatial: c.axes.OutputSpatial,
		OutputBatch: c.axes.KernelInputChannels, OutputChannels: c.axes.KernelOutputChannels, OutputSpatial: c.axes.KernelSpatial,
	}
	padding := make([][2]int, len(c.strides))
	for i := range padding {
		padding[i] = [2]int{c.padLow[i], c.output[i] - c.input[i] + c.kernel[i] - 1 - c.padLow[i]}
	}
	return graph.ConvGeneral(x, v, axes, c.kernelStep, padding, c.inputDilation, c.strides, 1, c.groups)
}
