package runtime_test

// This file names plugins that cannot be used: the engine written in Go does not take
// their place.

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/runtime"
)

func TestNamedPlugin(t *testing.T) {
	t.Setenv("GOSPMD_ENGINE", "")
	dir := t.TempDir()
	text := filepath.Join(dir, "text.so")
	require.NoError(t, os.WriteFile(text, []byte("no library"), 0o644))
	for _, path := range []string{filepath.Join(dir, "absent.so"), text, dir} {
		t.Setenv("GOSPMD_PJRT_PLUGIN", path)
		var warnings bytes.Buffer
		_, err := runtime.Open(t.Context(), runtime.Options{Devices: 2, Warnings: &warnings})
		require.ErrorContains(t, err, "$GOSPMD_PJRT_PLUGIN names the PJRT plugin "+path)
		require.Empty(t, warnings.String())
	}
}
