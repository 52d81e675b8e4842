package jobtest

// This file finds addresses for jobs.

import (
	"fmt"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// FreeAddress returns an address of this machine on which no program listens, and which nobody but
// the test gets until it ends: a socket is bound to it that does not listen. A listener may take
// the address over, as both set SO_REUSEADDR, but the system gives the port to no other socket.
func FreeAddress(t testing.TB) string {
	t.Helper()
	socket, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
	require.NoError(t, err)
	t.Cleanup(func() { syscall.Close(socket) })
	require.NoError(t, syscall.SetsockoptInt(socket, syscall.SOL_SOCKET, syscall.SO_REUSEADDR, 1))
	require.NoError(t, syscall.Bind(socket, &syscall.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}))
	address, err := syscall.Getsockname(socket)
	require.NoError(t, err)
	return fmt.Sprintf("127.0.0.1:%d", address.(*syscall.SockaddrInet4).Port)
}
