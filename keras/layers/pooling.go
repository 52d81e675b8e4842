package layers

// This file defines the poolings, which reduce each window of an input, or all of its
// spatial dimensions, to one value, and those whose windows follow from the size of the output;
// and their options. Inputs are channels last.

import (
	"fmt"
	"slices"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/keras/layers/internal/pixels"
)

// poolingClasses are the poolings.
var poolingClasses = map[string]class{
	"MaxPooling1D":     classOf(func(d declared, o *poolingOptions) Layer { return newPooling(d, o, 1, maxOfWindow) }),
	"MaxPooling2D":     classOf(func(d declared, o *poolingOptions) Layer { return newPooling(d, o, 2, maxOfWindow) }),
	"MaxPooling3D":     classOf(func(d declared, o *poolingOptions) Layer { return newPooling(d, o, 3, maxOfWindow) }),
	"AveragePooling1D": classOf(func(d declared, o *poolingOptions) Layer { return newPooling(d, o, 1, meanOfWindow) }),
	"AveragePooling2D": classOf(func(d declared, o *poolingOptions) Layer { return newPooling(d, o, 2, meanOfWindow) }),
	"AveragePooling3D": classOf(func(d declared, o *poolingOptions) Layer { return newPooling(d, o, 3, meanOfWindow) }),

	"GlobalMaxPooling1D":     classOf(func(d declared, o *globalPoolingOptions) Layer { return newGlobalPooling(d, o, 1, maxOfAll) }),
	"GlobalMaxPooling2D":     classOf(func(d declared, o *globalPoolingOptions) Layer { return newGlobalPooling(d, o, 2, maxOfAll) }),
	"GlobalMaxPooling3D":     classOf(func(d declared, o *globalPoolingOptions) Layer { return newGlobalPooling(d, o, 3, maxOfAll) }),
	"GlobalAveragePooling1D": classOf(func(d declared, o *globalPoolingOptions) Layer { return newGlobalPooling(d, o, 1, meanOfAll) }),
	"GlobalAveragePooling2D": classOf(func(d declared, o *globalPoolingOptions) Layer { return newGlobalPooling(d, o, 2, meanOfAll) }),
	"GlobalAveragePooling3D": classOf(func(d declared, o *globalPoolingOptions) Layer { return newGlobalPooling(d, o, 3, meanOfAll) }),

	"AdaptiveAveragePooling1D": classOf(func(d declared, o *adaptiveOptions) Layer { return newAdaptivePooling(d, o, 1, adaptiveMean) }),
	"AdaptiveAveragePooling2D": classOf(func(d declared, o *adaptiveOptions) Layer { return newAdaptivePooling(d, o, 2, adaptiveMean) }),
	"AdaptiveAveragePooling3D": classOf(func(d declared, o *adaptiveOptions) Layer { return newAdaptivePooling(d, o, 3, adaptiveMean) }),
	"AdaptiveMaxPooling1D":     classOf(func(d declared, o *adaptiveOptions) Layer { return newAdaptivePooling(d, o, 1, adaptiveMax) }),
	"AdaptiveMaxPooling2D":     classOf(func(d declared, o *adaptiveOptions) Layer { return newAdaptivePooling(d, o, 2, adaptiveMax) }),
	"AdaptiveMaxPooling3D":     classOf(func(d declared, o *adaptiveOptions) Layer { return newAdaptivePooling(d, o, 3, adaptiveMax) }),
}

// poolingOptions are the options of MaxPooling and AveragePooling.
type poolingOptions struct {
	PoolSize []int  `option:"pool_size" default:"2" want:"sizes"`
	Strides  []int  `option:"strides" want:"sizes"` // nil for the size
	Padding  string `option:"padding" default:"valid"`
	formatOptions
}

// window returns the window. The options get a number for each spatial dimension.
func (o *poolingOptions) window(b *Base, rank int) window {
	w := window{o.PoolSize, o.Strides, []int{1}, o.Padding}
	w.toRank(b, rank, false)
	o.PoolSize, o.Strides = w.size, w.strides
	return w
}

// globalPoolingOptions are those of GlobalMaxPooling and GlobalAveragePooling.
type globalPoolingOptions struct {
	formatOptions
	KeepDims bool `option:"keepdims"`
}

// adaptiveOptions are those of AdaptiveMaxPooling and AdaptiveAveragePooling.
type adaptiveOptions struct {
	OutputSize []int `argument:"output_size" want:"sizes"`
	formatOptions
}

// PoolSize sets the size of a pooling's window: one number for all dimensions, or
// one for each. The default is 2.
func PoolSize(n ...int) Option { return set("PoolSize", n) }

// KeepDims makes a global pooling keep the dimensions that it reduces, with size
// 1.
func KeepDims() Option { return set("KeepDims", true) }

// PoolingLayer reduces each window: keras.layers.MaxPooling1D, MaxPooling2D,
// MaxPooling3D, AveragePooling1D, AveragePooling2D, AveragePooling3D.
type PoolingLayer struct {
	declared
	window window
	reduce func(w window, x *graph.Node) *graph.Node
}

