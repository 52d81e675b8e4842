package keras

// This file trains: Fit.

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"

	"github.com/gomlx/gomlx/core/tensors"

	"github.com/gospmd/gospmd/internal/option"
	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/keras/distribution"
	"github.com/gospmd/gospmd/runtime"
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
}

// RunOption configures Fit, Evaluate and Predict.
type RunOption = option.Option[runConfig]

// BatchSize sets the number of samples of a batch, 32 by default. The batch is
// the global one, whatever the mesh.
func BatchSize(n int) RunOption {
	return RunOption{Name: "BatchSize", Set: func(c *runConfig) error {
		if n < 1 {
			return fmt.Errorf("got %d, want a positive number", n)
		}
		c.batchSize = n
		return nil
	}}
}

// Epochs sets how often Fit goes over the data, 1 by default.
func Epochs(n int) RunOption {
	return RunOption{Name: "Epochs", Set: func(c *runConfig) error {
		if n < 0 {
			return fmt.Errorf("got %d, want a number not below 0", n)
		}
		c.epochs = n
		return nil
	}}
}

// InitialEpoch sets the number of the first epoch, 0 by default: Fit runs those
// from it up to Epochs.
func InitialEpoch(n int) RunOption {
	return RunOption{Name: "InitialEpoch", Set: func(c *runConfig) error {
		if n < 0 {
			return fmt.Errorf("got %d, want a number not below 0", n)
		}
		c.initialEpoch = n
		return nil
	}}
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

// History is what Fit saw: the logs at the end of each epoch.
type History struct {
	Epochs []int                // from 0
	Logs   map[string][]float64 // by name, one value for each epoch
}

// Fit trains the model: keras.Model.fit. x and y are tensors or slices (see
// package data), or several of them in a []any; or x is a data.Dataset and y
// nil. Options: BatchSize, Epochs, InitialEpoch, Shuffle, ShuffleSeed, Verbose,
// Output, ValidationData, ValidationSampleWeight, SampleWeight, ClassWeight,
// Callbacks.
//
// Parameters, optimizer slots and metric totals stay on the devices; nothing is
// fetched but what is shown or given to a callback that asks. Loss and metrics
// are means over the samples of the epoch so far.
func (m *Model) Fit(ctx context.Context, x, y any, opts ...RunOption) (*History, error) {
	c := runConfig{epochs: 1, shuffle: true, verbose: 1, output: os.Stdout}
	err := option.Apply("Fit", &c, opts,
		"BatchSize", "Epochs", "InitialEpoch", "Shuffle", "ShuffleSeed", "Verbose", "Output", "ValidationData", "ValidationSampleWeight",
		"SampleWeight", "ClassWeight", "Callbacks")
	var history *History
	if err == nil {
		history, err = m.fit(ctx, x, y, c)
	}
	if err != nil {
		return history, fmt.Errorf("keras: model %s: fit: %w", m.name, err)
	}
	return history, nil
}

func (m *Model) fit(ctx context.Context, x, y any, c runConfig) (*History, error) {
	if err := m.needLoss(); err != nil {
		return nil, err
	}
	var seed *uint64
	if c.shuffle {
		seed = c.shuffleSeed()
	}
	ds, err := m.dataset(x, y, c.sampleWeight, c.batchSize, seed, true)
	if err != nil {
		return nil, err
	}
	if ds, err = c.weighClasses(ds); err != nil {
		return nil, err
	}
	if c.validationXY[0] == nil && c.validationWeight != nil {
		return nil, fmt.Errorf("got ValidationSampleWeight without ValidationData")
	}
	if c.validationXY[0] != nil {
		if c.validation, err = m.dataset(c.validationXY[0], c.validationXY[1], c.validationWeight, c.batchSize, nil, true); err != nil {
			return nil, fmt.Errorf("validation data: %w", err)
		}
	}
	client, err := m.client(ctx)
	if err != nil {
		return nil, err
	}
	t := &Training{model: m, client: client, data: ds, config: c, epoch: c.initialEpoch, history: &History{Logs: make(map[string][]float64)}}
	t.callbacks = append(t.callbacks, c.callbacks...)
	if c.verbose > 0 {
		t.callbacks = append(t.callbacks, newProgress(c, ds.Cardinality()))
	}
	m.training = t
	defer func() { m.training = nil }()
	return t.history, t.run(ctx)
}

// shuffleSeed returns the seed of the orders: the one given, or a new one.
func (c *runConfig) shuffleSeed() *uint64 {
	if c.seed != nil {
		return c.seed
	}
	seed := rand.Uint64()
	return &seed
}

func (m *Model) needLoss() error {
	if m.compiled == nil {
		return fmt.Errorf("the model is not compiled: call Compile first")
	}
	if len(m.compiled.losses) == 0 {
		return fmt.Errorf("the model was compiled without a loss: give Compile a Loss")
	}
	return nil
}

// client returns the client that the model runs on.
func (m *Model) client(ctx context.Context) (*runtime.Client, error) {
	if m.compiled.client != nil {
		return m.compiled.client, nil
	}
	return distribution.Client(ctx)
}

// dataset returns x as it is when it is a Dataset, else the dataset of x and y.
func (m *Model) dataset(x, y, sampleWeight any, batchSize int, shuffleSeed *uint64, labels bool) (data.Dataset, error) {
	if ds, ok := x.(data.Dataset); ok {
		if y != nil {
			return nil, fmt.Errorf("got labels beside a dataset: a dataset yields its labels itself")
		}
		if sampleWeight != nil {
			return nil, fmt.Errorf("got sample weights beside a dataset: a dataset yields its weights itself")
		}
		if batchSize != 0 {
			return nil, fmt.Errorf("got batch size %d beside a dataset: a dataset yields batches itself", batchSize)
		}
		if ds.Cardinality() == data.Infinite {
			return nil, fmt.Errorf("the dataset has no end: give an epoch one by Take, such as ds.Take(100)")
		}
		return ds, nil
	}
	xs, err := data.Tensors(x)
	if err != nil {
		return nil, fmt.Errorf("x: %w", err)
	}
	ys, err := data.Tensors(y)
	if err != nil {
		return nil, fmt.Errorf("y: %w", err)
	}
	if labels && len(ys) == 0 {
		return nil, fmt.Errorf("got no labels: give y, or a dataset that yields them")
	}
	if batchSize == 0 {
		batchSize = data.DefaultBatchSize
	}
	var w *tensors.Tensor
	if sampleWeight != nil {
		if w, err = data.Tensor(sampleWeight); err != nil {
			return nil, fmt.Errorf("sample weights: %w", err)
		}
	}
	return data.FromSlices(xs, ys, w, batchSize, shuffleSeed)
}
