package layers

// This file defines the layers that only change shapes.

import (
	"fmt"

	"github.com/gomlx/gomlx/core/graph"
)

// FlattenLayer makes (batch, everything else): keras.layers.Flatten.
type FlattenLayer struct{ Base }

// Flatten returns a layer that flattens all dimensions but the batch. Options:
// Name.
func Flatten(opts ...Option) *FlattenLayer {
	l := &FlattenLayer{}
	l.configure("Flatten", opts, "Name")
	return l
}

// Build checks the number of inputs.
func (l *FlattenLayer) Build(_ *Builder, inputs []Spec) error {
	if len(inputs) != 1 {
		return fmt.Errorf("got %d inputs, want one", len(inputs))
	}
	return nil
}

// Call reshapes.
func (l *FlattenLayer) Call(_ *Context, inputs []*graph.Node) []*graph.Node {
	x := inputs[0]
	batch := x.Shape().Dimensions[0]
	rest := 1
	for _, d := range x.Shape().Dimensions[1:] {
		rest *= d
	}
	return []*graph.Node{graph.Reshape(x, batch, rest)}
}
