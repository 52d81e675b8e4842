package callbacks

// This file defines BackupAndRestore, and what it shares with ModelCheckpoint: the checkpoints of a
// training, and directories to write into.

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strconv"

	"github.com/gomlx/gomlx/core/tensors"

	"github.com/gospmd/gospmd/checkpoint"
	"github.com/gospmd/gospmd/internal/agree"
	"github.com/gospmd/gospmd/internal/atomicfile"
	"github.com/gospmd/gospmd/keras"
)

// BackupAndRestore saves the training while it runs, and resumes a Fit that was
// interrupted from the last backup: keras.callbacks.BackupAndRestore. Run the
// same program again, on the same mesh or another one: no sample is lost or
// repeated, the history and the metrics of the epoch continue, and on the same
// mesh the weights are bit-identical to those of a training that was never
// interrupted.
//
// In a job of several processes each saves its own shards, and BackupDir must be on a file
// system that they share. The job may be started again with another number of
// processes.
//
// A training that is interrupted, by the end of its context, is saved once more, at the
// batch where it was, unless the data keeps no position or there are several processes.
//
// A backup holds the variables, the optimizer, the metrics, the random states,
// the position in the data, and the states of other callbacks. The last two complete
// backups stay, so that a damaged one can be replaced by the one before; Logger then gets a
// warning. Use a directory for nothing but the backups.
//
// The training waits until the shards that this process saves are copied to the host's memory. The
// file is written from there while the devices continue, one at a time: a save waits for the one
// before. If a backup cannot be written, as on a full disk, Logger gets a warning at the next save,
// and the training goes on. Fit waits for the last backup, and returns its error. With Synchronous
// the training waits until each backup is on the disk, needs no memory for a copy, and ends with
// the first error.
type BackupAndRestore struct {
	keras.BaseCallback
	BackupDir string       // the directory; it is made if it does not exist
	SaveFreq  int          // after how many batches to save; 0: after each epoch
	Logger    *slog.Logger // hears which backup is resumed; slog.Default by default
	// Synchronous says whether the training waits until each backup is on the disk.
	Synchronous bool
	// DeleteCheckpoint says whether the backups are removed when Fit has succeeded: nil is true.
	DeleteCheckpoint *bool

	store    *trainingStore
	training *keras.Training
	saved    int // the step of the last backup
}

// kept is how many backups stay: the last one, and one to fall back to.
const kept = 2

// ObservesBatches reports whether SaveFreq is set, so that the callback needs the events of
// batches.
func (c *BackupAndRestore) ObservesBatches() bool { return c.SaveFreq > 0 }

// OnTrainBegin makes the training resume from the newest backup in BackupDir, if there is one. An
// empty BackupDir, or one that cannot be made or written, a negative SaveFreq, a SaveFreq for data
// that keep no position, and backups that are all damaged, are errors.
func (c *BackupAndRestore) OnTrainBegin(ctx context.Context, m *keras.Model) error {
	if err := c.begin(ctx, m.Training()); err != nil {
		return fmt.Errorf("BackupAndRestore: %w", err)
	}
	return nil
}

func (c *BackupAndRestore) begin(ctx context.Context, t *keras.Training) (err error) {
	c.training, c.saved = t, 0
	if c.BackupDir == "" {
		return errors.New("got no BackupDir, want the directory of the backups")
	}
	if c.SaveFreq < 0 {
		return fmt.Errorf("got SaveFreq %d, want the number of batches between backups, or 0 for one after each epoch", c.SaveFreq)
	}
	if c.SaveFreq > 0 {
		if err := t.Positioned(); err != nil {
			return err
		}
	}
	if c.store, err = openStore(ctx, t, c.BackupDir, kept); err != nil {
		return err
	}
	return c.resume(ctx, t)
}

func (c *BackupAndRestore) resume(ctx context.Context, t *keras.Training) error {
	k, step, err := c.newestOfAll(ctx, t)
	if k == nil || err != nil {
		return err
	}
	p, err := t.Resume(k)
	if err != nil {
		return errors.Join(err, k.Close())
	}
	if t.IsChief() {
		c.logger().Info(fmt.Sprintf("BackupAndRestore: the training resumes from the backup of step %d in %s: epoch %d, %d batches of it done", step, c.BackupDir, p.Epoch+1, p.Batch))
	}
	return nil
}

// newestOfAll opens, in all processes of a job, the backup that is the newest complete one for
// process 0, and returns it with its step. k is nil if there is none. Without a job it returns this
// process's newest.
func (c *BackupAndRestore) newestOfAll(ctx context.Context, t *keras.Training) (k *checkpoint.Checkpoint, step int, err error) {
	job := t.Job()
	if job == nil {
		return c.newest()
	}
	defer func() {
		if err != nil && k != nil {
			k.Close()
		}
	}()
	if t.IsChief() {
		k, step, err = c.newest()
	}
	if k == nil {
		step = -1
	}
	values, err := agree.On(ctx, job, "newest backup", []byte(strconv.Itoa(step)), err)
	if err == nil {
		step, err = strconv.Atoi(string(values[0]))
	}
	if err != nil || step < 0 {
		return nil, 0, err
	}
	if !t.IsChief() {
		k, err = c.store.Open(step)
	}
	_, err = agree.On(ctx, job, "open backup", nil, err)
	return k, step, err
}

// newest opens the newest backup that is complete and undamaged, and returns it with its step. It
// returns nil without an error if there are no backups. If the newest one is damaged, Logger gets a
// warning and the one before is opened; it is an error if there is none before.
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
		return nil, 0, fmt.Errorf("%w: remove the directory to train from the beginning", err)
	}
	c.logger().Warn(fmt.Sprintf("BackupAndRestore: %v: that one is used", err))
	k, err = c.store.Open(before)
	return k, before, err
}

