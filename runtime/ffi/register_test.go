//go:build cgo

package ffi_test

import (
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/runtime/ffi"
)

// A library that is no plugin is refused, with its name in the error. The test uses the C library,
// which is always loaded.
func TestRegisterWhatIsNoPlugin(t *testing.T) {
	require.ErrorContains(t, ffi.Register("/nowhere/plugin.so"), "lapack_cgees_ffi is not registered")
	require.ErrorContains(t, ffi.Register("libc.so.6"), "GetPjrtApi")
}

// XLA's plugin returns no error when it ignores a handler. But it does not ask the handler for its
// version.
func TestRegisterWithAPluginThatIgnoresIt(t *testing.T) {
	plugin := filepath.Join(t.TempDir(), "deaf.so")
	out, err := exec.Command("cc", "-shared", "-fPIC", "-o", plugin, filepath.Join("testdata", "deaf.c")).CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.ErrorContains(t, ffi.Register(plugin), "the plugin did not ask for its version")
}
