package layers

// This file defines windows that move over images, and the options of layers
// that have one.

import (
	"fmt"

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
		if v < 1 {
			return [2]int{}, fmt.Errorf("got %v, want positive numbers", n)
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
