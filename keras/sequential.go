package keras

// This file makes models from lists of layers and from Go types. Their graphs are made when the
// inputs are known. It also makes layers from models.

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"

	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/keras/distribution"
	"github.com/gospmd/gospmd/keras/layers"
)

// NewSequential returns a model that applies the layers one after the other: keras.Sequential. Add
// appends layers. Build, or the first batch, makes the variables. As in Keras, their paths begin
// with the model's name. A layer that is nil, was made with wrong arguments, or is called with
// arguments (layers.WithTraining) is an error.
func NewSequential(ls ...layers.Layer) (*Model, error) {
	m := &Model{name: layers.AutoName("sequential"), sequential: append([]layers.Layer{}, ls...), policy: layers.GlobalDTypePolicy(), dist: distribution.Current()}
	if err := m.checkList(ls, 0); err != nil {
		return nil, err
	}
	return m, nil
}

// checkList returns the errors of the layers ls that cannot be in a Sequential, such as nil. first
// is the index of ls[0] in the model, for messages.
func (m *Model) checkList(ls []layers.Layer, first int) error {
	var errs []error
	for i, l := range ls {
		if layers.IsNil(l) {
			errs = append(errs, fmt.Errorf("layer %d is nil: want a layer, such as layers.Dense(10)", first+i))
		} else if err := layers.ConstructionError(l); err != nil {
			errs = append(errs, err)
		} else if _, arguments := layers.Called(l); arguments != nil {
			errs = append(errs, fmt.Errorf("layer %d is a %s called with %s, and a Sequential calls layers with nothing but tensors: make the model with NewModel",
				first+i, layers.ClassName(l), strings.Join(slices.Sorted(maps.Keys(arguments)), ", ")))
		}
	}
	if len(errs) > 0 {
		return fmt.Errorf("keras: model %s: %w", m.name, errors.Join(errs...))
	}
	return nil
}

// Add appends layers to a Sequential: keras.Sequential.add. If the model is built, it stays built,
// and the layers keep their variables. If it was compiled, compile it again. It is an error if the
// model is no Sequential, if a layer does not fit, or if a Fit is under way. On an error the model
// does not change.
func (m *Model) Add(ls ...layers.Layer) error {
	if !m.IsSequential() {
		return fmt.Errorf("keras: model %s is no Sequential: Add takes layers for one made by NewSequential", m.name)
	}
	if err := m.checkList(ls, len(m.sequential)); err != nil {
		return err
	}
	return m.relist(slices.Concat(m.sequential, ls))
}

// Pop removes the last layer of a Sequential and returns it: keras.Sequential.pop. A model that was
// built stays built, unless it had no other layer. If it was compiled, compile it again. It is an
// error if the model is no Sequential or has no layer, or if a Fit is under way.
func (m *Model) Pop() (layers.Layer, error) {
	n := len(m.sequential)
	if n == 0 {
		return nil, fmt.Errorf("keras: model %s has no layer to take away: want a Sequential with layers", m.name)
	}
	last := m.sequential[n-1]
	return last, m.relist(slices.Clone(m.sequential[:n-1]))
}

// relist replaces the layers of a Sequential by ls, and builds the model again if it was built. The
// model is then not compiled. If a Fit is under way or building fails, it returns an error and
// changes nothing.
func (m *Model) relist(ls []layers.Layer) error {
	if m.training != nil {
		return fmt.Errorf("keras: model %s: a Fit is under way: change the layers of the model before or after it", m.name)
	}
	before := *m
	in := m.inputs
	m.sequential, m.compiled = ls, nil
	m.nodes, m.inputs, m.outputs, m.host, m.deviceInputs = nil, nil, nil, nil, nil
	if len(in) == 0 || len(ls) == 0 {
		return nil
	}
	err := m.buildOn(in)
	if err != nil {
		*m = before
	}
	return err
}

// NewSubclassed returns a model whose layers and Call are those of l, a Go type
// of your own. It is what a subclass of keras.Model is in Python.
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
// Its variables are made by Build, or on the first batch; their paths begin with
// the model's name: mlp/dense/kernel. c.Training is true in Fit, and false in
// Evaluate and Predict. To use l in another model, apply it like any layer.
func NewSubclassed(l layers.Layer) (*Model, error) {
	if layers.IsNil(l) {
		return nil, fmt.Errorf("keras: NewSubclassed got no layer, want a pointer to a type of your own")
	}
	if err := layers.AssignName(l); err != nil {
		return nil, fmt.Errorf("keras: model of type %T: %w", l, err)
	}
	return &Model{name: l.Name(), subclassed: l, policy: layers.GlobalDTypePolicy(), dist: distribution.Current()}, nil
}

// Subclassed returns the argument of NewSubclassed, nil for other models.
func (m *Model) Subclassed() layers.Layer { return m.subclassed }

// Build makes the graph and the variables of a Sequential, or of a model with one input made by
// NewSubclassed. shape has no batch dimension, and opts are options of Input. Fit, Evaluate and
// Predict call Build for a model that is not built. It is an error for a model that is built.
func (m *Model) Build(shape []int, opts ...layers.Option) error {
	if m.built() {
		return fmt.Errorf("keras: model %s is built already, for inputs %s", m.name, layers.ShapeText(m.inputs[0].Shape()))
	}
	return m.buildOn([]*layers.Tensor{layers.Input(shape, opts...)})
}

