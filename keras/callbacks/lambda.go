package callbacks

// This file defines Lambda, a callback made of functions.

import (
	"context"

	"github.com/gospmd/gospmd/keras"
)

// Lambda is a callback whose fields are functions, one for each event:
// keras.callbacks.LambdaCallback. It ignores the events whose function is nil.
type Lambda struct {
	TrainBegin      func(ctx context.Context, m *keras.Model) error
	TrainEnd        func(ctx context.Context) error
	EpochBegin      func(ctx context.Context, epoch int) error
	EpochEnd        func(ctx context.Context, epoch int, logs keras.Logs) error
	TrainBatchBegin func(ctx context.Context, batch int) error
	TrainBatchEnd   func(ctx context.Context, batch int, logs *keras.BatchLogs) error
	Stop            func() bool

	TestBegin      func(ctx context.Context, m *keras.Model) error
	TestEnd        func(ctx context.Context, logs keras.Logs) error
	TestBatchBegin func(ctx context.Context, batch int) error
	TestBatchEnd   func(ctx context.Context, batch int, logs *keras.BatchLogs) error

	PredictBegin      func(ctx context.Context, m *keras.Model) error
	PredictEnd        func(ctx context.Context) error
	PredictBatchBegin func(ctx context.Context, batch int) error
	PredictBatchEnd   func(ctx context.Context, batch int, outputs *keras.BatchOutputs) error
}

// with calls f, a function of one argument besides the context. It does nothing if f is nil.
func with[T any](f func(context.Context, T) error, ctx context.Context, x T) error {
	if f == nil {
		return nil
	}
	return f(ctx, x)
}

// with2 calls f, a function of two arguments besides the context. It does nothing if f is nil.
func with2[T, U any](f func(context.Context, T, U) error, ctx context.Context, x T, y U) error {
	if f == nil {
		return nil
	}
	return f(ctx, x, y)
}

// alone calls f, a function of the context only. It does nothing if f is nil.
func alone(f func(context.Context) error, ctx context.Context) error {
	if f == nil {
		return nil
	}
	return f(ctx)
}

// OnTrainBegin calls the field TrainBegin, unless that is nil.
func (l *Lambda) OnTrainBegin(ctx context.Context, m *keras.Model) error {
	return with(l.TrainBegin, ctx, m)
}

// OnTrainEnd calls the field TrainEnd, unless that is nil.
func (l *Lambda) OnTrainEnd(ctx context.Context) error { return alone(l.TrainEnd, ctx) }

// OnEpochBegin calls the field EpochBegin, unless that is nil.
func (l *Lambda) OnEpochBegin(ctx context.Context, epoch int) error {
	return with(l.EpochBegin, ctx, epoch)
}

// OnEpochEnd calls the field EpochEnd, unless that is nil.
func (l *Lambda) OnEpochEnd(ctx context.Context, epoch int, logs keras.Logs) error {
	return with2(l.EpochEnd, ctx, epoch, logs)
}

// OnTrainBatchBegin calls the field TrainBatchBegin, unless that is nil.
func (l *Lambda) OnTrainBatchBegin(ctx context.Context, batch int) error {
	return with(l.TrainBatchBegin, ctx, batch)
}

// OnTrainBatchEnd calls the field TrainBatchEnd, unless that is nil.
func (l *Lambda) OnTrainBatchEnd(ctx context.Context, batch int, logs *keras.BatchLogs) error {
	return with2(l.TrainBatchEnd, ctx, batch, logs)
}

// ObservesBatches reports whether TrainBatchBegin, TrainBatchEnd or Stop is set, so that the
// callback needs the events of batches.
func (l *Lambda) ObservesBatches() bool {
	return l.TrainBatchBegin != nil || l.TrainBatchEnd != nil || l.Stop != nil
}

// StopTraining returns the result of the field Stop, false if that is nil.
func (l *Lambda) StopTraining() bool { return l.Stop != nil && l.Stop() }

// OnTestBegin calls the field TestBegin, unless that is nil.
func (l *Lambda) OnTestBegin(ctx context.Context, m *keras.Model) error {
	return with(l.TestBegin, ctx, m)
}

// OnTestEnd calls the field TestEnd, unless that is nil.
func (l *Lambda) OnTestEnd(ctx context.Context, logs keras.Logs) error {
	return with(l.TestEnd, ctx, logs)
}

// OnTestBatchBegin calls the field TestBatchBegin, unless that is nil.
func (l *Lambda) OnTestBatchBegin(ctx context.Context, batch int) error {
	return with(l.TestBatchBegin, ctx, batch)
}

// OnTestBatchEnd calls the field TestBatchEnd, unless that is nil.
func (l *Lambda) OnTestBatchEnd(ctx context.Context, batch int, logs *keras.BatchLogs) error {
	return with2(l.TestBatchEnd, ctx, batch, logs)
}

// OnPredictBegin calls the field PredictBegin, unless that is nil.
func (l *Lambda) OnPredictBegin(ctx context.Context, m *keras.Model) error {
	return with(l.PredictBegin, ctx, m)
}

// OnPredictEnd calls the field PredictEnd, unless that is nil.
func (l *Lambda) OnPredictEnd(ctx context.Context) error { return alone(l.PredictEnd, ctx) }

// OnPredictBatchBegin calls the field PredictBatchBegin, unless that is nil.
func (l *Lambda) OnPredictBatchBegin(ctx context.Context, batch int) error {
	return with(l.PredictBatchBegin, ctx, batch)
}

// OnPredictBatchEnd calls the field PredictBatchEnd, unless that is nil.
func (l *Lambda) OnPredictBatchEnd(ctx context.Context, batch int, outputs *keras.BatchOutputs) error {
	return with2(l.PredictBatchEnd, ctx, batch, outputs)
}
