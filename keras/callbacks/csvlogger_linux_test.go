package callbacks_test

// This file logs to devices, to pipes, and to files that others have begun.

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/callbacks"
)

// logTo calls the logger for two epochs and saves its state after each. After the second epoch it
// restores that state, as after a backup, and closes the logger.
func logTo(t *testing.T, logger *callbacks.CSVLogger) error {
	t.Helper()
	if err := logger.OnTrainBegin(t.Context(), nil); err != nil {
		return err
	}
	for epoch := range 2 {
		if err := logger.OnEpochEnd(t.Context(), epoch, keras.Logs{{Name: "loss", Value: 0.5}}); err != nil {
			return err
		}
		state, err := logger.State()
		require.NoError(t, err)
		if epoch == 1 {
			require.NoError(t, logger.Restore(state))
		}
	}
	return logger.Close()
}

const twoEpochs = "epoch,loss\n0,0.5\n1,0.5\n"

func TestCSVLoggerDevices(t *testing.T) {
	for _, append := range []bool{false, true} {
		require.NoError(t, logTo(t, &callbacks.CSVLogger{Filename: "/dev/null", Append: append}))
		r, w, err := os.Pipe()
		require.NoError(t, err)
		require.NoError(t, logTo(t, &callbacks.CSVLogger{Filename: fmt.Sprintf("/dev/fd/%d", w.Fd()), Append: append}))
		require.NoError(t, w.Close())
		text, err := io.ReadAll(r)
		require.NoError(t, err)
		require.Equal(t, twoEpochs, string(text))
		require.NoError(t, r.Close())

		fifo := filepath.Join(t.TempDir(), "fifo")
		require.NoError(t, syscall.Mkfifo(fifo, 0o600))
		require.ErrorIs(t, logTo(t, &callbacks.CSVLogger{Filename: fifo, Append: append}), syscall.ENXIO, "nobody reads it")
	}
	require.Error(t, logTo(t, &callbacks.CSVLogger{Filename: t.TempDir()}))
	require.ErrorIs(t, logTo(t, &callbacks.CSVLogger{Filename: "/dev/full"}), syscall.ENOSPC)
}

// TestCSVLoggerAppends appends to files that are empty, complete, or end within a line. The
// incomplete line is ended, and the header is written once.
func TestCSVLoggerAppends(t *testing.T) {
	const lines = "0,0.5\n1,0.5\n"
	for before, want := range map[string]string{
		"":            twoEpochs,
		"epoch,loss":  "epoch,loss\n" + lines,
		"a\n0,0.2":    "a\n0,0.2\n" + lines,
		"a\n0,0.25\n": "a\n0,0.25\n" + lines,
		"\n":          "\n" + lines,
	} {
		path := filepath.Join(t.TempDir(), "log.csv")
		require.NoError(t, os.WriteFile(path, []byte(before), 0o644))
		require.NoError(t, logTo(t, &callbacks.CSVLogger{Filename: path, Append: true}))
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Equal(t, want, string(text), "after %q", before)
	}
}
