package layers

// This file defines poolings. They reduce each window of an input, or all its spatial dimensions,
// to one value. The windows of adaptive poolings follow from the size of the output. Inputs are
// channels last.

import (
	"fmt"

	"github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/keras/layers/internal/nodes"
)

// poolingClasses has the poolings: by the name of the class in Keras, how a layer is made of its
// options.
var poolingClasses = map[string]class{
	"MaxPooling1D":     classOf(func(d declared, o *poolingOptions) Layer { return newPooling(d, o, 1, nodes.MaxOfWindow) }),
	"MaxPooling2D":     classOf(func(d declared, o *poolingOptions) Layer { return newPooling(d, o, 2, nodes.MaxOfWindow) }),
	"MaxPooling3D":     classOf(func(d declared, o *poolingOptions) Layer { return newPooling(d, o, 3, nodes.MaxOfWindow) }),
	"AveragePooling1D": classOf(func(d declared, o *poolingOptions) Layer { return newPooling(d, o, 1, nodes.MeanOfWindow) }),
	"AveragePooling2D": classOf(func(d declared, o *poolingOptions) Layer { return newPooling(d, o, 2, nodes.MeanOfWindow) }),
	"AveragePooling3D": classOf(func(d declared, o *poolingOptions) Layer { return newPooling(d, o, 3, nodes.MeanOfWindow) }),

	"GlobalMaxPooling1D":     classOf(func(d declared, o *globalPoolingOptions) Layer { return newGlobalPooling(d, o, 1, nodes.MaxOfAll) }),
	"GlobalMaxPooling2D":     classOf(func(d declared, o *globalPoolingOptions) Layer { return newGlobalPooling(d, o, 2, nodes.MaxOfAll) }),
	"GlobalMaxPooling3D":     classOf(func(d declared, o *globalPoolingOptions) Layer { return newGlobalPooling(d, o, 3, nodes.MaxOfAll) }),
	"GlobalAveragePooling1D": classOf(func(d declared, o *globalPoolingOptions) Layer { return newGlobalPooling(d, o, 1, nodes.MeanOfAll) }),
	"GlobalAveragePooling2D": classOf(func(d declared, o *globalPoolingOptions) Layer { return newGlobalPooling(d, o, 2, nodes.MeanOfAll) }),
	"GlobalAveragePooling3D": classOf(func(d declared, o *globalPoolingOptions) Layer { return newGlobalPooling(d, o, 3, nodes.MeanOfAll) }),

	"AdaptiveAveragePooling1D": classOf(func(d declared, o *adaptiveOptions) Layer { return newAdaptivePooling(d, o, 1, nodes.AdaptiveMean) }),
	"AdaptiveAveragePooling2D": classOf(func(d declared, o *adaptiveOptions) Layer { return newAdaptivePooling(d, o, 2, nodes.AdaptiveMean) }),
	"AdaptiveAveragePooling3D": classOf(func(d declared, o *adaptiveOptions) Layer { return newAdaptivePooling(d, o, 3, nodes.AdaptiveMean) }),
	"AdaptiveMaxPooling1D":     classOf(func(d declared, o *adaptiveOptions) Layer { return newAdaptivePooling(d, o, 1, nodes.AdaptiveMax) }),
	"AdaptiveMaxPooling2D":     classOf(func(d declared, o *adaptiveOptions) Layer { return newAdaptivePooling(d, o, 2, nodes.AdaptiveMax) }),
	"AdaptiveMaxPooling3D":     classOf(func(d declared, o *adaptiveOptions) Layer { return newAdaptivePooling(d, o, 3, nodes.AdaptiveMax) }),
}

// poolingOptions holds the options of MaxPooling and AveragePooling: PoolSize, Strides, Padding and
// DataFormat.
type poolingOptions struct {
	PoolSize []int  `option:"pool_size" default:"2" want:"sizes"`
	Strides  []int  `option:"strides" want:"sizes"` // nil for the size
	Padding  string `option:"padding" default:"valid"`
	formatOptions
}

// window returns the window of the pooling. It extends the options to one number for each of rank
// spatial dimensions. A wrong option becomes the error of b.
func (o *poolingOptions) window(b *Base, rank int) nodes.Window {
	w := nodes.Window{Size: o.PoolSize, Strides: o.Strides, Dilation: []int{1}, Pad: o.Padding}
	toRank(b, &w, rank, false)
	o.PoolSize, o.Strides = w.Size, w.Strides
	return w
}

// globalPoolingOptions holds the options of GlobalMaxPooling and GlobalAveragePooling: DataFormat
// and KeepDims.
type globalPoolingOptions struct {
	formatOptions
	KeepDims bool `option:"keepdims"`
}

// adaptiveOptions holds the options of AdaptiveMaxPooling and AdaptiveAveragePooling: the spatial
// sizes of the output, and DataFormat.
type adaptiveOptions struct {
	OutputSize []int `argument:"output_size" want:"sizes"`
	formatOptions
}

