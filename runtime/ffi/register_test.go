//go:build cgo

package ffi_test

import (
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/runtime/ffi"
)

// Register returns an error for a library that is no plugin. For a file that does not exist, the
// error names the first handler. For the C library, which is always loaded, it says that the
// function GetPjrtApi is missing.
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
