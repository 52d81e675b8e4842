package keras

// This file makes models of Go types, and layers of models.

import (
	"fmt"
	"slices"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"

	"github.com/gospmd/gospmd/keras/distribution"
	"github.com/gospmd/gospmd/keras/layers"
)

// NewSubclassed returns the model that is l: a Go type of your own with its own
// Call, as a subclass of keras.Model is in Python.
//
//	type MLP struct {
//		layers.Base
//		Hidden, Out *layers.DenseLayer
//	}
//
//	func (m *MLP) Call(c *layers.Context, in []*graph.Node) []*graph.Node {
//		return []*graph.Node{c.Apply(m.Out, c.Apply(m.Hidden, in[0]))}
//	}
//
//	model, err := keras.NewSubclassed(&MLP{Hidden: layers.Dense(16), Out: layers.Dense(10)})
//
// Its variables are made when it first sees data, or by Build; their paths
// begin with the model's name, mlp/dense/kernel. c.Training tells Fit from
// Evaluate and Predict. To use l in another model, apply it as any layer.
func NewSubclassed(l layers.Layer) (*Model, error) {
	if l == nil {
		return nil, fmt.Errorf("keras: NewSubclassed got no layer, want a pointer to a type of your own")
	}
	if err := layers.AssignName(l); err != nil {
		return nil, fmt.Errorf("keras: model of type %T: %w", l, err)
	}
	return &Model{name: l.(named).Name(), own: l, policy: layers.GlobalDTypePolicy(), dist: distribution.Current()}, nil
}

// named is what every layer is, by its Base.
type named interface{ Name() string }

// Subclassed returns the layer that the model is, nil unless NewSubclassed made
// it.
func (m *Model) Subclassed() layers.Layer { return m.own }

// buildFor makes the graph of a model that has none, for data like x.
func (m *Model) buildFor(x []*tensors.Tensor) error {
	if m.own == nil {
		return m.Build(x[0].Shape().Dimensions[1:])
	}
	in := make([]*layers.Tensor, len(x))
	for i, t := range x {
		in[i] = layers.Input(t.Shape().Dimensions[1:], layers.DType(t.DType()))
	}
	return m.buildOn(in)
}

// ModelLayer is a model as a layer of another model.
type ModelLayer struct {
	layers.Base
	model *Model
	parts []layers.Layer
}

// AsLayer returns the model as a layer, always the same one: applied to
// tensors it becomes a part of another model, with which it shares its
// variables. Those of a functional model keep their paths; a Sequential that is
// not built yet is built there. It is what calling a model is in Keras.
func (m *Model) AsLayer() layers.Layer {
	if m.own != nil {
		return m.own
	}
	if m.layer == nil {
		m.layer = &ModelLayer{model: m, parts: m.parts()}
		m.layer.SetName(m.name)
		m.layer.KeepInputs() // the model's inputs have types of their own
		if m.built() {
			m.layer.Adopt(m.layer.parts...) // else they get their names in turn
		}
	}
	return m.layer
}

// Apply connects the model, as a layer, to inputs and returns its first output.
func (m *Model) Apply(inputs ...*layers.Tensor) *layers.Tensor {
	return layers.Apply(m.AsLayer(), inputs...)
}

// parts returns the layers of the model that are not inputs.
func (m *Model) parts() (ls []layers.Layer) {
	if !m.built() {
		return m.sequential
	}
	for _, n := range m.nodes {
		if !n.IsInput() && !slices.Contains(ls, n.Layer) {
			ls = append(ls, n.Layer)
		}
	}
	return ls
}

// Model returns the model that the layer is.
func (l *ModelLayer) Model() *Model { return l.model }

// Build builds a Sequential that is not built.
func (l *ModelLayer) Build(b *layers.Builder, inputs []layers.Spec) error {
	if l.model.built() {
		return nil
	}
	if len(inputs) != 1 {
		return fmt.Errorf("got %d inputs, want one: a Sequential has one", len(inputs))
	}
	return l.model.connectList(b.Path(), layers.Input(inputs[0].Shape[1:]))
}

// Call computes the model.
func (l *ModelLayer) Call(c *layers.Context, inputs []*graph.Node) []*graph.Node {
	m := l.model
	if len(inputs) != len(m.inputs) {
		panic(fmt.Errorf("got %d inputs, want %d, as the model was made with", len(inputs), len(m.inputs)))
	}
	for i, in := range inputs {
		if want := m.inputs[i]; !fits(in.Shape().Dimensions, want.Shape()) {
			panic(fmt.Errorf("got data of shape %s for input %s, want %s", in.Shape(), want.Producer().Name(), layers.ShapeText(want.Shape())))
		}
	}
	out, err := m.call(c, inputs)
	if err != nil {
		panic(err)
	}
	return out
}
