//go:build cgo

package collective_test

import (
	"context"
	"testing"

	"github.com/gospmd/gospmd/internal/needs"
	"github.com/gospmd/gospmd/runtime/transport"
	"github.com/gospmd/gospmd/runtime/transport/gloo"
	"github.com/gospmd/gospmd/runtime/transport/transporttest"
)

// needGloo skips a test if Gloo is not installed.
func needGloo(t testing.TB) {
	t.Helper()
	needs.Gloo(t)
}

// openGloo connects one rank by Gloo.
func openGloo(rank, size int, store transporttest.Files) (transport.Transport, error) {
	return gloo.Open(context.Background(), gloo.Options{Rank: rank, Size: size, Host: "127.0.0.1", Store: store})
}
