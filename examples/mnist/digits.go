package main

// This file makes the datasets of the images, as the guide does.

import (
	"context"
	"io"

	"github.com/gomlx/gomlx/core/tensors"

	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/keras/datasets"
)

const pixels = 28 * 28

// digits are the datasets of the images in batches.
type digits struct{ train, validation, test *data.Pipeline }

func (c config) load(ctx context.Context, out io.Writer) (d digits, err error) {
	opts := []datasets.Option{datasets.Output(out)}
	if c.data != "" {
		opts = append(opts, datasets.Dir(c.data))
	}
	train, test, err := datasets.MNIST(ctx, opts...)
	if err != nil {
		return d, err
	}
	samples := data.FromTensorSlices(train.X, train.Y)
	n := samples.Cardinality() - samples.Cardinality()/6 // the last 10000 of 60000 are for validation
	d.train = c.batches(samples.Take(n))
	d.validation = c.batches(samples.Skip(n))
	d.test = c.batches(data.FromTensorSlices(test.X, test.Y))
	return d, nil
}

// batches scales the images of each batch while the step before runs.
func (c config) batches(samples *data.Pipeline) *data.Pipeline {
	return samples.Batch(c.batch).Map(scale).Prefetch(2)
}

// scale converts images to vectors of numbers from 0 to 1, and labels to floats.
func scale(b data.Batch) (out data.Batch, err error) {
	x, err := floats(b.X[0], 255, b.Size(), pixels)
	if err != nil {
		return out, err
	}
	y, err := floats(b.Y[0], 1, b.Size())
	return data.Batch{X: []*tensors.Tensor{x}, Y: []*tensors.Tensor{y}}, err
}

// floats converts bytes to floats, divided by a number, in another shape.
func floats(t *tensors.Tensor, by float32, dims ...int) (*tensors.Tensor, error) {
	flat := make([]float32, t.Size())
	err := t.ConstBytes(func(from []byte) {
		for i, b := range from {
			flat[i] = float32(b) / by
		}
	})
	if err != nil {
		return nil, err
	}
	return tensors.FromFlatDataAndDimensions(flat, dims...), nil
}
