package trusted_test

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/trusted"
)

func TestCheck(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("files have no modes on Windows")
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "x")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	check := func(path string, mode os.FileMode) error {
		require.NoError(t, os.Chmod(path, mode))
		info, err := os.Stat(path)
		require.NoError(t, err)
		return trusted.Check(path, info)
	}
	require.NoError(t, check(file, 0o755))
	require.ErrorContains(t, check(file, 0o775), file+" can be changed by other users (-rwxrwxr-x), and its code is run: chmod go-w "+file)
	require.Error(t, check(file, 0o606))
	require.NoError(t, check(dir, os.ModeSticky|0o777))
	require.Error(t, check(dir, 0o777))
	if os.Geteuid() != 0 {
		return // only root can change the owner of files
	}
	require.NoError(t, os.Lchown(file, 12345, -1))
	require.ErrorContains(t, check(file, 0o600), "belongs to the user 12345: want it to be yours or root's")
}
