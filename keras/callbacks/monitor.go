package callbacks

// This file defines the callbacks that watch a number of the logs: monitor, which
// says whether the number got better, EarlyStopping and ReduceLROnPlateau.

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/gomlx/gomlx/core/tensors"

	"github.com/gospmd/gospmd/internal/jsonfloat"
	"github.com/gospmd/gospmd/keras"
)

// Mode says whether smaller or larger values of a number are better.
type Mode string

// These are the modes. Auto, the default, decides by the name of the number: larger is better for
// accuracies and similar metrics, smaller for everything else.
const (
	Auto Mode = ""
	Min  Mode = "min"
	Max  Mode = "max"
)

// largerIsBetter are parts of the names of numbers that should increase, for the mode Auto.
var largerIsBetter = []string{"acc", "auc", "precision", "recall", "f1_score", "fbeta", "iou", "r2_score", "cosine_similarity"}

// monitor watches one number of the logs: its name, whether larger is better, the least improvement
// that counts, and the best number so far.
type monitor struct {
	name     string
	larger   bool
	minDelta float64
	best     float64
}

// newMonitor returns a monitor of the number with the given name, val_loss by default. minDelta is
// the smallest improvement that counts. An unknown mode is an error. kind is the callback, for
// errors.
func newMonitor(kind, name string, mode Mode, minDelta float64) (monitor, error) {
	m := monitor{name: name, minDelta: math.Abs(minDelta)}
	if name == "" {
		m.name = "val_loss"
	}
	switch mode {
	case Auto:
		for _, s := range largerIsBetter {
			m.larger = m.larger || strings.Contains(m.name, s)
		}
	case Min:
	case Max:
		m.larger = true
	default:
		return m, fmt.Errorf("%s: got mode %q, want \"min\", \"max\" or none", kind, mode)
	}
	m.best = math.Inf(1)
	if m.larger {
		m.best = math.Inf(-1)
	}
	return m, nil
}

// value returns the monitored number of the logs. ok is false if the model has the number, but not
// in these logs, as in an epoch without validation. A name that the model does not have is an
// error, which kind, the option's name, begins.
func (m *monitor) value(kind string, of *keras.Model, logs keras.Logs) (v float64, ok bool, err error) {
	if v, ok := logs.Get(m.name); ok {
		return v, true, nil
	}
	if slices.Contains(epochNames(of), m.name) {
		return 0, false, nil
	}
	names := make([]string, len(logs))
	for i, l := range logs {
		names[i] = l.Name
	}
	return 0, false, m.missing(kind, names)
}

// epochNames returns the names of the logs of an epoch with a validation; nil if m is not training.
func epochNames(m *keras.Model) []string {
	if m == nil || m.Training() == nil {
		return nil
	}
	_, epoch := m.Training().LogNames()
	return epoch
}

// check returns an error if names, the names of the logs, are known and the monitored number is not
// among them. kind begins the error.
func (m *monitor) check(kind string, names []string) error {
	if len(names) == 0 || slices.Contains(names, m.name) {
		return nil
	}
	return m.missing(kind, names)
}

func (m *monitor) missing(kind string, names []string) error {
	return fmt.Errorf("%s: there is no %q to monitor: the logs hold %s; names that begin with val_ need ValidationData",
		kind, m.name, strings.Join(names, ", "))
}

// better reports whether v is better than other by more than minDelta: larger or smaller, as the
// monitor says.
func (m *monitor) better(v, other float64) bool {
	if m.larger {
		return v-m.minDelta > other
	}
	return v+m.minDelta < other
}

// EarlyStopping ends the training when a number has stopped improving:
// keras.callbacks.EarlyStopping.
type EarlyStopping struct {
	keras.EpochCallback
	Monitor            string    // the number: "val_loss" by default
	MinDelta           float64   // the smallest improvement that counts
	Patience           int       // after how many epochs without improvement to stop
	Mode               Mode      // Min, Max or Auto
	Baseline           *float64  // nil, or what the number must beat
	RestoreBestWeights bool      // end with the weights of the best epoch
	StartFromEpoch     int       // the first epoch that counts, from 0
	Verbose            bool      // print when the training is stopped, and which weights it ends with
	Output             io.Writer // where to print it: os.Stdout by default

	model   *keras.Model
	monitor monitor
	wait    int
	best    []*tensors.Tensor
	epoch   int  // the best one
	watched bool // whether an epoch has been compared
	stopped bool
}

// OnTrainBegin forgets an earlier training, and stores the model. An unknown Mode is an error.
func (c *EarlyStopping) OnTrainBegin(_ context.Context, m *keras.Model) (err error) {
	c.model, c.wait, c.best, c.epoch, c.watched, c.stopped = m, 0, nil, 0, false, false
	c.monitor, err = newMonitor("EarlyStopping", c.Monitor, c.Mode, c.MinDelta)
	return err
}

// OnEpochEnd compares the monitored number with the best one so far. Patience epochs in a row
// without improvement make StopTraining return true, though not in the first epoch of all; an epoch
// that does not beat Baseline is one of them. Epochs before StartFromEpoch, and those without the
// number, do not count. With RestoreBestWeights it copies the weights of the first epoch that
// counts, and of each better one. A number that the logs never have is an error.
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
	if c.stopped = c.wait >= c.Patience && epoch > 0; c.stopped && c.Verbose {
		message(c.model, c.Output, "Epoch %d: early stopping", epoch+1)
	}
	return nil
}

