package collective_test

// This file opens the transports that collectives are tested over.

import (
	"context"
	"errors"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/runtime/transport"
	"github.com/gospmd/gospmd/runtime/transport/tcp"
	"github.com/gospmd/gospmd/runtime/transport/transporttest"
)

// transports are what the random scenarios run over, and how many of each kind.
var transports = []struct {
	name string
	open func(t testing.TB, n int) []transport.Transport
	runs int
}{
	{"local", func(_ testing.TB, n int) []transport.Transport { return transporttest.Local(n) }, 400},
	{"with all-reduce", func(_ testing.TB, n int) []transport.Transport { return withAllReduce(transporttest.Local(n)) }, 100},
	{"tcp", overTCP, 60},
	{"gloo", overGloo, 60},
}

// overTCP returns the transports of n ranks that are connected by TCP.
func overTCP(t testing.TB, n int) []transport.Transport {
	listeners, peers := make([]*tcp.Listener, n), make([]string, n)
	for rank := range n {
		l, err := tcp.Listen("127.0.0.1:0", tcp.Options{})
		require.NoError(t, err)
		listeners[rank], peers[rank] = l, l.Addr()
	}
	ts, errs := make([]transport.Transport, n), make([]error, n)
	var wait sync.WaitGroup
	for rank, l := range listeners {
		wait.Go(func() { ts[rank], errs[rank] = l.Connect(context.Background(), rank, peers) })
	}
	wait.Wait()
	require.NoError(t, errors.Join(errs...))
	t.Cleanup(func() {
		var wait sync.WaitGroup
		for _, tr := range ts {
			wait.Go(func() { tr.Close(nil) })
		}
		wait.Wait()
	})
	return ts
}
