//go:build cgo

package ffi_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/runtime/ffi"
)

// A library that is no plugin is refused by name; the C library is always there.
func TestRegisterWhatIsNoPlugin(t *testing.T) {
	require.ErrorContains(t, ffi.Register("/nowhere/plugin.so"), "lapack_cgees_ffi is not registered")
	require.ErrorContains(t, ffi.Register("libc.so.6"), "GetPjrtApi")
}
