//go:build cgo

package gloo_test

import (
	"context"
	"testing"
	"time"

	"github.com/gospmd/gospmd/internal/testing/needs"
	"github.com/gospmd/gospmd/internal/testing/transporttest"
	"github.com/gospmd/gospmd/runtime/transport"
	"github.com/gospmd/gospmd/runtime/transport/gloo"
)

// open returns the transports of n ranks in this process, connected by Gloo through the loopback
// address. It skips the test if Gloo is not installed.
func open(t testing.TB, n int) []transport.Transport {
	t.Helper()
	need(t)
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	store := transporttest.Files(t.TempDir())
	return transporttest.Open(t, n, func(rank int) (transport.Transport, error) {
		return gloo.Open(ctx, gloo.Options{Rank: rank, Size: n, Host: "127.0.0.1", Store: store})
	})
}

// need skips the test, with the reason, if Gloo's headers cannot be compiled here.
func need(t testing.TB) {
	t.Helper()
	needs.Gloo(t)
}

func TestTransport(t *testing.T) {
	transporttest.Run(t, func(t *testing.T, n int) []transport.Transport { return open(t, n) })
}

func BenchmarkTransport(b *testing.B) {
	transporttest.Benchmark(b, func(b *testing.B, n int) []transport.Transport { return open(b, n) })
}
