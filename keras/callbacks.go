package keras

// This file defines Callback and the logs that callbacks see.

import (
	"context"
	"fmt"

	"github.com/gospmd/gospmd/runtime"
)

// Log is one number that is shown, such as the loss.
type Log struct {
	Name  string
	Value float64
}

// Logs are the numbers of a step or an epoch, by name in alphabetical order;
// those of the validation follow.
type Logs []Log

// Get returns the number of that name; ok is false when there is none.
func (l Logs) Get(name string) (value float64, ok bool) {
	for _, x := range l {
		if x.Name == name {
			return x.Value, true
		}
	}
	return 0, false
}

// BatchLogs are the logs after a step, still on the devices.
type BatchLogs struct {
	names  []string
	arrays []*runtime.Array
	logs   Logs
}

// Get waits for the step and fetches its logs.
func (b *BatchLogs) Get(ctx context.Context) (Logs, error) {
	if b == nil || b.logs != nil {
		return b.fetched(), nil
	}
	logs := make(Logs, len(b.names))
	for i, name := range b.names {
		flat, err := b.arrays[i].Get(ctx)
		if err != nil {
			return nil, err
		}
		logs[i] = Log{name, float64(flat.([]float32)[0])}
	}
	b.logs = logs
	return logs, nil
}

func (b *BatchLogs) fetched() Logs {
	if b == nil {
		return nil
	}
	return b.logs
}

func (b *BatchLogs) release() {
	if b == nil {
		return
	}
	for _, a := range b.arrays {
		a.Release()
	}
	b.arrays = nil
}

// Callback watches training: keras.callbacks.Callback. Embed BaseCallback and
// override what is needed. An error ends Fit. A callback may also implement
//
//	Resumable      its state becomes part of the training's checkpoints
//	Checkpointer   it saves the training after a batch or an epoch
//	io.Closer      it is closed when Fit ends, also after an error
type Callback interface {
	OnTrainBegin(ctx context.Context, m *Model) error
	OnTrainEnd(ctx context.Context) error
	OnEpochBegin(ctx context.Context, epoch int) error
	OnEpochEnd(ctx context.Context, epoch int, logs Logs) error
	// OnTrainBatchEnd runs when a step has been queued. logs.Get waits for it;
	// a callback that does so at every step keeps the devices waiting.
	OnTrainBatchEnd(ctx context.Context, batch int, logs *BatchLogs) error
	// StopTraining is asked after each batch and after each epoch. The epoch
	// in which it answers true is still completed: validation, OnEpochEnd.
	StopTraining() bool
}

// SetLearningRate changes the learning rate of the model's optimizer from the
// next step on.
func (m *Model) SetLearningRate(ctx context.Context, rate float64) error {
	if m.compiled == nil {
		return fmt.Errorf("keras: model %s: set learning rate: the model is not compiled: call Compile first", m.name)
	}
	client, err := m.client(ctx)
	if err == nil {
		err = m.compiled.optimizer.SetLearningRate(client, rate)
	}
	if err != nil {
		return fmt.Errorf("keras: model %s: %w", m.name, err)
	}
	return nil
}

// BaseCallback does nothing at every event.
type BaseCallback struct{}

// OnTrainBegin does nothing.
func (BaseCallback) OnTrainBegin(context.Context, *Model) error { return nil }

// OnTrainEnd does nothing.
func (BaseCallback) OnTrainEnd(context.Context) error { return nil }

// OnEpochBegin does nothing.
func (BaseCallback) OnEpochBegin(context.Context, int) error { return nil }

// OnEpochEnd does nothing.
func (BaseCallback) OnEpochEnd(context.Context, int, Logs) error { return nil }

// OnTrainBatchEnd does nothing.
func (BaseCallback) OnTrainBatchEnd(context.Context, int, *BatchLogs) error { return nil }

// StopTraining returns false.
func (BaseCallback) StopTraining() bool { return false }
