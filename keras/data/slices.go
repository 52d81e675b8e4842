package data

// This file makes the dataset that Fit uses for data in memory.

import (
	"fmt"

	"github.com/gomlx/gomlx/core/tensors"
)

// DefaultBatchSize is Keras' default.
const DefaultBatchSize = 32

// FromSlices returns the dataset of the samples of x and y, in batches of
// batchSize (the last one may be smaller). With a shuffleSeed every epoch has
// another order; nil keeps the samples in theirs. y may be empty; sampleWeight,
// unless nil, holds a weight for each sample.
func FromSlices(x, y []*tensors.Tensor, sampleWeight *tensors.Tensor, batchSize int, shuffleSeed *uint64) (*Pipeline, error) {
	if batchSize < 1 {
		return nil, fmt.Errorf("got batch size %d, want a positive number", batchSize)
	}
	source, err := newRows(Batch{X: x, Y: y, SampleWeight: sampleWeight})
	if err != nil {
		return nil, err
	}
	p := &Pipeline{last: source, names: []string{source.name()}}
	if shuffleSeed != nil {
		p.seed = shuffleSeed // part of the position, which so holds the order
		p = p.Shuffle(Full)
	}
	return p.Batch(batchSize), nil
}
