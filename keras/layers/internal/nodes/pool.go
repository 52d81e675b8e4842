package nodes

// This file holds the poolings over all of a dimension, and those whose windows follow from the
// size of the output. Inputs are channels last.

import (
	"slices"

	"github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/keras/layers/internal/pixels"
)

// MeanOfAll returns the mean over axes, which are kept with size 1. mask, [batch, steps], tells
// which steps of a sequence count; nil stands for all, and with more than one axis it is ignored. A
// sample without a step that counts has the mean NaN.
func MeanOfAll(x, mask *graph.Node, axes []int) *graph.Node {
	if mask == nil || len(axes) > 1 {
		return graph.ReduceAndKeep(x, graph.ReduceMean, axes...)
	}
	counts := graph.ConvertDType(graph.InsertAxes(mask, -1), x.DType())
	x = graph.Where(graph.BroadcastToDims(graph.InsertAxes(mask, -1), x.Shape().Dimensions...), x, graph.ZerosLike(x))
	sum := graph.ReduceAndKeep(x, graph.ReduceSum, axes...)
	return graph.Div(sum, graph.BroadcastToShape(graph.ReduceAndKeep(counts, graph.ReduceSum, axes...), sum.Shape()))
}

// MaxOfAll returns the largest value over axes, which are kept with size 1. It ignores the mask,
// the argument that it has in common with MeanOfAll. As in JAX, equal elements share the gradient;
// GoMLX's ReduceMax would give each of them all of it.
func MaxOfAll(x, _ *graph.Node, axes []int) *graph.Node {
	top := graph.StopGradient(graph.ReduceAndKeep(x, graph.ReduceMax, axes...))
	everywhere := graph.BroadcastToShape(top, x.Shape())
	isTop := graph.Equal(x, everywhere)
	ties := graph.ReduceAndKeep(graph.ConvertDType(isTop, x.DType()), graph.ReduceSum, axes...)
	zero := graph.ReduceAndKeep(graph.Where(isTop, graph.Sub(x, everywhere), graph.ZerosLike(x)), graph.ReduceSum, axes...)
	return graph.Add(top, graph.Div(zero, ties))
}

// PoolAdaptively reduces the spatial dimensions of x, one after the other, to the given sizes.
// reduce gets an axis and, for each element of its result, the start and limit of the window of
// elements to reduce.
func PoolAdaptively(x *graph.Node, sizes []int, reduce func(x *graph.Node, axis int, windows [][2]int) *graph.Node) *graph.Node {
	for i, m := range sizes {
		n := x.Shape().Dimensions[i+1]
		windows := make([][2]int, m)
		for w := range windows {
			windows[w] = [2]int{w * n / m, ((w+1)*n + m - 1) / m}
		}
		x = reduce(x, i+1, windows)
	}
	return x
}

// AdaptiveMean returns the means of the windows along an axis: it multiplies x by a matrix of
// weights.
func AdaptiveMean(x *graph.Node, axis int, windows [][2]int) *graph.Node {
	weights := make([][]float32, x.Shape().Dimensions[axis])
	for i := range weights {
		weights[i] = make([]float32, len(windows))
		for w, ends := range windows {
			if ends[0] <= i && i < ends[1] {
				weights[i][w] = 1 / float32(ends[1]-ends[0])
			}
		}
	}
	return pixels.AlongAxis(x, graph.ConstAsDType(x.Graph(), x.DType(), weights), axis)
}

// AdaptiveMax returns the largest elements of the windows along an axis. It puts the windows next
// to each other and reduces each. A shorter window repeats its last element.
func AdaptiveMax(x *graph.Node, axis int, windows [][2]int) *graph.Node {
	longest := 0
	for _, ends := range windows {
		longest = max(longest, ends[1]-ends[0])
	}
	var places [][]int32
	for _, ends := range windows {
		for i := range longest {
			places = append(places, []int32{int32(min(ends[0]+i, ends[1]-1))})
		}
	}
	order := make([]int, x.Rank()) // the axis first, and back: a swap
	for i := range order {
		order[i] = i
	}
	order[0], order[axis] = axis, 0
	y := graph.Gather(graph.TransposeAllAxes(x, order...), graph.Const(x.Graph(), places))
	y = graph.TransposeAllAxes(y, order...)
	w := Window{Size: slices.Repeat([]int{1}, x.Rank()-2), Pad: "valid"}
	w.Size[axis-1] = longest
	w.Strides, w.Dilation = w.Size, slices.Repeat([]int{1}, x.Rank()-2)
	return MaxOfWindow(w, y)
}
