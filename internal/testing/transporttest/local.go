package transporttest

// This file implements a transport between goroutines of one process.

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/runtime/transport"
)

// Local returns the transports of n ranks in this process. They have no AllReduce.
// When one is closed, the others' operations that wait for it fail.
func Local(n int) []transport.Transport {
	h := &hub{queues: make(map[route][][]byte), closed: make([]error, n)}
	h.change.L = &h.mu
	out := make([]transport.Transport, n)
	for rank := range n {
		out[rank] = &local{h, rank}
	}
	return out
}

// hub holds the messages in transit.
type hub struct {
	mu     sync.Mutex
	change sync.Cond
	queues map[route][][]byte
	closed []error // by rank
}

type route struct {
	from, to int
	tag      uint64
}

type local struct {
	*hub
	rank int
}

func (l *local) Rank() int { return l.rank }
func (l *local) Size() int { return len(l.closed) }

func (l *local) Exchange(ctx context.Context, tag uint64, sends, recvs []transport.Message) error {
	for _, m := range slices.Concat(sends, recvs) {
		if m.Rank < 0 || m.Rank >= l.Size() || m.Rank == l.rank {
			return fmt.Errorf("rank %d exchanges a message with rank %d, want another rank below %d", l.rank, m.Rank, l.Size())
		}
	}
	stop := context.AfterFunc(ctx, func() { l.mu.Lock(); defer l.mu.Unlock(); l.change.Broadcast() })
	defer stop()
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.closed[l.rank]; err != nil {
		return err
	}
	for _, m := range sends {
		r := route{l.rank, m.Rank, tag}
		l.queues[r] = append(l.queues[r], slices.Clone(m.Data))
	}
	l.change.Broadcast()
	for _, m := range recvs {
		if err := l.receive(ctx, route{m.Rank, l.rank, tag}, m.Data); err != nil {
			return err
		}
	}
	return nil
}

// receive waits for a message of the route r, and copies it to data. It returns an error if one of
// both ranks is closed, or if ctx ends. The caller holds the lock.
func (l *local) receive(ctx context.Context, r route, data []byte) error {
	for len(l.queues[r]) == 0 {
		switch {
		case l.closed[l.rank] != nil:
			return l.closed[l.rank]
		case l.closed[r.from] != nil:
			return fmt.Errorf("rank %d: rank %d is gone: %w", l.rank, r.from, l.closed[r.from])
		case ctx.Err() != nil:
			return context.Cause(ctx)
		}
		l.change.Wait()
	}
	got := l.queues[r][0]
	l.queues[r] = l.queues[r][1:]
	if len(l.queues[r]) == 0 {
		delete(l.queues, r)
	}
	if len(got) != len(data) {
		return fmt.Errorf("rank %d sent %d bytes to rank %d, which expects %d", r.from, len(got), r.to, len(data))
	}
	copy(data, got)
	return nil
}

func (l *local) AllReduce(context.Context, uint64, []int, []byte, dtypes.DType, ir.OpKind) error {
	return errors.ErrUnsupported
}

func (l *local) Close(cause error) error {
	if cause == nil {
		cause = errors.New("the transport is closed")
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed[l.rank] == nil {
		l.closed[l.rank] = cause
	}
	l.change.Broadcast()
	return nil
}

// Counter is a transport that counts its Exchanges, and the Bytes that its rank sends in them.
type Counter struct {
	transport.Transport
	Bytes, Exchanges atomic.Int64
}

// Counted returns t as a Counter.
func Counted(t transport.Transport) *Counter { return &Counter{Transport: t} }

// Exchange counts the bytes of sends, and calls the transport's Exchange.
func (c *Counter) Exchange(ctx context.Context, tag uint64, sends, recvs []transport.Message) error {
	c.Exchanges.Add(1)
	for _, m := range sends {
		c.Bytes.Add(int64(len(m.Data)))
	}
	return c.Transport.Exchange(ctx, tag, sends, recvs)
}
