//go:build cgo

package gloo_test

import (
	"os"
	"strconv"
	"syscall"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/ir"
)

// TestBrokenPipe sends every thread of the process the signal of a write to a closed connection.
// The process and its connections must go on: Go ends a process in which a thread that Go has not
// made, such as Gloo's, gets SIGPIPE.
func TestBrokenPipe(t *testing.T) {
	ts := open(t, 2)
	threads, err := os.ReadDir("/proc/self/task")
	require.NoError(t, err)
	for _, thread := range threads {
		id, err := strconv.Atoi(thread.Name())
		require.NoError(t, err)
		syscall.Syscall(syscall.SYS_TGKILL, uintptr(os.Getpid()), uintptr(id), uintptr(syscall.SIGPIPE))
	}
	done := make(chan error)
	for _, tr := range ts {
		go func() {
			done <- tr.AllReduce(t.Context(), 1, []int{0, 1}, make([]byte, 1<<20), dtypes.Float32, ir.OpAdd)
		}()
	}
	require.NoError(t, <-done)
	require.NoError(t, <-done)
}
