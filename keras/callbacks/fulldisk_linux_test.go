package callbacks_test

// This file saves onto a full disk: a tmpfs of 64 KiB, which only root can
// mount, and only on Linux.

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/checkpoint"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/callbacks"
)

// smallDisk mounts a tmpfs of that size, or skips the test.
func smallDisk(t *testing.T, size string) string {
	t.Helper()
	dir := t.TempDir()
	err := syscall.Mount("gospmd", dir, "tmpfs", 0, "size="+size)
	if errors.Is(err, syscall.EPERM) || errors.Is(err, syscall.EACCES) {
		t.Skipf("skipped: a small disk cannot be mounted (%v): run the test as root", err)
	}
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, syscall.Unmount(dir, 0)) })
	return dir
}

// TestFullDisk saves as long as there is room: then Fit ends with an error that
// tells the file, and the file before is whole.
func TestFullDisk(t *testing.T) {
	for _, tc := range []struct {
		name     string
		callback func(dir string) keras.Callback
		want     string
	}{
		{"backup", func(dir string) keras.Callback {
			return &callbacks.BackupAndRestore{Dir: dir, Every: 1, Notices: &bytes.Buffer{}}
		}, "BackupAndRestore: checkpoint: saving "},
		{"folder", func(dir string) keras.Callback { return &callbacks.ModelCheckpoint{Path: dir, Every: 1} }, "ModelCheckpoint: checkpoint: saving "},
		{"archive", func(dir string) keras.Callback {
			return &callbacks.ModelCheckpoint{Path: filepath.Join(dir, "{epoch}_{batch}.keras"), Every: 1}
		}, "ModelCheckpoint: saving: model functional"},
		{"weights", func(dir string) keras.Callback {
			return &callbacks.ModelCheckpoint{Path: filepath.Join(dir, "{epoch}_{batch}.weights.h5"), Every: 1, WeightsOnly: true}
		}, "ModelCheckpoint: saving: weights of model functional"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			dir := smallDisk(t, "64k")
			if tc.name == "backup" { // three of them would fit
				require.NoError(t, os.WriteFile(filepath.Join(dir, "other"), make([]byte, 48<<10), 0o644))
			}
			_, err := train(t, "", 0, []keras.Callback{tc.callback(dir)})
			require.ErrorContains(t, err, tc.want)
			require.ErrorIs(t, err, syscall.ENOSPC)
			for _, name := range names(t, dir) {
				require.NotContains(t, name, ".tmp", "what could not be finished is removed")
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
