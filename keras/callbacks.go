package keras

// This file defines Callback and the optional interfaces of callbacks, and calls callbacks at the
// events of a loop of steps, in Keras' order.

import (
	"context"
	"encoding/json"

	"github.com/gomlx/gomlx/core/tensors"

	"github.com/gospmd/gospmd/runtime"
)

// Callback is called at the events of a training, and of Evaluate and Predict:
// keras.callbacks.Callback. Embed BaseCallback and override the methods that are needed. An error
// ends Fit, Evaluate or Predict. Batches are numbered from 0. If one execution runs several steps
// (StepsPerExecution), OnTrainBatchBegin gets the number of its first batch, OnTrainBatchEnd that
// of its last one. A Callback may also implement these interfaces:
//
//	Resumable      its state becomes part of the training's checkpoints
//	Checkpointer   it saves the training after a batch or an epoch
//	BatchObserver  it says whether it is to be called after each batch
//	io.Closer      it is closed when Fit ends, also after an error
//
// In a job of several processes each process calls its callbacks, with the same logs. The callbacks
// must make the same decisions in all processes. Training.IsChief says which process writes and
// prints.
type Callback interface {
	OnTrainBegin(ctx context.Context, m *Model) error
	// OnTrainEnd is also called if the training is interrupted, with a context that is not done.
	OnTrainEnd(ctx context.Context) error
	OnEpochBegin(ctx context.Context, epoch int) error
	OnEpochEnd(ctx context.Context, epoch int, logs Logs) error
	// OnTrainBatchBegin is called before a step is queued. Steps before it may not be
	// done yet.
	OnTrainBatchBegin(ctx context.Context, batch int) error
	// OnTrainBatchEnd is called after a step was queued; the step may still run. logs.Get waits for
	// it: a callback that calls logs.Get at every step keeps the devices idle meanwhile.
	OnTrainBatchEnd(ctx context.Context, batch int, logs *BatchLogs) error
	// StopTraining is called after each batch and after each epoch; true stops
	// the training. The epoch is still completed by validation and OnEpochEnd.
	StopTraining() bool

	// OnTestBegin, OnTestEnd and the methods for test batches are called by Evaluate, and by the
	// validations of Fit.
	OnTestBegin(ctx context.Context, m *Model) error
	OnTestEnd(ctx context.Context, logs Logs) error
	OnTestBatchBegin(ctx context.Context, batch int) error
	OnTestBatchEnd(ctx context.Context, batch int, logs *BatchLogs) error

	// Predict calls these.
	OnPredictBegin(ctx context.Context, m *Model) error
	OnPredictEnd(ctx context.Context) error
	OnPredictBatchBegin(ctx context.Context, batch int) error
	OnPredictBatchEnd(ctx context.Context, batch int, outputs *BatchOutputs) error
}

// BatchObserver is a Callback that declares whether it needs the events of batches. If no callback
// of a training needs them, Fit may run several steps as one program (StepsPerExecution). A
// Callback without this interface counts as needing them. Embed EpochCallback in a callback that
// does not.
type BatchObserver interface {
	Callback
	ObservesBatches() bool
}

// Resumable is a Callback whose state is saved with the training. When the
// training is resumed, Restore gets the result of State, after OnTrainBegin.
type Resumable interface {
	Callback
	State() (CallbackState, error)
	Restore(CallbackState) error
}

// Checkpointer is a Callback that saves the training. Checkpoint is called at the end of each
// execution and each epoch, after the methods of all callbacks. At the end of an epoch the Batch of
// t.Progress is 0. If the end of Fit's context interrupts a training in a single process,
// Checkpoint is called once more if the steps of all batches that were taken from the data are
// done; t.Interrupted is then true.
type Checkpointer interface {
	Callback
	Checkpoint(ctx context.Context, t *Training) error
}

// EpochCallback is a BaseCallback for callbacks that do not need the events of batches
// (BatchObserver).
type EpochCallback struct{ BaseCallback }

// ObservesBatches returns false: the callback does not need the events of batches.
func (EpochCallback) ObservesBatches() bool { return false }

// BaseCallback does nothing at every event. Embed it, and override the methods that are needed.
type BaseCallback struct{}

// OnTrainBegin does nothing.
func (BaseCallback) OnTrainBegin(context.Context, *Model) error { return nil }

// OnTrainEnd does nothing.
func (BaseCallback) OnTrainEnd(context.Context) error { return nil }

