package keras

// This file trains, evaluates and predicts over datasets. It also runs single steps, for training
// loops of the user's own.

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/gomlx/gomlx/core/tensors"

	"github.com/gospmd/gospmd/internal/made"
	"github.com/gospmd/gospmd/internal/option"
	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/keras/distribution"
	"github.com/gospmd/gospmd/runtime"
)

// Fit trains the model: keras.Model.fit. x and y are each a tensor or slices (see package data), a
// []any of several, or a map of them by the names of inputs and outputs (InputNames, OutputNames);
// or x is a data.Dataset and y is nil. An output without a loss and metrics needs no labels.
//
// Options: BatchSize, Epochs, InitialEpoch, StepsPerEpoch, Shuffle, ShuffleSeed, Verbose, Output,
// ValidationData, ValidationSplit, ValidationSteps, ValidationBatchSize, ValidationFreq,
// ValidationSampleWeight, SampleWeight, ClassWeight, Callbacks.
//
// Parameters, optimizer slots and metric totals stay on the devices. Logs are fetched only if they
// are shown or a callback reads them. Loss and metrics are means over the samples of the epoch so
// far. If an error, such as the end of ctx, stops the training, the history that Fit returns beside
// it has the epochs that were completed; it is nil if no training began.
//
// In a job of several processes, all must call Fit with the same arguments, and all get the same
// history. Each process gives the global batches, and its devices take their samples. With
// distribution.AutoShardDataset(false) each process gives its own part of a batch. Only process 0
// shows progress. An error in one process ends the job.
func (m *Model) Fit(ctx context.Context, x, y any, opts ...RunOption) (*History, error) {
	if err := m.usable(ctx); err != nil {
		return nil, fmt.Errorf("keras: fit: %w", err)
	}
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
	if err := m.needCompile(); err != nil {
		return nil, err
	}
	if err := m.byName(&x, &y, &c); err != nil {
		return nil, err
	}
	ds, dataErr := c.fitData(m, x, y)
	client, err := m.begin(ctx, "Fit", c, ds, dataErr)
	if err != nil {
		return nil, err
	}
	batches := &dataIterator{model: m, data: ds, steps: c.stepsPerEpoch}
	t := &Training{model: m, client: client, data: ds, batches: batches, config: c, epoch: c.initialEpoch, history: &History{Logs: make(map[string][]float64)}}
	t.callbacks = append(t.callbacks, c.callbacks...)
	if c.verbose > 0 && t.IsChief() {
		t.callbacks = append(t.callbacks, newProgress(c, batches.size()))
	}
	m.training = t
	defer func() { m.training = nil }()
	return t.history, t.run(ctx)
}

// begin returns the client for a call of Fit, Evaluate or Predict, and sets the feed of m.compiled.
// In a job it compares what the processes are about to run, and returns an error if they differ.
// failed is an error in this process' arguments, or nil; begin returns it.
func (m *Model) begin(ctx context.Context, call string, c runConfig, ds data.Dataset, failed error) (*runtime.Client, error) {
	client, err := m.client(ctx)
	if err != nil {
		return nil, errors.Join(failed, err)
	}
	job := m.jobOn(client)
	if job == nil {
		m.compiled.feed = feed{}
		return client, failed
	}
	if m.compiled.feed, err = m.feed(client); failed == nil {
		failed = err
	}
	var f facts
	if failed == nil {
		f = m.callFacts(call, c, ds, m.compiled.feed)
	}
	return client, compare(ctx, job, f, failed)
}

// end ends the job with err if that is not nil: other processes would wait for this one. It returns
// err.
func (m *Model) end(client *runtime.Client, err error) error {
	if job := m.jobOn(client); err != nil && job != nil {
		job.Fail(err)
	}
	return err
}

// usable returns an error if ctx is nil, or if no constructor has made the model.
func (m *Model) usable(ctx context.Context) error {
	if err := m.check(); err != nil {
		return err
	}
	return made.Context(ctx)
}

