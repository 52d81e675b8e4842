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
)

// Store is a directory of checkpoints, one for each step that was saved. Only
// one process at a time may save to it.
type Store struct {
	dir  string
	keep int
}

// ErrNone is the error of a directory without checkpoints.
var ErrNone = errors.New("no checkpoint")

const (
	filePrefix = "step-"
	fileSuffix = ".ckpt"
	stepDigits = 12
)

// NewStore returns the store of a directory, which is made if it is not there.
// Save keeps the newest keep checkpoints, at least 1; keep 0 keeps all.
func NewStore(dir string, keep int) (*Store, error) {
	if keep < 0 {
		return nil, fmt.Errorf("checkpoint: store %s: got %d checkpoints to keep, want at least 1, or 0 for all", dir, keep)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("checkpoint: store %s: the directory cannot be made: %w", dir, err)
	}
	return &Store{dir, keep}, nil
}

// Path returns the name of the file of a step.
func (s *Store) Path(step int) string {
	return filepath.Join(s.dir, fmt.Sprintf("%s%0*d%s", filePrefix, stepDigits, step, fileSuffix))
}

// Steps returns the steps that were saved, in order.
func (s *Store) Steps() ([]int, error) {
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

// Save writes the checkpoint of a step and then removes those that are older
// than the ones to be kept.
func (s *Store) Save(ctx context.Context, step int, tensors []Tensor, metadata []byte) error {
	if step < 0 {
		return fmt.Errorf("checkpoint: store %s: got step %d, want a number not below 0", s.dir, step)
	}
	if err := s.clean(); err != nil {
		return err
	}
	if err := Save(ctx, s.Path(step), tensors, metadata); err != nil {
		return err
	}
	if s.keep == 0 {
		return nil
	}
	steps, err := s.Steps()
	if err != nil {
		return err
	}
	for _, old := range steps[:max(0, len(steps)-s.keep)] {
		if old == step { // after a restart from step 0 it may be the oldest; it must stay
			continue
		}
		if err := os.Remove(s.Path(old)); err != nil {
			return fmt.Errorf("checkpoint: store: %w", err)
		}
	}
	return nil
}

// clean removes the unfinished files of a process that was killed.
func (s *Store) clean() error {
	left, err := filepath.Glob(filepath.Join(s.dir, "."+filePrefix+"*"+fileSuffix+".tmp*"))
	if err != nil {
		return fmt.Errorf("checkpoint: store: %w", err)
	}
	for _, name := range left {
		if err := os.Remove(name); err != nil && !errors.Is(err, os.ErrNotExist) {
			return fmt.Errorf("checkpoint: store: %w", err)
		}
	}
	return nil
}

// Open opens the checkpoint of a step. Errors of damage name the newest
// undamaged one before it.
func (s *Store) Open(step int) (*Checkpoint, error) {
	c, err := Open(s.Path(step))
	if IsDamaged(err) {
		return nil, fmt.Errorf("%w%s", err, s.advice(step))
	}
	if err != nil {
		return nil, err
	}
	c.advice = s.advice(step)
	return c, nil
}

// Latest opens the checkpoint of the last step. The error is ErrNone where
// there is none yet.
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

// Previous returns the last step before the given one whose checkpoint is not
// damaged; ok is false when there is none.
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

// advice says what to do instead of using a damaged checkpoint.
func (s *Store) advice(step int) string {
	if n, ok := s.Previous(step); ok {
		return fmt.Sprintf("; the one of step %d, %s, is not damaged: remove %s to go on from there", n, s.Path(n), s.Path(step))
	}
	return "; there is no undamaged checkpoint before it"
}
