package callbacks

// This file defines EarlyStopping.

import (
	"context"
	"encoding/json"

	"github.com/gomlx/gomlx/core/tensors"

	"github.com/gospmd/gospmd/internal/jsonfloat"
	"github.com/gospmd/gospmd/keras"
)

// EarlyStopping ends the training when a number has stopped to become better:
// keras.callbacks.EarlyStopping.
type EarlyStopping struct {
	keras.BaseCallback
	Monitor            string   // what to watch: "val_loss" by default
	MinDelta           float64  // what counts as better
	Patience           int      // after how many epochs without improvement to stop
	Mode               Mode     // min, max or by the name
	Baseline           *float64 // nil, or what must be beaten
	RestoreBestWeights bool     // end with the weights of the best epoch
	StartFromEpoch     int      // how many epochs pass before it begins to watch

	model   *keras.Model
	monitor monitor
	wait    int
	best    []*tensors.Tensor
	epoch   int  // the best one
	watched bool // whether there was an epoch to be the best
	stopped bool
}

// OnTrainBegin starts anew.
func (c *EarlyStopping) OnTrainBegin(_ context.Context, m *keras.Model) (err error) {
	c.model, c.wait, c.best, c.epoch, c.watched, c.stopped = m, 0, nil, 0, false, false
	c.monitor, err = newMonitor("EarlyStopping", c.Monitor, c.Mode, c.MinDelta)
	return err
}

// OnEpochEnd compares the epoch with the best one.
func (c *EarlyStopping) OnEpochEnd(ctx context.Context, epoch int, logs keras.Logs) error {
	v, ok, err := c.monitor.value("EarlyStopping", c.model, logs)
	if err != nil || !ok || epoch < c.StartFromEpoch {
		return err
	}
	improved := c.monitor.better(v, c.monitor.best)
	if improved || !c.watched {
		c.watched = true
		c.epoch = epoch
		if c.RestoreBestWeights {
			if c.best, err = c.model.Weights(ctx); err != nil {
				return err
			}
		}
	}
	c.wait++
	if improved {
		c.monitor.best = v
		if c.Baseline == nil || c.monitor.better(v, *c.Baseline) {
			c.wait = 0
			return nil
		}
	}
	c.stopped = c.wait >= c.Patience && epoch > 0
	return nil
}

// OnTrainEnd brings the best weights back, if they are wanted.
func (c *EarlyStopping) OnTrainEnd(ctx context.Context) error {
	if c.best == nil {
		return nil
	}
	weights := make([]any, len(c.best))
	for i, w := range c.best {
		weights[i] = w
	}
	c.best = nil
	return c.model.SetWeights(ctx, weights...)
}

// StopTraining reports whether the training is to end.
func (c *EarlyStopping) StopTraining() bool { return c.stopped }

// BestEpoch returns the epoch with the best number, from 0.
func (c *EarlyStopping) BestEpoch() int { return c.epoch }

// earlyState is what a checkpoint keeps of an EarlyStopping, beside the best
// weights.
type earlyState struct {
	Best    jsonfloat.Float `json:"best"`
	Wait    int             `json:"wait"`
	Epoch   int             `json:"epoch"`
	Watched bool            `json:"watched"`
	Stopped bool            `json:"stopped"`
}

// State returns what was seen so far.
func (c *EarlyStopping) State() (keras.CallbackState, error) {
	return stateOf(earlyState{jsonfloat.Float(c.monitor.best), c.wait, c.epoch, c.watched, c.stopped}, c.best...)
}

// Restore goes on from a state.
func (c *EarlyStopping) Restore(s keras.CallbackState) error {
	var state earlyState
	if err := json.Unmarshal(s.Values, &state); err != nil {
		return err
	}
	c.monitor.best = float64(state.Best)
	c.wait, c.epoch, c.watched, c.stopped = state.Wait, state.Epoch, state.Watched, state.Stopped
	if c.RestoreBestWeights && len(s.Tensors) > 0 {
		c.best = s.Tensors
	}
	return nil
}

// stateOf returns the state of a callback.
func stateOf(values any, large ...*tensors.Tensor) (keras.CallbackState, error) {
	text, err := json.Marshal(values)
	return keras.CallbackState{Values: text, Tensors: large}, err
}
