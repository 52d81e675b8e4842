package checkpoint

// This file writes checkpoints. It also copies tensors to the host, so that they can be written
// while the devices continue.

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"

	"github.com/gospmd/gospmd/internal/atomicfile"
	"github.com/gospmd/gospmd/internal/made"
	"github.com/gospmd/gospmd/internal/rowmajor"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
)

// Source is a tensor that can be read shard by shard. *runtime.Array and *variable.Variable
// implement it.
type Source interface {
	// Type returns the global type.
	Type() ir.Type
	// VisitOwned calls visit with boxes of the tensor: the global ranges and the
	// elements in row-major order. The boxes of all processes together cover the
	// tensor, each element once.
	VisitOwned(ctx context.Context, visit func(ranges []layout.Range, data []byte) error) error
}

// Tensor is a tensor to be saved.
type Tensor struct {
	Name   string
	Source Source
}

// Save writes a checkpoint to the file of that name. It replaces an older file only when the new
// one is on the disk. metadata is stored for the caller.
func Save(ctx context.Context, name string, tensors []Tensor, metadata []byte) error {
	if err := made.Context(ctx); err != nil {
		return fmt.Errorf("checkpoint: %w", err)
	}
	err := check(tensors)
	if err == nil {
		err = atomicfile.Write(name, func(f *os.File) error {
			w := newWriter(f)
			t, err := w.tensors(ctx, tensors)
			if err == nil {
				err = t.complete()
			}
			if err != nil {
				return err
			}
			t.Metadata = metadata
			_, err = w.end(t)
			return err
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

// writer writes one file from the beginning to the end.
type writer struct {
	w  *bufio.Writer
	at int64
}

func newWriter(f *os.File) *writer { return &writer{w: bufio.NewWriterSize(f, tileSize)} }

func (w *writer) put(b []byte) error {
	w.at += int64(len(b))
	_, err := w.w.Write(b)
	return err
}

// tensors writes the head and all tiles of this process, and returns their table.
func (w *writer) tensors(ctx context.Context, tensors []Tensor) (*table, error) {
	if err := w.put([]byte(signature)); err != nil {
		return nil, err
	}
	t := &table{Tensors: make([]tensorEntry, len(tensors))}
	for i, tensor := range tensors {
		var err error
		if t.Tensors[i], err = w.tensor(ctx, tensor); err != nil {
			return nil, fmt.Errorf("tensor %s: %w", tensor.Name, err)
		}
	}
	return t, nil
}

// end writes the table and the foot, and returns the checksum of the table.
func (w *writer) end(t *table) (sum uint32, err error) {
	text, err := json.Marshal(t)
	if err != nil {
		return 0, err
	}
	if len(text) > math.MaxUint32 {
		return 0, fmt.Errorf("the table has %d bytes, want less than 4 GiB: save fewer tensors or less metadata", len(text))
	}
	offset := w.at
	if err := w.put(text); err != nil {
		return 0, err
	}
	if err := w.put(footer(offset, text)); err != nil {
		return 0, err
	}
	return checksum(text), w.w.Flush()
}

// tensor writes the tiles of a tensor.
func (w *writer) tensor(ctx context.Context, t Tensor) (tensorEntry, error) {
	typ := t.Source.Type()
	elem := typ.DType.Size()
	e := tensorEntry{Name: t.Name, DType: typ.DType.String(), Shape: typ.Dims, Tiles: []tile{}}
	if e.Shape == nil {
		e.Shape = []int{}
	}
	err := t.Source.VisitOwned(ctx, func(ranges []layout.Range, data []byte) error {
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
			return w.put(b)
		})
	})
	return e, err
}

// Snapshot copies the tensors to the host's memory, so that Save can write them while the devices
// continue. In a job it copies only the shards that this process saves. It waits for the runs that
// make the tensors. It copies equal shards once.
func Snapshot(ctx context.Context, tensors []Tensor) ([]Tensor, error) {
	if err := made.Context(ctx); err != nil {
		return nil, fmt.Errorf("checkpoint: %w", err)
	}
	out := make([]Tensor, len(tensors))
	for i, t := range tensors {
		c := &hostCopy{typ: t.Source.Type()}
		err := t.Source.VisitOwned(ctx, func(ranges []layout.Range, data []byte) error {
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

// Host returns the source of a tensor in the host's memory: its elements row-major, little-endian.
// The caller must not change them. With nil data, it is the source of a tensor that another process
// saves.
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

// VisitOwned calls visit with the boxes.
func (c *hostCopy) VisitOwned(_ context.Context, visit func(ranges []layout.Range, data []byte) error) error {
	for _, p := range c.boxes {
		if err := visit(p.ranges, p.data); err != nil {
			return err
		}
	}
	return nil
}
