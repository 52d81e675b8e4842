//go:build cgo

package collective_test

import (
	"context"
	"errors"
	"os/exec"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/runtime/transport"
	"github.com/gospmd/gospmd/runtime/transport/gloo"
)

// values is the Store of ranks in one process: each key is set once.
type values struct{ sync.Map }

func (v *values) entry(key string) chan []byte {
	c, _ := v.LoadOrStore(key, make(chan []byte, 1))
	return c.(chan []byte)
}

func (v *values) Set(_ context.Context, key string, value []byte) error {
	v.entry(key) <- value
	return nil
}

func (v *values) Get(ctx context.Context, key string) ([]byte, error) {
	c := v.entry(key)
	select {
	case value := <-c:
		c <- value
		return value, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// overGloo returns the transports of n ranks that Gloo connects.
func overGloo(t testing.TB, n int) []transport.Transport {
	if err := exec.Command("g++", "-E", "-x", "c++", "-include", "gloo/allreduce.h", "/dev/null").Run(); err != nil {
		t.Skipf("Gloo is not installed (apt-get install libgloo-dev g++): %v", err)
	}
	store := new(values)
	ts, errs := make([]transport.Transport, n), make([]error, n)
	var wait sync.WaitGroup
	for rank := range n {
		wait.Go(func() {
			ts[rank], errs[rank] = gloo.Open(context.Background(), gloo.Options{Rank: rank, Size: n, Host: "127.0.0.1", Store: store})
		})
	}
	wait.Wait()
	require.NoError(t, errors.Join(errs...))
	t.Cleanup(func() {
		for _, tr := range ts {
			tr.Close(nil)
		}
	})
	return ts
}
