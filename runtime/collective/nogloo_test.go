//go:build !cgo

package collective_test

import (
	"testing"

	"github.com/gospmd/gospmd/runtime/transport"
)

func overGloo(t testing.TB, _ int) []transport.Transport {
	t.Skip("Gloo needs cgo")
	return nil
}
