package checkpoint

// This file writes checkpoints, copies tensors to the host to be written
// while their devices go on, and keeps the checkpoints of one training in a
// directory.

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/gospmd/gospmd/internal/atomicfile"
	"github.com/gospmd/gospmd/internal/rowmajor"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
)

// Source is a tensor that can be read shard by shard: a *runtime.Array, a
// *variable.Variable.
type Source interface {
	// Type returns the global type.
	Type() ir.Type
	// Visit calls visit with boxes that together cover the tensor, each element
	// once: the global ranges and the elements in row-major order.
	Visit(ctx context.Context, visit func(ranges []layout.Range, data []byte) error) error
}

// Tensor is a tensor to be saved.
type Tensor struct {
	Name   string
	Source Source
}

// Save writes a checkpoint to the file of that name. It replaces an older one
// when all of the new one is on the disk. metadata is the caller's own.
func Save(ctx context.Context, name string, tensors []Tensor, metadata []byte) error {
	err := check(tensors)
	if err == nil {
		err = atomicfile.Write(name, func(f *os.File) error {
			w := &writer{w: bufio.NewWriterSize(f, tileSize)}
			return w.all(ctx, tensors, metadata)
		})
	}
	if err != nil {
		return fmt.Errorf("checkpoint: saving %s: %w", name, err)
	}
	return nil
}

func check(tensors []Tensor) error {
	seen := make(map[string]bool)
	for i, t := range tensors {
		if t.Name == "" || t.Source == nil {
			return fmt.Errorf("tensor %d has no name or no source", i)
		}
		if seen[t.Name] {
			return fmt.Errorf("two tensors are named %s: names must differ, they are what tensors are loaded by", t.Name)
		}
		seen[t.Name] = true
		d := t.Source.Type().DType
		if _, ok := storable[d.String()]; !ok {
			return fmt.Errorf("tensor %s: elements of type %s cannot be saved: convert them on the device", t.Name, d)
		}
	}
	return nil
}

// writer writes one file in order.
type writer struct {
	w  *bufio.Writer
	at int64
}

func (w *writer) put(b []byte) error {
	w.at += int64(len(b))
	_, err := w.w.Write(b)
	return err
}

func (w *writer) all(ctx context.Context, tensors []Tensor, metadata []byte) error {
	if _, err := io.WriteString(w.w, signature); err != nil {
		return err
	}
	w.at = headSize
	t := table{Tensors: make([]tensorEntry, len(tensors)), Metadata: metadata}
	for i, tensor := range tensors {
		var err error
		if t.Tensors[i], err = w.tensor(ctx, tensor); err != nil {
			return fmt.Errorf("tensor %s: %w", tensor.Name, err)
		}
	}
	text, err := json.Marshal(t)
	if err != nil {
		return err
	}
	if len(text) > math.MaxUint32 {
		return fmt.Errorf("the table has %d bytes, want less than 4 GiB: save fewer tensors or less metadata", len(text))
	}
	offset := w.at
	if err := w.put(text); err != nil {
		return err
	}
	if err := w.put(footer(offset, text)); err != nil {
		return err
	}
	return w.w.Flush()
}

// tensor writes the tiles of a tensor.
func (w *writer) tensor(ctx context.Context, t Tensor) (tensorEntry, error) {
	typ := t.Source.Type()
	elem := typ.DType.Size()
	e := tensorEntry{Name: t.Name, DType: typ.DType.String(), Shape: typ.Dims, Tiles: []tile{}}
	if e.Shape == nil {
		e.Shape = []int{}
	}
	written := 0
	err := t.Source.Visit(ctx, func(ranges []layout.Range, data []byte) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		start, count := boxOf(ranges)
		return eachTile(count, tileShape(count, elem), func(in, size []int) error {
			tl := tile{Start: make([]int, len(in)), Count: append([]int{}, size...), Offset: w.at}
			n := elem
			for i := range in {
				tl.Start[i] = start[i] + in[i]
				n *= size[i]
			}
			b := make([]byte, n)
			rowmajor.CopyBox(b, size, nil, data, count, in, size, elem)
			tl.Sum = checksum(b)
			e.Tiles = append(e.Tiles, tl)
			written += n
			return w.put(b)
		})
	})
	if err == nil && written != typ.Bytes() {
		err = fmt.Errorf("BUG: its source gave %d bytes of %d", written, typ.Bytes())
	}
	return e, err
}

// Snapshot returns copies of the tensors in the host's memory, for Save to write
// while the devices go on. It waits for the runs that make the tensors. Equal
// shards are copied once.
func Snapshot(ctx context.Context, tensors []Tensor) ([]Tensor, error) {
	out := make([]Tensor, len(tensors))
	for i, t := range tensors {
		c := &hostCopy{typ: t.Source.Type()}
		err := t.Source.Visit(ctx, func(ranges []layout.Range, data []byte) error {
			c.boxes = append(c.boxes, hostBox{ranges, data})
			return ctx.Err()
		})
		if err != nil {
			return nil, fmt.Errorf("checkpoint: tensor %s: %w", t.Name, err)
		}
		out[i] = Tensor{t.Name, c}
	}
	return out, nil
}

// Host returns the source of a tensor in the host's memory: its elements
// row-major, little-endian. The caller must not change them.
func Host(t ir.Type, data []byte) Source {
	ranges := make([]layout.Range, t.Rank())
	for i, d := range t.Dims {
		ranges[i] = layout.Range{Start: 0, Limit: d}
	}
	c := &hostCopy{typ: t}
	if len(data) > 0 {
		c.boxes = []hostBox{{ranges, data}}
	}
	return c
}

// hostCopy is a Source in the host's memory.
type hostCopy struct {
	typ   ir.Type
	boxes []hostBox
}

type hostBox struct {
	ranges []layout.Range
	data   []byte
}

// Type returns the global type.
func (c *hostCopy) Type() ir.Type { return c.typ }

// Visit calls visit with the boxes.
func (c *hostCopy) Visit(_ context.Context, visit func(ranges []layout.Range, data []byte) error) error {
	for _, p := range c.boxes {
		if err := visit(p.ranges, p.data); err != nil {
			return err
		}
	}
	return nil
}

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
	err := atomicfile.RemoveLeft(s.dir, func(name string) bool {
		return strings.HasPrefix(name, filePrefix) && strings.HasSuffix(name, fileSuffix)
	})
	if err != nil {
		return fmt.Errorf("checkpoint: store: %w", err)
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