// OnEpochBegin does nothing.
func (BaseCallback) OnEpochBegin(context.Context, int) error { return nil }

// OnEpochEnd does nothing.
func (BaseCallback) OnEpochEnd(context.Context, int, Logs) error { return nil }

// OnTrainBatchBegin does nothing.
func (BaseCallback) OnTrainBatchBegin(context.Context, int) error { return nil }

// OnTestBegin does nothing.
func (BaseCallback) OnTestBegin(context.Context, *Model) error { return nil }

// OnTestEnd does nothing.
func (BaseCallback) OnTestEnd(context.Context, Logs) error { return nil }

// OnTestBatchBegin does nothing.
func (BaseCallback) OnTestBatchBegin(context.Context, int) error { return nil }

// OnTestBatchEnd does nothing.
func (BaseCallback) OnTestBatchEnd(context.Context, int, *BatchLogs) error { return nil }

// OnPredictBegin does nothing.
func (BaseCallback) OnPredictBegin(context.Context, *Model) error { return nil }

// OnPredictEnd does nothing.
func (BaseCallback) OnPredictEnd(context.Context) error { return nil }

// OnPredictBatchBegin does nothing.
func (BaseCallback) OnPredictBatchBegin(context.Context, int) error { return nil }

// OnPredictBatchEnd does nothing.
func (BaseCallback) OnPredictBatchEnd(context.Context, int, *BatchOutputs) error { return nil }

// OnTrainBatchEnd does nothing.
func (BaseCallback) OnTrainBatchEnd(context.Context, int, *BatchLogs) error { return nil }

// StopTraining returns false: the training goes on.
func (BaseCallback) StopTraining() bool { return false }

// CallbackState is the saved state of a callback in a checkpoint.
type CallbackState struct {
	Values  json.RawMessage   // JSON that the callback defines
	Tensors []*tensors.Tensor // values that are too large for JSON
}

// each calls f for each callback in order. It stops at the first error, and returns it.
func each(callbacks []Callback, f func(Callback) error) error {
	for _, cb := range callbacks {
		if err := f(cb); err != nil {
			return err
		}
	}
	return nil
}

// runTest runs the test steps of l by run, and calls the callbacks' test events before, between and
// after them. It returns the logs of run. After an error, OnTestEnd is not called.
func (m *Model) runTest(ctx context.Context, callbacks []Callback, l stepLoop, run func(stepLoop) (Logs, error)) (Logs, error) {
	if err := each(callbacks, func(cb Callback) error { return cb.OnTestBegin(ctx, m) }); err != nil {
		return nil, err
	}
	l.kind = testStep
	l.onBegin = func(batch int) error {
		return each(callbacks, func(cb Callback) error { return cb.OnTestBatchBegin(ctx, batch) })
	}
	l.onBatch = func(batch int, logs *BatchLogs) error {
		return each(callbacks, func(cb Callback) error { return cb.OnTestBatchEnd(ctx, batch, logs) })
	}
	logs, err := run(l)
	if err != nil {
		return nil, err
	}
	return logs, each(callbacks, func(cb Callback) error { return cb.OnTestEnd(ctx, logs) })
}

// runPredict runs the predict steps of a prediction by run, and calls the callbacks' predict events
// before, between and after them. It adds the outputs to the predictions. After an error,
// OnPredictEnd is not called.
func (m *Model) runPredict(ctx context.Context, callbacks []Callback, to *predictions, run func(stepLoop) (Logs, error)) error {
	if err := each(callbacks, func(cb Callback) error { return cb.OnPredictBegin(ctx, m) }); err != nil {
		return err
	}
	first := 0 // batch of the execution
	_, err := run(stepLoop{
		kind: predictStep,
		onBegin: func(batch int) error {
			first = to.size()
			return each(callbacks, func(cb Callback) error { return cb.OnPredictBatchBegin(ctx, batch) })
		},
		onOutputs: func(outputs []*runtime.Array) error { return to.add(ctx, outputs) },
		onBatch: func(batch int, _ *BatchLogs) error {
			return each(callbacks, func(cb Callback) error {
				return cb.OnPredictBatchEnd(ctx, batch, &BatchOutputs{to, first})
			})
		},
		onEnd: func() error { return to.fetch(ctx) },
	})
	if err != nil {
		return err
	}
	return each(callbacks, func(cb Callback) error { return cb.OnPredictEnd(ctx) })
}
