package keras

// This file trains: Fit.

import (
	"context"
	"fmt"
	"os"

	"github.com/gospmd/gospmd/internal/option"
	"github.com/gospmd/gospmd/keras/distribution"
	"github.com/gospmd/gospmd/runtime"
)

// History is what Fit saw: the logs at the end of each epoch.
type History struct {
	Epochs []int                // from 0
	Logs   map[string][]float64 // by name, one value for each epoch
}

// Fit trains the model: keras.Model.fit. x and y are tensors or slices (see
// package data), or several of them in a []any; or x is a data.Dataset and y
// nil. Options: BatchSize, Epochs, InitialEpoch, StepsPerEpoch, Shuffle,
// ShuffleSeed, Verbose, Output, ValidationData, ValidationSplit,
// ValidationSteps, ValidationBatchSize, ValidationFreq, ValidationSampleWeight,
// SampleWeight, ClassWeight, Callbacks.
//
// Parameters, optimizer slots and metric totals stay on the devices; nothing is
// fetched but what is shown or given to a callback that asks. Loss and metrics
// are means over the samples of the epoch so far.
func (m *Model) Fit(ctx context.Context, x, y any, opts ...RunOption) (*History, error) {
	c := runConfig{epochs: 1, shuffle: true, verbose: 1, output: os.Stdout}
	err := option.Apply("Fit", &c, opts,
		"BatchSize", "Epochs", "InitialEpoch", "StepsPerEpoch", "Shuffle", "ShuffleSeed", "Verbose", "Output", "ValidationData", "ValidationSplit",
		"ValidationSteps", "ValidationBatchSize", "ValidationFreq", "ValidationSampleWeight", "SampleWeight", "ClassWeight", "Callbacks")
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
	ds, err := c.fitData(x, y)
	if err != nil {
		return nil, err
	}
	client, err := m.client(ctx)
	if err != nil {
		return nil, err
	}
	batches := m.feed(ds, c.stepsPerEpoch)
	t := &Training{model: m, client: client, data: ds, batches: batches, config: c, epoch: c.initialEpoch, history: &History{Logs: make(map[string][]float64)}}
	t.callbacks = append(t.callbacks, c.callbacks...)
	if c.verbose > 0 {
		t.callbacks = append(t.callbacks, newProgress(c, batches.size()))
	}
	m.training = t
	defer func() { m.training = nil }()
	return t.history, t.run(ctx)
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
