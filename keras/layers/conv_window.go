package layers

// This file defines windows that move over the spatial dimensions of an input. Inputs are
// channels last.

import (
	"fmt"
	"strings"

	"github.com/gospmd/gospmd/keras/layers/internal/nodes"
)

// Sizes are the sizes of the dimensions of a window, or the like: one number for all of them, as
// in Conv2D(32, 3), or one for each, as in Conv2D(32, []int{3, 5}).
type Sizes interface{ int | []int }

// sizesOf returns s as a list: of one element for a number, s itself for a list.
func sizesOf[S Sizes](s S) []int {
	if n, ok := any(s).(int); ok {
		return []int{n}
	}
	return any(s).([]int)
}

// toRank gives the size, strides and dilation of window w one number for each of rank spatial
// dimensions: a single number is repeated, and strides of nil become the size. Another count of
// numbers becomes the error of b. So does a padding other than "valid" and "same" and, if causal is
// set, "causal".
func toRank(b *Base, w *nodes.Window, rank int, causal bool) {
	b.toRank("size of the window", &w.Size, rank)
	if w.Strides == nil {
		w.Strides = w.Size
	}
	b.toRank("Strides", &w.Strides, rank)
	b.toRank("DilationRate", &w.Dilation, rank)
	if w.Pad != "valid" && w.Pad != "same" && (w.Pad != "causal" || !causal) {
		b.fail("%s: Padding: got %q, want \"valid\" or \"same\"", b.class, w.Pad)
	}
}

// toRank extends the list n, the option what, to rank numbers: one number is repeated. Any other
// length becomes the layer's error, and n becomes ones.
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
		b.fail("%s: %s: got %d numbers, want one for all dimensions, or %s", b.class, what, len(given), strings.Join(nodes.SpatialNames[rank], ", "))
	}
}

// checkWindow returns an error unless there is one input, [batch, spatial dimensions..., channels],
// with as many spatial dimensions as the window w has, which w fits into. Open sizes, and any size
// with another padding than "valid", fit.
func checkWindow(w nodes.Window, inputs []Spec) error {
	if err := checkSpatial(inputs, len(w.Size)); err != nil {
		return err
	}
	return w.CheckFits(inputs[0].Shape)
}

// checkSpatial returns an error unless there is one input, [batch, spatial dimensions...,
// channels], and rank is the number of its spatial dimensions.
func checkSpatial(inputs []Spec, rank int) error {
	if len(inputs) != 1 || len(inputs[0].Shape) != rank+2 {
		return fmt.Errorf("got inputs %v, want one of %d dimensions: (batch, %s, channels)", inputs, rank+2, strings.Join(nodes.SpatialNames[rank], ", "))
	}
	return nil
}

// checkOne returns an error unless there is exactly one input, of at least rank dimensions with the
// batch.
func checkOne(inputs []Spec, rank int) error {
	if len(inputs) != 1 || len(inputs[0].Shape) < rank {
		return fmt.Errorf("got inputs %v, want one of at least %d dimensions, the batch included", inputs, rank)
	}
	return nil
}