// needCompile returns an error that asks for Compile if the model is not compiled.
func (m *Model) needCompile() error {
	if m.compiled == nil {
		return fmt.Errorf("the model is not compiled: call Compile first")
	}
	return nil
}

// errNoLoss is the error of a training step of a model that was compiled without a loss.
var errNoLoss = errors.New("the model was compiled without a loss: give Compile a Loss, or a TrainStep, or have a layer AddLoss")

// client returns the client that the model runs on: that of Compile, or the process' client.
func (m *Model) client(ctx context.Context) (*runtime.Client, error) {
	if m.compiled.client != nil {
		return m.compiled.client, nil
	}
	return distribution.Client(ctx)
}

// Evaluate returns loss and metrics over the data, means over all samples, sorted by name:
// keras.Model.evaluate. x and y are as in Fit. A model that is not compiled is an error. Options:
// BatchSize, SampleWeight, Steps, Verbose, Output, Callbacks.
func (m *Model) Evaluate(ctx context.Context, x, y any, opts ...RunOption) (Logs, error) {
	if err := m.usable(ctx); err != nil {
		return nil, fmt.Errorf("keras: evaluate: %w", err)
	}
	c := runConfig{verbose: 1, output: os.Stdout}
	err := option.Apply("Evaluate", &c, opts, "BatchSize", "SampleWeight", "Steps", "Verbose", "Output", "Callbacks")
	var logs Logs
	if err == nil {
		logs, err = m.evaluate(ctx, x, y, c)
	}
	if err != nil {
		return nil, fmt.Errorf("keras: model %s: evaluate: %w", m.name, err)
	}
	return logs, nil
}

func (m *Model) evaluate(ctx context.Context, x, y any, c runConfig) (Logs, error) {
	if err := m.needCompile(); err != nil {
		return nil, err
	}
	if err := m.byName(&x, &y, &c); err != nil {
		return nil, err
	}
	ds, dataErr := m.deviceData(source{x: x, y: y, weights: c.sampleWeight, batchSize: c.batchSize, steps: c.steps, unlabelled: !m.needsLabels(testStep)}.dataset())
	client, err := m.begin(ctx, "Evaluate", c, ds, dataErr)
	if err != nil {
		return nil, err
	}
	logs, err := m.runTest(ctx, c.callbacks, stepLoop{}, func(l stepLoop) (Logs, error) { return m.runWithBar(ctx, client, c, ds, l) })
	return logs, m.end(client, err)
}

// runWithBar runs the steps of l over the dataset, with the options c, shows their progress in the
// chief process, and returns the logs.
func (m *Model) runWithBar(ctx context.Context, client *runtime.Client, c runConfig, ds data.Dataset, l stepLoop) (Logs, error) {
	if !m.isChief(client) {
		c.verbose = 0
	}
	l.data = &dataIterator{model: m, data: ds, steps: c.steps}
	defer l.data.close()
	bar := newProgressBar(c.output, c.verbose, l.data.size())
	callbacks := l.onBatch
	l.onBatch = func(batch int, logs *BatchLogs) error {
		if err := callbacks(batch, logs); err != nil {
			return err
		}
		return bar.update(ctx, batch+1, logs)
	}
	logs, err := m.run(ctx, client, l)
	if err != nil {
		return nil, err
	}
	bar.finish(logs)
	return logs, nil
}

// Predict returns the model's outputs for x, one tensor for each output: keras.Model.predict. x is
// as in Fit; labels of a dataset are ignored. A model that is not compiled is compiled, with the
// defaults. Inputs that do not fit the model, and other options, are errors. Options: BatchSize,
// Steps, Verbose, Output, Callbacks. All processes of a job get all outputs.
func (m *Model) Predict(ctx context.Context, x any, opts ...RunOption) ([]*tensors.Tensor, error) {
	if err := m.usable(ctx); err != nil {
		return nil, fmt.Errorf("keras: predict: %w", err)
	}
	c := runConfig{verbose: 1, output: os.Stdout}
	err := option.Apply("Predict", &c, opts, "BatchSize", "Steps", "Verbose", "Output", "Callbacks")
	var out []*tensors.Tensor
	if err == nil {
		out, err = m.predict(ctx, x, c)
	}
	if err != nil {
		return nil, fmt.Errorf("keras: model %s: predict: %w", m.name, err)
	}
	return out, nil
}

