package transport

// This file implements a transport that consists of two: one moves short data, the other long data.

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"sync"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/ir"
)

// bySize implements Transport by two others. They connect the same processes; limits say which data
// long moves.
type bySize struct {
	short, long Transport
	limits      Limits
}

// Limits are sizes in bytes: BySize uses its long transport for data of at least that size.
type Limits struct {
	Message    int // the size of a message of an exchange
	Collective int // the size of the data that each process gives to a collective
}

// BySize returns a transport that leaves messages and collectives from these limits on to long, and
// others to short. Both connect the same processes. Closing it closes both.
//
// The sender of a long message also sends a note over short. So it is an error, and not an endless
// wait, if the two sides expect different lengths and only one of them counts as long.
func BySize(short, long Transport, limits Limits) Transport { return &bySize{short, long, limits} }

func (t *bySize) Rank() int { return t.short.Rank() }
func (t *bySize) Size() int { return t.short.Size() }

func (t *bySize) Exchange(ctx context.Context, tag uint64, sends, recvs []Message) error {
	shortSends, longSends := t.divide(sends)
	shortRecvs, longRecvs := t.divide(recvs)
	if len(longSends)+len(longRecvs) == 0 {
		return t.short.Exchange(ctx, tag, sends, recvs)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var errs [2]error
	var wait sync.WaitGroup
	wait.Go(func() {
		if errs[0] = t.short.Exchange(ctx, tag, shortSends, shortRecvs); errs[0] == nil {
			errs[0] = t.checkNotes(recvs, shortRecvs)
		}
		if errs[0] != nil {
			cancel(errs[0]) // the first error counts for both
		}
	})
	if errs[1] = t.long.Exchange(ctx, tag, longSends, longRecvs); errs[1] != nil {
		cancel(errs[1])
	}
	wait.Wait()
	if errs[0] != nil || errs[1] != nil {
		return context.Cause(ctx)
	}
	return nil
}

// divide returns the messages for the two transports: long has the messages of at least
// limits.Message bytes, and short the others in their order, with a note of the length in place of
// each long one.
func (t *bySize) divide(messages []Message) (short, long []Message) {
	for _, m := range messages {
		if len(m.Data) >= t.limits.Message {
			long = append(long, m)
			m.Data = note(len(m.Data))
		}
		short = append(short, m)
	}
	return short, long
}

// note returns the message that is sent over the transport for short data in place of a message of
// n bytes. It has 19 bytes, a length that no tensor with elements of two or more bytes has.
func note(n int) []byte { return binary.LittleEndian.AppendUint64([]byte("gospmd long"), uint64(n)) }

// checkNotes compares the notes that have arrived with the messages that they stand for. A
// difference is an error that names both ranks: the processes run different programs.
func (t *bySize) checkNotes(messages, notes []Message) error {
	for i, m := range messages {
		if want := note(len(m.Data)); len(m.Data) >= t.limits.Message && !bytes.Equal(notes[i].Data, want) {
			return fmt.Errorf("rank %d sends rank %d another message than one of %d bytes: the processes run different programs, or in another order", m.Rank, t.Rank(), len(m.Data))
		}
	}
	return nil
}

func (t *bySize) AllReduce(ctx context.Context, tag uint64, ranks []int, data []byte, dtype dtypes.DType, reduction ir.OpKind) error {
	if len(data) < t.limits.Collective {
		return t.short.AllReduce(ctx, tag, ranks, data, dtype, reduction)
	}
	return t.long.AllReduce(ctx, tag, ranks, data, dtype, reduction)
}

func (t *bySize) AllGather(ctx context.Context, tag uint64, ranks []int, data []byte) error {
	c := t.collectives(len(data) / len(ranks))
	if c == nil {
		return errors.ErrUnsupported
	}
	return c.AllGather(ctx, tag, ranks, data)
}

func (t *bySize) AllToAll(ctx context.Context, tag uint64, ranks []int, out, in []byte) error {
	c := t.collectives(len(out))
	if c == nil {
		return errors.ErrUnsupported
	}
	return c.AllToAll(ctx, tag, ranks, out, in)
}

// collectives returns the collectives of the transport for data of the given size, nil if it has
// none.
func (t *bySize) collectives(bytes int) Collectives {
	of := t.short
	if bytes >= t.limits.Collective {
		of = t.long
	}
	c, _ := of.(Collectives)
	return c
}

func (t *bySize) Close(cause error) error {
	return errors.Join(t.short.Close(cause), t.long.Close(cause))
}
