package callbacks_test

// This file saves onto a full disk, a tmpfs of 64 KiB, and onto one that is
// read-only. Only root can mount them, and only on Linux.

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/checkpoint"
	"github.com/gospmd/gospmd/internal/testing/needs"
	"github.com/gospmd/gospmd/keras"
)

// smallDisk mounts a tmpfs with these options, or skips the test.
func smallDisk(t *testing.T, options string) string {
	t.Helper()
	dir := t.TempDir()
	err := syscall.Mount("gospmd", dir, "tmpfs", 0, options)
	needs.Root(t, err)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, syscall.Unmount(dir, 0)) })
	return dir
}

// TestFullDisk saves until the disk is full: then Fit ends with an error that names
// the file, and the file before is complete.
func TestFullDisk(t *testing.T) {
	for _, tc := range writers {
		t.Run(tc.name, func(t *testing.T) {
			dir := smallDisk(t, "size=64k")
			if tc.name == "backup" { // three of them would fit
				require.NoError(t, os.WriteFile(filepath.Join(dir, "other"), make([]byte, 48<<10), 0o644))
			}
			_, err := train(t, "", 0, []keras.Callback{tc.callback(dir)})
			require.ErrorContains(t, err, tc.want)
			require.ErrorIs(t, err, syscall.ENOSPC)
			for _, name := range names(t, dir) {
				require.NotContains(t, name, ".tmp", "an incomplete file is removed")
				if filepath.Ext(name) == ".ckpt" {
					c, err := checkpoint.Open(filepath.Join(dir, name))
					require.NoError(t, err)
					require.NoError(t, c.Verify())
					require.NoError(t, c.Close())
				}
			}
			t.Logf("left: %v: %v", names(t, dir), err)
		})
	}
}

// TestReadOnlyDisk saves where nobody can write, not even root.
func TestReadOnlyDisk(t *testing.T) {
	dir := smallDisk(t, "ro")
	for _, tc := range append(writers, loggers...) {
		t.Run(tc.name, func(t *testing.T) {
			_, err := train(t, "", 0, []keras.Callback{tc.callback(dir)})
			require.ErrorIs(t, err, syscall.EROFS)
			require.ErrorContains(t, err, tc.names)
			require.ErrorContains(t, err, dir)
			require.Empty(t, names(t, dir))
		})
	}
}