func (m *Model) predict(ctx context.Context, x any, c runConfig) ([]*tensors.Tensor, error) {
	if m.compiled == nil {
		if err := m.Compile(); err != nil {
			return nil, err
		}
	}
	if err := m.byName(&x, nil, &c); err != nil {
		return nil, err
	}
	ds, dataErr := m.deviceData(source{x: x, batchSize: c.batchSize, steps: c.steps, unlabelled: true}.dataset())
	client, err := m.begin(ctx, "Predict", c, ds, dataErr)
	if err != nil {
		return nil, err
	}
	var all predictions
	err = m.runPredict(ctx, c.callbacks, &all, func(l stepLoop) (Logs, error) { return m.runWithBar(ctx, client, c, ds, l) })
	if err := m.end(client, err); err != nil {
		return nil, err
	}
	return joined(all.batches)
}

// TrainOnBatch runs one training step on all samples of x and y, and returns metrics and the loss
// before the step, of this batch alone: keras.Model.train_on_batch. Datasets are errors. Options:
// SampleWeight, ClassWeight.
func (m *Model) TrainOnBatch(ctx context.Context, x, y any, opts ...RunOption) (Logs, error) {
	return m.onBatch(ctx, trainStep, "TrainOnBatch", x, y, opts, "SampleWeight", "ClassWeight")
}

// TestOnBatch returns loss and metrics of x and y as one batch: keras.Model.test_on_batch. Datasets
// are errors. Options: SampleWeight.
func (m *Model) TestOnBatch(ctx context.Context, x, y any, opts ...RunOption) (Logs, error) {
	return m.onBatch(ctx, testStep, "TestOnBatch", x, y, opts, "SampleWeight")
}

// onBatch runs one step of that kind on x and y as one batch, with opts, and returns its logs.
// called is the name of the method in errors; accepts has the names of the options that it takes.
func (m *Model) onBatch(ctx context.Context, kind stepKind, called string, x, y any, opts []RunOption, accepts ...string) (logs Logs, err error) {
	if err := m.usable(ctx); err != nil {
		return nil, fmt.Errorf("keras: %s: %w", called, err)
	}
	var c runConfig
	if err = option.Apply(called, &c, opts, accepts...); err == nil {
		if err = m.needCompile(); err == nil {
			err = m.byName(&x, &y, &c)
		}
	}
	var ds data.Dataset
	if err == nil {
		ds, err = c.oneBatch(m, x, y, !m.needsLabels(kind))
	}
	var client *runtime.Client
	if err == nil {
		client, err = m.client(ctx)
	}
	if err == nil {
		m.compiled.feed, err = m.feed(client)
	}
	if err == nil {
		logs, err = m.run(ctx, client, stepLoop{kind: kind, data: &dataIterator{model: m, data: ds}})
		err = m.end(client, err)
	}
	if err != nil {
		return nil, fmt.Errorf("keras: model %s: %s: %w", m.name, called, err)
	}
	return logs, nil
}

// PredictOnBatch returns the model's outputs for x as one batch, one tensor for each output:
// keras.Model.predict_on_batch. x is as in Fit, but datasets are errors. A model that is not
// compiled is compiled, with the defaults.
func (m *Model) PredictOnBatch(ctx context.Context, x any) ([]*tensors.Tensor, error) {
	if err := m.usable(ctx); err != nil {
		return nil, fmt.Errorf("keras: PredictOnBatch: %w", err)
	}
	n := 0
	err := m.byName(&x, nil, &runConfig{})
	if err == nil {
		n, err = samplesOf(x)
	}
	if err != nil {
		return nil, fmt.Errorf("keras: model %s: PredictOnBatch: %w", m.name, err)
	}
	return m.Predict(ctx, x, BatchSize(n), Verbose(0))
}
