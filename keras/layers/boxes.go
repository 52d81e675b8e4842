package layers

// This file defines MaxNumBoundingBoxes.

import (
	"fmt"

	"github.com/gomlx/gomlx/core/graph"
)

// MaxNumBoundingBoxesLayer gives all images one number of bounding boxes:
// keras.layers.MaxNumBoundingBoxes.
type MaxNumBoundingBoxesLayer struct{ declared }

// MaxNumBoundingBoxes returns a layer that keeps the first maxNumber boxes of each image, and fills
// up where there are fewer. It is applied to boxes (batch, boxes, 4) and their labels (batch,
// boxes), ApplyAll(l, boxes, labels), and returns both; Keras' layer takes them in a dict. Options:
// Name, BoxFill (-1), BoundingBoxFormat, DataFormat, DType.
func MaxNumBoundingBoxes(maxNumber int, opts ...Option) *MaxNumBoundingBoxesLayer {
	return declare[*MaxNumBoundingBoxesLayer]("MaxNumBoundingBoxes", []Option{set("MaxNumber", maxNumber)}, opts)
}

// BoxFill sets the numbers of boxes and labels that are added.
func BoxFill(n int) Option { return set("BoxFill", n) }

// BoundingBoxFormat names what the four numbers of a box are, such as "xyxy". Nothing depends on
// it.
func BoundingBoxFormat(name string) Option { return set("BoundingBoxFormat", name) }

// Build checks the inputs.
func (l *MaxNumBoundingBoxesLayer) Build(_ *Builder, inputs []Spec) error {
	l.KeepInputs()
	if len(inputs) != 2 || len(inputs[0].Shape) != 3 || inputs[0].Shape[2] != 4 || len(inputs[1].Shape) != 2 {
		return fmt.Errorf("got inputs %v, want boxes (batch, boxes, 4) and their labels (batch, boxes)", inputs)
	}
	return nil
}

// Call cuts off or fills up.
func (l *MaxNumBoundingBoxesLayer) Call(_ *Context, inputs []*graph.Node) []*graph.Node {
	out := make([]*graph.Node, len(inputs))
	for i, x := range inputs {
		dims := x.Shape().Clone().Dimensions
		more := l.opts.maxNumber - dims[1]
		if out[i] = x; more <= 0 {
			out[i] = graph.SliceAxis(x, 1, graph.AxisRange(0, l.opts.maxNumber))
			continue
		}
		dims[1] = more
		filler := graph.BroadcastToDims(graph.Scalar(x.Graph(), x.DType(), l.opts.boxFill), dims...)
		out[i] = graph.Concatenate([]*graph.Node{x, filler}, 1)
	}
	return out
}
