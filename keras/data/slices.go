package data

// This file makes batches of data in memory.

import (
	"context"
	"fmt"
	"iter"
	"math/rand/v2"
	"reflect"

	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/tensors"
)

// DefaultBatchSize is Keras' default.
const DefaultBatchSize = 32

// inMemory is a Dataset of tensors in memory.
type inMemory struct {
	x, y      []*tensors.Tensor
	samples   int
	batchSize int
	shuffle   *rand.Rand
}

// FromSlices returns the dataset of the samples of x and y, in batches of
// batchSize (the last one may be smaller). With shuffle not nil every epoch has
// another order. y may be empty.
func FromSlices(x, y []*tensors.Tensor, batchSize int, shuffle *rand.Rand) (Dataset, error) {
	if batchSize < 1 {
		return nil, fmt.Errorf("got batch size %d, want a positive number", batchSize)
	}
	if len(x) == 0 {
		return nil, fmt.Errorf("got no input data, want at least one tensor")
	}
	s := &inMemory{x: x, y: y, batchSize: batchSize, shuffle: shuffle}
	for i, t := range append(append([]*tensors.Tensor{}, x...), y...) {
		what := fmt.Sprintf("input %d", i)
		if i >= len(x) {
			what = fmt.Sprintf("labels %d", i-len(x))
		}
		if t.Shape().Rank() == 0 {
			return nil, fmt.Errorf("%s is a scalar, want samples along the first dimension", what)
		}
		n := t.Shape().Dimensions[0]
		if i == 0 {
			s.samples = n
		}
		if n != s.samples {
			return nil, fmt.Errorf("%s has %d samples, input 0 has %d: all data must have the same number of samples", what, n, s.samples)
		}
	}
	if s.samples == 0 {
		return nil, fmt.Errorf("the data has no samples: want at least one")
	}
	return s, nil
}

// Cardinality returns the number of batches.
func (s *inMemory) Cardinality() int { return (s.samples + s.batchSize - 1) / s.batchSize }

// Batches yields the batches of one epoch.
func (s *inMemory) Batches(ctx context.Context) iter.Seq2[Batch, error] {
	var order []int
	if s.shuffle != nil {
		order = s.shuffle.Perm(s.samples)
	}
	return func(yield func(Batch, error) bool) {
		for start := 0; start < s.samples; start += s.batchSize {
			if err := ctx.Err(); err != nil {
				yield(Batch{}, err)
				return
			}
			limit := min(start+s.batchSize, s.samples)
			b, err := s.batch(start, limit, order)
			if !yield(b, err) || err != nil {
				return
			}
		}
	}
}

func (s *inMemory) batch(start, limit int, order []int) (b Batch, err error) {
	for _, part := range []struct {
		from []*tensors.Tensor
		to   *[]*tensors.Tensor
	}{{s.x, &b.X}, {s.y, &b.Y}} {
		for _, t := range part.from {
			rows, err := takeRows(t, start, limit, order)
			if err != nil {
				return b, err
			}
			*part.to = append(*part.to, rows)
		}
	}
	return b, nil
}

// takeRows copies rows [start, limit), looked up in order unless it is nil.
func takeRows(t *tensors.Tensor, start, limit int, order []int) (*tensors.Tensor, error) {
	dims := append([]int{limit - start}, t.Shape().Dimensions[1:]...)
	out := tensors.FromShape(shapes.Make(t.DType(), dims...))
	row := out.Shape().Size() / (limit - start)
	var inner error
	err := t.ConstFlatData(func(from any) {
		src := reflect.ValueOf(from)
		inner = out.MutableFlatData(func(to any) {
			dst := reflect.ValueOf(to)
			if order == nil {
				reflect.Copy(dst, src.Slice(start*row, limit*row))
				return
			}
			for i := start; i < limit; i++ {
				k := order[i]
				reflect.Copy(dst.Slice((i-start)*row, (i-start+1)*row), src.Slice(k*row, (k+1)*row))
			}
		})
	})
	if err == nil {
		err = inner
	}
	return out, err
}
