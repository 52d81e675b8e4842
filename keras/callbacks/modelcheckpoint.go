package callbacks

// This file defines ModelCheckpoint.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gospmd/gospmd/internal/jsonfloat"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/saving"
)

// ModelCheckpoint saves the model after each epoch, or every so many batches:
// keras.callbacks.ModelCheckpoint.
//
// The end of Path says what is saved:
//
//	.keras        the model, for saving.LoadModel and Keras
//	.weights.h5   the weights (WeightsOnly), for saving.LoadWeights and Keras
//	no ending     a directory of checkpoints of the training, one for each saved
//	              step; BackupAndRestore resumes from it
//
// The names of files may have fields: {epoch}, {epoch:02d}, from 1 as in Keras;
// with Every, {batch}, from 1; the logs, {loss:.4f}, {val_accuracy:.2f}. Without
// fields each file replaces the one before.
type ModelCheckpoint struct {
	keras.BaseCallback
	Path             string
	Monitor          string    // what SaveBestOnly watches: "val_loss" by default
	Mode             Mode      // Min, Max or Auto
	SaveBestOnly     bool      // save only when the number has improved
	InitialThreshold *float64  // what the number must beat the first time
	WeightsOnly      bool      // save the weights, not the model
	Every            int       // after how many batches to save; 0: after each epoch
	Keep             int       // how many checkpoints stay in a directory; 0: all
	Verbose          bool      // print what is saved
	Output           io.Writer // where to print it: os.Stdout by default

	model   *keras.Model
	name    *template
	store   *backgroundStore // of a directory of checkpoints, nil for files
	monitor monitor
}

const (
	modelSuffix   = ".keras"
	weightsSuffix = ".weights.h5"
)

// OnTrainBegin checks the name and the directory.
func (c *ModelCheckpoint) OnTrainBegin(_ context.Context, m *keras.Model) error {
	if err := c.begin(m); err != nil {
		return fmt.Errorf("ModelCheckpoint: %w", err)
	}
	return nil
}

func (c *ModelCheckpoint) begin(m *keras.Model) (err error) {
	c.model = m
	if c.Every < 0 {
		return fmt.Errorf("got Every %d, want the number of batches between files, or 0 for one after each epoch", c.Every)
	}
	if c.name, err = parseTemplate(c.Path); err != nil {
		return err
	}
	if err := c.checkPath(); err != nil {
		return err
	}
	numbers, counters := c.names()
	if err := c.name.check(numbers, counters); err != nil {
		return err
	}
	if c.monitor, err = newMonitor("ModelCheckpoint", c.Monitor, c.Mode, 0); err != nil {
		return err
	}
	if c.InitialThreshold != nil {
		c.monitor.best = *c.InitialThreshold
	}
	if c.SaveBestOnly {
		if err := c.monitor.check("SaveBestOnly", numbers); err != nil {
			return err
		}
	}
	if c.store != nil && c.Every > 0 {
		return m.Training().Positioned()
	}
	return nil
}

// names returns the names that fields can have when a file is made: those of the
// logs and those of the counters.
func (c *ModelCheckpoint) names() (numbers, counters []string) {
	batch, epoch := c.model.Training().LogNames()
	if c.Every > 0 {
		return batch, []string{"epoch", "batch"}
	}
	return epoch, []string{"epoch"}
}

// checkPath checks the ending of Path, which says what is saved, and makes the
// directory if its name has no fields.
func (c *ModelCheckpoint) checkPath() (err error) {
	c.store = nil
	suffix := filepath.Ext(c.Path)
	if strings.HasSuffix(c.Path, weightsSuffix) {
		suffix = weightsSuffix
	}
	switch {
	case c.Path == "":
		return errors.New("got no Path, want the name of a file")
	case c.WeightsOnly && suffix != weightsSuffix:
		return fmt.Errorf("got Path %s with WeightsOnly, want one that ends in %s", c.Path, weightsSuffix)
	case !c.WeightsOnly && suffix == weightsSuffix:
		return fmt.Errorf("got Path %s without WeightsOnly: set it, or give a name that ends in %s", c.Path, modelSuffix)
	case suffix == weightsSuffix || suffix == modelSuffix:
		dir, name := filepath.Split(c.Path)
		if !strings.Contains(dir, "{") {
			return makeDirectory(filepath.Join(dir, "."))
		}
		if name == suffix {
			return fmt.Errorf("got Path %s, want a name before %s", c.Path, suffix)
		}
		return nil
	case suffix != "" || c.name.fields():
		return fmt.Errorf("got Path %s, want one that ends in %s, in %s with WeightsOnly, or a directory, whose name has no ending and no fields", c.Path, modelSuffix, weightsSuffix)
	}
	c.store, err = openStore(c.Path, c.Keep)
	return err
}