func newPooling(d declared, o *poolingOptions, rank int, reduce func(w window, x *graph.Node) *graph.Node) *PoolingLayer {
	return &PoolingLayer{d, o.window(&d.Base, rank), reduce}
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
func (l *PoolingLayer) Build(_ *Builder, inputs []Spec) error { return l.window.check(inputs) }

// Call pools.
func (l *PoolingLayer) Call(_ *Context, inputs []*graph.Node) []*graph.Node {
	return []*graph.Node{l.reduce(l.window, inputs[0])}
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
	opts   *globalPoolingOptions
	rank   int
	reduce func(x, mask *graph.Node, axes []int) *graph.Node
}

func newGlobalPooling(d declared, o *globalPoolingOptions, rank int, reduce func(x, mask *graph.Node, axes []int) *graph.Node) *GlobalPoolingLayer {
	return &GlobalPoolingLayer{d, o, rank, reduce}
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
	if !l.opts.KeepDims {
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

// AdaptivePoolingLayer reduces windows that cover an input evenly:
// keras.layers.AdaptiveAveragePooling1D to 3D, AdaptiveMaxPooling1D to 3D. Of n elements and
// m windows, window i has the elements from ⌊i·n/m⌋ to ⌈(i+1)·n/m⌉.
type AdaptivePoolingLayer struct {
	declared
	opts   *adaptiveOptions
	reduce func(x *graph.Node, axis int, windows [][2]int) *graph.Node
}

func newAdaptivePooling(d declared, o *adaptiveOptions, rank int, reduce func(x *graph.Node, axis int, windows [][2]int) *graph.Node) *AdaptivePoolingLayer {
	d.toRank("the size of the output", &o.OutputSize, rank)
	return &AdaptivePoolingLayer{d, o, reduce}
}

func adaptive(class string, outputSize []int, opts []Option) *AdaptivePoolingLayer {
	return declare[*AdaptivePoolingLayer](class, []Option{set("OutputSize", outputSize)}, opts)
}

// AdaptiveAveragePooling1D returns a layer that takes means over the steps, so that outputSize
// steps remain. Options: Name, DataFormat, DType.
func AdaptiveAveragePooling1D(outputSize int, opts ...Option) *AdaptivePoolingLayer {
	return adaptive("AdaptiveAveragePooling1D", []int{outputSize}, opts)
}

// AdaptiveAveragePooling2D returns a layer that takes means over images. outputSize is one
// number, or height and width. Options: those of AdaptiveAveragePooling1D.
func AdaptiveAveragePooling2D(outputSize []int, opts ...Option) *AdaptivePoolingLayer {
	return adaptive("AdaptiveAveragePooling2D", outputSize, opts)
}

// AdaptiveAveragePooling3D returns a layer that takes means over volumes. outputSize is one
// number, or depth, height and width. Options: those of AdaptiveAveragePooling1D.
func AdaptiveAveragePooling3D(outputSize []int, opts ...Option) *AdaptivePoolingLayer {
	return adaptive("AdaptiveAveragePooling3D", outputSize, opts)
}

// AdaptiveMaxPooling1D returns a layer that takes the largest values over the steps.
// Arguments and options: those of AdaptiveAveragePooling1D.
func AdaptiveMaxPooling1D(outputSize int, opts ...Option) *AdaptivePoolingLayer {
	return adaptive("AdaptiveMaxPooling1D", []int{outputSize}, opts)
}

// AdaptiveMaxPooling2D returns a layer that takes the largest values over images. Arguments
// and options: those of AdaptiveAveragePooling2D.
func AdaptiveMaxPooling2D(outputSize []int, opts ...Option) *AdaptivePoolingLayer {
	return adaptive("AdaptiveMaxPooling2D", outputSize, opts)
}

// AdaptiveMaxPooling3D returns a layer that takes the largest values over volumes. Arguments
// and options: those of AdaptiveAveragePooling3D.
func AdaptiveMaxPooling3D(outputSize []int, opts ...Option) *AdaptivePoolingLayer {
	return adaptive("AdaptiveMaxPooling3D", outputSize, opts)
}

// Build checks the input, whose spatial dimensions the windows depend on.
func (l *AdaptivePoolingLayer) Build(_ *Builder, inputs []Spec) error {
	rank := len(l.opts.OutputSize)
	if err := checkSpatial(inputs, rank); err != nil {
		return err
	}
	for _, n := range inputs[0].Shape[1 : rank+1] {
		if n == None {
			return fmt.Errorf("got an input of shape %s: want numbers for the dimensions that are pooled", ShapeText(inputs[0].Shape))
		}
	}
	return nil
}

// Call pools.
func (l *AdaptivePoolingLayer) Call(_ *Context, inputs []*graph.Node) []*graph.Node {
	x := graph.ConvertDType(inputs[0], l.ComputeDType())
	return []*graph.Node{poolAdaptively(x, l.opts.OutputSize, l.reduce)}
}

// poolAdaptively pools one spatial dimension after the other to its size.
func poolAdaptively(x *graph.Node, sizes []int, reduce func(x *graph.Node, axis int, windows [][2]int) *graph.Node) *graph.Node {
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

// adaptiveMean multiplies by a matrix of weights.
func adaptiveMean(x *graph.Node, axis int, windows [][2]int) *graph.Node {
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

// adaptiveMax puts the windows next to each other and reduces each. A shorter one repeats
// its last element.
func adaptiveMax(x *graph.Node, axis int, windows [][2]int) *graph.Node {
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
	w := window{size: slices.Repeat([]int{1}, x.Rank()-2), pad: "valid"}
	w.size[axis-1] = longest
	w.strides, w.dilation = w.size, slices.Repeat([]int{1}, x.Rank()-2)
	return maxOfWindow(w, y)
}
