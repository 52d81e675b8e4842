//go:build cgo

package gloo

// This file implements transport.Transport with Gloo.

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/runtime/transport"
)

// dtypeNumbers and reductionNumbers list the element types and the reductions that Gloo's
// all-reduce supports. The index of each is its number in the tables of shim/shim.cc.
var (
	dtypeNumbers     = []dtypes.DType{dtypes.Float32, dtypes.Float64, dtypes.BFloat16, dtypes.Float16, dtypes.Int32, dtypes.Int64}
	reductionNumbers = []ir.OpKind{ir.OpAdd, ir.OpMultiply, ir.OpMaximum, ir.OpMinimum}
)

// glooTransport implements transport.Transport.
type glooTransport struct {
	rank    int
	options Options
	device  device
	all     *group

	ctx    context.Context // the context of calls of the Store
	cancel context.CancelCauseFunc
	active sync.WaitGroup // operations that use connections

	mu     sync.Mutex
	err    error // the reason why no operation can run any more
	groups map[string]*group
	freed  bool
}

func newTransport(o Options, d device) *glooTransport {
	t := &glooTransport{rank: o.Rank, options: o, device: d, groups: make(map[string]*group)}
	t.ctx, t.cancel = context.WithCancelCause(context.Background())
	return t
}

func (t *glooTransport) Rank() int { return t.rank }
func (t *glooTransport) Size() int { return t.options.Size }

func (t *glooTransport) Exchange(ctx context.Context, tag uint64, sends, recvs []transport.Message) error {
	for _, list := range [][]transport.Message{sends, recvs} {
		for _, m := range list {
			if m.Rank < 0 || m.Rank >= t.Size() || m.Rank == t.rank {
				return fmt.Errorf("rank %d exchanges a message with rank %d, want another rank below %d", t.rank, m.Rank, t.Size())
			}
		}
	}
	if len(sends)+len(recvs) == 0 {
		return t.cause()
	}
	return t.run(ctx, t.all, func() error {
		err := t.all.exchange(tag, sends, recvs)
		if l := new(lengthError); errors.As(err, &l) {
			m := recvs[l.message]
			err = fmt.Errorf("rank %d sends %d bytes to rank %d with tag %d, which expects %d: the processes run different programs, or in another order", m.Rank, l.sent, t.rank, tag, len(m.Data))
		}
		return err
	})
}

func (t *glooTransport) AllReduce(ctx context.Context, tag uint64, ranks []int, data []byte, dtype dtypes.DType, reduction ir.OpKind) error {
	d, r := slices.Index(dtypeNumbers, dtype), slices.Index(reductionNumbers, reduction)
	if d < 0 || r < 0 {
		return errors.ErrUnsupported
	}
	return t.doTogether(ctx, ranks, len(data), func(g *group) error {
		return g.allReduce(tag, data, len(data)/ir.ElementBytes(dtype), d, r)
	})
}

// AllGather implements transport.Collectives, by Gloo. data has one part for each of ranks, in
// their order and of equal length, this rank's own among them; another length is an error.
func (t *glooTransport) AllGather(ctx context.Context, tag uint64, ranks []int, data []byte) error {
	if len(data)%len(ranks) != 0 {
		return fmt.Errorf("rank %d gathers %d bytes of %d ranks, want as many of each", t.rank, len(data), len(ranks))
	}
	return t.doTogether(ctx, ranks, len(data), func(g *group) error { return g.allGather(tag, data) })
}

// AllToAll implements transport.Collectives, by Gloo. out and in have one part for each of ranks,
// in their order and all of equal length; other lengths are an error.
func (t *glooTransport) AllToAll(ctx context.Context, tag uint64, ranks []int, out, in []byte) error {
	if len(out) != len(in) || len(out)%len(ranks) != 0 {
		return fmt.Errorf("rank %d sends %d bytes to %d ranks and receives %d, want as many of each", t.rank, len(out), len(ranks), len(in))
	}
	if len(ranks) == 1 {
		copy(in, out)
	}
	return t.doTogether(ctx, ranks, len(out), func(g *group) error { return g.allToAll(tag, out, in) })
}

