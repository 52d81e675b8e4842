package layers

// This file defines the layers that change shapes: Flatten, Reshape, Permute and
// RepeatVector; and their options.

import (
	"fmt"
	"slices"

	"github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/keras/layers/internal/nodes"
)

// reshapingClasses has the layers that reshape: by the name of the class in Keras, how a layer is
// made of its options.
var reshapingClasses = map[string]class{
	"Flatten":      classOf(func(d declared, _ *formatOptions) Layer { return &FlattenLayer{d} }),
	"Permute":      classOf(newPermute),
	"RepeatVector": classOf(func(d declared, o *repeatOptions) Layer { return &RepeatVectorLayer{d, o} }),
	"Reshape":      classOf(newReshape),
}

// permuteOptions holds the only option of Permute: the order of the dimensions, counted from 1.
type permuteOptions struct {
	Dims []int `argument:"dims"`
}

// reshapeOptions holds the only option of Reshape: the shape of a sample, without the batch; one
// size may be -1.
type reshapeOptions struct {
	TargetShape []int `argument:"target_shape"`
}

// repeatOptions holds the only option of RepeatVector: how often the input is repeated.
type repeatOptions struct {
	Times int `argument:"n" want:"size"`
}

// FlattenLayer reshapes its input to two dimensions, the batch and the product of all others:
// keras.layers.Flatten.
type FlattenLayer struct{ declared }

// Flatten returns a layer that joins all dimensions but the batch to one. Options: Name,
// DataFormat.
func Flatten(opts ...Option) *FlattenLayer { return declare[*FlattenLayer]("Flatten", opts) }

// Build returns an error unless there is one input.
func (l *FlattenLayer) Build(_ *Builder, inputs []Spec) error {
	if len(inputs) != 1 {
		return fmt.Errorf("got %d inputs, want one", len(inputs))
	}
	return nil
}

// Call returns the input as (batch, features), with all dimensions of a sample in one.
func (l *FlattenLayer) Call(_ *Context, inputs []*graph.Node) []*graph.Node {
	x := inputs[0]
	batch := x.Shape().Dimensions[0]
	rest := 1
	for _, d := range x.Shape().Dimensions[1:] {
		rest *= d
	}
	return []*graph.Node{graph.Reshape(x, batch, rest)}
}

// ReshapeLayer gives each sample another shape: keras.layers.Reshape.
type ReshapeLayer struct {
	declared
	Target []int
}

// Reshape returns a layer that gives each sample the shape target, which has no batch dimension.
// One size may be -1; it follows from the others. Other sizes below 1 are errors. Options: Name.
func Reshape(target []int, opts ...Option) *ReshapeLayer {
	return declare[*ReshapeLayer]("Reshape", []Option{set("TargetShape", append([]int{}, target...))}, opts)
}

func newReshape(d declared, o *reshapeOptions) Layer {
	open := 0
	for _, n := range o.TargetShape {
		if n == -1 {
			open++
		}
		if n < -1 || n == 0 || open > 1 {
			d.fail("Reshape: got target shape %v, want positive sizes, and -1 for at most one", o.TargetShape)
		}
	}
	return &ReshapeLayer{declared: d, Target: o.TargetShape}
}

// Build returns an error unless the one input has as many elements as the target shape, or with an
// open dimension a multiple of the others. Inputs with open dimensions are checked when the model
// runs.
func (l *ReshapeLayer) Build(_ *Builder, inputs []Spec) error {
	if err := checkOne(inputs, 1); err != nil {
		return err
	}
	elements, ok := ir.Elements(inputs[0].Shape[1:]...)
	if !ok {
		return nil // an open dimension: checked when the model runs
	}
	known := 1
	for _, d := range l.Target {
		if d = max(d, 1); known > ir.MaxElements/d {
			return fmt.Errorf("the target shape %v is too large: want at most 2^56 elements", l.Target)
		}
		known *= d
	}
	if elements%known != 0 || known != elements && !slices.Contains(l.Target, -1) {
		return fmt.Errorf("got samples of shape %v, %d elements, which do not fit the target shape %v", inputs[0].Shape[1:], elements, l.Target)
	}
	return nil
}

// Call returns the input with each sample in the shape Target.
func (l *ReshapeLayer) Call(_ *Context, inputs []*graph.Node) []*graph.Node {
	return []*graph.Node{graph.Reshape(inputs[0], slices.Concat(inputs[0].Shape().Dimensions[:1], l.Target)...)}
}

// PermuteLayer changes the order of the dimensions after the batch: keras.layers.Permute.
type PermuteLayer struct {
	declared
	Dims []int
}

// Permute returns a layer whose output has the input's dimensions in the order dims. They are
// counted from 1, because the batch stays the first; dims that lack one, or have one twice, are an
// error. Options: Name.
func Permute(dims []int, opts ...Option) *PermuteLayer {
	return declare[*PermuteLayer]("Permute", []Option{set("Dims", append([]int{}, dims...))}, opts)
}

func newPermute(d declared, o *permuteOptions) Layer {
	for i, n := range slices.Sorted(slices.Values(o.Dims)) {
		if n != i+1 {
			d.fail("Permute: got dims %v, want each of 1 to %d once", o.Dims, len(o.Dims))
		}
	}
	return &PermuteLayer{declared: d, Dims: o.Dims}
}

// Build returns an error unless there is one input with as many dimensions, without the batch, as
// Dims has.
func (l *PermuteLayer) Build(_ *Builder, inputs []Spec) error {
	if len(inputs) != 1 || len(inputs[0].Shape) != len(l.Dims)+1 {
		return fmt.Errorf("got inputs %v for the order %v, want one with as many dimensions beside the batch", inputs, l.Dims)
	}
	return nil
}

// Call returns the input with the dimensions of samples in the order Dims.
func (l *PermuteLayer) Call(_ *Context, inputs []*graph.Node) []*graph.Node {
	return []*graph.Node{graph.TransposeAllAxes(inputs[0], slices.Concat([]int{0}, l.Dims)...)}
}

// RepeatVectorLayer repeats its input as the steps of a sequence: keras.layers.RepeatVector.
type RepeatVectorLayer struct {
	declared
	opts *repeatOptions
}

// RepeatVector returns a layer that repeats vectors, (batch, features), n times: (batch, n,
// features). An n below 1 is an error of the layer. Options: Name.
func RepeatVector(n int, opts ...Option) *RepeatVectorLayer {
	return declare[*RepeatVectorLayer]("RepeatVector", []Option{set("Times", n)}, opts)
}

// Build returns an error unless there is one input of the shape (batch, features).
func (l *RepeatVectorLayer) Build(_ *Builder, inputs []Spec) error {
	if len(inputs) != 1 || len(inputs[0].Shape) != 2 {
		return fmt.Errorf("got inputs %v, want one of 2 dimensions: (batch, features)", inputs)
	}
	return nil
}

// Call returns each vector of the input as a sequence, (batch, times, features).
func (l *RepeatVectorLayer) Call(_ *Context, inputs []*graph.Node) []*graph.Node {
	return []*graph.Node{nodes.Repeat(graph.InsertAxes(inputs[0], 1), 1, l.opts.Times)}
}
