package callbacks

// This file defines the callbacks that change the learning rate.

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/gospmd/gospmd/internal/jsonfloat"
	"github.com/gospmd/gospmd/keras"
)

// LearningRateScheduler sets the learning rate at the start of each epoch:
// keras.callbacks.LearningRateScheduler.
type LearningRateScheduler struct {
	keras.BaseCallback
	// Schedule returns the rate of an epoch, from 0, given the current one.
	Schedule func(epoch int, rate float64) float64

	model *keras.Model
}

// OnTrainBegin keeps the model.
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

// ReduceLROnPlateau lowers the learning rate when a number has stopped to
// become better: keras.callbacks.ReduceLROnPlateau.
type ReduceLROnPlateau struct {
	keras.BaseCallback
	Monitor  string   // what to watch: "val_loss" by default
	Factor   float64  // by which the rate is multiplied: 0.1 by default, below 1
	Patience *int     // after how many epochs without improvement: 10 by default
	Mode     Mode     // min, max or by the name
	MinDelta *float64 // what counts as better: 0.0001 by default
	Cooldown int      // how many epochs after a reduction do not count
	MinLR    float64  // below which the rate does not fall

	model          *keras.Model
	monitor        monitor
	wait, cooldown int
}

// OnTrainBegin starts anew.
func (c *ReduceLROnPlateau) OnTrainBegin(_ context.Context, m *keras.Model) (err error) {
	if c.Factor < 0 || c.Factor >= 1 {
		return fmt.Errorf("ReduceLROnPlateau: got factor %g, want a number in [0, 1): 0 stands for 0.1", c.Factor)
	}
	minDelta := 1e-4
	if c.MinDelta != nil {
		minDelta = *c.MinDelta
	}
	c.model, c.wait, c.cooldown = m, 0, 0
	c.monitor, err = newMonitor("ReduceLROnPlateau", c.Monitor, c.Mode, minDelta)
	return err
}

// OnEpochEnd compares the epoch with the best one.
func (c *ReduceLROnPlateau) OnEpochEnd(ctx context.Context, _ int, logs keras.Logs) error {
	v, ok, err := c.monitor.value("ReduceLROnPlateau", c.model, logs)
	if err != nil || !ok {
		return err
	}
	if c.cooldown > 0 {
		c.cooldown--
		c.wait = 0
	}
	switch {
	case c.monitor.better(v, c.monitor.best):
		c.monitor.best, c.wait = v, 0
		return nil
	case c.cooldown > 0:
		return nil
	}
	c.wait++
	if c.wait < c.patience() {
		return nil
	}
	return c.reduce(ctx)
}

func (c *ReduceLROnPlateau) patience() int {
	if c.Patience == nil {
		return 10
	}
	return *c.Patience
}

func (c *ReduceLROnPlateau) reduce(ctx context.Context) error {
	rate, err := c.model.Optimizer().LearningRate(ctx)
	if err != nil || rate <= float64(float32(c.MinLR)) {
		return err
	}
	factor := c.Factor
	if factor == 0 {
		factor = 0.1
	}
	c.wait, c.cooldown = 0, c.Cooldown
	return c.model.SetLearningRate(ctx, max(rate*factor, c.MinLR))
}

// plateauState is what a checkpoint keeps of a ReduceLROnPlateau; the rate
// itself is the optimizer's.
type plateauState struct {
	Best     jsonfloat.Float `json:"best"`
	Wait     int             `json:"wait"`
	Cooldown int             `json:"cooldown"`
}

// State returns what was seen so far.
func (c *ReduceLROnPlateau) State() (keras.CallbackState, error) {
	return stateOf(plateauState{jsonfloat.Float(c.monitor.best), c.wait, c.cooldown})
}

// Restore goes on from a state.
func (c *ReduceLROnPlateau) Restore(s keras.CallbackState) error {
	var state plateauState
	if err := json.Unmarshal(s.Values, &state); err != nil {
		return err
	}
	c.monitor.best, c.wait, c.cooldown = float64(state.Best), state.Wait, state.Cooldown
	return nil
}
