package transporttest

// This file opens transports for tests.

import (
	"errors"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/runtime/transport"
)

// Open opens the transports of n ranks in parallel, each by open, and closes them when the test
// ends.
func Open(t testing.TB, n int, open func(rank int) (transport.Transport, error)) []transport.Transport {
	t.Helper()
	ts, errs := make([]transport.Transport, n), make([]error, n)
	each := func(do func(rank int) error) error {
		var wait sync.WaitGroup
		for rank := range n {
			wait.Go(func() { errs[rank] = do(rank) })
		}
		wait.Wait()
		return errors.Join(errs...)
	}
	require.NoError(t, each(func(rank int) (err error) {
		ts[rank], err = open(rank)
		return err
	}))
	t.Cleanup(func() { require.NoError(t, each(func(rank int) error { return ts[rank].Close(nil) })) })
	return ts
}
