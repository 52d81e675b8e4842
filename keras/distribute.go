package keras

// This file binds a model to a distribution.

import (
	"context"
	"fmt"
	"io"
	"os"
	"reflect"

	"github.com/gospmd/gospmd/keras/distribution"
	"github.com/gospmd/gospmd/keras/optimizers"
	"github.com/gospmd/gospmd/layout"
)

// Distribution returns the distribution that the model is bound to, nil for one
// device.
func (m *Model) Distribution() distribution.Distribution { return m.dist }

// Distribute binds the model to d, which Compile does with the current
// distribution. If the model was made for one device its variables are laid
// out anew, with their values, and a notice says so; it must then be compiled
// again. A model that is bound to another distribution is an error.
func (m *Model) Distribute(d distribution.Distribution) error {
	if err := m.distribute(d, nil, os.Stderr); err != nil {
		return fmt.Errorf("keras: model %s: %w", m.name, err)
	}
	return nil
}

// distribute lays out the variables of an optimizer, unless it is nil, as well.
func (m *Model) distribute(d distribution.Distribution, o *optimizers.Optimizer, notices io.Writer) error {
	switch {
	case d == nil:
		return fmt.Errorf("got no distribution, want one, such as distribution.NewDataParallel returns")
	case m.dist != nil && reflect.DeepEqual(m.dist, d):
		return nil
	case m.dist != nil:
		return fmt.Errorf("it belongs to %s, and is compiled in the scope of %s: make the model in the scope it is compiled in, "+
			"or load its saved weights into one that was made there", describe(m.dist), describe(d))
	}
	if !m.built() {
		m.dist = d
		return nil
	}
	vs := m.Variables()
	layouts := make([]*layout.Sharding, len(vs))
	err := distribution.Scope(d, func() (err error) {
		for i, v := range vs {
			if layouts[i], err = distribution.VariableSharding(v.Path(), len(v.Shape())); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	ctx := context.Background()
	for i, v := range vs {
		if err := v.Relayout(ctx, layouts[i]); err != nil {
			return err
		}
	}
	if o != nil {
		if err := o.Relayout(ctx, d.DeviceMesh()); err != nil {
			return err
		}
	}
	m.dist, m.compiled = d, nil
	fmt.Fprintf(notices, "NOTICE: model %s was made for one device: its %d variables are laid out anew for %s\n", m.name, len(vs), describe(d))
	return nil
}

// describe names a distribution in messages.
func describe(d distribution.Distribution) string {
	return fmt.Sprintf("%s on %s", reflect.Indirect(reflect.ValueOf(d)).Type().Name(), d.DeviceMesh())
}
