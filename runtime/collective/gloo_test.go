//go:build cgo

package collective_test

import (
	"context"
	"testing"

	"github.com/gospmd/gospmd/internal/testing/needs"
	"github.com/gospmd/gospmd/internal/testing/transporttest"
	"github.com/gospmd/gospmd/runtime/transport"
	"github.com/gospmd/gospmd/runtime/transport/gloo"
)

// needGloo skips a test if Gloo is not installed.
func needGloo(t testing.TB) {
	t.Helper()
	needs.Gloo(t)
}

// openGloo connects one rank, of size ranks, by Gloo and returns its transport. The ranks find each
// other in store.
func openGloo(rank, size int, store transporttest.Files) (transport.Transport, error) {
	return gloo.Open(context.Background(), gloo.Options{Rank: rank, Size: size, Host: "127.0.0.1", Store: store})
}
