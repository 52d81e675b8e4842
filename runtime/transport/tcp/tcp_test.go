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

func BenchmarkRoundTrip(b *testing.B) {
	ts := open(b, 2, tcp.Options{})
	both(b, ts, func(tr transport.Transport) error {
		other, data := 1-tr.Rank(), make([]byte, 1024)
		for range b.N {
			m := []transport.Message{{Rank: other, Data: data}}
			var err error
			if tr.Rank() == 0 {
				if err = tr.Exchange(context.Background(), 1, m, nil); err == nil {
					err = tr.Exchange(context.Background(), 1, nil, m)
				}
			} else {
				if err = tr.Exchange(context.Background(), 1, nil, m); err == nil {
					err = tr.Exchange(context.Background(), 1, m, nil)
				}
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

func BenchmarkThroughput(b *testing.B) {
	ts := open(b, 2, tcp.Options{})
	const size = 16 << 20
	b.SetBytes(size)
	both(b, ts, func(tr transport.Transport) error {
		m := []transport.Message{{Rank: 1 - tr.Rank(), Data: make([]byte, size)}}
		for range b.N {
			var err error
			if tr.Rank() == 0 {
				err = tr.Exchange(context.Background(), 1, m, nil)
			} else {
				err = tr.Exchange(context.Background(), 1, nil, m)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

func both(b *testing.B, ts []transport.Transport, do func(tr transport.Transport) error) {
	b.ResetTimer()
	errs := make([]error, len(ts))
	var wait sync.WaitGroup
	for i, tr := range ts {
		wait.Go(func() { errs[i] = do(tr) })
	}
	wait.Wait()
	require.NoError(b, errors.Join(errs...))
}
