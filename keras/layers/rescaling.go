package layers

// This file defines Rescaling.

import "github.com/gomlx/gomlx/core/graph"

// RescalingLayer computes x·scale + offset: keras.layers.Rescaling.
type RescalingLayer struct {
	Base
	Scale float64
	opts  options
}

// Rescaling returns a layer that computes x·scale + offset, as 1/255 makes
// numbers in [0, 1] of bytes. Options: Name, Offset, DType.
func Rescaling(scale float64, opts ...Option) *RescalingLayer {
	l := &RescalingLayer{Scale: scale}
	l.opts = l.configure("Rescaling", opts, "Name", "Offset", "DType")
	return l
}

// Build checks the number of inputs.
func (l *RescalingLayer) Build(_ *Builder, inputs []Spec) error { return checkOne(inputs, 1) }

// Call scales.
func (l *RescalingLayer) Call(_ *Context, inputs []*graph.Node) []*graph.Node {
	x := graph.ConvertDType(inputs[0], l.ComputeDType())
	return []*graph.Node{graph.AddScalar(graph.MulScalar(x, l.Scale), l.opts.offset)}
}
