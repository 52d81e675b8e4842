package callbacks

// This file defines callbacks without a state: LearningRateScheduler and TerminateOnNaN.

import (
	"context"
	"fmt"
	"io"
	"math"

	"github.com/gospmd/gospmd/keras"
)

// LearningRateScheduler sets the learning rate at the start of each epoch:
// keras.callbacks.LearningRateScheduler.
type LearningRateScheduler struct {
	keras.EpochCallback
	// Schedule returns the learning rate for an epoch. Epochs count from 0. rate is the learning
	// rate before that epoch.
	Schedule func(epoch int, rate float64) float64
	Verbose  bool      // print the rate of each epoch
	Output   io.Writer // where to print it: os.Stdout by default

	model *keras.Model
}

// OnTrainBegin stores m, whose learning rate the callback then sets. It returns an error if there
// is no Schedule.
func (c *LearningRateScheduler) OnTrainBegin(_ context.Context, m *keras.Model) error {
	if c.Schedule == nil {
		return fmt.Errorf("LearningRateScheduler: got no Schedule, want a function of epoch and rate")
	}
	c.model = m
	return nil
}

// OnEpochBegin calls Schedule with the epoch and the current learning rate. It sets the optimizer's
// rate to the result, and prints it if the callback is verbose. An optimizer with a schedule of its
// own, and a MultiOptimizer, are errors.
func (c *LearningRateScheduler) OnEpochBegin(ctx context.Context, epoch int) error {
	rate, err := c.model.Optimizer().LearningRate(ctx)
	if err != nil {
		return err
	}
	rate = c.Schedule(epoch, rate)
	if c.Verbose {
		message(c.model, c.Output, "Epoch %d: LearningRateScheduler setting learning rate to %v.", epoch+1, float32(rate))
	}
	return c.model.SetLearningRate(ctx, rate)
}

// TerminateOnNaN ends the training when the loss is NaN or infinite, and prints what it saw:
// keras.callbacks.TerminateOnNaN.
//
// To see the loss it waits for the step, which keeps the devices waiting; Every
// makes it check only each so many batches. The loss is the mean over the epoch
// so far, which stays NaN, so that no NaN is missed before the epoch ends.
type TerminateOnNaN struct {
	keras.BaseCallback
	Every      int       // 1 by default
	RaiseError bool      // end Fit with an error
	Output     io.Writer // where to print what was seen: os.Stdout by default
	// Locate also finds the layer, the op and the device of the first number that is not finite: it
	// copies all variables before each step, and computes the step once more, op by op.
	Locate bool

	model   *keras.Model
	before  *keras.StepState
	epoch   int
	seen    string // the last finite loss
	stopped bool
}

// OnTrainBegin stores m, whose loss the callback then watches. It forgets an earlier training: the
// last finite loss, and that a loss was NaN or infinite. It returns no error.
func (c *TerminateOnNaN) OnTrainBegin(_ context.Context, m *keras.Model) error {
	c.model, c.seen, c.stopped = m, "", false
	return nil
}

// OnEpochBegin notes the number of the epoch, for messages.
func (c *TerminateOnNaN) OnEpochBegin(_ context.Context, epoch int) error {
	c.epoch = epoch
	return nil
}

// OnTrainBatchBegin takes the state of the training before the step, if Locate needs it.
func (c *TerminateOnNaN) OnTrainBatchBegin(ctx context.Context, _ int) (err error) {
	if c.Locate {
		c.before, err = c.model.Training().StepState(ctx)
	}
	return err
}

// OnTrainBatchEnd checks the loss after every batch, or every c.Every-th, and waits for the step to
// see it. One that is NaN or infinite ends the training, with an error if RaiseError is set.
func (c *TerminateOnNaN) OnTrainBatchEnd(ctx context.Context, batch int, logs *keras.BatchLogs) error {
	if c.Every > 1 && (batch+1)%c.Every != 0 {
		return nil
	}
	values, err := logs.Get(ctx)
	if err != nil {
		return err
	}
	return c.check(ctx, fmt.Sprintf("epoch %d, batch %d", c.epoch+1, batch+1), values)
}

// OnEpochEnd checks the loss of the epoch. One that is NaN or infinite ends the training, with an
// error if RaiseError is set.
func (c *TerminateOnNaN) OnEpochEnd(ctx context.Context, _ int, logs keras.Logs) error {
	return c.check(ctx, fmt.Sprintf("the end of epoch %d", c.epoch+1), logs)
}

// check looks at the loss in logs, of the place that messages name. A loss that is NaN or infinite
// stops the training once, with a message, or with an error if RaiseError is set; with Locate it
// names the op that made it. A finite one is remembered for that message.
func (c *TerminateOnNaN) check(ctx context.Context, place string, logs keras.Logs) error {
	loss, ok := logs.Get("loss")
	switch {
	case !ok || c.stopped:
		return nil
	case !math.IsNaN(loss) && !math.IsInf(loss, 0):
		c.seen = fmt.Sprintf(", after %g at %s", loss, place)
		return nil
	}
	c.stopped = true
	text := fmt.Sprintf("the loss is %v at %s%s", loss, place, c.seen)
	if c.Locate {
		where, err := locate(ctx, c.model.Training(), c.before)
		if err != nil {
			return fmt.Errorf("TerminateOnNaN: %s: Locate: %w", text, err)
		}
		text += where
	}
	if c.RaiseError {
		return fmt.Errorf("TerminateOnNaN: %s", text)
	}
	message(c.model, c.Output, "TerminateOnNaN: %s: the training ends", text)
	return nil
}

// StopTraining reports whether a loss was NaN or infinite, so that the training is to end.
func (c *TerminateOnNaN) StopTraining() bool { return c.stopped }
