package keras

// This file reads and writes the weights of a model.

import (
	"context"
	"fmt"
	"reflect"
	"slices"

	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/tensors"

	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/runtime"
)

// Weights returns the values of Variables, in that order:
// keras.Model.get_weights.
func (m *Model) Weights(ctx context.Context) ([]*tensors.Tensor, error) {
	var out []*tensors.Tensor
	for _, v := range m.Variables() {
		flat, err := v.Value(ctx)
		if err != nil {
			return nil, fmt.Errorf("keras: model %s: %w", m.name, err)
		}
		t := tensors.FromShape(shapes.Make(v.DType(), v.Shape()...))
		if err := t.MutableFlatData(func(to any) { reflect.Copy(reflect.ValueOf(to), reflect.ValueOf(flat)) }); err != nil {
			return nil, err
		}
		out = append(out, t)
	}
	return out, nil
}

// SetWeights replaces the values of Variables, in that order:
// keras.Model.set_weights. Each is a tensor or slices of slices. When one does
// not fit nothing is changed.
func (m *Model) SetWeights(ctx context.Context, weights ...any) error {
	if err := m.setWeights(ctx, weights); err != nil {
		return fmt.Errorf("keras: model %s: set weights: %w", m.name, err)
	}
	return nil
}

func (m *Model) setWeights(ctx context.Context, weights []any) error {
	vs := m.Variables()
	if len(weights) != len(vs) {
		return fmt.Errorf("got %d weights for %d variables", len(weights), len(vs))
	}
	values := make([]*tensors.Tensor, len(vs))
	for i, v := range vs {
		t, ok := weights[i].(*tensors.Tensor)
		if !ok || t == nil || t.DType() != v.DType() {
			var err error
			if t, err = data.Tensor(weights[i]); err != nil {
				return fmt.Errorf("%s: %w", v.Path(), err)
			}
		}
		if t.DType() != v.DType() || !slices.Equal(t.Shape().Dimensions, v.Shape()) {
			return fmt.Errorf("%s wants %s %s, got %s %s", v.Path(),
				v.DType(), layers.ShapeText(v.Shape()), t.DType(), layers.ShapeText(t.Shape().Dimensions))
		}
		values[i] = t
	}
	var c *runtime.Client // needed only for variables that are on the devices
	for i, v := range vs {
		if v.Array() != nil && c == nil {
			var err error
			if c, err = m.client(ctx); err != nil {
				return err
			}
		}
		var assigned error
		if err := values[i].ConstFlatData(func(flat any) { assigned = v.Assign(c, flat) }); err != nil {
			return err
		}
		if assigned != nil {
			return assigned
		}
	}
	return nil
}
