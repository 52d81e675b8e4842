package checkpoint

// This file writes checkpoints.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"syscall"
	"unsafe"

	"github.com/gospmd/gospmd/internal/atomicfile"
	"github.com/gospmd/gospmd/internal/made"
	"github.com/gospmd/gospmd/internal/rowmajor"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
)

// Source is a tensor that can be read shard by shard. *runtime.Array and *variable.Variable
// implement it.
type Source interface {
	// Type returns the tensor's global type, whose shape is that of all devices together.
	Type() ir.Type
	// VisitOwned calls visit for each box of the tensor that this process must save: ranges are its
	// global index ranges, data its elements in row-major order. The boxes of all processes
	// together cover the tensor, each element once. visit may keep data, which must not change. The
	// first error of visit ends it.
	VisitOwned(ctx context.Context, visit func(ranges []layout.Range, data []byte) error) error
}

// Tensor is a tensor to be saved.
type Tensor struct {
	Name   string
	Source Source
}

// Save writes a checkpoint to the file with the given name. It replaces an older file only when the
// new one is on the disk. metadata is stored for the caller. Names that are empty or occur twice,
// element types that the format does not have, and a source that fails or leaves elements out are
// errors that name the tensor.
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
				err = t.checkComplete()
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

// writer writes one file from the beginning to the end, in long writes. All but the last are direct
// writes if the file's system has them.
type writer struct {
	f      *os.File
	room   []byte // the bytes that are not in the file yet
	at     int64  // the length of the file so far, including the bytes in room
	direct bool
	shard  shardMemory
}

const (
	writeSize   = 1 << 20 // of a write, in bytes
	directBlock = 4096
)

func newWriter(f *os.File) *writer {
	b := make([]byte, writeSize+tileSize+directBlock)
	from := -int(uintptr(unsafe.Pointer(unsafe.SliceData(b)))) & (directBlock - 1)
	return &writer{f: f, room: b[from : from : from+writeSize+tileSize], direct: setDirect(f, true) == nil}
}

// next returns the room for the next n bytes of the file, at most tileSize, which the caller must
// fill before the next call. It advances w.at, the file's size. If writeSize bytes or more wait in
// w.room, it first writes that many to the file.
func (w *writer) next(n int) ([]byte, error) {
	if len(w.room) >= writeSize {
		if err := w.write(writeSize); err != nil {
			return nil, err
		}
	}
	from := len(w.room)
	w.room, w.at = w.room[:from+n], w.at+int64(n)
	return w.room[from:], nil
}

// write writes the first n bytes of room to the file, and removes them from room. If the file
// system refuses direct writes of that size, it writes without.
func (w *writer) write(n int) error {
	if w.direct && n%directBlock != 0 { // the end of the file
		if err := w.undirect(); err != nil {
			return err
		}
	}
	done, err := w.f.Write(w.room[:n])
	if w.direct && errors.Is(err, syscall.EINVAL) { // the file system wants other multiples
		if err = w.undirect(); err == nil {
			_, err = w.f.Write(w.room[done:n])
		}
	}
	w.room = w.room[:copy(w.room, w.room[n:])]
	return err
}

// undirect ends direct writes, so that the following writes may have any size.
func (w *writer) undirect() error {
	w.direct = false
	return setDirect(w.f, false)
}

func (w *writer) put(b []byte) error {
	for len(b) > 0 {
		place, err := w.next(min(len(b), tileSize))
		if err != nil {
			return err
		}
		b = b[copy(place, b):]
	}
	return nil
}

// flush writes the bytes in w.room, all that is left, to the file.
func (w *writer) flush() error {
	for len(w.room) > 0 {
		if err := w.write(min(len(w.room), writeSize)); err != nil {
			return err
		}
	}
	return nil
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

// end writes the table and the foot, and returns the checksum of the table. A table of 4 GiB or
// more is an error.
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
	return checksum(text), w.flush()
}

// tensor writes the elements of t, tile by tile, and returns the entry of the table: with the place
// and the checksum of each tile.
func (w *writer) tensor(ctx context.Context, t Tensor) (tensorEntry, error) {
	typ := t.Source.Type()
	elem := typ.DType.Size()
	e := tensorEntry{Name: t.Name, DType: typ.DType.String(), Shape: typ.Dims, Tiles: []tile{}}
	if e.Shape == nil {
		e.Shape = []int{}
	}
	err := visitInto(ctx, t.Source, w.shard.room, func(ranges []layout.Range, data []byte) error {
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
			b, err := w.next(n)
			if err != nil {
				return err
			}
			rowmajor.CopyBox(b, size, nil, data, count, in, size, elem)
			tl.Sum = checksum(b)
			e.Tiles = append(e.Tiles, tl)
			return nil
		})
	})
	return e, err
}
