package memtest_test

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/memtest"
)

// recorder notes that a test failed.
type recorder struct {
	testing.TB
	failed bool
}

func (r *recorder) Errorf(string, ...any) { r.failed = true }
func (r *recorder) Helper()               {}

var kept []byte

func TestWithin(t *testing.T) {
	allocate := func(n int) func() {
		return func() {
			kept = make([]byte, n)
			for i := 0; i < n; i += 4096 {
				kept[i] = 1
			}
			runtime.KeepAlive(kept)
			kept = nil
		}
	}
	r := &recorder{TB: t}
	memtest.Within(r, 0, allocate(50e6))
	require.False(t, r.failed)
	memtest.Within(r, 10e6, allocate(140e6))
	require.False(t, r.failed)
	memtest.Within(r, 0, allocate(90e6))
	require.True(t, r.failed)

	r.failed = false
	memtest.Within(r, 0, func() { // allocates garbage, but holds little at a time
		for range 200 {
			allocate(1e6)()
		}
	})
	require.False(t, r.failed)
}
