package checkpoint

// This file keeps the checkpoints of one training in a directory.

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/gospmd/gospmd/internal/agree"
	"github.com/gospmd/gospmd/internal/atomicfile"
	"github.com/gospmd/gospmd/internal/made"
)

// Store is a directory of checkpoints, one for each step that was saved. Only
// one process, or one job, at a time may save to it.
type Store struct {
	dir   string
	keep  int
	job   Job    // nil for one process
	key   string // prefix of the names of exchanges, which no other store has
	async Async
}

// ErrNone is the error of a Store whose directory holds no checkpoint.
var ErrNone = errors.New("no checkpoint")

const (
	filePrefix = "step-"
	fileSuffix = ".ckpt"
	stepDigits = 12
)

// NewStore returns the store of a directory. It makes the directory if it does not exist. Save
// keeps the newest keep checkpoints; 0 means all. A negative keep is an error.
func NewStore(dir string, keep int) (*Store, error) {
	if keep < 0 {
		return nil, fmt.Errorf("checkpoint: store %s: got %d checkpoints to keep, want at least 1, or 0 for all", dir, keep)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("checkpoint: store %s: the directory cannot be made: %w", dir, err)
	}
	return &Store{dir: dir, keep: keep}, nil
}

// NewStoreAcross is NewStore by all processes of a job: all of them must call it. Then all must
// also call Save, with the same tensors, and each writes its own shards. The directory must be on a
// file system that they share. A directory that is not the same in all processes is an error. With
// one process it is NewStore.
func NewStoreAcross(ctx context.Context, job Job, dir string, keep int) (*Store, error) {
	if err := made.Context(ctx); err != nil {
		return nil, fmt.Errorf("checkpoint: %w", err)
	}
	if job.ProcessCount() == 1 {
		return NewStore(dir, keep)
	}
	file, err := probe(job, dir, keep)
	if file != "" {
		defer os.Remove(filepath.Join(dir, file))
	}
	values, err := agree.On(ctx, job, "store of checkpoints", []byte(filepath.Join(dir, file)), err)
	if err != nil {
		return nil, err
	}
	probe0 := string(values[0])
	if _, err = os.Stat(filepath.Join(dir, filepath.Base(probe0))); err != nil {
		err = fmt.Errorf("checkpoint: store %s: this directory of process 0 is another one in process %d: want a directory on a file system that all processes share: %w",
			dir, job.ProcessIndex(), err)
	}
	if _, err = agree.On(ctx, job, "shared store of checkpoints", nil, err); err != nil {
		return nil, err
	}
	return &Store{dir: dir, keep: keep, job: job, key: "checkpoint " + probe0}, nil
}

// probe makes the directory, and a file in it, in process 0. It returns the file's name within dir,
// so that the other processes can look for it. In the other processes it does nothing and returns
// "". A negative keep, and a directory that cannot be written, are errors.
func probe(job Job, dir string, keep int) (string, error) {
	if job.ProcessIndex() > 0 {
		return "", nil
	}
	if _, err := NewStore(dir, keep); err != nil {
		return "", err
	}
	f, err := os.CreateTemp(dir, ".shared-*")
	if err != nil {
		return "", fmt.Errorf("checkpoint: store %s: cannot write into the directory: %w", dir, err)
	}
	return filepath.Base(f.Name()), f.Close()
}

// Path returns the path of the file of a step: in the store's directory, such as
// step-000000000007.ckpt.
func (s *Store) Path(step int) string {
	return filepath.Join(s.dir, fmt.Sprintf("%s%0*d%s", filePrefix, stepDigits, step, fileSuffix))
}

// Steps returns the steps that were saved, in ascending order, also those whose checkpoint is
// damaged. It waits for a save that is being written.
func (s *Store) Steps() ([]int, error) {
	s.settle()
	return s.steps()
}

func (s *Store) steps() ([]int, error) {
	entries, err := os.ReadDir(s.dir)
	if err != nil {
		return nil, fmt.Errorf("checkpoint: store: %w", err)
	}
	var steps []int
	for _, e := range entries {
		name, ok := strings.CutPrefix(e.Name(), filePrefix)
		if !ok {
			continue
		}
		if name, ok = strings.CutSuffix(name, fileSuffix); !ok {
			continue
		}
		if n, err := strconv.Atoi(name); err == nil && n >= 0 {
			steps = append(steps, n)
		}
	}
	slices.Sort(steps)
	return steps, nil
}

// Save writes the checkpoint of a step. It removes older checkpoints, except those to be kept, and
// what killed processes have left. It first waits for a checkpoint that SaveAsync writes; if that
// has failed, it returns its error and saves nothing. A negative step is an error. In a job all
// processes must call it, with the same step.
func (s *Store) Save(ctx context.Context, step int, tensors []Tensor, metadata []byte) error {
	if err := made.Context(ctx); err != nil {
		return fmt.Errorf("checkpoint: %w", err)
	}
	if err := s.Wait(); err != nil {
		return err
	}
	return s.write(ctx, step, tensors, metadata, checkStep(step))
}

func checkStep(step int) error {
	if step < 0 {
		return fmt.Errorf("got step %d, want a number not below 0", step)
	}
	return nil
}

// write writes the checkpoint of a step, and removes older ones. If failed is not nil, it is an
// error of this process that prevents that: write only tells it to the other processes of a job,
// and returns it.
func (s *Store) write(ctx context.Context, step int, tensors []Tensor, metadata []byte, failed error) error {
	if s.job != nil {
		a := &saving{job: s.job, name: s.Path(step), key: s.key, tensors: tensors, metadata: metadata, tidy: func() error { return s.tidy(step) }}
		return a.save(ctx, failed)
	}
	if failed != nil {
		return fmt.Errorf("checkpoint: saving %s: %w", s.Path(step), failed)
	}
	if err := s.clean(); err != nil {
		return err
	}
	if err := Save(ctx, s.Path(step), tensors, metadata); err != nil {
		return err
	}
	return s.prune(step)
}

