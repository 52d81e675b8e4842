package steps

// This file splits data into batches, and joins them.

import (
	"slices"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/tensors"
)

// Batches returns the inputs xs and the labels ys of the Batches batches that a training uses in
// turn: xs[i] and ys[i] have Batch examples each.
func (m Model) Batches() (xs, ys []*tensors.Tensor, err error) {
	x, y, err := m.Data(Batches)
	if err != nil {
		return nil, nil, err
	}
	if xs, err = split(x, m.Batch); err != nil {
		return nil, nil, err
	}
	ys, err = split(y, m.Batch)
	return xs, ys, err
}

// split returns t cut along its first dimension into parts of the given number of examples. A rest
// is left out.
func split(t *tensors.Tensor, examples int) (parts []*tensors.Tensor, err error) {
	all, err := bytesOf(t)
	if err != nil {
		return nil, err
	}
	dims := slices.Clone(t.Shape().Dimensions)
	size := len(all) / dims[0] * examples
	dims[0] = examples
	for ; len(all) >= size; all = all[size:] {
		part, err := tensorOf(t.DType(), dims, all[:size])
		if err != nil {
			return nil, err
		}
		parts = append(parts, part)
	}
	return parts, nil
}

// Join concatenates tensors along dimension 0, that of the examples. There must be at least one,
// and all must have the same type and shape.
func Join(parts []*tensors.Tensor) (*tensors.Tensor, error) {
	var all []byte
	for _, p := range parts {
		b, err := bytesOf(p)
		if err != nil {
			return nil, err
		}
		all = append(all, b...)
	}
	dims := slices.Clone(parts[0].Shape().Dimensions)
	dims[0] *= len(parts)
	return tensorOf(parts[0].DType(), dims, all)
}

func bytesOf(t *tensors.Tensor) (b []byte, err error) {
	err = t.ConstFlatData(func(flat any) { b = dtypes.UnsafeByteSliceFromAny(flat) })
	return b, err
}

func tensorOf(dtype dtypes.DType, dims []int, data []byte) (*tensors.Tensor, error) {
	t := tensors.FromShape(shapes.Make(dtype, dims...))
	return t, t.MutableFlatData(func(flat any) { copy(dtypes.UnsafeByteSliceFromAny(flat), data) })
}
