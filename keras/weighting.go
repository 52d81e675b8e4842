package keras

// This file gives samples the weights of their classes.

import (
	"fmt"

	"github.com/gomlx/gomlx/core/tensors"

	"github.com/gospmd/gospmd/keras/data"
)

// weighClasses returns the dataset with the weights of ClassWeight, if it was
// given.
func (c *runConfig) weighClasses(ds data.Dataset) (data.Dataset, error) {
	switch {
	case c.classWeight == nil:
		return ds, nil
	case c.sampleWeight != nil:
		return nil, fmt.Errorf("got both SampleWeight and ClassWeight: give one of them")
	}
	return classWeighted(ds, c.classWeight), nil
}

// classWeighted returns the dataset whose samples have the weights of their
// classes.
func classWeighted(ds data.Dataset, weights map[int]float64) data.Dataset {
	return data.FromDataset(ds).Map(func(b data.Batch) (data.Batch, error) {
		if len(b.Y) != 1 || b.SampleWeight != nil {
			return b, fmt.Errorf("ClassWeight: got %d label tensors (and sample weights: %t), want one, without weights", len(b.Y), b.SampleWeight != nil)
		}
		classes, err := classesOf(b.Y[0])
		if err != nil {
			return b, fmt.Errorf("ClassWeight: %w", err)
		}
		w := make([]float32, len(classes))
		for i, c := range classes {
			w[i] = 1
			if weight, ok := weights[c]; ok {
				w[i] = float32(weight)
			}
		}
		b.SampleWeight = tensors.FromFlatDataAndDimensions(w, len(w))
		return b, nil
	})
}

// classesOf returns the class of each sample: the number itself, or the place
// of the largest number of a row.
func classesOf(y *tensors.Tensor) ([]int, error) {
	dims := y.Shape().Dimensions
	if len(dims) > 2 {
		return nil, fmt.Errorf("got labels %s, want class numbers or one-hot rows", y.Shape())
	}
	width := 1
	if len(dims) == 2 {
		width = dims[1]
	}
	classes := make([]int, dims[0])
	largest := 0.0 // of the row so far
	err := data.Numbers(y, func(i int, v float64) bool {
		row, column := i/width, i%width
		switch {
		case width == 1:
			classes[row] = int(v)
		case column == 0 || v > largest:
			classes[row], largest = column, v
		}
		return true
	})
	return classes, err
}
