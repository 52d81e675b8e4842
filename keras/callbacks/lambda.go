package callbacks

// This file defines Lambda.

import (
	"context"

	"github.com/gospmd/gospmd/keras"
)

// Lambda calls functions, those that are not nil:
// keras.callbacks.LambdaCallback.
type Lambda struct {
	TrainBegin    func(ctx context.Context, m *keras.Model) error
	TrainEnd      func(ctx context.Context) error
	EpochBegin    func(ctx context.Context, epoch int) error
	EpochEnd      func(ctx context.Context, epoch int, logs keras.Logs) error
	TrainBatchEnd func(ctx context.Context, batch int, logs *keras.BatchLogs) error
	Stop          func() bool
}

// OnTrainBegin calls TrainBegin.
func (l *Lambda) OnTrainBegin(ctx context.Context, m *keras.Model) error {
	if l.TrainBegin == nil {
		return nil
	}
	return l.TrainBegin(ctx, m)
}

// OnTrainEnd calls TrainEnd.
func (l *Lambda) OnTrainEnd(ctx context.Context) error {
	if l.TrainEnd == nil {
		return nil
	}
	return l.TrainEnd(ctx)
}

// OnEpochBegin calls EpochBegin.
func (l *Lambda) OnEpochBegin(ctx context.Context, epoch int) error {
	if l.EpochBegin == nil {
		return nil
	}
	return l.EpochBegin(ctx, epoch)
}

// OnEpochEnd calls EpochEnd.
func (l *Lambda) OnEpochEnd(ctx context.Context, epoch int, logs keras.Logs) error {
	if l.EpochEnd == nil {
		return nil
	}
	return l.EpochEnd(ctx, epoch, logs)
}

// OnTrainBatchEnd calls TrainBatchEnd.
func (l *Lambda) OnTrainBatchEnd(ctx context.Context, batch int, logs *keras.BatchLogs) error {
	if l.TrainBatchEnd == nil {
		return nil
	}
	return l.TrainBatchEnd(ctx, batch, logs)
}

// StopTraining calls Stop.
func (l *Lambda) StopTraining() bool { return l.Stop != nil && l.Stop() }
