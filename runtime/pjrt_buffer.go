//go:build cgo

package runtime

// This file implements Buffer on PJRT: a pending device buffer with counted
// uses.

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/gomlx/go-xla/pjrt"

	"github.com/gospmd/gospmd/ir"
)

// pjrtBuffer is freed when its last use ends: uses are the owner until
// Release, what makes it, each queued run that reads it and each Read. A
// buffer that is forgotten without Release is freed by go-xla's own cleanup
// once the garbage collector finds it.
type pjrtBuffer struct {
	engine *pjrtEngine
	typ    ir.Type
	flight *flight
	uses   atomic.Int32

	mu    sync.Mutex   // held while raw is read: go-xla's ToHost writes to it
	raw   *pjrt.Buffer // nil before it is made and after it is freed
	taker string       // the program that it was donated to
}

// newPJRTBuffer returns a buffer with two uses, the owner's and the maker's.
func newPJRTBuffer(e *pjrtEngine, t ir.Type, f *flight) *pjrtBuffer {
	b := &pjrtBuffer{engine: e, typ: t, flight: f}
	b.uses.Store(2)
	return b
}

var errReleased = errors.New("the buffer was released")

// use adds a use, unless the last one has ended.
func (b *pjrtBuffer) use() error {
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
func (b *pjrtBuffer) drop() {
	if b.uses.Add(-1) != 0 {
		return
	}
	b.mu.Lock()
	raw := b.raw
	b.raw = nil
	b.mu.Unlock()
	if raw != nil {
		raw.Destroy()
		b.engine.client.drop()
	}
}

// set gives b the buffer that was made for it, or nil.
func (b *pjrtBuffer) set(raw *pjrt.Buffer) {
	if raw != nil {
		b.engine.client.hold()
		b.raw = raw // nobody reads it before the flight has landed
	}
}

func (b *pjrtBuffer) Type() ir.Type { return b.typ }

func (b *pjrtBuffer) Wait(ctx context.Context) error { return b.flight.wait(ctx) }

func (b *pjrtBuffer) Read(ctx context.Context, dst []byte) error {
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
	return guard(func() error { return b.raw.ToHost(dst) })
}

func (b *pjrtBuffer) Release() { b.drop() }
