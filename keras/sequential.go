package keras

// This file defines Sequential, a model that is a list of layers.

import (
	"fmt"

	"github.com/gospmd/gospmd/keras/distribution"
	"github.com/gospmd/gospmd/keras/layers"
)

// NewSequential returns a model that applies the layers in turn:
// keras.Sequential. Its variables are made when it first sees data, or by
// Build; their paths begin with the model's name, as Keras' do.
func NewSequential(ls ...layers.Layer) (*Model, error) {
	m := &Model{name: layers.AutoName("sequential"), sequential: ls, policy: layers.GlobalDTypePolicy(), dist: distribution.Current()}
	if len(ls) == 0 {
		return nil, fmt.Errorf("keras: model %s: got no layers, want at least one", m.name)
	}
	for i, l := range ls {
		if l == nil {
			return nil, fmt.Errorf("keras: model %s: layer %d is nil", m.name, i)
		}
	}
	return m, nil
}

// Build makes the graph and the variables of a Sequential, or of a model of a Go
// type with one input, for inputs of the given shape, which leaves out the
// batch, as that of Input does. The first Fit, Evaluate or Predict does it by
// itself.
func (m *Model) Build(shape []int) error {
	if m.built() {
		return fmt.Errorf("keras: model %s is built already, for inputs %s", m.name, layers.ShapeText(m.inputs[0].Shape()))
	}
	return m.buildOn([]*layers.Tensor{layers.Input(shape)})
}

// buildOn makes the graph of a model that has none, on the distribution that it
// was made for.
func (m *Model) buildOn(in []*layers.Tensor) error {
	d := m.dist
	if d == nil {
		d = distribution.Current()
	}
	err := distribution.Scope(d, func() error {
		if m.own != nil {
			return m.connect(in, layers.ApplyAll(m.own, in...))
		}
		return m.connectList(m.name, in[0])
	})
	if err != nil {
		return fmt.Errorf("keras: model %s: %w", m.name, err)
	}
	return nil
}

// connectList makes the graph of a Sequential, whose variables have paths below
// path.
func (m *Model) connectList(path string, in *layers.Tensor) error {
	t := in
	for _, l := range m.sequential {
		t = layers.ApplyIn(path, l, t)
	}
	return m.connect([]*layers.Tensor{in}, []*layers.Tensor{t})
}

// built reports whether the model has its graph.
func (m *Model) built() bool { return len(m.nodes) > 0 }
