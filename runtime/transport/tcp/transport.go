package tcp

// This file implements transport.Transport on TCP connections.

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/runtime/transport"
)

// tcpTransport implements transport.Transport by one gRPC stream to each other process.
type tcpTransport struct {
	rank  int
	links []*link // by rank; nil at the own rank
	stop  func()  // ends the streams, once the links are broken

	mu     sync.Mutex
	closed error
}

// operation is an exchange in progress, which ends when all its messages are sent and received, or
// with an error.
type operation struct {
	pending atomic.Int64
	once    sync.Once
	err     error
	end     chan struct{}
}

// finishOne records that one message of the operation is through. The last one ends the operation.
func (op *operation) finishOne() {
	if op.pending.Add(-1) == 0 {
		op.fail(nil)
	}
}

// fail ends the operation with err; nil means success. Only the first call counts.
func (op *operation) fail(err error) {
	op.once.Do(func() {
		op.err = err
		close(op.end)
	})
}

func (t *tcpTransport) Rank() int { return t.rank }
func (t *tcpTransport) Size() int { return len(t.links) }

func (t *tcpTransport) Exchange(ctx context.Context, tag uint64, sends, recvs []transport.Message) error {
	for _, list := range [][]transport.Message{sends, recvs} {
		for _, m := range list {
			if m.Rank < 0 || m.Rank >= len(t.links) || m.Rank == t.rank {
				return fmt.Errorf("rank %d exchanges a message with rank %d, want another rank below %d", t.rank, m.Rank, len(t.links))
			}
		}
	}
	if err := t.closeCause(); err != nil || len(sends)+len(recvs) == 0 {
		return err
	}
	op := &operation{end: make(chan struct{})}
	op.pending.Store(int64(len(sends) + len(recvs)))
	for _, m := range recvs {
		t.links[m.Rank].await(&receive{op: op, tag: tag, data: m.Data})
	}
	for _, m := range sends {
		t.links[m.Rank].post(&send{op: op, tag: tag, data: m.Data})
	}
	select {
	case <-op.end:
	case <-ctx.Done():
		op.fail(fmt.Errorf("rank %d: an operation was cancelled: %w", t.rank, context.Cause(ctx)))
		<-op.end
	}
	if op.err != nil {
		// The other processes of this operation must not wait for this one.
		for _, list := range [][]transport.Message{sends, recvs} {
			for _, m := range list {
				t.links[m.Rank].fail(op.err, op.err.Error())
			}
		}
	}
	return op.err
}

func (t *tcpTransport) AllReduce(context.Context, uint64, []int, []byte, dtypes.DType, ir.OpKind) error {
	return errors.ErrUnsupported
}

func (t *tcpTransport) closeCause() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.closed
}

func (t *tcpTransport) Close(cause error) error {
	if cause == nil {
		cause = errors.New("the transport is closed")
	}
	t.mu.Lock()
	first := t.closed == nil
	if first {
		t.closed = cause
	}
	t.mu.Unlock()
	if !first {
		return nil
	}
	for _, l := range t.links {
		if l != nil {
			l.fail(cause, cause.Error())
		}
	}
	t.stop()
	return nil
}
