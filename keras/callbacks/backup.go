package callbacks

// This file defines BackupAndRestore.

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/gospmd/gospmd/checkpoint"
	"github.com/gospmd/gospmd/keras"
)

// BackupAndRestore saves the training as it goes, and lets a Fit that was cut
// off go on where the last backup is: keras.callbacks.BackupAndRestore. Run the
// same program again, on the same mesh or another one: no sample is lost or
// repeated, the history and the metrics of the epoch go on, and on the same
// mesh the weights are, to the bit, those of a training that was never cut off.
//
// In a backup are variables, optimizer, metrics, random states, the position in
// the data, and what other callbacks keep. It is written behind, while the
// devices go on; the one before stays until it is whole, and one more, to which
// a damaged one falls back with a notice. The folder is the callback's own.
type BackupAndRestore struct {
	keras.BaseCallback
	Dir     string    // the folder, which is made where it is not there
	Every   int       // after how many batches to save; 0: after each epoch
	Keep    bool      // whether backups stay when Fit ends well
	Notices io.Writer // tells what was resumed from; os.Stderr by default

	store   *checkpoint.Store
	writing *background
}

// kept is how many backups stay: the last one, and one to fall back to.
const kept = 2

// OnTrainBegin finds the backup to go on from.
func (c *BackupAndRestore) OnTrainBegin(_ context.Context, m *keras.Model) error {
	if err := c.begin(m.Training()); err != nil {
		return fmt.Errorf("BackupAndRestore: %w", err)
	}
	return nil
}

func (c *BackupAndRestore) begin(t *keras.Training) (err error) {
	if c.Dir == "" {
		return errors.New("got no Dir, want the folder of the backups")
	}
	if c.Every < 0 {
		return fmt.Errorf("got Every %d, want the number of batches between backups, or 0 for one after each epoch", c.Every)
	}
	if c.Every > 0 {
		if err := t.Positioned(); err != nil {
			return err
		}
	}
	if c.store, err = checkpoint.NewStore(c.Dir, kept); err != nil {
		return err
	}
	if err := writable(c.Dir); err != nil {
		return err
	}
	c.writing = &background{}
	return c.resume(t)
}

func (c *BackupAndRestore) resume(t *keras.Training) error {
	k, step, err := c.newest()
	if k == nil || err != nil {
		return err
	}
	p, err := t.Resume(k)
	if err != nil {
		return errors.Join(err, k.Close())
	}
	c.notice("the training goes on from the backup of step %d in %s: epoch %d, %d batches of it done", step, c.Dir, p.Epoch+1, p.Batch)
	return nil
}

// newest opens the newest backup that is whole, nil when there is none at all.
func (c *BackupAndRestore) newest() (*checkpoint.Checkpoint, int, error) {
	k, step, err := c.store.Latest()
	if errors.Is(err, checkpoint.ErrNone) {
		return nil, 0, nil
	}
	if err == nil {
		if err = k.Verify(); err == nil {
			return k, step, nil
		}
		k.Close()
	}
	if !checkpoint.IsDamaged(err) {
		return nil, 0, err
	}
	before, ok := c.store.Previous(step)
	if !ok {
		return nil, 0, fmt.Errorf("%w: remove the folder to train from the beginning", err)
	}
	c.notice("%v: that one is taken", err)
	k, err = c.store.Open(before)
	return k, before, err
}

func (c *BackupAndRestore) notice(format string, args ...any) {
	w := c.Notices
	if w == nil {
		w = os.Stderr
	}
	fmt.Fprintf(w, "BackupAndRestore: "+format+"\n", args...)
}

// Checkpoint saves, if it is time to.
func (c *BackupAndRestore) Checkpoint(ctx context.Context, t *keras.Training) error {
	p := t.Progress()
	due := p.Batch == 0
	if c.Every > 0 {
		due = p.Batch > 0 && p.Step%c.Every == 0
	}
	if !due {
		return nil
	}
	err := c.writing.wait()
	if err == nil {
		var s *keras.State
		if s, err = t.Snapshot(ctx); err == nil {
			c.writing.start(func() error {
				return c.store.Save(context.WithoutCancel(ctx), s.Step, s.Tensors, s.Metadata)
			})
		}
	}
	if err != nil {
		return fmt.Errorf("BackupAndRestore: %w", err)
	}
	return nil
}

// OnTrainEnd removes the backups, which are needed no more.
func (c *BackupAndRestore) OnTrainEnd(context.Context) error {
	err := c.Close()
	if err == nil && !c.Keep {
		err = c.remove()
	}
	if err != nil {
		return fmt.Errorf("BackupAndRestore: %w", err)
	}
	return nil
}

// remove removes the backups, and the folder if nothing else is in it.
func (c *BackupAndRestore) remove() error {
	steps, err := c.store.Steps()
	if err != nil {
		return err
	}
	for _, step := range steps {
		if err := os.Remove(c.store.Path(step)); err != nil {
			return err
		}
	}
	entries, err := os.ReadDir(c.Dir)
	if err != nil || len(entries) > 0 {
		return err
	}
	return os.Remove(c.Dir)
}

// Close waits for a backup that is being written.
func (c *BackupAndRestore) Close() error {
	if c.writing == nil {
		return nil
	}
	return c.writing.wait()
}
