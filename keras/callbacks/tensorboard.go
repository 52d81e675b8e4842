package callbacks

// This file defines TensorBoard.

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/gospmd/gospmd/keras"
)

// TensorBoard writes the logs into files that TensorBoard shows:
// keras.callbacks.TensorBoard. Those of the training go to the folder train,
// those of the validation to validation, as epoch_loss and so on with the
// number of the epoch, from 0; batch_loss and so on with the number of the step.
//
// Keras' histograms, images, graphs and profiles are not written.
type TensorBoard struct {
	keras.BaseCallback
	Dir                 string // "logs" by default
	Every               int    // after how many batches to write too; 0: only after each epoch
	WriteStepsPerSecond bool   // write epoch_steps_per_second

	model             *keras.Model
	train, validation *eventFile // made at the first use
	began             time.Time  // of the epoch
	first             int        // step of the epoch
}

// OnTrainBegin makes the file of the training.
func (c *TensorBoard) OnTrainBegin(_ context.Context, m *keras.Model) error {
	if c.Every < 0 {
		return fmt.Errorf("TensorBoard: got Every %d, want a number of batches, or 0 for epochs only", c.Every)
	}
	c.model, c.train, c.validation = m, nil, nil
	return c.write(&c.train, "train", 0, nil, nil)
}

// OnEpochBegin starts the clock.
func (c *TensorBoard) OnEpochBegin(context.Context, int) error {
	c.began, c.first = time.Now(), c.model.Training().Progress().Step
	return nil
}

// OnTrainBatchEnd writes the logs of a batch where that is asked for.
func (c *TensorBoard) OnTrainBatchEnd(ctx context.Context, _ int, logs *keras.BatchLogs) error {
	step := c.model.Training().Progress().Step
	if c.Every == 0 || step%c.Every != 0 {
		return nil
	}
	values, err := logs.Get(ctx)
	if err != nil {
		return err
	}
	return c.writeLogs(&c.train, "train", step, "batch_", values)
}

// OnEpochEnd writes the logs of an epoch.
func (c *TensorBoard) OnEpochEnd(ctx context.Context, epoch int, logs keras.Logs) error {
	var train, validation keras.Logs
	for _, l := range logs {
		if name, ok := strings.CutPrefix(l.Name, "val_"); ok {
			validation = append(validation, keras.Log{Name: name, Value: l.Value})
		} else {
			train = append(train, l)
		}
	}
	rate, err := c.model.Optimizer().LearningRate(ctx)
	if err != nil {
		return err
	}
	train = append(train, keras.Log{Name: "learning_rate", Value: rate})
	if c.WriteStepsPerSecond {
		steps := c.model.Training().Progress().Step - c.first
		train = append(train, keras.Log{Name: "steps_per_second", Value: float64(steps) / time.Since(c.began).Seconds()})
	}
	if err := c.writeLogs(&c.train, "train", epoch, "epoch_", train); err != nil || len(validation) == 0 {
		return err
	}
	return c.writeLogs(&c.validation, "validation", epoch, "epoch_", validation)
}

func (c *TensorBoard) writeLogs(to **eventFile, folder string, step int, prefix string, logs keras.Logs) error {
	tags, values := make([]string, len(logs)), make([]float64, len(logs))
	for i, l := range logs {
		tags[i], values[i] = prefix+l.Name, l.Value
	}
	return c.write(to, folder, step, tags, values)
}

// write writes numbers into a file, which is made where it is not there yet.
func (c *TensorBoard) write(to **eventFile, folder string, step int, tags []string, values []float64) (err error) {
	if *to == nil {
		dir := c.Dir
		if dir == "" {
			dir = "logs"
		}
		*to, err = newEventFile(filepath.Join(dir, folder), time.Now)
	}
	if err == nil && len(tags) > 0 {
		err = (*to).scalars(step, tags, values)
	}
	if err != nil {
		return fmt.Errorf("TensorBoard: %w", err)
	}
	return nil
}

// Close closes the files.
func (c *TensorBoard) Close() error {
	var errs []error
	for _, e := range []*eventFile{c.train, c.validation} {
		if e != nil {
			errs = append(errs, e.f.Close())
		}
	}
	c.train, c.validation = nil, nil
	return errors.Join(errs...)
}
