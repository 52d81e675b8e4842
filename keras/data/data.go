package data

// This file defines Batch, Dataset and Position.

import (
	"context"
	"iter"
	"slices"

	"github.com/gomlx/gomlx/core/tensors"
)

// Batch is one global batch: a tensor for each input X and each output's labels Y
// of a model; dimension 0 is the batch. Y is empty for predictions. SampleWeight,
// unless nil, has the weight of each sample.
//
// In a pipeline, before its Batch stage, it is one sample: the same tensors
// without the batch dimension.
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
	if len(b.X) == 0 || b.X[0].Shape().Rank() == 0 {
		return 0
	}
	return b.X[0].Shape().Dimensions[0]
}

// Values of Cardinality that are not a number of batches.
const (
	Unknown  = -1
	Infinite = -2
)

// Dataset yields the batches of an epoch, any number of times. One that can
// continue at any batch implements Positioned.
type Dataset interface {
	// Batches yields the batches of one epoch in order. After an error it
	// yields nothing more.
	Batches(ctx context.Context) iter.Seq2[Batch, error]
	// Cardinality returns the number of batches of an epoch, or Unknown or
	// Infinite.
	Cardinality() int
}

// Position is the position of an iteration over a dataset. It is plain data that
// can be stored.
type Position struct {
	Seed  uint64 `json:"seed"`  // for the stages without their own seed
	Epoch int    `json:"epoch"` // from 0
	Batch int    `json:"batch"` // number of batches of the epoch that were yielded
}

// Positioned is a Dataset whose position can be read and set.
//
// Each call of Batches is an epoch. While the loop over it runs, and after a
// break, the position counts the batches that the loop has received, including
// the current one, but not those that were read ahead; at the end of the loop it
// is the start of the next epoch.
//
// After Seek, the next call of Batches yields the rest of the epoch. There is no
// rest if the position is after the last batch.
type Positioned interface {
	Dataset
	Position() Position
	Seek(Position) error
}
