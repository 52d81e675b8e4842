package nodes

// This file defines windows that move over the spatial dimensions of an input, and the
// convolutions and poolings of them. Inputs are channels last.

import (
	"fmt"
	"slices"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"
)

// SpatialNames has, by the number of spatial dimensions, their names.
var SpatialNames = [][]string{1: {"steps"}, 2: {"height", "width"}, 3: {"depth", "height", "width"}}

// Window is the geometry of a window that moves over the spatial dimensions of an input. Its lists
// have an element for each of them.
type Window struct {
	Size, Strides, Dilation []int
	Pad                     string // valid, same or causal
}

// Spread returns the size of the window along a dimension, including the gaps of its dilation.
func (w Window) Spread(dim int) int { return (w.Size[dim]-1)*w.Dilation[dim] + 1 }

// padding returns how many elements are added at both edges of each spatial dimension of x. For
// "same" the output has the size of the input divided by the strides, rounded up; if the number of
// added elements is odd, the larger part is at the end. For "causal" all are at the start. For
// "valid" there are none, and it panics if x is smaller than the window.
func (w Window) padding(x *graph.Node) [][2]int {
	out := make([][2]int, len(w.Size))
	if w.Pad == "valid" {
		if err := w.CheckFits(x.Shape().Dimensions); err != nil {
			panic(err)
		}
	}
	for dim := range out {
		in, stride := x.Shape().Dimensions[1+dim], w.Strides[dim]
		switch w.Pad {
		case "same":
			total := max(0, ((in+stride-1)/stride-1)*stride+w.Spread(dim)-in)
			out[dim] = [2]int{total / 2, total - total/2}
		case "causal":
			out[dim][0] = w.Spread(dim) - 1
		}
	}
	return out
}

// CheckStrides returns an error if a number of the strides and a number of the dilation are above
// 1, also those of different dimensions.
func (w Window) CheckStrides() error {
	for dim := range w.Strides {
		for other := range w.Dilation {
			if w.Strides[dim] > 1 && w.Dilation[other] > 1 {
				return fmt.Errorf("got strides %v and dilation rate %v: one of them must be 1", w.Strides, w.Dilation)
			}
		}
	}
	return nil
}

// CheckFits returns an error if w.Pad is valid and the window is larger than an input of the shape,
// [batch, spatial dimensions…]. It skips sizes that are unknown (-1): they are checked when the
// model runs.
func (w Window) CheckFits(shape []int) error {
	for dim, name := range SpatialNames[len(w.Size)] {
		if in := shape[1+dim]; w.Pad == "valid" && in >= 0 && in < w.Spread(dim) {
			return fmt.Errorf("the window is larger than the input %s: its %s is %d, the input's %d; make it smaller or use Padding(\"same\")",
				ShapeText(shape), name, w.Spread(dim), in)
		}
	}
	return nil
}

// SpatialAxes returns the spatial dimensions of an input: 1 to rank.
func SpatialAxes(rank int) []int {
	axes := make([]int, rank)
	for i := range axes {
		axes[i] = i + 1
	}
	return axes
}

// Convolve returns the convolution of x, [batch, spatial dimensions…, channels], with a kernel
// [spatial dimensions…, channels/groups, outputs], in that many groups of channels: [batch, spatial
// dimensions…, outputs].
func (w Window) Convolve(x, kernel *graph.Node, groups int) *graph.Node {
	return graph.ConvGeneral(x, kernel, ConvAxes(len(w.Size)), w.Strides, w.padding(x), nil, w.Dilation, groups, 1)
}

// ConvAxes returns which axes of input, kernel and output of a convolution are batch, channels and
// spatial dimensions. rank is the number of the latter.
func ConvAxes(rank int) compute.ConvolveAxesConfig {
	spatial := SpatialAxes(rank)
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

// ConvolveTransposed returns the transposed convolution of x, [batch, spatial dimensions…, inputs],
// with a kernel [spatial dimensions…, outputs, inputs]: it inserts zeros between the elements of x
// according to the strides, pads x, and convolves it with the reversed kernel. outputPadding has,
// for each spatial dimension, how many elements it adds at the end of the output. nil stands for
// Keras' default, which depends on size, strides and w.Pad.
func (w Window) ConvolveTransposed(x, kernel *graph.Node, outputPadding []int) *graph.Node {
	axes := ConvAxes(len(w.Size))
	axes.KernelInputChannels, axes.KernelOutputChannels = axes.KernelOutputChannels, axes.KernelInputChannels
	kernel = graph.Reverse(kernel, axes.KernelSpatial...)
	return graph.ConvGeneral(x, kernel, axes, nil, w.paddingTransposed(outputPadding), w.Strides, w.Dilation, 1, 1)
}

// paddingTransposed returns how many elements are added at both edges of the input with the
// inserted zeros. It is the rule for JAX in keras.src.backend.common.backend_utils; outputPadding,
// or nil, is that of ConvolveTransposed.
func (w Window) paddingTransposed(outputPadding []int) [][2]int {
	out := make([][2]int, len(w.Size))
	for i := range out {
		size, stride := w.Spread(i), w.Strides[i]
		if w.Pad == "valid" {
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

// Depthwise returns the convolution of each channel of x, on its own, with the kernels of that
// channel. kernel is [spatial dimensions…, channels, depth multiplier]; the result has channels ·
// depth multiplier channels, those of one input channel side by side.
func (w Window) Depthwise(x, kernel *graph.Node) *graph.Node {
	d := kernel.Shape().Dimensions
	rank := len(d) - 2
	kernel = graph.Reshape(kernel, slices.Concat(d[:rank], []int{1, d[rank] * d[rank+1]})...)
	return w.Convolve(x, kernel, d[rank])
}

// over returns the reduction, by by, of each window of x, for each channel. It ignores the
// dilation.
func (w Window) over(x *graph.Node, by compute.ReduceOpType) *graph.Node {
	around := func(inner []int) []int { return slices.Concat([]int{1}, inner, []int{1}) }
	padding := slices.Concat([][2]int{{}}, w.padding(x), [][2]int{{}})
	return graph.BackendReduceWindow(x, by, around(w.Size), around(w.Strides), nil, nil, padding)
}

func MaxOfWindow(w Window, x *graph.Node) *graph.Node { return w.over(x, compute.ReduceOpMax) }

func MeanOfWindow(w Window, x *graph.Node) *graph.Node {
	sum := w.over(x, compute.ReduceOpSum)
	if w.Pad == "valid" {
		elements := 1
		for _, n := range w.Size {
			elements *= n
		}
		return graph.DivScalar(sum, float64(elements))
	}
	dims := slices.Clone(x.Shape().Dimensions)
	dims[0], dims[len(dims)-1] = 1, 1
	count := graph.StopGradient(w.over(graph.Ones(x.Graph(), shapes.Make(x.DType(), dims...)), compute.ReduceOpSum))
	return graph.Div(sum, graph.BroadcastToShape(count, sum.Shape()))
}
