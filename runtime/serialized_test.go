//go:build cgo

package runtime_test

// This file tests programs that were compiled by another client.

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/cache"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/runtime"
)

// An executable of one client runs on another client: it computes the same bits, uses the same
// memory and donates the same arguments. Data that is no executable is an error.
func TestLoadSerialized(t *testing.T) {
	dir := t.TempDir()
	c, _ := cached(t, dir)
	p := cachedStep.compile(t, mesh.MustParse("data=4"))
	compiled := load(t, c, p)
	want := cachedStep.losses(t, c, compiled, 3, 1)
	memory, err := compiled.Memory()
	require.NoError(t, err)

	key, ok := cache.KeyOfFile(entries(t, dir)[0])
	require.True(t, ok)
	files, err := cache.Open(dir, 1<<30)
	require.NoError(t, err)
	executable, err := files.Get(key)
	require.NoError(t, err)

	other, warnings := cached(t, t.TempDir())
	e, err := other.LoadSerialized(t.Context(), p, executable)
	require.NoError(t, err)
	require.Equal(t, want, cachedStep.losses(t, other, e, 3, 1))
	got, err := e.Memory()
	require.NoError(t, err)
	require.Equal(t, memory, got)
	require.False(t, e.FromCache())

	_, err = other.LoadSerialized(t.Context(), p, []byte("no executable"))
	require.ErrorContains(t, err, "the plugin does not load the executable")
	require.Empty(t, warnings.String())
}

// The Go engine has no serialized executables.
func TestLoadSerializedGo(t *testing.T) {
	c, err := runtime.Open(t.Context(), runtime.Options{Devices: 4, Engine: runtime.EngineGo})
	require.NoError(t, err)
	defer c.Close()
	_, err = c.LoadSerialized(t.Context(), cachedStep.compile(t, mesh.MustParse("data=4")), nil)
	require.ErrorContains(t, err, "the client's engine has no executables")
}
