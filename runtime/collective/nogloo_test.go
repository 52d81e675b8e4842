//go:build !cgo

package collective_test

import (
	"errors"
	"testing"

	"github.com/gospmd/gospmd/internal/needs"
	"github.com/gospmd/gospmd/runtime/transport"
	"github.com/gospmd/gospmd/runtime/transport/transporttest"
)

func needGloo(t testing.TB) {
	t.Helper()
	needs.Cgo(t, false)
}

func openGloo(int, int, transporttest.Files) (transport.Transport, error) {
	return nil, errors.New("BUG: no cgo")
}
