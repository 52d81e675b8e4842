package keras

// This file holds the options of Fit, Evaluate and Predict, and makes datasets from their data.

import (
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"

	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gospmd/gospmd/internal/made"
	"github.com/gospmd/gospmd/internal/option"
	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/keras/random"
)

// runConfig holds the values of the options of Fit, Evaluate and Predict.
type runConfig struct {
	batchSize         int
	epochs            int
	initialEpoch      int
	shuffle           bool
	seed              *uint64
	verbose           int
	output            io.Writer
	validation        data.Dataset
	validationTensors bool // validation is made of tensors
	validationXY      [2]any
	sampleWeight      any
	validationWeight  any
	classWeight       map[int]float64
	callbacks         []Callback

	// Number of batches in an epoch; 0 if not given.
	stepsPerEpoch, validationSteps, steps int
	validationBatchSize, validationFreq   int
	validationSplit                       float64
}

// RunOption configures Fit, Evaluate and Predict.
type RunOption struct{ runSetting }

// runSetting is what an option sets.
type runSetting = option.Option[runConfig]

// BatchSize sets the number of samples of the global batch, 32 by default.
func BatchSize(n int) RunOption {
	return notBelow(1, "BatchSize", n, func(c *runConfig) { c.batchSize = n })
}

// Epochs sets the number of epochs of Fit (passes over the data), 1 by default. Epochs count from
// 0: with InitialEpoch, Fit runs fewer.
func Epochs(n int) RunOption {
	return notBelow(0, "Epochs", n, func(c *runConfig) { c.epochs = n })
}

// InitialEpoch sets the number of the first epoch, 0 by default. Fit runs the
// epochs from InitialEpoch to Epochs-1.
func InitialEpoch(n int) RunOption {
	return notBelow(0, "InitialEpoch", n, func(c *runConfig) { c.initialEpoch = n })
}

// StepsPerEpoch sets the number of batches in an epoch of Fit. The next epoch continues with the
// next batch of the dataset, which may thus be infinite. If the dataset ends within an epoch, the
// epoch is shorter: Fit logs a warning, and the next epoch starts the dataset from its first batch.
// If the dataset ends exactly with an epoch, the next epoch starts from its first batch without a
// warning.
func StepsPerEpoch(n int) RunOption {
	return notBelow(1, "StepsPerEpoch", n, func(c *runConfig) { c.stepsPerEpoch = n })
}

// Steps sets the number of batches after which Evaluate or Predict ends.
func Steps(n int) RunOption {
	return notBelow(1, "Steps", n, func(c *runConfig) { c.steps = n })
}

// Shuffle sets whether Fit shuffles data in memory before each epoch. As in Keras, it does by
// default.
func Shuffle(shuffle bool) RunOption {
	return RunOption{option.New("Shuffle", func(c *runConfig) { c.shuffle = shuffle })}
}

// ShuffleSeed sets the seed for shuffling.
func ShuffleSeed(seed uint64) RunOption {
	return RunOption{option.New("ShuffleSeed", func(c *runConfig) { c.seed = &seed })}
}

// Verbose sets what is shown: 0 nothing, 1 a progress bar (the default), 2 one
// line for each epoch.
func Verbose(v int) RunOption {
	return RunOption{runSetting{Name: "Verbose", Set: func(c *runConfig) error {
		if v < 0 || v > 2 {
			return fmt.Errorf("got %d, want 0, 1 or 2", v)
		}
		c.verbose = v
		return nil
	}}}
}

// Output sets where progress is shown, os.Stdout by default.
func Output(w io.Writer) RunOption {
	return RunOption{runSetting{Name: "Output", Set: func(c *runConfig) error {
		if w == nil {
			return errors.New("got no writer, want one such as os.Stdout; Verbose(0) shows nothing")
		}
		c.output = w
		return nil
	}}}
}

// ValidationData sets the data on which Fit evaluates after each epoch: inputs
// and labels, or a data.Dataset and nil.
func ValidationData(x, y any) RunOption {
	return RunOption{option.New("ValidationData", func(c *runConfig) { c.validationXY = [2]any{x, y} })}
}

