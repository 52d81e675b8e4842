package atomicfile_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/atomicfile"
)

func TestWrite(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "x")
	text := func(s string) func(*os.File) error {
		return func(f *os.File) error { _, err := f.WriteString(s); return err }
	}
	require.NoError(t, atomicfile.Write(name, text("one")))
	require.NoError(t, atomicfile.Write(name, text("two")))
	broken := errors.New("broken")
	require.ErrorIs(t, atomicfile.Write(name, func(f *os.File) error {
		require.NoError(t, text("three")(f))
		return broken
	}), broken)
	got, err := os.ReadFile(name)
	require.NoError(t, err)
	require.Equal(t, "two", string(got))
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, entries, 1, "nothing is left behind")
	require.ErrorContains(t, atomicfile.Write(filepath.Join(dir, "absent", "x"), text("")), "cannot write into the directory")
}
