package keras

// This file makes datasets of what Fit, Evaluate and Predict are given.

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/gomlx/gomlx/core/tensors"

	"github.com/gospmd/gospmd/keras/data"
)

// source is data as they are given: a dataset, or tensors.
type source struct {
	x, y, weights any
	batchSize     int     // 0 where not given
	steps         int     // after how many batches they end, 0 where not given
	seed          *uint64 // of the order, nil for the one they have
	unlabelled    bool    // y is not wanted
}

// dataset returns x as it is when it is a Dataset, else the dataset of x and y.
func (s source) dataset() (data.Dataset, error) {
	if ds, ok := s.x.(data.Dataset); ok {
		switch {
		case s.y != nil:
			return nil, fmt.Errorf("got labels beside a dataset: a dataset yields its labels itself")
		case s.weights != nil:
			return nil, fmt.Errorf("got sample weights beside a dataset: a dataset yields its weights itself")
		case s.batchSize != 0:
			return nil, fmt.Errorf("got batch size %d beside a dataset: a dataset yields batches itself", s.batchSize)
		case ds.Cardinality() == data.Infinite && s.steps == 0:
			return nil, fmt.Errorf("the dataset has no end: say after how many batches to stop, by StepsPerEpoch, ValidationSteps or Steps, or give it an end by Take, such as ds.Take(100)")
		}
		return ds, nil
	}
	xs, err := data.Tensors(s.x)
	if err != nil {
		return nil, fmt.Errorf("x: %w", err)
	}
	ys, err := data.Tensors(s.y)
	if err != nil {
		return nil, fmt.Errorf("y: %w", err)
	}
	if !s.unlabelled && len(ys) == 0 {
		return nil, fmt.Errorf("got no labels: give y, or a dataset that yields them")
	}
	if s.batchSize == 0 {
		s.batchSize = data.DefaultBatchSize
	}
	var w *tensors.Tensor
	if s.weights != nil {
		if w, err = data.Tensor(s.weights); err != nil {
			return nil, fmt.Errorf("sample weights: %w", err)
		}
	}
	return data.FromSlices(xs, ys, w, s.batchSize, s.seed)
}

// fitData returns the data to train on, and leaves those of the validation in c.
func (c *runConfig) fitData(x, y any) (data.Dataset, error) {
	train := source{x: x, y: y, weights: c.sampleWeight, batchSize: c.batchSize, steps: c.stepsPerEpoch}
	validation := source{x: c.validationXY[0], y: c.validationXY[1], weights: c.validationWeight, batchSize: c.validationBatchSize, steps: c.validationSteps}
	if c.validationSplit > 0 && validation.x == nil {
		var err error
		if train, validation, err = train.split(validation, c.validationSplit); err != nil {
			return nil, fmt.Errorf("ValidationSplit: %w", err)
		}
	}
	if c.shuffle {
		train.seed = c.shuffleSeed()
	}
	ds, err := train.dataset()
	if err != nil {
		return nil, err
	}
	if ds, err = c.weighClasses(ds); err != nil {
		return nil, err
	}
	if validation.x == nil {
		for _, o := range []struct {
			given bool
			name  string
		}{
			{c.validationWeight != nil, "ValidationSampleWeight"}, {c.validationSteps > 0, "ValidationSteps"},
			{c.validationFreq > 0, "ValidationFreq"}, {c.validationBatchSize > 0, "ValidationBatchSize"},
		} {
			if o.given {
				return nil, fmt.Errorf("got %s without data to validate on: give ValidationData or ValidationSplit", o.name)
			}
		}
		return ds, nil
	}
	if _, yields := validation.x.(data.Dataset); validation.batchSize == 0 && !yields {
		validation.batchSize = c.batchSize
	}
	if c.validation, err = validation.dataset(); err != nil {
		return nil, fmt.Errorf("validation data: %w", err)
	}
	return ds, nil
}

// shuffleSeed returns the seed of the orders: the one given, or a new one.
func (c *runConfig) shuffleSeed() *uint64 {
	if c.seed != nil {
		return c.seed
	}
	seed := rand.Uint64()
	return &seed
}

// split gives the last samples of s to validation.
func (s source) split(validation source, share float64) (train, rest source, err error) {
	if _, ok := s.x.(data.Dataset); ok {
		return s, validation, fmt.Errorf("got a dataset, want data in memory: split the dataset by Take and Skip, and give a part as ValidationData")
	}
	n, err := samplesOf(s.x)
	if err != nil {
		return s, validation, err
	}
	at := int(math.Floor(float64(n) * (1 - share)))
	if at == 0 || at == n {
		return s, validation, fmt.Errorf("a share of %g of %d samples leaves one part without any: want more samples, or another share", share, n)
	}
	for _, part := range []struct {
		all         any
		train, rest *any
	}{{s.x, &s.x, &validation.x}, {s.y, &s.y, &validation.y}, {s.weights, &s.weights, &validation.weights}} {
		if part.all == nil {
			continue
		}
		ts, err := data.Tensors(part.all)
		if err != nil {
			return s, validation, err
		}
		var first, last []any
		for _, t := range ts {
			if dims := t.Shape().Dimensions; len(dims) == 0 || dims[0] != n {
				return s, validation, fmt.Errorf("got data of shape %v beside %d samples: all must have the same number", dims, n)
			}
			a, err := sampleRange(t, 0, at)
			if err != nil {
				return s, validation, err
			}
			b, err := sampleRange(t, at, n)
			if err != nil {
				return s, validation, err
			}
			first, last = append(first, a), append(last, b)
		}
		*part.train, *part.rest = first, last
	}
	if s.weights != nil { // is one tensor
		s.weights, validation.weights = s.weights.([]any)[0], validation.weights.([]any)[0]
	}
	return s, validation, nil
}

// sampleRange returns samples from one up to another.
func sampleRange(t *tensors.Tensor, from, to int) (*tensors.Tensor, error) {
	shape := t.Shape().Clone()
	bytes := int(shape.ByteSize()) / shape.Dimensions[0] // of a sample
	shape.Dimensions[0] = to - from
	out := tensors.FromShape(shape)
	var err error
	if e := t.ConstBytes(func(src []byte) {
		err = out.MutableBytes(func(dst []byte) { copy(dst, src[from*bytes:to*bytes]) })
	}); e != nil {
		err = e
	}
	return out, err
}
