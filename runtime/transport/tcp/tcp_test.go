package tcp_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/runtime/transport"
	"github.com/gospmd/gospmd/runtime/transport/tcp"
	"github.com/gospmd/gospmd/runtime/transport/transporttest"
)

// open returns the transports of n ranks in this process.
func open(t testing.TB, n int, o tcp.Options) []transport.Transport {
	t.Helper()
	listeners, peers := make([]*tcp.Listener, n), make([]string, n)
	for rank := range n {
		l, err := tcp.Listen("127.0.0.1:0", o)
		require.NoError(t, err)
		listeners[rank], peers[rank] = l, l.Addr()
	}
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	ts, errs := make([]transport.Transport, n), make([]error, n)
	var wait sync.WaitGroup
	for rank, l := range listeners {
		wait.Go(func() { ts[rank], errs[rank] = l.Connect(ctx, rank, peers) })
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

func TestTransport(t *testing.T) {
	transporttest.Run(t, func(t *testing.T, n int) []transport.Transport { return open(t, n, tcp.Options{}) })
}

func BenchmarkTransport(b *testing.B) {
	transporttest.Benchmark(b, func(b *testing.B, n int) []transport.Transport { return open(b, n, tcp.Options{}) })
}
