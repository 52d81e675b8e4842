package data

// This file makes host tensors of flat slices, and takes parts of host tensors.

import (
	"errors"
	"fmt"
	"slices"

	"github.com/gomlx/compute/dtypes/gotype"
	"github.com/gomlx/gomlx/core/tensors"
)

// FromFlat returns a host tensor of a shape, with copies of values as its elements, row by row, as
// numpy.reshape does with a list. One size may be -1: it is computed from the others. Without a
// shape the tensor has one dimension. A shape of another number of elements is an error.
func FromFlat[T gotype.Supported](values []T, shape ...int) (*tensors.Tensor, error) {
	if len(shape) == 0 {
		shape = []int{len(values)}
	}
	dims, err := fit(shape, len(values))
	if err != nil {
		return nil, err
	}
	return tensors.FromFlatDataAndDimensions(values, dims...), nil
}

// Reshape returns a copy of t with another shape and the same elements, row by row. One size may be
// -1: it is computed from the others. A shape of another number of elements is an error.
func Reshape(t *tensors.Tensor, shape ...int) (*tensors.Tensor, error) {
	elements, rest := t.Size(), t.Shape().Dimensions[len(Dims(t)):] // the dimension of the bytes of texts stays
	for _, n := range rest {
		elements /= n
	}
	dims, err := fit(shape, elements)
	if err != nil {
		return nil, err
	}
	return filled(t, append(dims, rest...), func(to, from []byte) { copy(to, from) })
}

// Slice returns a copy of the samples of t (slices along the first dimension) from begin to before
// end. As in Python, a negative index counts from the end. Other indices out of range, and a scalar
// t, are errors.
func Slice(t *tensors.Tensor, begin, end int) (*tensors.Tensor, error) {
	if len(Dims(t)) == 0 {
		return nil, fmt.Errorf("got a scalar to slice, want a tensor with a first dimension")
	}
	dims := slices.Clone(t.Shape().Dimensions)
	n := dims[0]
	from, to := begin, end
	if from < 0 {
		from += n
	}
	if to < 0 {
		to += n
	}
	if from < 0 || to > n || from > to {
		return nil, fmt.Errorf("got the samples %d to %d of a tensor of shape %v: want numbers from 0 to %d, the first not above the last", begin, end, dims, n)
	}
	dims[0] = to - from
	return filled(t, dims, func(to, bytes []byte) {
		if n > 0 {
			copy(to, bytes[from*(len(bytes)/n):])
		}
	})
}

// fit returns shape with its -1 replaced by the size that gives this number of elements. A shape of
// another number of elements is an error.
func fit(shape []int, elements int) ([]int, error) {
	dims := slices.Clone(shape)
	open, known := -1, 1
	for i, d := range dims {
		switch {
		case d == -1 && open < 0:
			open = i
		case d < 0:
			return nil, fmt.Errorf("got the shape %v: want sizes of at least 0, and at most one -1", shape)
		case d > 0 && known > (1<<62)/d:
			return nil, fmt.Errorf("got the shape %v: it is too large", shape)
		default:
			known *= d
		}
	}
	if open >= 0 && known > 0 && elements%known == 0 {
		dims[open], known = elements/known, elements
	}
	if known != elements || open >= 0 && dims[open] < 0 {
		return nil, fmt.Errorf("got %d elements for the shape %v", elements, shape)
	}
	return dims, nil
}

// Gather returns a copy of the samples of t, its slices along the first dimension, at the given
// indices, in their order: numpy.take. An index may occur several times; one out of range is an
// error.
func Gather(t *tensors.Tensor, indices []int) (*tensors.Tensor, error) {
	if len(Dims(t)) == 0 {
		return nil, fmt.Errorf("got a scalar to take samples of, want a tensor with a first dimension")
	}
	n := t.Shape().Dimensions[0]
	for _, i := range indices {
		if i < 0 || i >= n {
			return nil, fmt.Errorf("got the index %d for a tensor of shape %v: want 0 to %d", i, t.Shape().Dimensions, n-1)
		}
	}
	dims := slices.Clone(t.Shape().Dimensions)
	dims[0] = len(indices)
	return filled(t, dims, func(to, from []byte) {
		if len(indices) > 0 {
			row := len(to) / len(indices)
			for k, i := range indices {
				copy(to[k*row:], from[i*row:(i+1)*row])
			}
		}
	})
}

// filled returns a tensor of t's element type and the sizes dims; fill writes its bytes from the
// bytes of t. Element types with several elements in a byte are errors.
func filled(t *tensors.Tensor, dims []int, fill func(to, from []byte)) (*tensors.Tensor, error) {
	if t.DType().IsPacked() {
		return nil, fmt.Errorf("got a tensor of %s, of which several elements are in a byte", t.DType())
	}
	out := tensors.FromShape(withDims(t.Shape(), dims...))
	var failed error
	err := t.ConstBytes(func(from []byte) {
		failed = out.MutableBytes(func(to []byte) { fill(to, from) })
	})
	return out, errors.Join(err, failed)
}
