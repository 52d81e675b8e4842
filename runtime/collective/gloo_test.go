//go:build cgo

package collective_test

import (
	"context"
	"os/exec"
	"testing"

	"github.com/gospmd/gospmd/runtime/transport"
	"github.com/gospmd/gospmd/runtime/transport/gloo"
	"github.com/gospmd/gospmd/runtime/transport/transporttest"
)

// needGloo skips a test where Gloo is not installed.
func needGloo(t testing.TB) {
	if err := exec.Command("g++", "-E", "-x", "c++", "-include", "gloo/allreduce.h", "/dev/null").Run(); err != nil {
		t.Skipf("Gloo is not installed (apt-get install libgloo-dev g++): %v", err)
	}
}

// openGloo connects one rank by Gloo.
func openGloo(rank, size int, store transporttest.Files) (transport.Transport, error) {
	return gloo.Open(context.Background(), gloo.Options{Rank: rank, Size: size, Host: "127.0.0.1", Store: store})
}
