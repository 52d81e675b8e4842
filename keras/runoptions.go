package keras

// This file holds the options of Fit, Evaluate and Predict.

import (
	"fmt"
	"io"

	"github.com/gospmd/gospmd/internal/option"
	"github.com/gospmd/gospmd/keras/data"
)

// runConfig is what the options of Fit, Evaluate and Predict set.
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

	// 0 where not given.
	stepsPerEpoch, validationSteps, steps int
	validationBatchSize, validationFreq   int
	validationSplit                       float64
}

// RunOption configures Fit, Evaluate and Predict.
type RunOption = option.Option[runConfig]

// BatchSize sets the number of samples of a batch, 32 by default. The batch is
// the global one, whatever the mesh.
func BatchSize(n int) RunOption {
	return notBelow(1, "BatchSize", n, func(c *runConfig) { c.batchSize = n })
}

// Epochs sets how often Fit goes over the data, 1 by default.
func Epochs(n int) RunOption {
	return notBelow(0, "Epochs", n, func(c *runConfig) { c.epochs = n })
}

// InitialEpoch sets the number of the first epoch, 0 by default: Fit runs those
// from it up to Epochs.
func InitialEpoch(n int) RunOption {
	return notBelow(0, "InitialEpoch", n, func(c *runConfig) { c.initialEpoch = n })
}

// StepsPerEpoch sets of how many batches an epoch of Fit consists. The next one
// goes on where it ended, so that the dataset may be endless. A dataset that
// ends within an epoch ends the epoch, with a warning, and is begun anew; one
// that ends with an epoch is begun anew without a word.
func StepsPerEpoch(n int) RunOption {
	return notBelow(1, "StepsPerEpoch", n, func(c *runConfig) { c.stepsPerEpoch = n })
}

// Steps makes Evaluate or Predict end after that many batches.
func Steps(n int) RunOption {
	return notBelow(1, "Steps", n, func(c *runConfig) { c.steps = n })
}

// Shuffle says whether Fit takes data in memory in another order each epoch;
// by default it does, as in Keras.
func Shuffle(shuffle bool) RunOption {
	return option.New("Shuffle", func(c *runConfig) { c.shuffle = shuffle })
}

// ShuffleSeed fixes the orders of Shuffle.
func ShuffleSeed(seed uint64) RunOption {
	return option.New("ShuffleSeed", func(c *runConfig) { c.seed = &seed })
}

// Verbose sets what is shown: 0 nothing, 1 a progress bar (the default), 2 one
// line an epoch.
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

// ValidationSplit keeps a share of the samples, the last ones in the order they
// are given, out of the training, to evaluate on after each epoch. It needs
// data in memory. ValidationData goes before it.
func ValidationSplit(share float64) RunOption {
	return RunOption{Name: "ValidationSplit", Set: func(c *runConfig) error {
		if !(share > 0 && share < 1) {
			return fmt.Errorf("got %g, want a number between 0 and 1", share)
		}
		c.validationSplit = share
		return nil
	}}
}

// ValidationSteps ends each validation after that many batches, so that the
// dataset may be endless; each begins with the first batch.
func ValidationSteps(n int) RunOption {
	return notBelow(1, "ValidationSteps", n, func(c *runConfig) { c.validationSteps = n })
}

// ValidationBatchSize sets the number of samples of a batch of the validation,
// that of BatchSize by default.
func ValidationBatchSize(n int) RunOption {
	return notBelow(1, "ValidationBatchSize", n, func(c *runConfig) { c.validationBatchSize = n })
}

// ValidationFreq makes Fit evaluate after every n-th epoch only: those whose
// number, counted from 1, n divides.
func ValidationFreq(n int) RunOption {
	return notBelow(1, "ValidationFreq", n, func(c *runConfig) { c.validationFreq = n })
}

// SampleWeight sets how much each sample counts in the loss and in
// WeightedMetrics: a number for each sample. The loss is still divided by the
// number of samples.
func SampleWeight(weights any) RunOption {
	return option.New("SampleWeight", func(c *runConfig) { c.sampleWeight = weights })
}

// ValidationSampleWeight is SampleWeight for ValidationData.
func ValidationSampleWeight(weights any) RunOption {
	return option.New("ValidationSampleWeight", func(c *runConfig) { c.validationWeight = weights })
}

// ClassWeight sets how much the samples of each class count; those of classes
// that are not named count 1. Labels are class numbers or one-hot.
func ClassWeight(weights map[int]float64) RunOption {
	return option.New("ClassWeight", func(c *runConfig) { c.classWeight = weights })
}

// Callbacks adds callbacks, which run in the order given.
func Callbacks(list ...Callback) RunOption {
	return option.New("Callbacks", func(c *runConfig) { c.callbacks = append(c.callbacks, list...) })
}

// notBelow returns an option that is a number not below least.
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
