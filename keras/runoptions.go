package keras

// This file holds the options of Fit, Evaluate and Predict.

import (
	"fmt"
	"io"

	"github.com/gospmd/gospmd/internal/option"
	"github.com/gospmd/gospmd/keras/data"
)

// runConfig holds the values of the options of Fit, Evaluate and Predict.
type runConfig struct {
	batchSize        int
	epochs           int
	initialEpoch     int
	shuffle          bool
	seed             *uint64
	verbose          int
	output           io.Writer
	validation       data.Dataset
	validationXY     [2]any
	sampleWeight     any
	validationWeight any
	classWeight      map[int]float64
	callbacks        []Callback

	// 0 if not given.
	stepsPerEpoch, validationSteps, steps int
	validationBatchSize, validationFreq   int
	validationSplit                       float64
}

// RunOption configures Fit, Evaluate and Predict.
type RunOption = option.Option[runConfig]

// BatchSize sets the number of samples of the global batch, 32 by default.
func BatchSize(n int) RunOption {
	return notBelow(1, "BatchSize", n, func(c *runConfig) { c.batchSize = n })
}

// Epochs sets the number of epochs, iterations over the data, of Fit: 1 by
// default.
func Epochs(n int) RunOption {
	return notBelow(0, "Epochs", n, func(c *runConfig) { c.epochs = n })
}

// InitialEpoch sets the number of the first epoch, 0 by default. Fit runs the
// epochs from InitialEpoch to Epochs-1.
func InitialEpoch(n int) RunOption {
	return notBelow(0, "InitialEpoch", n, func(c *runConfig) { c.initialEpoch = n })
}

// StepsPerEpoch sets the number of batches in an epoch of Fit. An epoch begins
// where the last one ended, so that the dataset may be infinite. If the dataset
// ends within an epoch, a warning is written, and the next epoch begins with its
// first batch. If it ends together with an epoch, the next one begins with its
// first batch too, without a warning.
func StepsPerEpoch(n int) RunOption {
	return notBelow(1, "StepsPerEpoch", n, func(c *runConfig) { c.stepsPerEpoch = n })
}

// Steps sets the number of batches after which Evaluate or Predict ends.
func Steps(n int) RunOption {
	return notBelow(1, "Steps", n, func(c *runConfig) { c.steps = n })
}

// Shuffle sets whether Fit shuffles data in memory before each epoch. As in
// Keras, by default it does.
func Shuffle(shuffle bool) RunOption {
	return option.New("Shuffle", func(c *runConfig) { c.shuffle = shuffle })
}

// ShuffleSeed sets the seed for shuffling.
func ShuffleSeed(seed uint64) RunOption {
	return option.New("ShuffleSeed", func(c *runConfig) { c.seed = &seed })
}

// Verbose sets what is shown: 0 nothing, 1 a progress bar (the default), 2 one
// line for each epoch.
func Verbose(v int) RunOption {
	return RunOption{Name: "Verbose", Set: func(c *runConfig) error {
		if v < 0 || v > 2 {
			return fmt.Errorf("got %d, want 0, 1 or 2", v)
		}
		c.verbose = v
		return nil
	}}
}

// Output sets where progress is shown, os.Stdout by default.
func Output(w io.Writer) RunOption {
	return option.New("Output", func(c *runConfig) { c.output = w })
}

// ValidationData sets the data on which Fit evaluates after each epoch: inputs
// and labels, or a data.Dataset and nil.
func ValidationData(x, y any) RunOption {
	return option.New("ValidationData", func(c *runConfig) { c.validationXY = [2]any{x, y} })
}

// ValidationSplit sets the fraction of the samples that are not trained on, but
// evaluated after each epoch. They are the last ones in the given order, before
// shuffling. It needs data in memory, and is ignored if ValidationData is given.
func ValidationSplit(share float64) RunOption {
	return RunOption{Name: "ValidationSplit", Set: func(c *runConfig) error {
		if !(share > 0 && share < 1) {
			return fmt.Errorf("got %g, want a number between 0 and 1", share)
		}
		c.validationSplit = share
		return nil
	}}
}

// ValidationSteps sets the number of batches after which a validation ends, so
// that the dataset may be infinite. Each validation begins with the first batch.
func ValidationSteps(n int) RunOption {
	return notBelow(1, "ValidationSteps", n, func(c *runConfig) { c.validationSteps = n })
}

// ValidationBatchSize sets the number of samples of a batch of the validation, by
// default that of BatchSize.
func ValidationBatchSize(n int) RunOption {
	return notBelow(1, "ValidationBatchSize", n, func(c *runConfig) { c.validationBatchSize = n })
}

// ValidationFreq makes Fit evaluate only after every n-th epoch.
func ValidationFreq(n int) RunOption {
	return notBelow(1, "ValidationFreq", n, func(c *runConfig) { c.validationFreq = n })
}

// SampleWeight sets the weight of each sample in the loss and in WeightedMetrics.
// The loss is still divided by the number of samples.
func SampleWeight(weights any) RunOption {
	return option.New("SampleWeight", func(c *runConfig) { c.sampleWeight = weights })
}

// ValidationSampleWeight is SampleWeight for ValidationData.
func ValidationSampleWeight(weights any) RunOption {
	return option.New("ValidationSampleWeight", func(c *runConfig) { c.validationWeight = weights })
}

// ClassWeight sets the weights of the samples of each class. Other classes have
// the weight 1. Labels are class numbers or one-hot.
func ClassWeight(weights map[int]float64) RunOption {
	return option.New("ClassWeight", func(c *runConfig) { c.classWeight = weights })
}

// Callbacks adds callbacks, which are called in the order given.
func Callbacks(list ...Callback) RunOption {
	return option.New("Callbacks", func(c *runConfig) { c.callbacks = append(c.callbacks, list...) })
}

// notBelow returns an option that is an integer not below least.
func notBelow(least int, name string, n int, set func(*runConfig)) RunOption {
	return RunOption{Name: name, Set: func(c *runConfig) error {
		switch {
		case n >= least:
			set(c)
			return nil
		case least == 1:
			return fmt.Errorf("got %d, want a positive number", n)
		}
		return fmt.Errorf("got %d, want a number not below %d", n, least)
	}}
}
