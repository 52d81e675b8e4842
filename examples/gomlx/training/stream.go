package training

// This file defines Stream.

import (
	"iter"
	"math/rand/v2"

	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/train"
)

// Stream is an endless dataset of generated batches. They are the same in each run.
type Stream struct {
	Title string
	Make  func(random *rand.Rand) (inputs, labels []*tensors.Tensor)
}

var _ train.Dataset = Stream{}

// Name implements train.Dataset: it returns the title, s.Title.
func (s Stream) Name() string { return s.Title }

// Iter implements train.Dataset: it yields batches without end, the same in each call.
func (s Stream) Iter() iter.Seq2[train.Batch, error] {
	return func(yield func(train.Batch, error) bool) {
		random := rand.New(rand.NewPCG(1, 2))
		for {
			inputs, labels := s.Make(random)
			if !yield(train.Batch{Inputs: inputs, Labels: labels}, nil) {
				return
			}
		}
	}
}
