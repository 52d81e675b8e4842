package keras

// This file defines Model and the functional way of making one.

import (
	"errors"
	"fmt"
	"slices"

	"github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/keras/distribution"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/variable"
)

// Model is a graph of layers with what is needed to train it: keras.Model.
//
// A model belongs to the distribution that was current when it was made; its
// variables come to the devices when it first runs.
type Model struct {
	name    string
	inputs  []*layers.Tensor
	outputs []*layers.Tensor
	nodes   []*layers.Node // in Keras' order, in which each follows its inputs

	sequential []layers.Layer // of a Sequential; its graph is made by Build
	own        layers.Layer   // of a model that is a Go type; its graph is made by Build
	layer      *ModelLayer    // the model as a layer, once it is used as one

	policy   string // of dtypes, when the model was made
	dist     distribution.Distribution
	compiled *compiled
	training *Training // the Fit under way
	warned   map[string]bool
}

// Input returns a symbolic tensor where data enters a model. shape leaves out
// the batch. It is layers.Input.
func Input(shape []int, opts ...layers.Option) *layers.Tensor { return layers.Input(shape, opts...) }

// SetDTypePolicy sets the policy of layers that are made from now on, such as
// "mixed_bfloat16". It is layers.SetDTypePolicy.
func SetDTypePolicy(name string) error { return layers.SetDTypePolicy(name) }

// NewModel returns the model that computes outputs from inputs. Whatever went
// wrong while its layers were applied is returned here.
func NewModel(inputs, outputs []*layers.Tensor) (*Model, error) {
	m := &Model{name: layers.AutoName("functional"), policy: layers.GlobalDTypePolicy()}
	if err := m.connect(inputs, outputs); err != nil {
		return nil, fmt.Errorf("keras: model %s: %w", m.name, err)
	}
	return m, nil
}

// connect makes the model's graph.
func (m *Model) connect(inputs, outputs []*layers.Tensor) error {
	if len(inputs) == 0 || len(outputs) == 0 {
		return fmt.Errorf("got %d inputs and %d outputs, want at least one of each", len(inputs), len(outputs))
	}
	var errs []error
	for _, t := range slices.Concat(inputs, outputs) {
		if t == nil {
			return errors.New("one of the inputs or outputs is nil")
		}
		if err := t.Err(); err != nil {
			errs = append(errs, err)
		}
	}
	if len(errs) > 0 {
		return errors.Join(errs...)
	}
	for i, t := range inputs {
		if !t.Producer().IsInput() {
			return fmt.Errorf("input %d is the output of layer %s, want a tensor made by keras.Input", i, t.Producer().Name())
		}
		if slices.Contains(inputs[:i], t) {
			return fmt.Errorf("input %s is listed twice", t.Producer().Name())
		}
	}
	m.inputs, m.outputs = inputs, outputs
	m.nodes = nil
	seen := make(map[*layers.Node]bool)
	for _, t := range outputs {
		if err := m.collect(t.Producer(), seen); err != nil {
			return err
		}
	}
	sortNodes(m.nodes, outputs)
	for _, t := range inputs {
		if !seen[t.Producer()] {
			return fmt.Errorf("input %s is not connected to any output", t.Producer().Name())
		}
	}
	if err := m.checkNames(); err != nil {
		return err
	}
	m.dist = distribution.Current()
	return nil
}

// collect appends n after the nodes it depends on.
func (m *Model) collect(n *layers.Node, seen map[*layers.Node]bool) error {
	if seen[n] {
		return nil
	}
	seen[n] = true
	if n.IsInput() && !slices.Contains(m.inputs, n.Outputs[0]) {
		return fmt.Errorf("an output depends on %s, which is not among the inputs", n.Name())
	}
	for _, t := range n.Inputs {
		if err := m.collect(t.Producer(), seen); err != nil {
			return err
		}
	}
	m.nodes = append(m.nodes, n)
	return nil
}

// checkNames makes sure that layer names and variable paths are unique.
func (m *Model) checkNames() error {
	byName := make(map[string]layers.Layer)
	for _, n := range m.nodes {
		if other, ok := byName[n.Name()]; ok && other != n.Layer {
			return fmt.Errorf("two layers are named %q: give each its own name, because variable paths begin with it", n.Name())
		}
		byName[n.Name()] = n.Layer
	}
	paths := make(map[string]bool)
	for _, v := range m.Variables() {
		if paths[v.Path()] {
			return fmt.Errorf("two variables have the path %q: layers inside of layers or models have the same name: give each its own", v.Path())
		}
		paths[v.Path()] = true
	}
	return nil
}

// Name returns the model's name.
func (m *Model) Name() string { return m.name }

// Layers returns the layers, inputs included, in the order of computation;
// a layer that is applied several times stands once. Of a model that is a Go
// type they are those that it consists of.
func (m *Model) Layers() []layers.Layer {
	if m.own != nil {
		return m.own.(interface{ Inner() []layers.Layer }).Inner()
	}
	var out []layers.Layer
	for _, n := range m.nodes {
		if !slices.Contains(out, n.Layer) {
			out = append(out, n.Layer)
		}
	}
	return out
}

// Layer returns the layer of that name, or nil.
func (m *Model) Layer(name string) layers.Layer {
	for _, l := range m.Layers() {
		if l.(named).Name() == name {
			return l
		}
	}
	return nil
}

// Variables returns the variables of all layers, in the order of computation.
// It is empty for a Sequential that has not seen its input shape yet.
func (m *Model) Variables() []*variable.Variable {
	var out []*variable.Variable
	for _, n := range m.nodes {
		for _, v := range n.Variables() {
			if !slices.Contains(out, v) {
				out = append(out, v)
			}
		}
	}
	return out
}

// TrainableVariables returns the variables that training changes.
func (m *Model) TrainableVariables() []*variable.Variable {
	return slices.DeleteFunc(m.Variables(), func(v *variable.Variable) bool { return !v.Trainable() })
}

// Variable returns the variable of that path, such as d1/kernel, or nil.
func (m *Model) Variable(path string) *variable.Variable {
	for _, v := range m.Variables() {
		if v.Path() == path {
			return v
		}
	}
	return nil
}

// call computes the model's outputs on nodes that stand for its inputs.
func (m *Model) call(c *layers.Context, inputs []*graph.Node) ([]*graph.Node, error) {
	values := make(map[*layers.Tensor]*graph.Node)
	for i, t := range m.inputs {
		values[t] = graph.ConvertDType(inputs[i], t.DType())
	}
	for _, n := range m.nodes {
		if n.IsInput() {
			continue
		}
		in := make([]*graph.Node, len(n.Inputs))
		for i, t := range n.Inputs {
			in[i] = values[t]
		}
		out, err := n.Call(c, in)
		if err != nil {
			return nil, err
		}
		for i, t := range n.Outputs {
			values[t] = out[i]
		}
	}
	outputs := make([]*graph.Node, len(m.outputs))
	for i, t := range m.outputs {
		outputs[i] = values[t]
	}
	return outputs, nil
}
