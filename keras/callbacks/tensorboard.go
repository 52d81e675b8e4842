package callbacks

// This file defines TensorBoard.

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gomlx/gomlx/core/tensors"

	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/keras/variable"
)

// TensorBoard writes the logs into files that TensorBoard shows:
// keras.callbacks.TensorBoard. The logs of the training go to the directory train,
// those of the validation to validation: epoch_loss and so on with the number of
// the epoch, from 0, batch_loss and so on with the number of the step. Histograms are those of the
// weights, PATH/histogram; the graph is that of the layers.
//
// In a job of several processes, process 0 writes them. It does not write Keras'
// images and profiles.
type TensorBoard struct {
	keras.BaseCallback
	LogDir              string // "logs" by default
	UpdateFreq          int    // after how many batches to write the logs of a batch; 0: never
	WriteStepsPerSecond bool   // write epoch_steps_per_second
	HistogramFreq       int    // after how many epochs to write histograms of the weights; 0: never
	WriteGraph          *bool  // whether to write the graph of the layers: nil is true

	model             *keras.Model
	train, validation *eventFile // made when first used
	began             time.Time  // of the epoch
	first             int        // step of the epoch
	idle              bool       // another process writes the files
	drawn             bool       // the graph is written
}

// ObservesBatches reports whether UpdateFreq is set, so that the callback needs the events of
// batches.
func (c *TensorBoard) ObservesBatches() bool { return c.UpdateFreq > 0 }

// OnTrainBegin stores m. In process 0 it creates the file of the training in LogDir/train, and
// writes the graph of the layers if the model has them already. Negative frequencies, and a
// directory that cannot be made, are errors.
func (c *TensorBoard) OnTrainBegin(_ context.Context, m *keras.Model) error {
	if c.UpdateFreq < 0 {
		return fmt.Errorf("TensorBoard: got UpdateFreq %d, want a number of batches, or 0 for epochs only", c.UpdateFreq)
	}
	if c.HistogramFreq < 0 {
		return fmt.Errorf("TensorBoard: got HistogramFreq %d, want a number of epochs, or 0 for no histograms", c.HistogramFreq)
	}
	c.model, c.train, c.validation, c.idle = m, nil, nil, !isChief(m)
	c.drawn = c.WriteGraph != nil && !*c.WriteGraph
	if err := c.write(&c.train, "train", 0, nil, nil); err != nil {
		return err
	}
	return c.draw()
}

// draw writes the graph of the layers, once, as soon as the model has one. It does nothing with
// WriteGraph false, or in a process that writes no files.
func (c *TensorBoard) draw() error {
	if c.drawn || c.idle || len(c.model.Nodes()) == 0 {
		return nil
	}
	c.drawn = true
	if err := c.train.graph(graphOf(c.model)); err != nil {
		return fmt.Errorf("TensorBoard: %w", err)
	}
	return nil
}

// writeHistograms writes a histogram of each weight if HistogramFreq divides epoch, which counts
// from 0: in the first epoch and in every HistogramFreq-th after it; never if HistogramFreq is 0.
// All processes of a job must call it, because they gather the weights together; one of them
// writes.
func (c *TensorBoard) writeHistograms(ctx context.Context, epoch int) error {
	if c.HistogramFreq == 0 || epoch%c.HistogramFreq != 0 {
		return nil
	}
	weights, err := c.model.Weights(ctx)
	if err != nil || c.idle {
		return err
	}
	vs := slices.DeleteFunc(c.model.Variables(), (*variable.Variable).IsSeedState)
	tags, all := make([]string, len(vs)), make([][]float64, len(vs))
	for i, v := range vs {
		tags[i] = v.Path() + "/histogram"
		if all[i], err = numbersOf(weights[i]); err != nil {
			return err
		}
	}
	if err := c.train.histograms(epoch, tags, all); err != nil {
		return fmt.Errorf("TensorBoard: %w", err)
	}
	return nil
}

