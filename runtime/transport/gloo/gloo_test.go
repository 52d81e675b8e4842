//go:build cgo

package gloo_test

import (
	"context"
	"errors"
	"os/exec"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/runtime/transport"
	"github.com/gospmd/gospmd/runtime/transport/gloo"
	"github.com/gospmd/gospmd/runtime/transport/transporttest"
)

// memory is a Store within one process.
type memory struct {
	mu     sync.Mutex
	change *sync.Cond
	values map[string][]byte
}

func newMemory() *memory {
	m := &memory{values: make(map[string][]byte)}
	m.change = sync.NewCond(&m.mu)
	return m
}

func (m *memory) Set(_ context.Context, key string, value []byte) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.values[key] = value
	m.change.Broadcast()
	return nil
}

func (m *memory) Get(ctx context.Context, key string) ([]byte, error) {
	stop := context.AfterFunc(ctx, func() { m.mu.Lock(); defer m.mu.Unlock(); m.change.Broadcast() })
	defer stop()
	m.mu.Lock()
	defer m.mu.Unlock()
	for m.values[key] == nil {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		m.change.Wait()
	}
	return m.values[key], nil
}

// open returns the transports of n ranks in this process.
func open(t testing.TB, n int) []transport.Transport {
	t.Helper()
	need(t)
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	store := newMemory()
	ts, errs := make([]transport.Transport, n), make([]error, n)
	var wait sync.WaitGroup
	for rank := range n {
		wait.Go(func() {
			ts[rank], errs[rank] = gloo.Open(ctx, gloo.Options{Rank: rank, Size: n, Host: "127.0.0.1", Store: store})
		})
	}
	wait.Wait()
	require.NoError(t, errors.Join(errs...))
	t.Cleanup(func() {
		for _, tr := range ts {
			require.NoError(t, tr.Close(nil))
		}
	})
	return ts
}

// need skips a test where Gloo is not installed.
func need(t testing.TB) {
	t.Helper()
	probe := exec.Command("g++", "-E", "-x", "c++", "-include", "gloo/allreduce.h", "/dev/null")
	if err := probe.Run(); err != nil {
		t.Skipf("Gloo is not installed (apt-get install libgloo-dev g++): %v", err)
	}
}

func TestTransport(t *testing.T) {
	transporttest.Run(t, func(t *testing.T, n int) []transport.Transport { return open(t, n) })
}