// doTogether calls do with the connections between ranks, for a collective with the given number of
// bytes of data. It does nothing if there are no bytes, or if the only rank is this one. ranks that
// do not exist, or without this process, are an error.
func (t *glooTransport) doTogether(ctx context.Context, ranks []int, bytes int, do func(g *group) error) error {
	ranks = slices.Sorted(slices.Values(ranks))
	if !slices.Contains(ranks, t.rank) || ranks[0] < 0 || ranks[len(ranks)-1] >= t.Size() {
		return fmt.Errorf("rank %d has a collective over the ranks %v, want it among them, and all below %d", t.rank, ranks, t.Size())
	}
	if bytes == 0 || len(ranks) == 1 {
		return t.cause()
	}
	g, err := t.group(ctx, ranks)
	if err != nil {
		t.fail(err)
		return t.cause()
	}
	return t.run(ctx, g, func() error { return do(g) })
}

// run calls do, an operation on the connections of g, and returns its error. If do fails, or ctx
// ends before it, the transport ends: all its operations fail, with an error that names the ranks
// whose connections are lost.
func (t *glooTransport) run(ctx context.Context, g *group, do func() error) error {
	t.mu.Lock()
	if t.err != nil {
		defer t.mu.Unlock()
		return t.err
	}
	t.active.Add(1)
	t.mu.Unlock()
	defer t.active.Done()
	stop := context.AfterFunc(ctx, func() {
		t.fail(fmt.Errorf("rank %d: an operation was cancelled: %w", t.rank, context.Cause(ctx)))
	})
	defer stop()
	if err := do(); err != nil {
		t.fail(t.diagnose(g, err))
		return t.cause()
	}
	return nil
}

// diagnose returns err, the error of an operation or nil for a lost connection, with the ranks
// whose connections are lost. If the transport has failed already, it returns the reason of that
// instead.
func (t *glooTransport) diagnose(g *group, err error) error {
	if cause := t.cause(); cause != nil {
		return cause // the cause has ended the operation
	}
	var ranks []string
	for _, i := range g.lostRanks() {
		ranks = append(ranks, fmt.Sprint("rank ", g.ranks[i]))
	}
	if err == nil {
		err = errors.New("the connection is closed")
	}
	if len(ranks) == 0 {
		return fmt.Errorf("rank %d: %w", t.rank, err)
	}
	return fmt.Errorf("rank %d has lost its connection to %s: %w", t.rank, strings.Join(ranks, " and "), err)
}

func (t *glooTransport) cause() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.err
}

// fail ends all operations with err, and closes the connections after a grace. Only the first call
// counts.
func (t *glooTransport) fail(err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.err != nil {
		return
	}
	t.err = err
	t.cancel(err)
	for _, g := range t.groups {
		if g.handle != nil {
			g.abort()
		}
	}
	// The other processes of an operation must not wait for this one. But if a process is lost,
	// they must first see the loss of that process.
	time.AfterFunc(grace, t.hangUp)
}

// grace is how long connections stay open after an operation has failed.
const grace = 300 * time.Millisecond

func (t *glooTransport) hangUp() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, g := range t.groups {
		if g.handle != nil && !t.freed {
			g.hangUp()
		}
	}
}

// farewell is how long Close waits until operations have ended.
const farewell = 2 * time.Second

func (t *glooTransport) Close(cause error) error {
	if cause == nil {
		cause = errors.New("the transport is closed")
	}
	t.fail(cause)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		t.active.Wait()
		t.free()
	}()
	select {
	case <-ended:
		return nil
	case <-time.After(farewell):
		return fmt.Errorf("rank %d: operations of Gloo did not end within %s", t.rank, farewell)
	}
}

// free releases the connections of all groups, and the device, once. No operation uses them any
// more.
func (t *glooTransport) free() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.freed {
		return
	}
	t.freed = true
	for _, g := range t.groups {
		if g.handle != nil {
			g.connections.free()
		}
	}
	t.device.free()
}
