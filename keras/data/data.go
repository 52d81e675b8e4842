package data

// This file defines Batch, Dataset and Position.

import (
	"context"
	"iter"
	"slices"

	"github.com/gomlx/gomlx/core/tensors"
)

// Batch is one global batch: the inputs X and the labels Y of a model, one
// tensor for each, batch first. Y is empty where only predictions are wanted.
// SampleWeight, unless nil, says how much each sample counts.
//
// In a pipeline, before its Batch, it is one sample: the same tensors without
// the dimension of the batch.
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

// Cardinalities that are no numbers of batches.
const (
	Unknown  = -1
	Infinite = -2
)

// Dataset gives the batches of an epoch, as often as it is asked.
type Dataset interface {
	// Batches yields the batches of one epoch in order. After an error it
	// yields nothing more.
	Batches(ctx context.Context) iter.Seq2[Batch, error]
	// Cardinality returns the number of batches of an epoch, or Unknown or
	// Infinite.
	Cardinality() int
}

// Position is where an iteration over a dataset stands. It is plain data, made
// to be stored.
type Position struct {
	Seed  uint64 `json:"seed"`  // of the orders that no stage has a seed of its own for
	Epoch int    `json:"epoch"` // from 0
	Batch int    `json:"batch"` // number of batches of the epoch that were yielded
}

// Positioned is a Dataset that can be asked where it stands, and set there.
//
// Each call of Batches is an epoch. While the loop over it runs, and after it
// was broken off, the position counts the batches that the loop has got, the
// current one included, whatever was read ahead; at the end it is the begin of
// the next epoch.
//
// After Seek, the next call of Batches yields what would have come: the rest
// of the epoch, which is nothing if the position is that of its last batch.
type Positioned interface {
	Dataset
	Position() Position
	Seek(Position) error
}
