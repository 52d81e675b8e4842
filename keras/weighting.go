package keras

// This file makes datasets whose samples have weights.

import (
	"context"
	"fmt"
	"iter"
	"math/rand/v2"
	"reflect"
	"slices"

	"github.com/gomlx/gomlx/core/tensors"

	"github.com/gospmd/gospmd/keras/data"
)

// weightedSlices is data.FromSlices with a weight for each sample.
func weightedSlices(xs, ys []*tensors.Tensor, w *tensors.Tensor, batchSize int, order *rand.Rand) (data.Dataset, error) {
	if len(ys) == 0 || len(xs) == 0 {
		return data.FromSlices(xs, ys, batchSize, order) // which says what is missing
	}
	if w.Shape().Rank() == 0 || w.Shape().Dimensions[0] != xs[0].Shape().Dimensions[0] {
		return nil, fmt.Errorf("sample weights have shape %v for %d samples: want one weight for each sample", w.Shape().Dimensions, xs[0].Shape().Dimensions[0])
	}
	ds, err := data.FromSlices(xs, append(slices.Clone(ys), w), batchSize, order)
	if err != nil {
		return nil, err
	}
	return lastIsWeight{ds}, nil
}

// lastIsWeight is a dataset whose last label tensor holds sample weights.
type lastIsWeight struct{ data.Dataset }

// Batches moves the weights to where they belong.
func (d lastIsWeight) Batches(ctx context.Context) iter.Seq2[data.Batch, error] {
	return mapBatches(d.Dataset.Batches(ctx), func(b *data.Batch) error {
		last := len(b.Y) - 1
		b.SampleWeight, b.Y = b.Y[last], b.Y[:last]
		return nil
	})
}

// classWeighted is a dataset whose samples have the weights of their classes.
type classWeighted struct {
	data.Dataset
	weights map[int]float64
}

// Batches adds the weights.
func (d classWeighted) Batches(ctx context.Context) iter.Seq2[data.Batch, error] {
	return mapBatches(d.Dataset.Batches(ctx), func(b *data.Batch) error {
		if len(b.Y) != 1 || b.SampleWeight != nil {
			return fmt.Errorf("ClassWeight: got %d label tensors (and sample weights: %t), want one, without weights", len(b.Y), b.SampleWeight != nil)
		}
		classes, err := classesOf(b.Y[0])
		if err != nil {
			return fmt.Errorf("ClassWeight: %w", err)
		}
		weights := make([]float32, len(classes))
		for i, c := range classes {
			weights[i] = 1
			if w, ok := d.weights[c]; ok {
				weights[i] = float32(w)
			}
		}
		b.SampleWeight = tensors.FromFlatDataAndDimensions(weights, len(weights))
		return nil
	})
}

// classesOf returns the class of each sample: the number itself, or the place
// of the largest number of a row.
func classesOf(y *tensors.Tensor) ([]int, error) {
	dims := y.Shape().Dimensions
	if len(dims) > 2 || y.DType().IsHalfPrecision() || y.DType().IsComplex() {
		return nil, fmt.Errorf("got labels %s, want class numbers or one-hot rows", y.Shape())
	}
	width := 1
	if len(dims) == 2 {
		width = dims[1]
	}
	classes := make([]int, dims[0])
	err := y.ConstFlatData(func(flat any) {
		v := reflect.ValueOf(flat)
		number := func(i int) float64 {
			e := v.Index(i)
			switch {
			case e.CanInt():
				return float64(e.Int())
			case e.CanUint():
				return float64(e.Uint())
			case e.CanFloat():
				return e.Float()
			case e.Bool():
				return 1
			}
			return 0
		}
		for i := range classes {
			if width == 1 {
				classes[i] = int(number(i))
				continue
			}
			for c := range width {
				if number(i*width+c) > number(i*width+classes[i]) {
					classes[i] = c
				}
			}
		}
	})
	return classes, err
}

// mapBatches changes every batch.
func mapBatches(batches iter.Seq2[data.Batch, error], change func(*data.Batch) error) iter.Seq2[data.Batch, error] {
	return func(yield func(data.Batch, error) bool) {
		for b, err := range batches {
			if err == nil {
				err = change(&b)
			}
			if !yield(b, err) || err != nil {
				return
			}
		}
	}
}
