package data

// This file makes host tensors out of what users have.

import (
	"fmt"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/dtypes/bfloat16"
	"github.com/gomlx/compute/dtypes/float16"
	"github.com/gomlx/gomlx/core/tensors"
)

// Tensor returns v as a host tensor: a *tensors.Tensor as it is, or a slice of
// slices of numbers of any depth. Floats of other types become float32, Keras'
// default float type; integers and booleans stay and are cast where the model
// wants another type.
func Tensor(v any) (*tensors.Tensor, error) {
	t, ok := v.(*tensors.Tensor)
	if !ok {
		var err error
		if t, err = tensors.FromAnyValue(v); err != nil {
			return nil, fmt.Errorf("cannot make a tensor of a %T: want numbers in slices of slices of equal lengths, or a *tensors.Tensor: %w", v, err)
		}
	}
	if t == nil {
		return nil, fmt.Errorf("got a nil tensor, want data")
	}
	switch t.DType() {
	case dtypes.Float64:
		return toFloat32(t, func(x float64) float32 { return float32(x) })
	case dtypes.Float16:
		return toFloat32(t, float16.Float16.Float32)
	case dtypes.BFloat16:
		return toFloat32(t, bfloat16.BFloat16.Float32)
	}
	return t, nil
}

func toFloat32[T float64 | float16.Float16 | bfloat16.BFloat16](t *tensors.Tensor, convert func(T) float32) (*tensors.Tensor, error) {
	flat := make([]float32, t.Shape().Size())
	err := tensors.ConstFlatData(t, func(from []T) {
		for i, x := range from {
			flat[i] = convert(x)
		}
	})
	if err != nil {
		return nil, err
	}
	return tensors.FromFlatDataAndDimensions(flat, t.Shape().Dimensions...), nil
}

// Tensors returns v as host tensors, one for each input or output of a model:
// a []any or []*tensors.Tensor holds several, anything else is one. nil gives
// none.
func Tensors(v any) ([]*tensors.Tensor, error) {
	var parts []any
	switch v := v.(type) {
	case nil:
		return nil, nil
	case []any:
		parts = v
	case []*tensors.Tensor:
		for _, t := range v {
			parts = append(parts, t)
		}
	default:
		parts = []any{v}
	}
	out := make([]*tensors.Tensor, len(parts))
	for i, p := range parts {
		t, err := Tensor(p)
		if err != nil {
			return nil, err
		}
		out[i] = t
	}
	return out, nil
}
