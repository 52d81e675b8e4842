package layers

// This file reads the data that layers adapt to.

import (
	"context"
	"fmt"

	"github.com/gospmd/gospmd/keras/data"
)

// adapting calls visit with each batch given to an Adapt. A dataset stands for its batches,
// whose only input the layer adapts to; it is left at the position that it has.
func adapting(batches []any, visit func(batch any) error) error {
	for i, batch := range batches {
		ds, ok := batch.(data.Dataset)
		err := error(nil)
		if ok {
			err = eachBatch(ds, visit)
		} else {
			err = visit(batch)
		}
		if err != nil {
			return fmt.Errorf("batch %d: %w", i, err)
		}
	}
	return nil
}

func eachBatch(ds data.Dataset, visit func(batch any) error) error {
	if ds.Cardinality() == data.Infinite {
		return fmt.Errorf("the dataset has no end: give it one by Take, such as ds.Take(100)")
	}
	if p, ok := ds.(data.Positioned); ok {
		at := p.Position()
		defer func() { _ = p.Seek(at) }() // a position that it had
	}
	n := 0
	for b, err := range ds.Batches(context.Background()) {
		if err == nil && len(b.X) != 1 {
			err = fmt.Errorf("it has %d inputs, want the one that the layer takes: pick it by Map", len(b.X))
		}
		if err == nil {
			err = visit(b.X[0])
		}
		if err != nil {
			return fmt.Errorf("batch %d of the dataset: %w", n, err)
		}
		n++
	}
	return nil
}

// numbersOf returns batches with those of each dataset as one, row by row in one dimension.
func numbersOf(batches []any) ([][]float64, error) {
	var out [][]float64
	for i, batch := range batches {
		var all []float64
		err := adapting([]any{batch}, func(batch any) error {
			values, _, err := hostNumbers(batch)
			all = append(all, values...)
			return err
		})
		if err != nil {
			return nil, fmt.Errorf("argument %d: %w", i, err)
		}
		out = append(out, all)
	}
	return out, nil
}
