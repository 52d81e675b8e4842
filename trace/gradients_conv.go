package trace

// This file implements the gradient of convolutions. It replaces GoMLX's, which is misaligned for
// windows of even size, and which splits a grouped convolution into one convolution for each group.
//
// The gradient of the input is a convolution. Without groups the gradient of the kernel is one,
// too. With groups it could be a convolution with batch groups, but XLA's partitioner aborts on
// some layouts of these, and its CPU backend multiplies every group with every other. So it is one
// dot product for each position of the kernel, with the groups as the batch dimension.

import (
	"slices"

	"github.com/gomlx/compute"
	"github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/ir"
)

// conv holds the attributes of a recorded convolution, for its gradients. Lists have one element
// for each spatial dimension; padLow is the padding before the first element.
type conv struct {
	axes                               compute.ConvolveAxesConfig
	strides, inputDilation, kernelStep []int // kernelStep is the dilation of the kernel
	padLow                             []int
	input, kernel, output              []int // sizes including dilation
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

// convVJP is the vjp of a convolution: it returns the gradients of the input and of the kernel. It
// leaves convolutions with batch groups to GoMLX; the gradients of this file contain none.
func convVJP(n, v node, op *ir.Op) []node {
	if op.Int("batch_group_count") > 1 {
		return gomlxConvVJP(n, []node{v}, n.Shape())
	}
	c := newConv(n, op)
	x, kernel := n.Inputs()[0], n.Inputs()[1]
	if c.groups > 1 {
		return []node{c.inputVJP(kernel, v), c.groupedKernelVJP(x, kernel, v)}
	}
	return []node{c.inputVJP(kernel, v), c.kernelVJP(x, v)}
}

var gomlxConvVJP = graph.VJPRegistration[graph.NodeTypeConvGeneral]

// inputVJP returns the gradient of the input: the convolution of v with the reversed kernel, whose
// channels are exchanged. The strides of the forward convolution become the dilation of v.
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

// groupsToInput returns the kernel with the groups moved from its output channels to its input
// channels: the channels (i, g·o) become (g·i, o). Without groups that is the kernel itself.
func (c conv) groupsToInput(kernel node) node {
	if c.groups == 1 {
		return kernel
	}
	in, out := c.axes.KernelInputChannels, c.axes.KernelOutputChannels
	dims := kernel.Shape().Dimensions
	split := slices.Insert(slices.Clone(dims), out, c.groups)
	split[out+1] /= c.groups
	from := out // the axis of the groups, and the axis that it is moved in front of
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

// kernelVJP returns the gradient of the kernel: the convolution of the input with v, with batch and
// channels exchanged, so that it sums over the batch.
func (c conv) kernelVJP(x, v node) node {
	axes := compute.ConvolveAxesConfig{
		InputBatch: c.axes.InputChannels, InputChannels: c.axes.InputBatch, InputSpatial: c.axes.InputSpatial,
		KernelInputChannels: c.axes.OutputBatch, KernelOutputChannels: c.axes.OutputChannels, KernelSpatial: c.axes.OutputSpatial,
		OutputBatch: c.axes.KernelInputChannels, OutputChannels: c.axes.KernelOutputChannels, OutputSpatial: c.axes.KernelSpatial,
	}
	return graph.ConvGeneral(x, v, axes, c.kernelStep, c.usedPadding(), c.inputDilation, c.strides, 1, 1)
}

// usedPadding returns, for each spatial dimension, the low and high padding of the input, without
// the part that no window covers.
func (c conv) usedPadding() [][2]int {
	padding := make([][2]int, len(c.strides))
	for i := range padding {
		padding[i] = [2]int{c.padLow[i], c.output[i] - c.input[i] + c.kernel[i] - 1 - c.padLow[i]}
	}
	return padding
}

// groupedKernelVJP returns the gradient of a kernel with groups. For each position of the kernel it
// is the product of v with the elements of x that are multiplied with this position, summed over
// the batch and the spatial dimensions.
func (c conv) groupedKernelVJP(x, kernel, v node) node {
	spatial := len(c.strides)
	x = c.channelsInGroups(c.padInput(x), c.axes.InputBatch, c.axes.InputChannels, c.axes.InputSpatial)
	v = c.channelsInGroups(v, c.axes.OutputBatch, c.axes.OutputChannels, c.axes.OutputSpatial)
	summed := make([]int, spatial+1) // the axes of the batch and of the spatial dimensions
	for i := range summed {
		summed[i] = i
	}
	dims := kernel.Shape().Dimensions
	positions := 1
	for _, axis := range c.axes.KernelSpatial {
		positions *= dims[axis]
	}
	products := make([]*graph.Node, positions) // each of shape (1, groups, inputs, outputs of a group)
	for p := range products {
		met := make([]graph.SliceAxisSpec, spatial+3)
		for i := range met {
			met[i] = graph.AxisRange()
		}
		rest := p
		for i := spatial - 1; i >= 0; i-- {
			size := dims[c.axes.KernelSpatial[i]]
			from := rest % size * c.kernelStep[i]
			rest /= size
			met[i+1] = graph.AxisRange(from, from+c.output[i]).Stride(c.strides[i])
		}
		products[p] = graph.InsertAxes(graph.DotGeneral(graph.Slice(x, met...), summed, []int{spatial + 1}, v, summed, []int{spatial + 1}), 0)
	}
	// the axes are positions, inputs, groups, outputs of a group
	d := graph.TransposeAllAxes(graph.Concatenate(products, 0), 0, 2, 1, 3)
	// The axes are (spatial…, inputs, outputs); the transpose puts them in the kernel's order.
	order := make([]int, len(dims))
	flat := make([]int, 0, len(dims))
	for i, axis := range slices.Concat(c.axes.KernelSpatial, []int{c.axes.KernelInputChannels, c.axes.KernelOutputChannels}) {
		flat = append(flat, dims[axis])
		order[axis] = i
	}
	return graph.TransposeAllAxes(graph.Reshape(d, flat...), order...)
}

// padInput returns x, the input, padded with zeros around its edges (usedPadding), and between its
// elements for the dilation of the input.
func (c conv) padInput(x node) node {
	pad := make([]graph.PadAxis, x.Rank())
	for i, p := range c.usedPadding() {
		pad[c.axes.InputSpatial[i]] = graph.PadAxis{Start: p[0], End: p[1], Interior: c.inputDilation[i] - 1}
	}
	return graph.Pad(x, graph.ScalarZero(x.Graph(), x.DType()), pad...)
}

// channelsInGroups returns x, whose axes are given, with the axes (batch, spatial…, groups,
// channels of a group).
func (c conv) channelsInGroups(x node, batch, channels int, spatial []int) node {
	x = graph.TransposeAllAxes(x, slices.Concat([]int{batch}, spatial, []int{channels})...)
	dims := slices.Clone(x.Shape().Dimensions)
	last := len(dims) - 1
	dims[last] /= c.groups
	return graph.Reshape(x, slices.Insert(dims, last, c.groups)...)
}