func numbersOf(t *tensors.Tensor) (out []float64, err error) {
	err = data.Numbers(t, func(_ int, v float64) bool {
		out = append(out, v)
		return true
	})
	return out, err
}

// OnEpochBegin notes the time and the number of steps so far, for the steps per second of the
// epoch.
func (c *TensorBoard) OnEpochBegin(context.Context, int) error {
	c.began, c.first = time.Now(), c.model.Training().Progress().Step
	return nil
}

// OnTrainBatchEnd writes the logs of a batch after every UpdateFreq batches, in process 0 only. If
// UpdateFreq is 0 it does nothing.
func (c *TensorBoard) OnTrainBatchEnd(ctx context.Context, _ int, logs *keras.BatchLogs) error {
	p := c.model.Training().Progress()
	if c.idle || c.UpdateFreq == 0 || !p.Passed(c.UpdateFreq) {
		return nil
	}
	values, err := logs.Get(ctx)
	if err != nil {
		return err
	}
	return c.writeLogs(&c.train, "train", p.Step, "batch_", values)
}

// OnEpochEnd writes histograms, graph and logs of an epoch into the files that are due: logs named
// val_… into the validation's, the others and the learning rates into the training's.
func (c *TensorBoard) OnEpochEnd(ctx context.Context, epoch int, logs keras.Logs) error {
	if err := c.writeHistograms(ctx, epoch); err != nil {
		return err
	}
	if err := c.draw(); err != nil {
		return err
	}
	if c.idle {
		return nil
	}
	var train, validation keras.Logs
	for _, l := range logs {
		if name, ok := strings.CutPrefix(l.Name, "val_"); ok {
			validation = append(validation, keras.Log{Name: name, Value: l.Value})
		} else {
			train = append(train, l)
		}
	}
	rates, err := learningRates(ctx, c.model)
	if err != nil {
		return err
	}
	train = append(train, rates...)
	if c.WriteStepsPerSecond {
		steps := c.model.Training().Progress().Step - c.first
		train = append(train, keras.Log{Name: "steps_per_second", Value: float64(steps) / time.Since(c.began).Seconds()})
	}
	if err := c.writeLogs(&c.train, "train", epoch, "epoch_", train); err != nil || len(validation) == 0 {
		return err
	}
	return c.writeLogs(&c.validation, "validation", epoch, "epoch_", validation)
}

// learningRates returns the learning rate of a model, or those of the optimizers of a
// MultiOptimizer, such as learning_rate/adam.
func learningRates(ctx context.Context, m *keras.Model) (rates keras.Logs, err error) {
	all, several := m.Optimizer().Optimizers(), true
	if all == nil {
		all, several = append(all, m.Optimizer()), false
	}
	for _, o := range all {
		rate, err := o.LearningRate(ctx)
		if err != nil {
			return nil, err
		}
		name := "learning_rate"
		if several {
			name += "/" + o.Name()
		}
		rates = append(rates, keras.Log{Name: name, Value: rate})
	}
	return rates, nil
}

func (c *TensorBoard) writeLogs(to **eventFile, subdir string, step int, prefix string, logs keras.Logs) error {
	tags, values := make([]string, len(logs)), make([]float64, len(logs))
	for i, l := range logs {
		tags[i], values[i] = prefix+l.Name, l.Value
	}
	return c.write(to, subdir, step, tags, values)
}

// write writes the numbers of a step, each with its tag, into the file to in subdir, which is
// created at its first use.
func (c *TensorBoard) write(to **eventFile, subdir string, step int, tags []string, values []float64) (err error) {
	if c.idle {
		return nil
	}
	if *to == nil {
		dir := c.LogDir
		if dir == "" {
			dir = "logs"
		}
		*to, err = newEventFile(filepath.Join(dir, subdir), time.Now)
	}
	if err == nil && len(tags) > 0 {
		err = (*to).scalars(step, tags, values)
	}
	if err != nil {
		return fmt.Errorf("TensorBoard: %w", err)
	}
	return nil
}

// Close closes the files of events, those of the training and of the validation.
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
