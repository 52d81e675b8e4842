package layers

// This file defines the poolings, which reduce each window of an input, or all of its
// spatial dimensions, to one value. Inputs are channels last.

import (
	"slices"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"
)

// PoolingLayer reduces each window: keras.layers.MaxPooling1D, MaxPooling2D,
// MaxPooling3D, AveragePooling1D, AveragePooling2D, AveragePooling3D.
type PoolingLayer struct {
	declared
	reduce func(w window, x *graph.Node) *graph.Node
}

func newPooling(d declared, rank int, reduce func(w window, x *graph.Node) *graph.Node) *PoolingLayer {
	d.opts.window.toRank(&d.Base, rank, false)
	return &PoolingLayer{d, reduce}
}

// MaxPooling1D returns a layer that takes the largest value of each window of steps.
// Options: Name, PoolSize, Strides, Padding, DataFormat.
func MaxPooling1D(opts ...Option) *PoolingLayer { return declare[*PoolingLayer]("MaxPooling1D", opts) }

// MaxPooling2D returns a layer that takes the largest value of each window of images.
// Options: those of MaxPooling1D.
func MaxPooling2D(opts ...Option) *PoolingLayer { return declare[*PoolingLayer]("MaxPooling2D", opts) }

// MaxPooling3D returns a layer that takes the largest value of each window of volumes.
// Options: those of MaxPooling1D.
func MaxPooling3D(opts ...Option) *PoolingLayer { return declare[*PoolingLayer]("MaxPooling3D", opts) }

// AveragePooling1D returns a layer that takes the mean of each window of steps. Padding
// does not count. Options: those of MaxPooling1D.
func AveragePooling1D(opts ...Option) *PoolingLayer {
	return declare[*PoolingLayer]("AveragePooling1D", opts)
}

// AveragePooling2D returns a layer that takes the mean of each window of images. Padding
// does not count. Options: those of MaxPooling1D.
func AveragePooling2D(opts ...Option) *PoolingLayer {
	return declare[*PoolingLayer]("AveragePooling2D", opts)
}

// AveragePooling3D returns a layer that takes the mean of each window of volumes.
// Padding does not count. Options: those of MaxPooling1D.
func AveragePooling3D(opts ...Option) *PoolingLayer {
	return declare[*PoolingLayer]("AveragePooling3D", opts)
}

// Build checks the input.
func (l *PoolingLayer) Build(_ *Builder, inputs []Spec) error { return l.opts.window.check(inputs) }

// Call pools.
func (l *PoolingLayer) Call(_ *Context, inputs []*graph.Node) []*graph.Node {
	return []*graph.Node{l.reduce(l.opts.window, inputs[0])}
}

// over reduces each window of x.
func (w window) over(x *graph.Node, by compute.ReduceOpType) *graph.Node {
	around := func(inner []int) []int { return slices.Concat([]int{1}, inner, []int{1}) }
	padding := slices.Concat([][2]int{{}}, w.padding(x), [][2]int{{}})
	return graph.BackendReduceWindow(x, by, around(w.size), around(w.strides), nil, nil, padding)
}

func maxOfWindow(w window, x *graph.Node) *graph.Node { return w.over(x, compute.ReduceOpMax) }

func meanOfWindow(w window, x *graph.Node) *graph.Node {
	sum := w.over(x, compute.ReduceOpSum)
	if w.pad == "valid" {
		elements := 1
		for _, n := range w.size {
			elements *= n
		}
		return graph.DivScalar(sum, float64(elements))
	}
	dims := slices.Clone(x.Shape().Dimensions)
	dims[0], dims[len(dims)-1] = 1, 1
	count := graph.StopGradient(w.over(graph.Ones(x.Graph(), shapes.Make(x.DType(), dims...)), compute.ReduceOpSum))
	return graph.Div(sum, graph.BroadcastToShape(count, sum.Shape()))
}

// GlobalPoolingLayer reduces all spatial dimensions: keras.layers.GlobalMaxPooling1D,
// GlobalMaxPooling2D, GlobalMaxPooling3D, GlobalAveragePooling1D,
// GlobalAveragePooling2D, GlobalAveragePooling3D.
type GlobalPoolingLayer struct {
	declared
	rank   int
	reduce func(x, mask *graph.Node, axes []int) *graph.Node
}

