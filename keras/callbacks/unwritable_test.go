package callbacks_test

// This file lets callbacks write where they cannot.

import (
	"bytes"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/callbacks"
)

// writing is a callback that writes into a folder.
type writing struct {
	name     string
	callback func(dir string) keras.Callback
	names    string // what the error says of who could not write
	want     string // how the error begins when the disk is full
}

// writers save the model.
var writers = []writing{
	{"backup", func(dir string) keras.Callback {
		return &callbacks.BackupAndRestore{Dir: dir, Every: 1, Notices: &bytes.Buffer{}}
	}, "BackupAndRestore", "BackupAndRestore: checkpoint: saving "},
	{"folder", func(dir string) keras.Callback { return &callbacks.ModelCheckpoint{Path: dir, Every: 1} }, "ModelCheckpoint", "ModelCheckpoint: checkpoint: saving "},
	{"archive", func(dir string) keras.Callback {
		return &callbacks.ModelCheckpoint{Path: filepath.Join(dir, "{epoch}_{batch}.keras"), Every: 1}
	}, "ModelCheckpoint", "ModelCheckpoint: saving: model functional"},
	{"weights", func(dir string) keras.Callback {
		return &callbacks.ModelCheckpoint{Path: filepath.Join(dir, "{epoch}_{batch}.weights.h5"), Every: 1, WeightsOnly: true}
	}, "ModelCheckpoint", "ModelCheckpoint: saving: weights of model functional"},
}

// loggers write a little.
var loggers = []writing{
	{name: "table", callback: func(dir string) keras.Callback { return &callbacks.CSVLogger{Path: filepath.Join(dir, "log.csv")} }, names: "CSVLogger"},
	{name: "events", callback: func(dir string) keras.Callback { return &callbacks.TensorBoard{Dir: dir} }, names: "TensorBoard"},
}

// TestNoFolder gives a path in which a file stands where a folder should.
func TestNoFolder(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, []byte("a file"), 0o644))
	for _, tc := range append(writers, loggers...) {
		t.Run(tc.name, func(t *testing.T) {
			_, err := train(t, "", 0, []keras.Callback{tc.callback(filepath.Join(file, "folder"))})
			require.ErrorIs(t, err, syscall.ENOTDIR)
			require.ErrorContains(t, err, tc.names)
			require.ErrorContains(t, err, file)
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			require.Equal(t, "a file", string(text))
		})
	}
}