// ValidationSplit sets the fraction of the samples that Fit uses for validation after each epoch,
// and not for training. They are the last ones in the given order, before shuffling. It needs data
// in memory, and is ignored if ValidationData is given.
func ValidationSplit(share float64) RunOption {
	return RunOption{option.NewChecked("ValidationSplit", share, option.Share, func(c *runConfig, share float64) { c.validationSplit = share })}
}

// ValidationSteps sets the number of batches of each validation, so that the dataset may be
// infinite. Each validation begins with the first batch.
func ValidationSteps(n int) RunOption {
	return notBelow(1, "ValidationSteps", n, func(c *runConfig) { c.validationSteps = n })
}

// ValidationBatchSize sets the number of samples in a batch of the validation. The default is the
// value of BatchSize.
func ValidationBatchSize(n int) RunOption {
	return notBelow(1, "ValidationBatchSize", n, func(c *runConfig) { c.validationBatchSize = n })
}

// ValidationFreq makes Fit evaluate only after every n-th epoch.
func ValidationFreq(n int) RunOption {
	return notBelow(1, "ValidationFreq", n, func(c *runConfig) { c.validationFreq = n })
}

// SampleWeight sets the weight of each sample in the loss and in WeightedMetrics: one tensor for
// all outputs, a []any with one tensor for each output, or a map from names of outputs to tensors.
// An output that the map leaves out has the weight 1. The loss is still divided by the number of
// samples.
func SampleWeight(weights any) RunOption {
	return RunOption{option.New("SampleWeight", func(c *runConfig) { c.sampleWeight = weights })}
}

// ValidationSampleWeight is SampleWeight for ValidationData.
func ValidationSampleWeight(weights any) RunOption {
	return RunOption{option.New("ValidationSampleWeight", func(c *runConfig) { c.validationWeight = weights })}
}

// ClassWeight sets the weights of the samples of each class. Other classes have
// the weight 1. Labels are class numbers or one-hot.
func ClassWeight(weights map[int]float64) RunOption {
	return RunOption{option.New("ClassWeight", func(c *runConfig) { c.classWeight = weights })}
}

// Callbacks adds callbacks, which are called in the order given.
func Callbacks(list ...Callback) RunOption {
	return RunOption{runSetting{Name: "Callbacks", Set: func(c *runConfig) error {
		for i, cb := range list {
			if v := reflect.ValueOf(cb); !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil() {
				return fmt.Errorf("callback %d is nil: want one such as &callbacks.EarlyStopping{}, or leave it out", i)
			}
		}
		c.callbacks = append(c.callbacks, list...)
		return nil
	}}}
}

// notBelow returns an option with an integer value. A value below least is an error.
func notBelow(least int, name string, n int, set func(*runConfig)) RunOption {
	return RunOption{runSetting{Name: name, Set: func(c *runConfig) error {
		switch {
		case n >= least:
			set(c)
			return nil
		case least == 1:
			return fmt.Errorf("got %d, want a positive number", n)
		}
		return fmt.Errorf("got %d, want a number not below %d", n, least)
	}}}
}

// source holds the data given to Fit, Evaluate or Predict: a dataset, or tensors.
type source struct {
	x, y, weights any
	batchSize     int     // 0 if not given
	steps         int     // number of batches to use, 0 if not given
	seed          *uint64 // for shuffling, nil for no shuffling
	unlabelled    bool    // y is not needed
}

