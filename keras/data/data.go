package data

// This file defines Batch and Dataset.

import (
	"context"
	"iter"
	"slices"

	"github.com/gomlx/gomlx/core/tensors"
)

// Batch is one global batch: the inputs X and the labels Y of a model, one
// tensor for each, batch first. Y is empty where only predictions are wanted.
// SampleWeight, unless nil, says how much each sample counts.
type Batch struct {
	X, Y         []*tensors.Tensor
	SampleWeight *tensors.Tensor
}

// Tensors returns all tensors of the batch: X, Y, SampleWeight.
func (b Batch) Tensors() []*tensors.Tensor {
	all := slices.Concat(b.X, b.Y)
	if b.SampleWeight != nil {
		all = append(all, b.SampleWeight)
	}
	return all
}

// Size returns the number of samples.
func (b Batch) Size() int {
	if len(b.X) == 0 {
		return 0
	}
	return b.X[0].Shape().Dimensions[0]
}

// Dataset gives the batches of an epoch, as often as it is asked.
type Dataset interface {
	// Batches yields the batches of one epoch in order. After an error it
	// yields nothing more.
	Batches(ctx context.Context) iter.Seq2[Batch, error]
	// Cardinality returns the number of batches of an epoch, -1 if unknown.
	Cardinality() int
}
