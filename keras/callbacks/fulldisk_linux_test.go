package callbacks_test

// This file saves onto a full disk, a tmpfs of 64 KiB, and onto one that is
// read-only. Only root can mount them, and only on Linux.

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/checkpoint"
	"github.com/gospmd/gospmd/internal/plainlog"
	"github.com/gospmd/gospmd/internal/testing/needs"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/callbacks"
)

// smallDisk mounts a tmpfs with these options, until the test ends, and returns its directory.
// Without the right to mount, the test is skipped.
func smallDisk(t *testing.T, options string) string {
	t.Helper()
	dir := t.TempDir()
	err := syscall.Mount("gospmd", dir, "tmpfs", 0, options)
	needs.Root(t, err)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, syscall.Unmount(dir, 0)) })
	return dir
}

// TestFullDisk saves until the disk is full: the training goes on to its end, where Fit returns an
// error that names the last file, and the files before are complete.
func TestFullDisk(t *testing.T) {
	for _, tc := range writers {
		t.Run(tc.name, func(t *testing.T) {
			dir := smallDisk(t, "size=64k")
			if tc.name == "backup" { // three of them would fit
				require.NoError(t, os.WriteFile(filepath.Join(dir, "other"), make([]byte, 48<<10), 0o644))
			}
			out, err := train(t, "", 0, []keras.Callback{tc.callback(dir)})
			require.ErrorContains(t, err, tc.want)
			require.ErrorIs(t, err, syscall.ENOSPC)
			require.Len(t, out.history.Epochs, epochs)
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

// TestFullForAWhile saves onto a disk that is full for some steps. The next save tells it, the
// training goes on, and later saves succeed. A synchronous save ends the training.
func TestFullForAWhile(t *testing.T) {
	for _, synchronous := range []bool{false, true} {
		dir := smallDisk(t, "size=128k")
		other := filepath.Join(dir, "other")
		var output bytes.Buffer
		step := 0
		_, err := train(t, "", 0, []keras.Callback{
			&callbacks.BackupAndRestore{BackupDir: filepath.Join(dir, "backup"), SaveFreq: 1, Synchronous: synchronous, DeleteCheckpoint: new(false), Logger: plainlog.New(&output)},
			&callbacks.Lambda{TrainBatchEnd: func(context.Context, int, *keras.BatchLogs) error {
				switch step++; step {
				case 4:
					// A save that ended after this would remove the oldest backup, and make room.
					settled := []string{"step-000000000002.ckpt", "step-000000000003.ckpt"}
					for start := time.Now(); !slices.Equal(names(t, filepath.Join(dir, "backup")), settled); time.Sleep(time.Millisecond) {
						if time.Since(start) > time.Minute {
							return fmt.Errorf("the saves do not end: %v", names(t, filepath.Join(dir, "backup")))
						}
					}
					if err := os.WriteFile(other, make([]byte, 256<<10), 0o644); !errors.Is(err, syscall.ENOSPC) {
						return fmt.Errorf("filling the disk: %v", err)
					}
				case 8:
					return os.Remove(other)
				}
				return nil
			}}})
		newest := newestBackup(t, dir)
		if synchronous {
			require.ErrorIs(t, err, syscall.ENOSPC)
			require.Equal(t, 3, newest)
			continue
		}
		require.NoError(t, err)
		require.Equal(t, samples/size*epochs, newest)
		require.Contains(t, output.String(), "no space left on device: the training goes on, and saves again now")
	}
}

// TestReadOnlyDisk lets each callback that writes do so on a read-only disk. The error must name
// the callback and the directory, and no file is left.
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