// Checkpoint saves after every Every batches, or after each epoch.
func (c *ModelCheckpoint) Checkpoint(ctx context.Context, t *keras.Training) error {
	if !saveDue(t.Progress(), c.Every) {
		return nil
	}
	if err := c.save(ctx, t); err != nil {
		return fmt.Errorf("ModelCheckpoint: %w", err)
	}
	return nil
}

func (c *ModelCheckpoint) save(ctx context.Context, t *keras.Training) error {
	p := t.Progress()
	epoch := p.Epoch // from 1: the one that has ended
	if p.Batch > 0 {
		epoch++
	}
	name := c.Path
	if c.SaveBestOnly || c.name.fields() { // only then wait for the devices
		logs, err := t.Logs(ctx)
		if err != nil {
			return err
		}
		if c.name.hasField(func(field string) bool {
			_, ok := logs.Get(field)
			return !ok && slices.Contains(epochNames(c.model), field)
		}) {
			return nil // the name has a field of the validation, which this epoch did not have
		}
		if c.SaveBestOnly {
			better, err := c.improved(epoch, logs)
			if !better || err != nil {
				return err
			}
		}
		name, err = c.name.fill(func(field string) (any, bool) {
			switch field {
			case "epoch":
				return epoch, true
			case "batch":
				return p.Batch, c.Every > 0
			}
			return logs.Get(field)
		})
		if err != nil {
			return err
		}
	}
	c.printf("Epoch %d: saving to %s", epoch, name)
	if c.store != nil {
		return c.store.save(ctx, t)
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return fmt.Errorf("the directory of %s cannot be made: %w", name, err)
	}
	if c.WeightsOnly {
		return saving.SaveWeights(ctx, c.model, name)
	}
	return saving.SaveModel(ctx, c.model, name)
}

// improved reports whether the monitored number is the best so far.
func (c *ModelCheckpoint) improved(epoch int, logs keras.Logs) (bool, error) {
	v, ok, err := c.monitor.value("SaveBestOnly", c.model, logs)
	if err != nil || !ok {
		return false, err
	}
	if !c.monitor.better(v, c.monitor.best) {
		c.printf("Epoch %d: %s did not improve from %.5f", epoch, c.monitor.name, c.monitor.best)
		return false, nil
	}
	c.printf("Epoch %d: %s improved from %.5f to %.5f", epoch, c.monitor.name, c.monitor.best, v)
	c.monitor.best = v
	return true, nil
}

func (c *ModelCheckpoint) printf(format string, args ...any) {
	if !c.Verbose {
		return
	}
	w := c.Output
	if w == nil {
		w = os.Stdout
	}
	fmt.Fprintf(w, format+"\n", args...)
}

// bestState is the state of a ModelCheckpoint in a checkpoint.
type bestState struct {
	Best jsonfloat.Float `json:"best"`
}

// State returns the best number so far.
func (c *ModelCheckpoint) State() (keras.CallbackState, error) {
	return stateOf(bestState{jsonfloat.Float(c.monitor.best)})
}

// Restore sets the best number so far.
func (c *ModelCheckpoint) Restore(s keras.CallbackState) error {
	var state bestState
	if err := json.Unmarshal(s.Values, &state); err != nil {
		return err
	}
	c.monitor.best = float64(state.Best)
	return nil
}

// Close waits for a checkpoint that is being written.
func (c *ModelCheckpoint) Close() error {
	if err := c.store.wait(); err != nil {
		return fmt.Errorf("ModelCheckpoint: %w", err)
	}
	return nil
}
