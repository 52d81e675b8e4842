package runtime

// This file implements Buffer on a driver: a pending device buffer with counted
// uses.

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/gospmd/gospmd/ir"
)

// queueBuffer is freed when its last use ends: uses are the owner until
// Release, what makes it, each queued run that reads it and each Read. A
// buffer that is forgotten without Release is the garbage collector's.
type queueBuffer struct {
	engine *queueEngine
	typ    ir.Type
	flight *flight
	uses   atomic.Int32

	mu    sync.Mutex // held while raw is read
	raw   rawBuffer  // nil before it is made and after it is freed
	taker string     // the program that it was donated to
}

// newQueueBuffer returns a buffer with two uses, the owner's and the maker's.
func newQueueBuffer(e *queueEngine, t ir.Type, f *flight) *queueBuffer {
	b := &queueBuffer{engine: e, typ: t, flight: f}
	b.uses.Store(2)
	return b
}

var errReleased = errors.New("the buffer was released")

// use adds a use, unless the last one has ended.
func (b *queueBuffer) use() error {
	for {
		n := b.uses.Load()
		if n == 0 {
			return errReleased
		}
		if b.uses.CompareAndSwap(n, n+1) {
			return nil
		}
	}
}

// drop ends a use.
func (b *queueBuffer) drop() {
	if b.uses.Add(-1) != 0 {
		return
	}
	b.mu.Lock()
	raw := b.raw
	b.raw = nil
	b.mu.Unlock()
	if raw != nil {
		raw.free()
	}
}

func (b *queueBuffer) Type() ir.Type { return b.typ }

func (b *queueBuffer) Wait(ctx context.Context) error { return b.flight.wait(ctx) }

func (b *queueBuffer) Read(ctx context.Context, dst []byte) error {
	if len(dst) != b.typ.Bytes() {
		return fmt.Errorf("got %d bytes to read %s into, want %d", len(dst), b.typ, b.typ.Bytes())
	}
	if err := b.use(); err != nil {
		return err
	}
	defer b.drop()
	if err := b.flight.wait(ctx); err != nil {
		return err
	}
	if len(dst) == 0 {
		return nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.raw == nil {
		return fmt.Errorf("the buffer was donated to program %q", b.taker)
	}
	return b.raw.read(dst)
}

func (b *queueBuffer) Release() { b.drop() }
