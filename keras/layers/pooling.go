package layers

// This file defines the poolings, which reduce each window of an image, or the
// full image, to one value. Images are channels last.

import (
	"github.com/gomlx/compute"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"
)

// pool2D is the part of a layer that both poolings over windows have.
type pool2D struct {
	Base
	opts options
}

func newPool2D(kind string, opts []Option) pool2D {
	var l pool2D
	l.opts = l.configure(kind, opts, "Name", "PoolSize", "Strides", "Padding")
	if l.opts.window.strides == [2]int{} {
		l.opts.window.strides = l.opts.window.size
	}
	return l
}

// Build checks the input.
func (l *pool2D) Build(_ *Builder, inputs []Spec) error { return l.opts.window.check(inputs) }

// Config returns the options of a pooling.
func (l *pool2D) Config() (map[string]any, error) {
	w := l.opts.window
	return map[string]any{"pool_size": w.size, "strides": w.strides, "padding": w.paddingName(), "data_format": channelsLast}, nil
}

// reduce reduces each window of x.
func (l *pool2D) reduce(x *graph.Node, by compute.ReduceOpType) *graph.Node {
	w := l.opts.window
	p := w.padding(x)
	return graph.BackendReduceWindow(x, by, []int{1, w.size[0], w.size[1], 1}, []int{1, w.strides[0], w.strides[1], 1},
		nil, nil, [][2]int{{}, p[0], p[1], {}})
}

// MaxPooling2DLayer takes the largest value of each window:
// keras.layers.MaxPooling2D.
type MaxPooling2DLayer struct{ pool2D }

// MaxPooling2D returns a layer that takes the largest value of each window.
// Options: Name, PoolSize, Strides, Padding.
func MaxPooling2D(opts ...Option) *MaxPooling2DLayer {
	return &MaxPooling2DLayer{newPool2D("MaxPooling2D", opts)}
}

// Call pools.
func (l *MaxPooling2DLayer) Call(_ *Context, inputs []*graph.Node) []*graph.Node {
	return []*graph.Node{l.reduce(inputs[0], compute.ReduceOpMax)}
}

// AveragePooling2DLayer takes the mean of each window:
// keras.layers.AveragePooling2D. Padding does not count.
type AveragePooling2DLayer struct{ pool2D }

// AveragePooling2D returns a layer that takes the mean of each window.
// Options: Name, PoolSize, Strides, Padding.
func AveragePooling2D(opts ...Option) *AveragePooling2DLayer {
	return &AveragePooling2DLayer{newPool2D("AveragePooling2D", opts)}
}

// Call pools.
func (l *AveragePooling2DLayer) Call(_ *Context, inputs []*graph.Node) []*graph.Node {
	x := inputs[0]
	sum := l.reduce(x, compute.ReduceOpSum)
	if !l.opts.window.same {
		return []*graph.Node{graph.DivScalar(sum, float64(l.opts.window.size[0]*l.opts.window.size[1]))}
	}
	d := x.Shape().Dimensions
	ones := graph.Ones(x.Graph(), shapes.Make(x.DType(), 1, d[1], d[2], 1))
	count := graph.StopGradient(l.reduce(ones, compute.ReduceOpSum))
	return []*graph.Node{graph.Div(sum, graph.BroadcastToShape(count, sum.Shape()))}
}

// globalPool2D is the part of a layer that both poolings over the full image
// have.
type globalPool2D struct {
	Base
	opts options
}

func newGlobalPool2D(kind string, opts []Option) globalPool2D {
	var l globalPool2D
	l.opts = l.configure(kind, opts, "Name", "KeepDims")
	return l
}

// Build checks the input.
func (l *globalPool2D) Build(_ *Builder, inputs []Spec) error { return checkImages(inputs) }

// Config returns the options of a global pooling.
func (l *globalPool2D) Config() (map[string]any, error) {
	return map[string]any{"data_format": channelsLast, "keepdims": l.opts.keepDims}, nil
}

// finish drops the reduced dimensions, unless they are to be kept.
func (l *globalPool2D) finish(y *graph.Node) []*graph.Node {
	if !l.opts.keepDims {
		y = graph.Squeeze(y, 1, 2)
	}
	return []*graph.Node{y}
}

// GlobalAveragePooling2DLayer takes the mean over height and width:
// keras.layers.GlobalAveragePooling2D.
type GlobalAveragePooling2DLayer struct{ globalPool2D }

// GlobalAveragePooling2D returns a layer that takes the mean over height and
// width. Options: Name, KeepDims.
func GlobalAveragePooling2D(opts ...Option) *GlobalAveragePooling2DLayer {
	return &GlobalAveragePooling2DLayer{newGlobalPool2D("GlobalAveragePooling2D", opts)}
}

// Call pools.
func (l *GlobalAveragePooling2DLayer) Call(_ *Context, inputs []*graph.Node) []*graph.Node {
	return l.finish(graph.ReduceAndKeep(inputs[0], graph.ReduceMean, 1, 2))
}

// GlobalMaxPooling2DLayer takes the largest value over height and width:
// keras.layers.GlobalMaxPooling2D.
type GlobalMaxPooling2DLayer struct{ globalPool2D }

// GlobalMaxPooling2D returns a layer that takes the largest value over height
// and width. Options: Name, KeepDims.
func GlobalMaxPooling2D(opts ...Option) *GlobalMaxPooling2DLayer {
	return &GlobalMaxPooling2DLayer{newGlobalPool2D("GlobalMaxPooling2D", opts)}
}

// Call pools. As in JAX, elements that tie share the gradient; GoMLX's ReduceMax
// would give each of them the full gradient.
func (l *GlobalMaxPooling2DLayer) Call(_ *Context, inputs []*graph.Node) []*graph.Node {
	x := inputs[0]
	top := graph.StopGradient(graph.ReduceAndKeep(x, graph.ReduceMax, 1, 2))
	everywhere := graph.BroadcastToShape(top, x.Shape())
	isTop := graph.Equal(x, everywhere)
	ties := graph.ReduceAndKeep(graph.ConvertDType(isTop, x.DType()), graph.ReduceSum, 1, 2)
	zero := graph.ReduceAndKeep(graph.Where(isTop, graph.Sub(x, everywhere), graph.ZerosLike(x)), graph.ReduceSum, 1, 2)
	return l.finish(graph.Add(top, graph.Div(zero, ties)))
}