// tidy runs after the checkpoint of a step is saved. It removes unfinished files of killed
// processes, and checkpoints that are too old to be kept.
func (s *Store) tidy(step int) error {
	if err := s.clean(); err != nil {
		return err
	}
	return s.prune(step)
}

// prune removes all checkpoints but the newest s.keep; if that is 0, it removes none. step is the
// step that was just saved: its checkpoint stays, even if it is the oldest.
func (s *Store) prune(step int) error {
	if s.keep == 0 {
		return nil
	}
	steps, err := s.steps()
	if err != nil {
		return err
	}
	for _, old := range steps[:max(0, len(steps)-s.keep)] {
		if old == step { // after a restart from step 0, step may be the oldest; it must stay
			continue
		}
		if err := s.remove(old); err != nil {
			return err
		}
	}
	return nil
}

// Remove removes the checkpoint of a step. It waits for a save that is being written. A step that
// has no checkpoint is an error.
func (s *Store) Remove(step int) error {
	s.settle()
	return s.remove(step)
}

func (s *Store) remove(step int) error {
	if err := os.Remove(s.Path(step)); err != nil {
		return fmt.Errorf("checkpoint: store: %w", err)
	}
	return s.removeParts()
}

// clean removes the files that killed processes left unfinished in the store's directory, and the
// parts that no checkpoint lists.
func (s *Store) clean() error {
	err := atomicfile.RemoveLeft(s.dir, func(name string) bool {
		_, ok := checkpointOf(name)
		return ok
	})
	if err != nil {
		return fmt.Errorf("checkpoint: store: %w", err)
	}
	return s.removeParts()
}

// removeParts removes the parts that no checkpoint lists. They belonged to a checkpoint that was
// removed or replaced, or to a job that was killed before process 0 listed them. Parts of a
// checkpoint that cannot be read stay. No job may be saving at the same time.
func (s *Store) removeParts() error {
	entries, err := os.ReadDir(s.dir)
	if err != nil {
		return fmt.Errorf("checkpoint: store: %w", err)
	}
	referring := make(map[string]*table) // tables of checkpoints, by name; nil for an unreadable one
	for _, e := range entries {
		of, ok := checkpointOf(e.Name())
		if !ok || of == e.Name() {
			continue
		}
		t, read := referring[of]
		if !read {
			t = tableOf(filepath.Join(s.dir, of))
			referring[of] = t
		}
		if t == nil || t.lists(e.Name()) {
			continue
		}
		if err := os.Remove(filepath.Join(s.dir, e.Name())); err != nil {
			return fmt.Errorf("checkpoint: store: %w", err)
		}
	}
	return nil
}

// checkpointOf returns the name of the checkpoint that a file of a store belongs to, and true. The
// file is the checkpoint itself or one of its parts. It is false for a file that is neither.
func checkpointOf(name string) (string, bool) {
	if !strings.HasPrefix(name, filePrefix) {
		return "", false
	}
	at := strings.Index(name, fileSuffix)
	if at < 0 {
		return "", false
	}
	of := name[:at+len(fileSuffix)]
	return of, of == name || name[len(of)] == '.'
}

// Open opens the checkpoint of a step. It waits for a save that is being written. If the checkpoint
// is damaged, the error, of Open or of a later reading, names the newest undamaged one before it.
func (s *Store) Open(step int) (*Checkpoint, error) {
	s.settle()
	c, err := Open(s.Path(step))
	if IsDamaged(err) {
		return nil, fmt.Errorf("%w%s", err, s.advice(step))
	}
	if err != nil {
		return nil, err
	}
	c.advice = func() string { return s.advice(step) }
	return c, nil
}

// Latest opens the checkpoint of the last step, and returns the step. The error is ErrNone if there
// is no checkpoint. If the last one is damaged, IsDamaged holds for the error, which names the
// newest undamaged one before it; step is then that of the damaged one.
func (s *Store) Latest() (c *Checkpoint, step int, err error) {
	steps, err := s.Steps()
	if err != nil {
		return nil, 0, err
	}
	if len(steps) == 0 {
		return nil, 0, fmt.Errorf("checkpoint: %w in %s", ErrNone, s.dir)
	}
	step = steps[len(steps)-1]
	c, err = s.Open(step)
	return c, step, err
}

// Previous returns the last step before the given one that has an undamaged checkpoint. It reads
// checkpoints as a whole to find that out. ok is false if there is none, or the directory cannot be
// read.
func (s *Store) Previous(step int) (previous int, ok bool) {
	steps, err := s.Steps()
	if err != nil {
		return 0, false
	}
	for _, n := range slices.Backward(steps) {
		if n >= step {
			continue
		}
		c, err := Open(s.Path(n))
		if err != nil {
			continue
		}
		err = c.Verify()
		c.Close()
		if err == nil {
			return n, true
		}
	}
	return 0, false
}

// advice returns the end of an error message, from "; " on: what to use instead of the damaged
// checkpoint of the step.
func (s *Store) advice(step int) string {
	if n, ok := s.Previous(step); ok {
		return fmt.Sprintf("; the one of step %d, %s, is not damaged: remove %s to go on from there", n, s.Path(n), s.Path(step))
	}
	return "; there is no undamaged checkpoint before it"
}
