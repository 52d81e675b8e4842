package layers

// This file defines the geometry of windows that move over images.

import (
	"fmt"

	"github.com/gomlx/gomlx/core/graph"
)

// window is a window over height and width.
type window struct {
	size, strides, dilation [2]int
	same                    bool
}

// spread returns the size of the window with the holes of the dilation.
func (w window) spread(dim int) int { return (w.size[dim]-1)*w.dilation[dim] + 1 }

// padding returns how much is added at either edge of x: for "same", so much
// that the output has the size of the input divided by the strides, rounded
// up, with the odd element at the end.
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

// check reports why the window does not fit an input.
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

// checkFits reports that the window is larger than images of a shape; an open
// size is seen when the model runs.
func (w window) checkFits(images []int) error {
	for dim, name := range []string{"height", "width"} {
		if in := images[1+dim]; !w.same && in >= 0 && in < w.spread(dim) {
			return fmt.Errorf("the window is larger than the input %s: its %s is %d, the input's %d; make it smaller or use Padding(\"same\")",
				ShapeText(images), name, w.spread(dim), in)
		}
	}
	return nil
}

// checkImages wants one input of images, channels last.
func checkImages(inputs []Spec) error {
	if len(inputs) != 1 || len(inputs[0].Shape) != 4 {
		return fmt.Errorf("got inputs %v, want one of 4 dimensions: (batch, height, width, channels)", inputs)
	}
	return nil
}

// checkOne wants one input of at least rank dimensions.
func checkOne(inputs []Spec, rank int) error {
	if len(inputs) != 1 || len(inputs[0].Shape) < rank {
		return fmt.Errorf("got inputs %v, want one of at least %d dimensions, the batch included", inputs, rank)
	}
	return nil
}