// dataset returns x if it is a Dataset, else the dataset of x and y.
func (s source) dataset() (data.Dataset, error) {
	if ds, ok := s.x.(data.Dataset); ok {
		if err := checkDataset(ds); err != nil {
			return nil, err
		}
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
	w, err := data.Tensors(s.weights)
	if err != nil {
		return nil, fmt.Errorf("sample weights: %w", err)
	}
	return data.FromSlices(xs, ys, w, s.batchSize, s.seed)
}

// checkDataset returns an error if the dataset is nil, or a Pipeline that was not made by a
// function of package data.
func checkDataset(ds data.Dataset) error {
	if v := reflect.ValueOf(ds); v.Kind() == reflect.Pointer && !v.IsNil() {
		if _, ok := ds.(*data.Pipeline); !ok {
			return nil // a type of the user's own, whose zero value may be a dataset
		}
	}
	return made.Check("the dataset", ds, "make one by data.FromTensorSlices or another function of package data")
}

// fitData returns the training data, and sets the validation data of c.
func (c *runConfig) fitData(m *Model, x, y any) (data.Dataset, error) {
	train := source{x: x, y: y, weights: c.sampleWeight, batchSize: c.batchSize, steps: c.stepsPerEpoch, unlabelled: !m.needsLabels(trainStep)}
	validation := source{x: c.validationXY[0], y: c.validationXY[1], weights: c.validationWeight, batchSize: c.validationBatchSize, steps: c.validationSteps,
		unlabelled: !m.needsLabels(testStep)}
	if c.validationSplit > 0 && validation.x == nil {
		var err error
		if train, validation, err = train.split(validation, c.validationSplit); err != nil {
			return nil, fmt.Errorf("ValidationSplit: %w", err)
		}
	}
	if c.shuffle {
		train.seed = c.shuffleSeed()
	}
	ds, err := m.deviceData(train.dataset())
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
	_, yields := validation.x.(data.Dataset)
	if validation.batchSize == 0 && !yields {
		validation.batchSize = c.batchSize
	}
	c.validationTensors = !yields && !m.hasHost()
	if c.validation, err = m.deviceData(validation.dataset()); err != nil {
		return nil, fmt.Errorf("validation data: %w", err)
	}
	return ds, nil
}

// shuffleSeed returns the seed for shuffling: the one given, or a new one.
func (c *runConfig) shuffleSeed() *uint64 {
	if c.seed != nil {
		return c.seed
	}
	seed := random.DrawSeed()
	return &seed
}

// split moves the last samples of s to validation.
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
	for _, field := range []struct {
		all         any
		train, rest *any
	}{{s.x, &s.x, &validation.x}, {s.y, &s.y, &validation.y}, {s.weights, &s.weights, &validation.weights}} {
		if field.all == nil {
			continue
		}
		ts, err := data.Tensors(field.all)
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
		*field.train, *field.rest = first, last
	}
	return s, validation, nil
}

// sampleRange returns the samples with indices in [from, to).
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

// oneBatch returns the dataset of one batch that holds all samples.
func (c *runConfig) oneBatch(m *Model, x, y any, unlabelled bool) (data.Dataset, error) {
	n, err := samplesOf(x)
	if err != nil {
		return nil, err
	}
	ds, err := m.deviceData(source{x: x, y: y, weights: c.sampleWeight, batchSize: n, unlabelled: unlabelled}.dataset())
	if err != nil {
		return nil, err
	}
	return c.weighClasses(ds)
}

// samplesOf returns how many samples x holds.
func samplesOf(x any) (int, error) {
	if _, ok := x.(data.Dataset); ok {
		return 0, fmt.Errorf("got a dataset, want the tensors of a batch")
	}
	xs, err := data.Tensors(x)
	if err != nil {
		return 0, fmt.Errorf("x: %w", err)
	}
	if len(xs) == 0 || xs[0].Shape().Rank() == 0 {
		return 1, nil // making the dataset returns an error
	}
	return max(1, xs[0].Shape().Dimensions[0]), nil
}

// weighClasses adds the sample weights of ClassWeight to the dataset. Without ClassWeight it
// returns ds.
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
	return madeOf(data.FromDataset(ds).Map(func(b data.Batch) (data.Batch, error) {
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
		b.SampleWeight = []*tensors.Tensor{tensors.FromFlatDataAndDimensions(w, len(w))}
		return b, nil
	}), ds)
}

// classesOf returns the class of each sample: the label itself, or the index of
// the largest number of a one-hot row.
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
