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
	m := &Model{name: layers.AutoName("sequential"), sequential: ls, dist: distribution.Current()}
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

// Build makes the graph and the variables of a Sequential for inputs of the
// given shape, which leaves out the batch, as that of Input does. The first
// Fit, Evaluate or Predict does it by itself.
func (m *Model) Build(shape []int) error {
	if m.built() {
		return fmt.Errorf("keras: model %s is built already, for inputs %s", m.name, layers.ShapeText(m.inputs[0].Shape()))
	}
	d := m.dist
	if d == nil {
		d = distribution.Current()
	}
	err := distribution.Scope(d, func() error {
		in := layers.Input(shape)
		t := in
		for _, l := range m.sequential {
			t = layers.ApplyIn(m.name, l, t)
		}
		return m.connect([]*layers.Tensor{in}, []*layers.Tensor{t})
	})
	if err != nil {
		return fmt.Errorf("keras: model %s: %w", m.name, err)
	}
	return nil
}

// built reports whether the model has its graph.
func (m *Model) built() bool { return len(m.nodes) > 0 }
