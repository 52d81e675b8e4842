package callbacks

// This file defines TerminateOnNaN.

import (
	"context"
	"math"

	"github.com/gospmd/gospmd/keras"
)

// TerminateOnNaN ends the training when the loss is no number or infinite:
// keras.callbacks.TerminateOnNaN.
//
// To see the loss it waits for the step, so that the devices wait too; Every
// makes it look at each so many batches only. The loss is the mean over the
// epoch so far, in which a NaN stays, so none is missed before the epoch ends.
type TerminateOnNaN struct {
	keras.BaseCallback
	Every int // 1 by default

	stopped bool
}

// OnTrainBegin starts anew.
func (c *TerminateOnNaN) OnTrainBegin(context.Context, *keras.Model) error {
	c.stopped = false
	return nil
}

// OnTrainBatchEnd looks at the loss.
func (c *TerminateOnNaN) OnTrainBatchEnd(ctx context.Context, batch int, logs *keras.BatchLogs) error {
	if c.Every > 1 && (batch+1)%c.Every != 0 {
		return nil
	}
	values, err := logs.Get(ctx)
	if err == nil {
		c.look(values)
	}
	return err
}

// OnEpochEnd looks at the loss once more.
func (c *TerminateOnNaN) OnEpochEnd(_ context.Context, _ int, logs keras.Logs) error {
	c.look(logs)
	return nil
}

func (c *TerminateOnNaN) look(logs keras.Logs) {
	if loss, ok := logs.Get("loss"); ok && (math.IsNaN(loss) || math.IsInf(loss, 0)) {
		c.stopped = true
	}
}

// StopTraining reports whether the training is to end.
func (c *TerminateOnNaN) StopTraining() bool { return c.stopped }
