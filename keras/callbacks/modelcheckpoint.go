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

	"github.com/gospmd/gospmd/checkpoint"
	"github.com/gospmd/gospmd/internal/jsonfloat"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/saving"
)

// ModelCheckpoint saves the model after each epoch, or every so many batches:
// keras.callbacks.ModelCheckpoint.
//
// The end of Path says what is saved:
//
//	.keras        the whole model, for saving.LoadModel and Keras
//	.weights.h5   the weights (WeightsOnly), for saving.LoadWeights and Keras
//	no ending     a folder of checkpoints of the training, one for each step that
//	              was saved, from which BackupAndRestore goes on
//
// The names of files may hold fields: {epoch}, {epoch:02d}, from 1 as in Keras;
// with Every {batch}, from 1; the logs, {loss:.4f}, {val_accuracy:.2f}. Without
// fields each file replaces the one before.
type ModelCheckpoint struct {
	keras.BaseCallback
	Path             string
	Monitor          string   // what SaveBestOnly watches: "val_loss" by default
	Mode             Mode     // min, max or by the name
	SaveBestOnly     bool     // save only when the number has become better
	InitialThreshold *float64 // what SaveBestOnly must beat at first
	WeightsOnly      bool
	Every            int       // after how many batches to save; 0: after each epoch
	Keep             int       // how many checkpoints stay in a folder; 0: all
	Verbose          bool      // tell what is saved
	Output           io.Writer // where to: os.Stdout by default

	model   *keras.Model
	name    *template
	store   *checkpoint.Store // of a folder of checkpoints
	monitor monitor
	writing background
}

const (
	modelSuffix   = ".keras"
	weightsSuffix = ".weights.h5"
)

// OnTrainBegin checks the name and the folder.
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

// names returns the names of the logs that there are when a file is made, and
// of the counters.
func (c *ModelCheckpoint) names() (numbers, counters []string) {
	batch, epoch := c.model.Training().LogNames()
	if c.Every > 0 {
		return batch, []string{"epoch", "batch"}
	}
	return epoch, []string{"epoch"}
}

// checkPath finds out what is saved, and makes the folder if its name is known
// already.
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
			return makeDir(filepath.Join(dir, "."))
		}
		if name == suffix {
			return fmt.Errorf("got Path %s, want a name before %s", c.Path, suffix)
		}
		return nil
	case suffix != "" || c.name.fields():
		return fmt.Errorf("got Path %s, want one that ends in %s, in %s with WeightsOnly, or a folder, whose name has no ending and no fields", c.Path, modelSuffix, weightsSuffix)
	}
	if c.store, err = checkpoint.NewStore(c.Path, c.Keep); err != nil {
		return err
	}
	return writable(c.Path)
}

// makeDir makes a folder in which files can be made.
func makeDir(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("the folder %s cannot be made: %w", dir, err)
	}
	return writable(dir)
}

// Checkpoint saves, if it is time to.
func (c *ModelCheckpoint) Checkpoint(ctx context.Context, t *keras.Training) error {
	p := t.Progress()
	due := p.Batch == 0
	if c.Every > 0 {
		due = p.Batch > 0 && p.Step%c.Every == 0
	}
	if !due {
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
	if c.SaveBestOnly || c.name.fields() { // else the devices need not be waited for
		logs, err := t.Logs(ctx)
		if err != nil {
			return err
		}
		if c.name.awaits(func(field string) bool {
			_, ok := logs.Get(field)
			return !ok && slices.Contains(epochNames(c.model), field)
		}) {
			return nil // an epoch without the validation that the name tells of
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
	c.tell("Epoch %d: saving to %s", epoch, name)
	if c.store != nil {
		if err := c.writing.wait(); err != nil {
			return err
		}
		s, err := t.Snapshot(ctx)
		if err == nil {
			c.writing.start(func() error { return c.store.Save(context.WithoutCancel(ctx), s.Step, s.Tensors, s.Metadata) })
		}
		return err
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return fmt.Errorf("the folder of %s cannot be made: %w", name, err)
	}
	if c.WeightsOnly {
		return saving.SaveWeights(ctx, c.model, name)
	}
	return saving.SaveModel(ctx, c.model, name)
}

// improved reports whether the number that is watched is the best so far.
func (c *ModelCheckpoint) improved(epoch int, logs keras.Logs) (bool, error) {
	v, ok, err := c.monitor.value("SaveBestOnly", c.model, logs)
	if err != nil || !ok {
		return false, err
	}
	if !c.monitor.better(v, c.monitor.best) {
		c.tell("Epoch %d: %s did not improve from %.5f", epoch, c.monitor.name, c.monitor.best)
		return false, nil
	}
	c.tell("Epoch %d: %s improved from %.5f to %.5f", epoch, c.monitor.name, c.monitor.best, v)
	c.monitor.best = v
	return true, nil
}

func (c *ModelCheckpoint) tell(format string, args ...any) {
	if !c.Verbose {
		return
	}
	w := c.Output
	if w == nil {
		w = os.Stdout
	}
	fmt.Fprintf(w, format+"\n", args...)
}

// bestState is what a checkpoint keeps of a ModelCheckpoint.
type bestState struct {
	Best jsonfloat.Float `json:"best"`
}

// State returns the best number so far.
func (c *ModelCheckpoint) State() (keras.CallbackState, error) {
	return stateOf(bestState{jsonfloat.Float(c.monitor.best)})
}

// Restore goes on from a state.
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
	if err := c.writing.wait(); err != nil {
		return fmt.Errorf("ModelCheckpoint: %w", err)
	}
	return nil
}
