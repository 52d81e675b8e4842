package checkpoint

// This file copies tensors to the host's memory, so that they can be written while the devices
// continue.

import (
	"context"
	"fmt"

	"github.com/gospmd/gospmd/internal/made"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
)

// Snapshot copies the tensors to the host's memory, so that Save can write them while the devices
// continue. In a job it copies only the shards that this process saves. It waits for the runs that
// make the tensors. It copies equal shards once.
func Snapshot(ctx context.Context, tensors []Tensor) ([]Tensor, error) {
	if err := made.Context(ctx); err != nil {
		return nil, fmt.Errorf("checkpoint: %w", err)
	}
	copies, err := new(hostMemory).copy(ctx, tensors)
	if err != nil {
		return nil, fmt.Errorf("checkpoint: %w", err)
	}
	return copies, nil
}

// copier is a Source that copies its elements into memory that it is given. *runtime.Array and
// *variable.Variable implement it. The other sources make new memory, or their elements never
// change.
type copier interface {
	VisitOwnedInto(ctx context.Context, room func(size int) []byte, visit func(ranges []layout.Range, data []byte) error) error
}

// visitInto calls visit with each box of s that this process owns: its ranges and its bytes. A
// copier writes the bytes into memory that room returns.
func visitInto(ctx context.Context, s Source, room func(size int) []byte, visit func(ranges []layout.Range, data []byte) error) error {
	if c, ok := s.(copier); ok {
		return c.VisitOwnedInto(ctx, room, visit)
	}
	return s.VisitOwned(ctx, visit)
}

// shardMemory is memory of one shard, for files that are written shard by shard.
type shardMemory []byte

// room returns size bytes of memory. The next call returns the same memory again.
func (m *shardMemory) room(size int) []byte {
	if cap(*m) < size {
		*m = make([]byte, size)
	}
	return (*m)[:size]
}

// hostMemory is the memory of copies. Each copy uses the memory of the copy before again: new
// memory of the system costs more time than the copy itself. So there is never more of it than one
// copy needs.
type hostMemory struct {
	free, used map[int][][]byte // by size in bytes
}

// copy returns the tensors with their elements copied into m's memory; a source that is no copier
// makes its own memory. It uses the memory of the copies before again, so these must not be in use
// any more. A source that fails is an error that names the tensor.
func (m *hostMemory) copy(ctx context.Context, tensors []Tensor) ([]Tensor, error) {
	m.free, m.used = m.used, make(map[int][][]byte)
	defer func() { m.free = nil }()
	out := make([]Tensor, len(tensors))
	for i, t := range tensors {
		c := &hostCopy{typ: t.Source.Type()}
		err := visitInto(ctx, t.Source, m.room, func(ranges []layout.Range, data []byte) error {
			c.boxes = append(c.boxes, hostBox{ranges, data})
			return ctx.Err()
		})
		if err != nil {
			return nil, fmt.Errorf("tensor %s: %w", t.Name, err)
		}
		out[i] = Tensor{t.Name, c}
	}
	return out, nil
}

// room returns memory of that size in bytes: a free block of the last copies if there is one, or
// else a new one. Its contents are not defined.
func (m *hostMemory) room(size int) []byte {
	var b []byte
	if free := m.free[size]; len(free) > 0 {
		b, m.free[size] = free[len(free)-1], free[:len(free)-1]
	} else {
		b = make([]byte, size)
	}
	m.used[size] = append(m.used[size], b)
	return b
}

// Host returns the source of a tensor of type t in the host's memory. data has all its elements,
// row-major, little-endian; the caller must not change them. With nil data, it is the source of a
// tensor that another process saves.
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

// VisitOwned calls visit with the ranges and the elements of each box, and returns its first error.
func (c *hostCopy) VisitOwned(_ context.Context, visit func(ranges []layout.Range, data []byte) error) error {
	for _, p := range c.boxes {
		if err := visit(p.ranges, p.data); err != nil {
			return err
		}
	}
	return nil
}