// OnTrainEnd restores the best weights if RestoreBestWeights is set, and prints that if the
// callback is verbose.
func (c *EarlyStopping) OnTrainEnd(ctx context.Context) error {
	if c.best == nil {
		return nil
	}
	if c.Verbose {
		message(c.model, c.Output, "Restoring model weights from the end of the best epoch: %d.", c.epoch+1)
	}
	weights := make([]any, len(c.best))
	for i, w := range c.best {
		weights[i] = w
	}
	c.best = nil
	return c.model.SetWeights(ctx, weights...)
}

// StopTraining reports whether the number has not improved for Patience epochs, so that the
// training is to end.
func (c *EarlyStopping) StopTraining() bool { return c.stopped }

// BestEpoch returns the epoch with the best value, from 0; 0 before any epoch.
func (c *EarlyStopping) BestEpoch() int { return c.epoch }

// earlyState is the state of an EarlyStopping in a checkpoint, without the best weights: the best
// number, its epoch, and the patience used.
type earlyState struct {
	Best    jsonfloat.Float `json:"best"`
	Wait    int             `json:"wait"`
	Epoch   int             `json:"epoch"`
	Watched bool            `json:"watched"`
	Stopped bool            `json:"stopped"`
}

// State returns the state of the comparison and the best weights, for a checkpoint.
func (c *EarlyStopping) State() (keras.CallbackState, error) {
	return stateOf(earlyState{jsonfloat.Float(c.monitor.best), c.wait, c.epoch, c.watched, c.stopped}, c.best...)
}

// Restore continues from a state that State returned: the best number, its epoch, the patience used
// so far, whether the training was stopped, and with RestoreBestWeights the best weights.
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

// ReduceLROnPlateau lowers the learning rate when a number has stopped improving:
// keras.callbacks.ReduceLROnPlateau.
type ReduceLROnPlateau struct {
	keras.EpochCallback
	Monitor  string    // the number: "val_loss" by default
	Factor   float64   // by which the rate is multiplied: 0.1 by default, below 1
	Patience *int      // after how many epochs without improvement: 10 by default
	Mode     Mode      // Min, Max or Auto
	MinDelta *float64  // the smallest improvement that counts: 0.0001 by default
	Cooldown int       // how many epochs after a reduction do not count
	MinLR    float64   // the lowest rate
	Verbose  bool      // print each reduction
	Output   io.Writer // where to print it: os.Stdout by default

	model          *keras.Model
	monitor        monitor
	wait, cooldown int
}

// OnTrainBegin stores m, whose learning rate the callback lowers, and resets the state of an
// earlier training. A Factor outside [0, 1) and an unknown Mode are errors.
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

// OnEpochEnd compares the monitored number with the best one so far. After Patience epochs without
// improvement it multiplies the optimizer's learning rate by Factor, down to MinLR, and begins the
// Cooldown. Epochs without the number do not count. A number that the logs never have is an error,
// and so is an optimizer whose rate cannot be set, such as one with a schedule.
func (c *ReduceLROnPlateau) OnEpochEnd(ctx context.Context, epoch int, logs keras.Logs) error {
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
	return c.reduce(ctx, epoch)
}

func (c *ReduceLROnPlateau) patience() int {
	if c.Patience == nil {
		return 10
	}
	return *c.Patience
}

func (c *ReduceLROnPlateau) reduce(ctx context.Context, epoch int) error {
	rate, err := c.model.Optimizer().LearningRate(ctx)
	if err != nil || rate <= float64(float32(c.MinLR)) {
		return err
	}
	factor := c.Factor
	if factor == 0 {
		factor = 0.1
	}
	c.wait, c.cooldown = 0, c.Cooldown
	lower := max(rate*factor, c.MinLR)
	if c.Verbose {
		message(c.model, c.Output, "Epoch %d: ReduceLROnPlateau reducing learning rate to %v.", epoch+1, float32(lower))
	}
	return c.model.SetLearningRate(ctx, lower)
}

// plateauState is the state of a ReduceLROnPlateau in a checkpoint; the rate
// itself belongs to the optimizer's.
type plateauState struct {
	Best     jsonfloat.Float `json:"best"`
	Wait     int             `json:"wait"`
	Cooldown int             `json:"cooldown"`
}

// State returns the best number, the patience used and the cooldown left, for a checkpoint.
func (c *ReduceLROnPlateau) State() (keras.CallbackState, error) {
	return stateOf(plateauState{jsonfloat.Float(c.monitor.best), c.wait, c.cooldown})
}

// Restore continues from a state that State returned: the best number, the patience used and the
// cooldown left.
func (c *ReduceLROnPlateau) Restore(s keras.CallbackState) error {
	var state plateauState
	if err := json.Unmarshal(s.Values, &state); err != nil {
		return err
	}
	c.monitor.best, c.wait, c.cooldown = float64(state.Best), state.Wait, state.Cooldown
	return nil
}
