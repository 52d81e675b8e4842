//go:build cgo

package runtime

// This file tests the compilation cache of a plugin that does not serialize.

import (
	"bytes"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/runtime/execcache"
	"github.com/gospmd/gospmd/runtime/pjrtapi"
)

// The plugin's own words say why nothing is kept, once; programs are compiled all the same.
func TestCompilationCachePluginCannot(t *testing.T) {
	KeepAll(t)
	module, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/gomlx/go-xla").Output()
	if err != nil {
		t.Skip("the go command does not find go-xla's header: ", err)
	}
	file := filepath.Join(t.TempDir(), "old.so")
	out, err := exec.Command("cc", "-shared", "-fPIC", "-I", filepath.Join(strings.TrimSpace(string(module)), "pjrt"), "-o", file,
		filepath.Join("pjrtapi", "testdata", "old.c")).CombinedOutput()
	require.NoError(t, err, "%s", out)
	p, err := pjrtapi.Load(file)
	require.NoError(t, err)
	c, err := p.NewClient(nil)
	require.NoError(t, err)
	dir := t.TempDir()
	files, err := execcache.Open(dir, 1<<20)
	require.NoError(t, err)
	warnings := new(bytes.Buffer)
	cache := newCompilationCache(files, p, c, Options{Warnings: warnings})
	for range 2 {
		_, err := pjrtapi.Compile(c.Compile().WithStableHLO([]byte("some module")), func(call *pjrtapi.Compilation) {
			require.False(t, cache.compile(call))
		})
		require.NoError(t, err)
	}
	require.Equal(t, "gospmd: compiled programs are not kept: the plugin does not serialize them: it has no PJRT_Executable_Serialize; GOSPMD_COMPILATION_CACHE=off says so without this line\n", warnings.String())
	require.Empty(t, func() []string { all, _ := filepath.Glob(filepath.Join(dir, "*")); return all }())
}
