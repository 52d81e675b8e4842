package layers

// This file defines windows that move over images, the options of layers that
// have one, and the poolings, which reduce each window of an image, or the
// full image, to one value. Images are channels last.

import (
	"fmt"
	"math"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gospmd/gospmd/internal/option"
)

// window is the geometry of a window over height and width.
type window struct {
	size, strides, dilation [2]int
	same                    bool
}

// spread returns the size of the window, the gaps of its dilation included.
func (w window) spread(dim int) int { return (w.size[dim]-1)*w.dilation[dim] + 1 }

// padding returns how many elements are added at both edges of x. For "same",
// the output has the size of the input divided by the strides, rounded up; of an
// odd number of elements, the larger part is added at the end.
func (w window) padding(x *graph.Node) [][2]int {
	out := make([][2]int, 2)
	if !w.same {
		if err := w.checkFits(x.Shape().Dimensions); err != nil {
			panic(err)
		}
		return out
	}
	for dim := range out {
		in, stride := x.Shape().Dimensions[1+dim], w.strides[dim]
		total := max(0, ((in+stride-1)/stride-1)*stride+w.spread(dim)-in)
		out[dim] = [2]int{total / 2, total - total/2}
	}
	return out
}

// check returns an error if the window does not fit an input.
func (w window) check(inputs []Spec) error {
	if err := checkImages(inputs); err != nil {
		return err
	}
	if err := w.checkFits(inputs[0].Shape); err != nil {
		return err
	}
	for dim := range w.strides {
		if w.strides[dim] > 1 && w.dilation[dim] > 1 {
			return fmt.Errorf("got strides %v and dilation rate %v: one of them must be 1", w.strides, w.dilation)
		}
	}
	return nil
}

// checkFits returns an error if the window is larger than images of a shape. It
// skips open dimensions, which are checked when the model runs.
func (w window) checkFits(images []int) error {
	for dim, name := range []string{"height", "width"} {
		if in := images[1+dim]; !w.same && in >= 0 && in < w.spread(dim) {
			return fmt.Errorf("the window is larger than the input %s: its %s is %d, the input's %d; make it smaller or use Padding(\"same\")",
				ShapeText(images), name, w.spread(dim), in)
		}
	}
	return nil
}

// checkImages returns an error unless there is one input of images, channels
// last.
func checkImages(inputs []Spec) error {
	if len(inputs) != 1 || len(inputs[0].Shape) != 4 {
		return fmt.Errorf("got inputs %v, want one of 4 dimensions: (batch, height, width, channels)", inputs)
	}
	return nil
}

// checkOne returns an error unless there is one input of at least rank
// dimensions.
func checkOne(inputs []Spec, rank int) error {
	if len(inputs) != 1 || len(inputs[0].Shape) < rank {
		return fmt.Errorf("got inputs %v, want one of at least %d dimensions, the batch included", inputs, rank)
	}
	return nil
}

// Strides sets the step of a window: one number for both dimensions, or height
// and width. The default is 1 for convolutions, and the window's size for
// poolings.
func Strides(n ...int) Option {
	return pairOption("Strides", n, func(o *options) *[2]int { return &o.window.strides })
}

// PoolSize sets the size of a pooling's window: one number for both dimensions,
// or height and width. The default is 2.
func PoolSize(n ...int) Option {
	return pairOption("PoolSize", n, func(o *options) *[2]int { return &o.window.size })
}

// DilationRate sets the distance between a kernel's elements: one number for
// both dimensions, or height and width. The default is 1.
func DilationRate(n ...int) Option {
	return pairOption("DilationRate", n, func(o *options) *[2]int { return &o.window.dilation })
}

// Padding sets the kind of padding: "valid", the default, keeps windows within
// the image; "same" pads with zeros so that the output has the size of the
// input divided by the strides.
func Padding(kind string) Option {
	return Option{Name: "Padding", Set: func(o *options) error {
		if kind != "valid" && kind != "same" {
			return fmt.Errorf("got %q, want \"valid\" or \"same\"", kind)
		}
		o.window.same = kind == "same"
		return nil
	}}
}

// Groups sets the number of groups of channels, which are convolved separately:
// 1 by default.
func Groups(n int) Option {
	return positive("Groups", n, func(o *options) { o.groups = n })
}

// DepthMultiplier sets the number of outputs for each channel of a depthwise
// convolution: 1 by default.
func DepthMultiplier(n int) Option {
	return positive("DepthMultiplier", n, func(o *options) { o.depthMultiplier = n })
}

// KeepDims makes a global pooling keep the dimensions that it reduces, with size
// 1.
func KeepDims() Option { return option.New("KeepDims", func(o *options) { o.keepDims = true }) }

// pairOption returns an option that is one number for both dimensions of a
// window, or height and width.
func pairOption(name string, n []int, field func(*options) *[2]int) Option {
	return Option{Name: name, Set: func(o *options) (err error) {
		*field(o), err = pair(n)
		return err
	}}
}

// pair returns the numbers for height and width.
func pair(n []int) ([2]int, error) {
	for _, v := range n {
		if v < 1 || v > math.MaxInt32 {
			return [2]int{}, fmt.Errorf("got %v, want positive numbers of at most %d", n, math.MaxInt32)
		}
	}
	switch len(n) {
	case 1:
		return [2]int{n[0], n[0]}, nil
	case 2:
		return [2]int{n[0], n[1]}, nil
	default:
		return [2]int{}, fmt.Errorf("got %d numbers, want one for both dimensions, or height and width", len(n))
	}
}

// paddingName returns the argument of Padding.
func (w window) paddingName() string {
	if w.same {
		return "same"
	}
	return "valid"
}

// channelsLast is the only data format of the layers, under Keras' name.
const channelsLast = "channels_last"

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
