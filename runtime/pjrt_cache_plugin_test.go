//go:build cgo

package runtime

// This file tests the compilation cache of a plugin that does not serialize.

import (
	"bytes"
	"log/slog"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/cache"
	"github.com/gospmd/gospmd/internal/testing/needs"
	"github.com/gospmd/gospmd/runtime/pjrtapi"
)

// If the plugin cannot serialize programs, the cache still lets them be compiled, stores no file,
// and logs one warning for several programs, with the plugin's own error.
func TestCompilationCachePluginCannot(t *testing.T) {
	KeepAll(t)
	header := needs.PJRTHeader(t)
	file := filepath.Join(t.TempDir(), "old.so")
	out, err := exec.Command("cc", "-shared", "-fPIC", "-I", header, "-o", file,
		filepath.Join("pjrtapi", "testdata", "old.c")).CombinedOutput()
	require.NoError(t, err, "%s", out)
	p, err := pjrtapi.Load(file)
	require.NoError(t, err)
	c, err := p.NewClient(nil)
	require.NoError(t, err)
	dir := t.TempDir()
	files, err := cache.Open(dir, 1<<20)
	require.NoError(t, err)
	warnings := new(bytes.Buffer)
	log := slog.New(slog.NewTextHandler(warnings, nil))
	executables := newExecutableCache(&compilationCache{entries: files, warn: func(text string) { log.Warn(text) }}, p, c)
	for range 2 {
		_, err := pjrtapi.Compile(c.Compile().WithStableHLO([]byte("some module")), func(call *pjrtapi.Compilation) {
			require.False(t, executables.compile(call))
		})
		require.NoError(t, err)
	}
	const want = "gospmd: compiled programs are not kept: the plugin does not serialize them: it has no PJRT_Executable_Serialize; GOSPMD_COMPILATION_CACHE=off says so without this line"
	require.Contains(t, warnings.String(), want)
	require.Equal(t, 1, strings.Count(warnings.String(), "\n"), "lines")
	require.Empty(t, func() []string { all, _ := filepath.Glob(filepath.Join(dir, "*")); return all }())
}
