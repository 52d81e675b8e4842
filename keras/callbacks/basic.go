package callbacks

// This file defines the callbacks without a state, Lambda,
// LearningRateScheduler and TerminateOnNaN, and CSVLogger.

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"

	"github.com/gospmd/gospmd/keras"
)

// Lambda calls those of its functions that are not nil:
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

// LearningRateScheduler sets the learning rate at the start of each epoch:
// keras.callbacks.LearningRateScheduler.
type LearningRateScheduler struct {
	keras.BaseCallback
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

// CSVLogger writes the logs of each epoch into a file of comma-separated values,
// whose first line has the names: keras.callbacks.CSVLogger.
type CSVLogger struct {
	keras.BaseCallback
	Path      string
	Separator rune // ',' by default
	Append    bool // append to a file that exists

	file   *os.File
	writer *csv.Writer
	begin  int64    // offset of the first line
	names  []string // of the columns after epoch
	model  *keras.Model
	header bool // whether the names are still to be written
}

// OnTrainBegin opens the file. It is truncated only when the first line is
// written, because a training that is resumed keeps the lines before.
func (c *CSVLogger) OnTrainBegin(_ context.Context, m *keras.Model) error {
	var err error
	c.model = m
	if c.file, err = os.OpenFile(c.Path, os.O_RDWR|os.O_CREATE, 0o644); err != nil {
		return fmt.Errorf("CSVLogger: %w", err)
	}
	c.header, c.names, c.begin, c.writer = true, nil, 0, nil
	if c.Append {
		info, err := c.file.Stat()
		if err != nil {
			return fmt.Errorf("CSVLogger: %w", err)
		}
		c.begin = info.Size()
		c.header = c.begin == 0
	}
	return nil
}

// start truncates the file and makes the writer.
func (c *CSVLogger) start() error {
	if err := c.file.Truncate(c.begin); err != nil {
		return err
	}
	if _, err := c.file.Seek(c.begin, io.SeekStart); err != nil {
		return err
	}
	c.writer = csv.NewWriter(c.file)
	if c.Separator != 0 {
		c.writer.Comma = c.Separator
	}
	return nil
}

// OnEpochEnd writes a line.
func (c *CSVLogger) OnEpochEnd(_ context.Context, epoch int, logs keras.Logs) error {
	if c.writer == nil {
		if err := c.start(); err != nil {
			return fmt.Errorf("CSVLogger: %w", err)
		}
	}
	if c.names == nil {
		c.names = epochNames(c.model) // also those of the validation
		for _, l := range logs {
			c.names = append(c.names, l.Name)
		}
		slices.Sort(c.names)
		c.names = slices.Compact(c.names)
	}
	if c.header {
		c.header = false
		if err := c.writer.Write(append([]string{"epoch"}, c.names...)); err != nil {
			return fmt.Errorf("CSVLogger: %w", err)
		}
	}
	line := []string{strconv.Itoa(epoch)}
	for _, name := range c.names {
		text := "NA"
		if v, ok := logs.Get(name); ok {
			text = strconv.FormatFloat(v, 'g', -1, 64)
		}
		line = append(line, text)
	}
	err := c.writer.Write(line)
	if c.writer.Flush(); err == nil {
		err = c.writer.Error()
	}
	if err != nil {
		return fmt.Errorf("CSVLogger: %w", err)
	}
	return nil
}

// Close closes the file.
func (c *CSVLogger) Close() error {
	if c.file == nil {
		return nil
	}
	err := c.file.Close()
	c.file = nil
	if err != nil {
		return fmt.Errorf("CSVLogger: %w", err)
	}
	return nil
}

// csvState is the state of a CSVLogger in a checkpoint.
type csvState struct {
	Size  int64    `json:"size"` // of the file
	Names []string `json:"names"`
}

// State returns the size of the file and its names.
func (c *CSVLogger) State() (keras.CallbackState, error) {
	size := c.begin
	if c.writer != nil {
		var err error
		if size, err = c.file.Seek(0, io.SeekCurrent); err != nil {
			return keras.CallbackState{}, err
		}
	}
	return stateOf(csvState{size, c.names})
}

// Restore continues the file without the lines of epochs that are run again. A
// file that has become shorter is written again from the start.
func (c *CSVLogger) Restore(s keras.CallbackState) error {
	var state csvState
	if err := json.Unmarshal(s.Values, &state); err != nil {
		return err
	}
	info, err := c.file.Stat()
	if err != nil {
		return err
	}
	if info.Size() >= state.Size {
		c.begin, c.names, c.header = state.Size, state.Names, state.Size == 0
	}
	return nil
}
