package ours

// This file cuts data into batches, and joins them.

import (
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/tensors"
)

// split returns the parts of t with this many examples.
func split(t *tensors.Tensor, examples int) (parts []*tensors.Tensor, err error) {
	all, err := bytesOf(t)
	if err != nil {
		return nil, err
	}
	dims := t.Shape().Dimensions
	size := len(all) / dims[0] * examples
	for ; len(all) >= size; all = all[size:] {
		part, err := tensorOf(t.DType(), examples, dims[1:], all[:size])
		if err != nil {
			return nil, err
		}
		parts = append(parts, part)
	}
	return parts, nil
}

// join returns the tensor of all examples of several, which have as many each.
func join(parts []*tensors.Tensor) (*tensors.Tensor, error) {
	var all []byte
	for _, p := range parts {
		b, err := bytesOf(p)
		if err != nil {
			return nil, err
		}
		all = append(all, b...)
	}
	dims := parts[0].Shape().Dimensions
	return tensorOf(parts[0].DType(), len(parts)*dims[0], dims[1:], all)
}

func bytesOf(t *tensors.Tensor) (b []byte, err error) {
	err = t.ConstFlatData(func(flat any) { b = dtypes.UnsafeByteSliceFromAny(flat) })
	return b, err
}

func tensorOf(dtype dtypes.DType, examples int, example []int, data []byte) (*tensors.Tensor, error) {
	t := tensors.FromShape(shapes.Make(dtype, append([]int{examples}, example...)...))
	return t, t.MutableFlatData(func(flat any) { copy(dtypes.UnsafeByteSliceFromAny(flat), data) })
}
