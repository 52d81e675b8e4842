package collective_test

// This file opens the transports that collectives are tested over.

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/internal/testing/transporttest"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/runtime/transport"
	"github.com/gospmd/gospmd/runtime/transport/tcp"
)

// transports are the transports that the random scenarios run over, with the number of scenarios
// for each kind of collective; the long form has three times as many, and the short form a third.
var transports = []struct {
	name string
	open func(t testing.TB, n int) []transport.Transport
	runs int
}{
	{"local", func(_ testing.TB, n int) []transport.Transport { return transporttest.Local(n) }, 400},
	{"with all-reduce", func(_ testing.TB, n int) []transport.Transport { return withAllReduce(transporttest.Local(n)) }, 100},
	{"tcp", func(t testing.TB, n int) []transport.Transport { return openAll(t, "tcp", n) }, 60},
	{"gloo", func(t testing.TB, n int) []transport.Transport { return openAll(t, "gloo", n) }, 60},
	{"exchanges over gloo", func(t testing.TB, n int) []transport.Transport { return withoutCollectives(openAll(t, "gloo", n)) }, 60},
}

// openRank connects one rank, of size ranks, by the transport with the name over, "tcp" or "gloo",
// and returns it. The ranks find each other in store.
func openRank(over string, rank, size int, store transporttest.Files) (transport.Transport, error) {
	if over == "gloo" {
		return openGloo(rank, size, store)
	}
	l, err := tcp.Listen("127.0.0.1:0", tcp.Options{})
	if err != nil {
		return nil, err
	}
	ctx := context.Background()
	if err := store.Set(ctx, fmt.Sprint(rank), []byte(l.Addr())); err != nil {
		return nil, err
	}
	peers := make([]string, size)
	for i := range peers {
		address, err := store.Get(ctx, fmt.Sprint(i))
		if err != nil {
			return nil, err
		}
		peers[i] = string(address)
	}
	return l.Connect(ctx, rank, peers)
}

// openAll returns the transports of n ranks in this process: "gloo", or "tcp" for another value of
// over. It skips the test if Gloo is not there.
func openAll(t testing.TB, over string, n int) []transport.Transport {
	if over == "gloo" {
		needGloo(t)
	}
	store := transporttest.Files(t.TempDir())
	return transporttest.Open(t, n, func(rank int) (transport.Transport, error) { return openRank(over, rank, n, store) })
}

// exchanging hides the transport's own collectives, so that package collective exchanges messages.
type exchanging struct{ transport.Transport }

func (exchanging) AllReduce(context.Context, uint64, []int, []byte, dtypes.DType, ir.OpKind) error {
	return errors.ErrUnsupported
}

func withoutCollectives(ts []transport.Transport) []transport.Transport {
	for i, t := range ts {
		ts[i] = exchanging{t}
	}
	return ts
}
