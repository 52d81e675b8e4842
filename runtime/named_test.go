package runtime_test

// This file opens clients on a machine without a plugin: Open takes the engine written in Go,
// unless the user has named a plugin.

import (
	"bytes"
	"log/slog"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/plainlog"
	"github.com/gospmd/gospmd/internal/testing/needs"
	"github.com/gospmd/gospmd/runtime"
	"github.com/gospmd/gospmd/runtime/plugin"
)

func TestNamedPlugin(t *testing.T) {
	t.Setenv("GOSPMD_ENGINE", "")
	dir := t.TempDir()
	text := filepath.Join(dir, "text.so")
	require.NoError(t, os.WriteFile(text, []byte("no library"), 0o644))
	for _, path := range []string{filepath.Join(dir, "absent.so"), text, dir} {
		t.Setenv("GOSPMD_PJRT_PLUGIN", path)
		var warnings bytes.Buffer
		_, err := runtime.Open(t.Context(), runtime.Options{Devices: 2, Logger: slog.New(slog.NewTextHandler(&warnings, nil))})
		require.ErrorContains(t, err, "$GOSPMD_PJRT_PLUGIN names the PJRT plugin "+path)
		require.Empty(t, warnings.String())
	}
}

// TestNoPlugin opens a client where no plugin is installed and none can be downloaded. It must get
// the Go engine, and a warning that says how to install a plugin.
func TestNoPlugin(t *testing.T) {
	needs.Cgo(t, runtime.HasPJRT)
	empty := t.TempDir()
	for name, value := range map[string]string{
		"GOSPMD_ENGINE": "", "GOSPMD_PLATFORM": "", plugin.PathVar: "", plugin.DirsVar: "", "HTTPS_PROXY": "http://localhost:1",
		"PATH": empty, "HOME": empty, "XDG_CACHE_HOME": empty, "VIRTUAL_ENV": "", "CONDA_PREFIX": "", "PYTHONPATH": "",
	} {
		t.Setenv(name, value)
	}
	var warnings bytes.Buffer
	c, err := runtime.Open(t.Context(), runtime.Options{Devices: 2, Logger: plainlog.New(&warnings)})
	require.NoError(t, err)
	defer c.Close()
	require.Regexp(t, `^gospmd: programs run on the engine written in Go, which is slower than XLA \(GOSPMD_ENGINE=go chooses it without this line\), because: cannot install `, warnings.String())
}
