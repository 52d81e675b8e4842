package layers

// This file defines windows that move over the spatial dimensions of an input, and the
// options of layers that have one. Inputs are channels last.

import (
	"fmt"
	"strings"

	"github.com/gomlx/gomlx/core/graph"
)

// spatialNames are the names of the spatial dimensions, by their number.
var spatialNames = [][]string{1: {"steps"}, 2: {"height", "width"}, 3: {"depth", "height", "width"}}

// Sizes are the sizes of the dimensions of a window, or the like: one number for all of them, as
// in Conv2D(32, 3), or one for each, as in Conv2D(32, []int{3, 5}).
type Sizes interface{ int | []int }

// sizesOf returns sizes as a list.
func sizesOf[S Sizes](s S) []int {
	if n, ok := any(s).(int); ok {
		return []int{n}
	}
	return any(s).([]int)
}

// window is the geometry of a window, by spatial dimension.
type window struct {
	size, strides, dilation []int
	pad                     string // valid, same or causal
}

// toRank gives each spatial dimension its number. Only some layers take "causal".
func (w *window) toRank(b *Base, rank int, causal bool) {
	b.toRank("size of the window", &w.size, rank)
	if w.strides == nil {
		w.strides = w.size
	}
	b.toRank("Strides", &w.strides, rank)
	b.toRank("DilationRate", &w.dilation, rank)
	if w.pad != "valid" && w.pad != "same" && (w.pad != "causal" || !causal) {
		b.fail("%s: Padding: got %q, want \"valid\" or \"same\"", b.class, w.pad)
	}
}

// toRank repeats one number for each of rank dimensions.
func (b *Base) toRank(what string, n *[]int, rank int) {
	given := *n
	if len(given) == rank {
		return
	}
	*n = make([]int, rank)
	for i := range *n {
		(*n)[i] = 1
		if len(given) == 1 {
			(*n)[i] = given[0]
		}
	}
	switch {
	case len(given) == 1:
	case rank == 1:
		b.fail("%s: %s: got %d numbers, want one", b.class, what, len(given))
	default:
		b.fail("%s: %s: got %d numbers, want one for all dimensions, or %s", b.class, what, len(given), strings.Join(spatialNames[rank], ", "))
	}
}

// spread returns the size of the window, the gaps of its dilation included.
func (w window) spread(dim int) int { return (w.size[dim]-1)*w.dilation[dim] + 1 }

// padding returns how many elements are added at both edges of x. For "same",
// the output has the size of the input divided by the strides, rounded up; of an
// odd number of elements, the larger part is added at the end. For "causal", all
// are added at the start.
func (w window) padding(x *graph.Node) [][2]int {
	out := make([][2]int, len(w.size))
	if w.pad == "valid" {
		if err := w.checkFits(x.Shape().Dimensions); err != nil {
			panic(err)
		}
	}
	for dim := range out {
		in, stride := x.Shape().Dimensions[1+dim], w.strides[dim]
		switch w.pad {
		case "same":
			total := max(0, ((in+stride-1)/stride-1)*stride+w.spread(dim)-in)
			out[dim] = [2]int{total / 2, total - total/2}
		case "causal":
			out[dim][0] = w.spread(dim) - 1
		}
	}
	return out
}

// check returns an error if the window does not fit an input.
func (w window) check(inputs []Spec) error {
	if err := checkSpatial(inputs, len(w.size)); err != nil {
		return err
	}
	return w.checkFits(inputs[0].Shape)
}

// checkStrides returns an error if both strides and dilation are above 1.
func (w window) checkStrides() error {
	for dim := range w.strides {
		for other := range w.dilation {
			if w.strides[dim] > 1 && w.dilation[other] > 1 {
				return fmt.Errorf("got strides %v and dilation rate %v: one of them must be 1", w.strides, w.dilation)
			}
		}
	}
	return nil
}

// checkFits returns an error if the window is larger than an input of a shape. It
// skips open dimensions, which are checked when the model runs.
func (w window) checkFits(shape []int) error {
	for dim, name := range spatialNames[len(w.size)] {
		if in := shape[1+dim]; w.pad == "valid" && in >= 0 && in < w.spread(dim) {
			return fmt.Errorf("the window is larger than the input %s: its %s is %d, the input's %d; make it smaller or use Padding(\"same\")",
				ShapeText(shape), name, w.spread(dim), in)
		}
	}
	return nil
}

// checkSpatial returns an error unless there is one input with that many spatial
// dimensions, channels last.
func checkSpatial(inputs []Spec, rank int) error {
	if len(inputs) != 1 || len(inputs[0].Shape) != rank+2 {
		return fmt.Errorf("got inputs %v, want one of %d dimensions: (batch, %s, channels)", inputs, rank+2, strings.Join(spatialNames[rank], ", "))
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

// spatialAxes returns the spatial dimensions of an input: 1 to rank.
func spatialAxes(rank int) []int {
	axes := make([]int, rank)
	for i := range axes {
		axes[i] = i + 1
	}
	return axes
}

// Strides sets the step of a window: one number for all dimensions, or one for
// each. The default is 1 for convolutions, and the window's size for poolings.
func Strides(n ...int) Option { return set("Strides", n) }

// PoolSize sets the size of a pooling's window: one number for all dimensions, or
// one for each. The default is 2.
func PoolSize(n ...int) Option { return set("PoolSize", n) }

// DilationRate sets the distance between a kernel's elements: one number for all
// dimensions, or one for each. The default is 1.
func DilationRate(n ...int) Option { return set("DilationRate", n) }

// Padding sets the kind of padding: "valid", the default, keeps windows within
// the input; "same" pads with zeros so that the output has the size of the
// input divided by the strides; "causal", of Conv1D, pads so that an output depends
// on no later step.
func Padding(kind string) Option { return set("Padding", kind) }

// DataFormat sets the order of dimensions: "channels_last", the default, is the only one.
func DataFormat(kind string) Option { return set("DataFormat", kind) }

// OutputPadding sets how many elements a transposed convolution adds at the end of
// each dimension of its output, fewer than the strides: one number for all dimensions,
// or one for each. By default the size of the output is that of the input times the
// strides, at least.
func OutputPadding(n ...int) Option { return set("OutputPadding", n) }

// Groups sets the number of groups of channels: 1 by default for convolutions, which
// convolve each separately, and 32 for GroupNormalization.
func Groups(n int) Option { return set("Groups", n) }

// DepthMultiplier sets the number of outputs for each channel of a depthwise
// convolution: 1 by default.
func DepthMultiplier(n int) Option { return set("DepthMultiplier", n) }

// KeepDims makes a global pooling keep the dimensions that it reduces, with size
// 1.
func KeepDims() Option { return set("KeepDims", true) }

// DepthwiseInitializer sets the initializer of the kernel that is applied to each
// channel, "glorot_uniform" by default.
func DepthwiseInitializer(init any) Option { return set("DepthwiseInitializer", init) }

// PointwiseInitializer sets the initializer of the kernel that mixes channels,
// "glorot_uniform" by default.
func PointwiseInitializer(init any) Option { return set("PointwiseInitializer", init) }