func newGlobalPooling(d declared, rank int, reduce func(x, mask *graph.Node, axes []int) *graph.Node) *GlobalPoolingLayer {
	return &GlobalPoolingLayer{d, rank, reduce}
}

// GlobalMaxPooling1D returns a layer that takes the largest value over all steps.
// Options: Name, DataFormat, KeepDims.
func GlobalMaxPooling1D(opts ...Option) *GlobalPoolingLayer {
	return declare[*GlobalPoolingLayer]("GlobalMaxPooling1D", opts)
}

// GlobalMaxPooling2D returns a layer that takes the largest value over height and
// width. Options: those of GlobalMaxPooling1D.
func GlobalMaxPooling2D(opts ...Option) *GlobalPoolingLayer {
	return declare[*GlobalPoolingLayer]("GlobalMaxPooling2D", opts)
}

// GlobalMaxPooling3D returns a layer that takes the largest value over depth, height
// and width. Options: those of GlobalMaxPooling1D.
func GlobalMaxPooling3D(opts ...Option) *GlobalPoolingLayer {
	return declare[*GlobalPoolingLayer]("GlobalMaxPooling3D", opts)
}

// GlobalAveragePooling1D returns a layer that takes the mean over the steps that are
// not masked. Options: those of GlobalMaxPooling1D.
func GlobalAveragePooling1D(opts ...Option) *GlobalPoolingLayer {
	return declare[*GlobalPoolingLayer]("GlobalAveragePooling1D", opts)
}

// GlobalAveragePooling2D returns a layer that takes the mean over height and width.
// Options: those of GlobalMaxPooling1D.
func GlobalAveragePooling2D(opts ...Option) *GlobalPoolingLayer {
	return declare[*GlobalPoolingLayer]("GlobalAveragePooling2D", opts)
}

// GlobalAveragePooling3D returns a layer that takes the mean over depth, height and
// width. Options: those of GlobalMaxPooling1D.
func GlobalAveragePooling3D(opts ...Option) *GlobalPoolingLayer {
	return declare[*GlobalPoolingLayer]("GlobalAveragePooling3D", opts)
}

// Build checks the input.
func (l *GlobalPoolingLayer) Build(_ *Builder, inputs []Spec) error {
	return checkSpatial(inputs, l.rank)
}

// Call pools, and drops the reduced dimensions unless they are to be kept.
func (l *GlobalPoolingLayer) Call(c *Context, inputs []*graph.Node) []*graph.Node {
	axes := spatialAxes(l.rank)
	y := l.reduce(inputs[0], c.Mask(inputs[0]), axes)
	if !l.opts.keepDims {
		y = graph.Squeeze(y, axes...)
	}
	return []*graph.Node{y}
}

// meanOfAll returns the mean over axes, which are kept with size 1. A mask is that of
// the steps of a sequence.
func meanOfAll(x, mask *graph.Node, axes []int) *graph.Node {
	if mask == nil || len(axes) > 1 {
		return graph.ReduceAndKeep(x, graph.ReduceMean, axes...)
	}
	counts := graph.ConvertDType(graph.InsertAxes(mask, -1), x.DType())
	x = graph.Where(graph.BroadcastToDims(graph.InsertAxes(mask, -1), x.Shape().Dimensions...), x, graph.ZerosLike(x))
	sum := graph.ReduceAndKeep(x, graph.ReduceSum, axes...)
	return graph.Div(sum, graph.BroadcastToShape(graph.ReduceAndKeep(counts, graph.ReduceSum, axes...), sum.Shape()))
}

// maxOfAll returns the largest value over axes, which are kept with size 1. As in JAX,
// elements that tie share the gradient; GoMLX's ReduceMax would give each of them the
// full gradient.
func maxOfAll(x, _ *graph.Node, axes []int) *graph.Node {
	top := graph.StopGradient(graph.ReduceAndKeep(x, graph.ReduceMax, axes...))
	everywhere := graph.BroadcastToShape(top, x.Shape())
	isTop := graph.Equal(x, everywhere)
	ties := graph.ReduceAndKeep(graph.ConvertDType(isTop, x.DType()), graph.ReduceSum, axes...)
	zero := graph.ReduceAndKeep(graph.Where(isTop, graph.Sub(x, everywhere), graph.ZerosLike(x)), graph.ReduceSum, axes...)
	return graph.Add(top, graph.Div(zero, ties))
}
