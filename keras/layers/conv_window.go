package layers

// This file defines windows that move over the spatial dimensions of an input. Inputs are
// channels last.

import (
	"fmt"
	"strings"

	"github.com/gomlx/gomlx/core/graph"
)

// spatialNames are the names of the spatial dimensions, by their number.
var spatialNames = [][]string{1: {"steps"}, 2: {"height", "width"}, 3: {"depth", "height", "width"}}

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
