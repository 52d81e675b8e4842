package callbacks

// This file defines callbacks without a state: LearningRateScheduler and TerminateOnNaN.

import (
	"context"
	"fmt"
	"math"

	"github.com/gospmd/gospmd/keras"
)

// LearningRateScheduler sets the learning rate at the start of each epoch:
// keras.callbacks.LearningRateScheduler.
type LearningRateScheduler struct {
	keras.EpochCallback
	// Schedule returns the rate of an epoch, from 0, given the current one.
	Schedule func(epoch int, rate float64) float64

	model *keras.Model
}

// OnTrainBegin checks the Schedule.
func (c *LearningRateScheduler) OnTrainBegin(_ context.Context, m *keras.Model) error {
	if c.Schedule == nil {
		return fmt.Errorf("LearningRateScheduler: got no Schedule, want a function of epoch and rate")
	}
	c.model = m
	return nil
}

// OnEpochBegin sets the rate.
func (c *LearningRateScheduler) OnEpochBegin(ctx context.Context, epoch int) error {
	rate, err := c.model.Optimizer().LearningRate(ctx)
	if err != nil {
		return err
	}
	return c.model.SetLearningRate(ctx, c.Schedule(epoch, rate))
}

// TerminateOnNaN ends the training when the loss is NaN or infinite:
// keras.callbacks.TerminateOnNaN.
//
// To see the loss it waits for the step, which keeps the devices waiting; Every
// makes it check only each so many batches. The loss is the mean over the epoch
// so far, which stays NaN, so that no NaN is missed before the epoch ends.
type TerminateOnNaN struct {
	keras.BaseCallback
	Every int // 1 by default

	stopped bool
}

// OnTrainBegin resets the state.
func (c *TerminateOnNaN) OnTrainBegin(context.Context, *keras.Model) error {
	c.stopped = false
	return nil
}

// OnTrainBatchEnd checks the loss.
func (c *TerminateOnNaN) OnTrainBatchEnd(ctx context.Context, batch int, logs *keras.BatchLogs) error {
	if c.Every > 1 && (batch+1)%c.Every != 0 {
		return nil
	}
	values, err := logs.Get(ctx)
	if err == nil {
		c.check(values)
	}
	return err
}

// OnEpochEnd checks the loss once more.
func (c *TerminateOnNaN) OnEpochEnd(_ context.Context, _ int, logs keras.Logs) error {
	c.check(logs)
	return nil
}

func (c *TerminateOnNaN) check(logs keras.Logs) {
	if loss, ok := logs.Get("loss"); ok && (math.IsNaN(loss) || math.IsInf(loss, 0)) {
		c.stopped = true
	}
}

// StopTraining reports whether the training is to end.
func (c *TerminateOnNaN) StopTraining() bool { return c.stopped }
