package keras

// This file holds the options of Fit, Evaluate and Predict.

import (
	"errors"
	"fmt"
	"io"
	"reflect"

	"github.com/gospmd/gospmd/internal/option"
	"github.com/gospmd/gospmd/keras/data"
)

// runConfig holds the values of the options of Fit, Evaluate and Predict, or their defaults.
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

// RunOption is an option of Fit, Evaluate or Predict, such as BatchSize. Each takes the options
// that its comment names, and returns an error for another one, and for a value that is not valid.
type RunOption struct{ runSetting }

// runSetting is the name of an option, and the function that sets it in a runConfig.
type runSetting = option.Option[runConfig]

// BatchSize sets the number of samples of the global batch of Fit, Evaluate or Predict, at least 1;
// 32 by default. A dataset yields batches itself: BatchSize beside one is an error.
func BatchSize(n int) RunOption {
	return notBelow(1, "BatchSize", n, func(c *runConfig) { c.batchSize = n })
}

// Epochs sets the number of epochs of Fit (passes over the data); 1 by default. A negative number
// is an error. Epochs count from 0: with InitialEpoch, Fit runs fewer.
func Epochs(n int) RunOption {
	return notBelow(0, "Epochs", n, func(c *runConfig) { c.epochs = n })
}

// InitialEpoch sets the number of the first epoch, 0 by default. Fit runs the epochs from
// InitialEpoch to Epochs-1, none if there are no such. A negative number is an error.
func InitialEpoch(n int) RunOption {
	return notBelow(0, "InitialEpoch", n, func(c *runConfig) { c.initialEpoch = n })
}

// StepsPerEpoch sets the number of batches in an epoch of Fit; below 1 is an error. By default an
// epoch is the whole dataset. The next epoch continues with the next batch of the dataset, which
// may thus be infinite. If the dataset ends within an epoch, the epoch is shorter: Fit logs a
// warning, and the next epoch starts the dataset from its first batch. If the dataset ends exactly
// with an epoch, the next epoch starts from its first batch without a warning.
func StepsPerEpoch(n int) RunOption {
	return notBelow(1, "StepsPerEpoch", n, func(c *runConfig) { c.stepsPerEpoch = n })
}

// Steps sets the number of batches after which Evaluate or Predict ends; by default they take the
// whole dataset. A number below 1 is an error.
func Steps(n int) RunOption {
	return notBelow(1, "Steps", n, func(c *runConfig) { c.steps = n })
}

// Shuffle sets whether Fit shuffles data in memory before each epoch. As in Keras, it does by
// default.
func Shuffle(shuffle bool) RunOption {
	return RunOption{option.New("Shuffle", func(c *runConfig) { c.shuffle = shuffle })}
}

// ShuffleSeed sets the seed for Fit's shuffling of data in memory, so that the order of samples is
// the same each time. By default package random draws it: it depends on random.SetRandomSeed, or is
// another one each time.
func ShuffleSeed(seed uint64) RunOption {
	return RunOption{option.New("ShuffleSeed", func(c *runConfig) { c.seed = &seed })}
}

// Verbose sets what Fit, Evaluate and Predict show: 0 nothing, 1 a progress bar (the default), 2
// one line for each epoch. Other numbers are errors.
func Verbose(v int) RunOption {
	return RunOption{runSetting{Name: "Verbose", Set: func(c *runConfig) error {
		if v < 0 || v > 2 {
			return fmt.Errorf("got %d, want 0, 1 or 2", v)
		}
		c.verbose = v
		return nil
	}}}
}

// Output sets where Fit, Evaluate and Predict show their progress, os.Stdout by default. nil is an
// error.
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

// ValidationSplit sets the fraction of the samples, between 0 and 1, that Fit uses for validation
// after each epoch, and not for training. They are the last ones in the given order, before
// shuffling. It needs data in memory, and is ignored if ValidationData is given. A fraction that
// leaves a part without samples is an error.
func ValidationSplit(share float64) RunOption {
	return RunOption{option.NewChecked("ValidationSplit", share, option.Share, func(c *runConfig, share float64) { c.validationSplit = share })}
}

// ValidationSteps sets the number of batches of each validation, so that the dataset may be
// infinite. Each validation begins with the first batch. By default it takes the whole dataset. A
// number below 1 is an error, and so is the option without data to validate on.
func ValidationSteps(n int) RunOption {
	return notBelow(1, "ValidationSteps", n, func(c *runConfig) { c.validationSteps = n })
}

// ValidationBatchSize sets the number of samples in a batch of the validation. The default is the
// value of BatchSize. A number below 1 is an error, and so is the option without data to validate
// on or beside a dataset.
func ValidationBatchSize(n int) RunOption {
	return notBelow(1, "ValidationBatchSize", n, func(c *runConfig) { c.validationBatchSize = n })
}

// ValidationFreq makes Fit evaluate only after every n-th epoch; by default after each. A number
// below 1 is an error, and so is the option without data to validate on.
func ValidationFreq(n int) RunOption {
	return notBelow(1, "ValidationFreq", n, func(c *runConfig) { c.validationFreq = n })
}

// SampleWeight sets the weight of each sample in the loss and in WeightedMetrics, for Fit,
// Evaluate, TrainOnBatch and TestOnBatch: one tensor for all outputs, a []any with one tensor for
// each output, or a map from names of outputs to tensors. An output that the map leaves out has the
// weight 1. The loss is still divided by the number of samples. A dataset yields its weights
// itself: SampleWeight beside one is an error.
func SampleWeight(weights any) RunOption {
	return RunOption{option.New("SampleWeight", func(c *runConfig) { c.sampleWeight = weights })}
}

// ValidationSampleWeight sets the sample weights of ValidationData, as SampleWeight does for the
// training data. Without data to validate on it is an error.
func ValidationSampleWeight(weights any) RunOption {
	return RunOption{option.New("ValidationSampleWeight", func(c *runConfig) { c.validationWeight = weights })}
}

// ClassWeight sets the weights of the samples of each class, for Fit and TrainOnBatch. Other
// classes have the weight 1. Labels are class numbers or one-hot. Several label tensors, and sample
// weights besides, are errors.
func ClassWeight(weights map[int]float64) RunOption {
	return RunOption{option.New("ClassWeight", func(c *runConfig) { c.classWeight = weights })}
}

// Callbacks adds callbacks to Fit, Evaluate or Predict, which are called in the order given. nil is
// an error.
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

// notBelow returns the option name of Fit, Evaluate or Predict whose value is the integer n. set
// stores it; a value below least is an error.
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