func (c *BackupAndRestore) logger() *slog.Logger { return cmp.Or(c.Logger, slog.Default()) }

// Checkpoint saves after every SaveFreq batches, or after each epoch, and where the training is
// interrupted, unless that step is saved already or the data keep no position. It first waits for
// the save before, whose error it logs.
func (c *BackupAndRestore) Checkpoint(ctx context.Context, t *keras.Training) error {
	p := t.Progress()
	due := saveDue(p, c.SaveFreq)
	if t.Interrupted() {
		due = p.Step != c.saved && (p.Batch == 0 || t.Positioned() == nil)
	}
	if !due {
		return nil
	}
	warnFailed("BackupAndRestore", c.Logger, t.IsChief(), c.store.Wait())
	if err := c.store.save(ctx, t, c.Synchronous); err != nil {
		return fmt.Errorf("BackupAndRestore: %w", err)
	}
	c.saved = p.Step
	return nil
}

// OnTrainEnd waits for the last backup, and returns its error. Then process 0 removes the backups,
// unless DeleteCheckpoint is false or the training was interrupted; of an interrupted one it logs
// that the same program resumes it.
func (c *BackupAndRestore) OnTrainEnd(context.Context) error {
	err := c.Close()
	interrupted := c.training != nil && c.training.Interrupted()
	if err == nil && interrupted && c.store.writes && c.saved > 0 {
		c.logger().Info(fmt.Sprintf("BackupAndRestore: the training was interrupted; the same program resumes it from the backup of step %d in %s", c.saved, c.BackupDir))
	}
	if err == nil && (c.DeleteCheckpoint == nil || *c.DeleteCheckpoint) && c.store.writes && !interrupted {
		err = c.remove()
	}
	if err != nil {
		return fmt.Errorf("BackupAndRestore: %w", err)
	}
	return nil
}

// remove removes all backups of the store, and the directory if it is empty then.
func (c *BackupAndRestore) remove() error {
	steps, err := c.store.Steps()
	if err != nil {
		return err
	}
	for _, step := range steps {
		if err := c.store.Remove(step); err != nil {
			return err
		}
	}
	entries, err := os.ReadDir(c.BackupDir)
	if err != nil || len(entries) > 0 {
		return err
	}
	return os.Remove(c.BackupDir)
}

// Close waits for a backup that is being written, and returns its error.
func (c *BackupAndRestore) Close() error {
	if c.store == nil {
		return nil
	}
	return c.store.Close()
}

// trainingStore is the directory of a training's checkpoints, and whether this process writes its
// common files.
type trainingStore struct {
	*checkpoint.Store
	writes bool // this process writes what the training writes once
}

// openStore opens the store of a training's checkpoints in directory dir, for all processes of a
// job together. It keeps the newest keep checkpoints, 0 for all. It returns an error if no files
// can be made in dir.
func openStore(ctx context.Context, t *keras.Training, dir string, keep int) (*trainingStore, error) {
	var s *checkpoint.Store
	var err error
	if job := t.Job(); job != nil {
		s, err = checkpoint.NewStoreAcross(ctx, job, dir, keep)
	} else if s, err = checkpoint.NewStore(dir, keep); err == nil {
		err = checkWritable(dir)
	}
	if err != nil {
		return nil, err
	}
	return &trainingStore{Store: s, writes: t.IsChief()}, nil
}

// save saves the state of the training in the store: behind the training, or, if synchronous is
// true, before it goes on.
func (s *trainingStore) save(ctx context.Context, t *keras.Training, synchronous bool) error {
	state, err := t.State(ctx)
	if err != nil {
		return err
	}
	if synchronous {
		return s.Save(ctx, state.Step, state.Tensors, state.Metadata)
	}
	return s.SaveAsync(ctx, state.Step, state.Tensors, state.Metadata)
}

// warnFailed logs err, the error of a save that was written behind the training, for the callback
// name; it logs nothing if err is nil or chief is false. A nil logger is slog.Default. The training
// goes on: the files before are whole, and the next save may succeed.
func warnFailed(name string, logger *slog.Logger, chief bool, err error) {
	if err != nil && chief {
		cmp.Or(logger, slog.Default()).Warn(fmt.Sprintf("%s: %v: the training goes on, and saves again now", name, err))
	}
}

// saveDue reports whether to save at this point p of the training: if another every batches have
// been trained on or, if every is 0, at the end of an epoch.
func saveDue(p keras.Progress, every int) bool {
	if every == 0 {
		return p.Batch == 0
	}
	return p.Batch > 0 && p.Passed(every)
}

// isChief reports whether this process writes files of the training of m. It is true if there is no
// training, as for a callback that is called by hand.
func isChief(m *keras.Model) bool {
	return m == nil || m.Training() == nil || m.Training().IsChief()
}

// makeDirectory makes dir, with its parents, if it does not exist. It returns an error if files
// cannot be made in it.
func makeDirectory(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("the directory %s cannot be made: %w", dir, err)
	}
	return checkWritable(dir)
}

// checkWritable returns an error if no files can be made in the directory, so
// that a training does not fail only when it writes its first file.
func checkWritable(dir string) error {
	f, err := atomicfile.Scratch(dir)
	if err != nil {
		return fmt.Errorf("cannot write into the directory %s: %w", dir, err)
	}
	return f.Close()
}

// stateOf returns the state of a callback for a checkpoint: values as JSON, and large tensors.
func stateOf(values any, large ...*tensors.Tensor) (keras.CallbackState, error) {
	text, err := json.Marshal(values)
	return keras.CallbackState{Values: text, Tensors: large}, err
}
