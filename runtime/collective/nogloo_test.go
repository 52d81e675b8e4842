//go:build !cgo

package collective_test

import (
	"errors"
	"testing"

	"github.com/gospmd/gospmd/internal/testing/needs"
	"github.com/gospmd/gospmd/internal/testing/transporttest"
	"github.com/gospmd/gospmd/runtime/transport"
)

func needGloo(t testing.TB) {
	t.Helper()
	needs.Cgo(t, false)
}

func openGloo(int, int, transporttest.Files) (transport.Transport, error) {
	return nil, errors.New("BUG: no cgo")
}