// buildOn makes graph and variables of a model that is not built, for the inputs in; a Sequential
// takes only the first. Variables are sharded by the model's distribution, or the current one if it
// has none.
func (m *Model) buildOn(in []*layers.Tensor) error {
	d := m.dist
	if d == nil {
		d = distribution.Current()
	}
	err := distribution.Scope(d, func() error {
		if m.subclassed != nil {
			return m.connect(in, layers.ApplyAll(m.subclassed, in...))
		}
		return m.connectList(m.name, in[0])
	})
	if err != nil {
		return fmt.Errorf("keras: model %s: %w", m.name, err)
	}
	return nil
}

// connectList makes the graph of a Sequential by applying its layers to in, one after the other.
// The paths of its variables begin with path. A Sequential without layers is an error.
func (m *Model) connectList(path string, in *layers.Tensor) error {
	if len(m.sequential) == 0 {
		return errors.New("it has no layers: give it some with Add")
	}
	t := in
	for _, l := range m.sequential {
		t = layers.ApplyIn(path, l, t)
	}
	return m.connect([]*layers.Tensor{in}, []*layers.Tensor{t})
}

// built reports whether the model has a graph, and so its variables.
func (m *Model) built() bool { return len(m.nodes) > 0 }

// buildFor makes graph and variables of a model that is not built, for inputs of the shapes of x. A
// Sequential takes only x[0], and its input has the default type, or with layers on the host that
// of x[0]; inputs of other models have the types of x. Texts are errors, unless the model has
// layers on the host.
func (m *Model) buildFor(x []*tensors.Tensor) error {
	if !m.hasHost() {
		for i, t := range x {
			if data.IsText(t) {
				return fmt.Errorf("input %d are texts, which no device takes: %s", i, textsFix)
			}
		}
	}
	if m.subclassed == nil {
		var opts []layers.Option
		if m.hasHost() {
			opts = append(opts, layers.DType(typeOf(x[0])))
		}
		return m.Build(data.Dims(x[0])[1:], opts...)
	}
	in := make([]*layers.Tensor, len(x))
	for i, t := range x {
		in[i] = layers.Input(t.Shape().Dimensions[1:], layers.DType(t.DType()))
	}
	return m.buildOn(in)
}

// typeOf returns the type of the elements of x, a tensor of data: layers.String for texts.
func typeOf(x *tensors.Tensor) dtypes.DType {
	if data.IsText(x) {
		return layers.String
	}
	return x.DType()
}

// ModelLayer is a layer that runs a model inside another model. It is a layers.Composite.
type ModelLayer struct {
	layers.Base
	model *Model
	parts []layers.Layer
}

// AsLayer returns the model as a layer; each call returns the same one. For a model made by
// NewSubclassed it is the argument of that. Apply it to tensors to use the model in another model,
// as a call of a model does in Keras. Both models share the variables. The variables of a
// functional model keep their paths. A Sequential that is not built is built when it is applied.
func (m *Model) AsLayer() layers.Layer {
	if m.subclassed != nil {
		return m.subclassed
	}
	if m.layer == nil {
		m.layer = &ModelLayer{model: m, parts: m.parts()}
		m.layer.SetName(m.name)
		m.layer.KeepInputs() // call converts them to the types of the model's inputs
		if m.built() {
			m.layer.Adopt(m.layer.parts...) // the others get their names when they are built
		}
	}
	return m.layer
}

// Apply applies the model, as a layer, to inputs and returns its first output. An error is in the
// result.
func (m *Model) Apply(inputs ...*layers.Tensor) *layers.Tensor {
	return layers.Apply(m.AsLayer(), inputs...)
}

// parts returns the layers of the model that are not inputs, each once, in order. Before a
// Sequential is built, it returns the list of its layers, which belongs to the model.
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

// Model returns the model that the layer applies.
func (l *ModelLayer) Model() *Model { return l.model }

// Parts returns the layers of the model that are not inputs, as one list.
func (l *ModelLayer) Parts() []layers.Part {
	return []layers.Part{{Field: "parts", List: true, Layers: l.parts}}
}

// Build builds a Sequential that is not built, for its one input; another number of inputs is an
// error. It does nothing for other models.
func (l *ModelLayer) Build(b *layers.Builder, inputs []layers.Spec) error {
	if l.model.built() {
		return nil
	}
	if len(inputs) != 1 {
		return fmt.Errorf("got %d inputs, want one: a Sequential has one", len(inputs))
	}
	var opts []layers.Option
	if l.model.hasHost() {
		opts = append(opts, layers.DType(inputs[0].DType))
	}
	return l.model.connectList(b.Path(), layers.Input(inputs[0].Shape[1:], opts...))
}

// Call computes the model on the devices. For a model with a host part it computes the rest. It
// panics if the inputs do not fit in number or shape.
func (l *ModelLayer) Call(c *layers.Context, inputs []*graph.Node) []*graph.Node {
	m := l.model
	if len(inputs) != len(m.deviceInputs) {
		panic(fmt.Errorf("got %d inputs, want %d, as the model was made with", len(inputs), len(m.deviceInputs)))
	}
	for i, in := range inputs {
		if want := m.deviceInputs[i].t; !fits(in.Shape().Dimensions, want.Shape()) {
			panic(fmt.Errorf("got data of shape %s for input %s, want %s", in.Shape(), want.Producer().Name(), layers.ShapeText(want.Shape())))
		}
	}
	out, err := m.call(c, inputs)
	if err != nil {
		panic(err)
	}
	return out
}