// PoolSize sets the size of a pooling's window: one number for all dimensions, or one for each. The
// default is 2. Numbers below 1 are errors.
func PoolSize(n ...int) Option { return set("PoolSize", n) }

// KeepDims makes a global pooling keep the dimensions that it reduces, with size 1. By default it
// drops them.
func KeepDims() Option { return set("KeepDims", true) }

// PoolingLayer reduces each window of its input to its largest value or its mean, for each channel:
// keras.layers.MaxPooling1D, MaxPooling2D, MaxPooling3D, AveragePooling1D, AveragePooling2D,
// AveragePooling3D.
type PoolingLayer struct {
	declared
	window nodes.Window
	reduce func(w nodes.Window, x *graph.Node) *graph.Node
}

func newPooling(d declared, o *poolingOptions, rank int, reduce func(w nodes.Window, x *graph.Node) *graph.Node) *PoolingLayer {
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

// Build returns an error if the input does not have the layer's spatial dimensions, or is smaller
// than the window.
func (l *PoolingLayer) Build(_ *Builder, inputs []Spec) error { return checkWindow(l.window, inputs) }

// Call returns the largest elements or the means of the windows, whichever the layer computes.
func (l *PoolingLayer) Call(_ *Context, inputs []*graph.Node) []*graph.Node {
	return []*graph.Node{l.reduce(l.window, inputs[0])}
}

// GlobalPoolingLayer reduces all spatial dimensions of each channel to the largest value or the
// mean: keras.layers.GlobalMaxPooling1D, GlobalMaxPooling2D, GlobalMaxPooling3D,
// GlobalAveragePooling1D, GlobalAveragePooling2D, GlobalAveragePooling3D.
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

// Build returns an error unless the input has a batch, the layer's spatial dimensions and channels.
func (l *GlobalPoolingLayer) Build(_ *Builder, inputs []Spec) error {
	return checkSpatial(inputs, l.rank)
}

// Call returns the input pooled over all spatial dimensions, which it drops unless they are to be
// kept. The mean of GlobalAveragePooling1D leaves out masked steps.
func (l *GlobalPoolingLayer) Call(c *Context, inputs []*graph.Node) []*graph.Node {
	axes := nodes.SpatialAxes(l.rank)
	y := l.reduce(inputs[0], c.Mask(inputs[0]), axes)
	if !l.opts.KeepDims {
		y = graph.Squeeze(y, axes...)
	}
	return []*graph.Node{y}
}

// AdaptivePoolingLayer reduces windows that cover an input evenly:
// keras.layers.AdaptiveAveragePooling1D to 3D, AdaptiveMaxPooling1D to 3D. Of n elements and m
// windows, window i has the elements from ⌊i·n/m⌋ to before ⌈(i+1)·n/m⌉.
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
func AdaptiveAveragePooling2D[S Sizes](outputSize S, opts ...Option) *AdaptivePoolingLayer {
	return adaptive("AdaptiveAveragePooling2D", sizesOf(outputSize), opts)
}

// AdaptiveAveragePooling3D returns a layer that takes means over volumes. outputSize is one
// number, or depth, height and width. Options: those of AdaptiveAveragePooling1D.
func AdaptiveAveragePooling3D[S Sizes](outputSize S, opts ...Option) *AdaptivePoolingLayer {
	return adaptive("AdaptiveAveragePooling3D", sizesOf(outputSize), opts)
}

// AdaptiveMaxPooling1D returns a layer that takes the largest values over the steps.
// Arguments and options: those of AdaptiveAveragePooling1D.
func AdaptiveMaxPooling1D(outputSize int, opts ...Option) *AdaptivePoolingLayer {
	return adaptive("AdaptiveMaxPooling1D", []int{outputSize}, opts)
}

// AdaptiveMaxPooling2D returns a layer that takes the largest values over images. Arguments
// and options: those of AdaptiveAveragePooling2D.
func AdaptiveMaxPooling2D[S Sizes](outputSize S, opts ...Option) *AdaptivePoolingLayer {
	return adaptive("AdaptiveMaxPooling2D", sizesOf(outputSize), opts)
}

// AdaptiveMaxPooling3D returns a layer that takes the largest values over volumes. Arguments
// and options: those of AdaptiveAveragePooling3D.
func AdaptiveMaxPooling3D[S Sizes](outputSize S, opts ...Option) *AdaptivePoolingLayer {
	return adaptive("AdaptiveMaxPooling3D", sizesOf(outputSize), opts)
}

// Build returns an error unless there is one input whose spatial dimensions have known sizes: the
// windows depend on them.
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

// Call returns the largest elements or the means of windows, as many as OutputSize says, that
// together cover the input.
func (l *AdaptivePoolingLayer) Call(_ *Context, inputs []*graph.Node) []*graph.Node {
	x := graph.ConvertDType(inputs[0], l.ComputeDType())
	return []*graph.Node{nodes.PoolAdaptively(x, l.opts.OutputSize, l.reduce)}
}
