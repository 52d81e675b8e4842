package tcp_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/testing/transporttest"
	"github.com/gospmd/gospmd/runtime/transport"
	"github.com/gospmd/gospmd/runtime/transport/tcp"
)

// open returns the transports of n ranks in this process, by rank, connected by TCP with the
// options o. They are closed when the test ends.
func open(t testing.TB, n int, o tcp.Options) []transport.Transport {
	t.Helper()
	listeners, peers := make([]*tcp.Listener, n), make([]string, n)
	for rank := range n {
		l, err := tcp.Listen("127.0.0.1:0", o)
		require.NoError(t, err)
		listeners[rank], peers[rank] = l, l.Addr()
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	return transporttest.Open(t, n, func(rank int) (transport.Transport, error) { return listeners[rank].Connect(ctx, rank, peers) })
}

func TestTransport(t *testing.T) {
	transporttest.Run(t, func(t *testing.T, n int) []transport.Transport { return open(t, n, tcp.Options{}) })
}

func BenchmarkTransport(b *testing.B) {
	transporttest.Benchmark(b, func(b *testing.B, n int) []transport.Transport { return open(b, n, tcp.Options{}) })
}
