package callbacks_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/checkpoint"
	"github.com/gospmd/gospmd/internal/plainlog"
	"github.com/gospmd/gospmd/internal/testing/runtimetest"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/callbacks"
	"github.com/gospmd/gospmd/keras/saving"
)

// names returns the names of the files in a directory, in alphabetical order.
func names(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	var out []string
	for _, e := range entries {
		out = append(out, e.Name())
	}
	return out
}

// TestModelCheckpointFiles trains with several settings of ModelCheckpoint, and compares the names
// of the files. The model is y = w·x. The losses of its batches, two in each of three epochs, are
// 1, 0.64, 0.4096 and so on.
func TestModelCheckpointFiles(t *testing.T) {
	for _, tc := range []struct {
		name     string
		callback callbacks.ModelCheckpoint
		want     []string
	}{
		{"one file", callbacks.ModelCheckpoint{Filepath: "m.keras"}, []string{"m.keras"}},
		{"a file for each epoch", callbacks.ModelCheckpoint{Filepath: "m_{epoch:02d}_{loss:.2f}.keras"}, []string{"m_01_0.82.keras", "m_02_0.34.keras", "m_03_0.14.keras"}},
		{"weights", callbacks.ModelCheckpoint{Filepath: "w_{epoch}.weights.h5", SaveWeightsOnly: true}, []string{"w_1.weights.h5", "w_2.weights.h5", "w_3.weights.h5"}},
		{"safetensors", callbacks.ModelCheckpoint{Filepath: "w_{epoch}.safetensors", SaveWeightsOnly: true}, []string{"w_1.safetensors", "w_2.safetensors", "w_3.safetensors"}},
		{"every 4 batches", callbacks.ModelCheckpoint{Filepath: "m_{epoch}_{batch}.keras", SaveFreq: 4}, []string{"m_2_2.keras"}},
		{"a directory", callbacks.ModelCheckpoint{Filepath: "c"}, []string{"step-000000000002.ckpt", "step-000000000004.ckpt", "step-000000000006.ckpt"}},
		{"a directory of two", callbacks.ModelCheckpoint{Filepath: "c", Keep: 2, SaveFreq: 1}, []string{"step-000000000005.ckpt", "step-000000000006.ckpt"}},
		{"only the best", callbacks.ModelCheckpoint{Filepath: "m_{epoch}.keras", SaveBestOnly: true, Monitor: "loss", Mode: callbacks.Max}, []string{"m_1.keras"}},
		{"a threshold", callbacks.ModelCheckpoint{Filepath: "m_{epoch}.keras", SaveBestOnly: true, Monitor: "loss", InitialValueThreshold: ptr(0.2)}, []string{"m_3.keras"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "made", "by", "it")
			c := tc.callback
			c.Filepath = filepath.Join(dir, c.Filepath)
			_, err := fit(t, line(t), 3, &c)
			require.NoError(t, err)
			if filepath.Base(c.Filepath) == "c" {
				dir = c.Filepath
			}
			require.Equal(t, tc.want, names(t, dir))
		})
	}
}

func TestModelCheckpointTells(t *testing.T) {
	var out bytes.Buffer
	path := filepath.Join(t.TempDir(), "m.keras")
	c := &callbacks.ModelCheckpoint{Filepath: path, SaveBestOnly: true, Monitor: "loss", Mode: callbacks.Max, Verbose: true, Output: &out}
	_, err := fit(t, line(t), 2, c)
	require.NoError(t, err)
	require.Equal(t, "Epoch 1: loss improved from -Inf to 0.82000\nEpoch 1: saving to "+path+"\nEpoch 2: loss did not improve from 0.82000\n", out.String())
	m, err := saving.LoadModel(t.Context(), path, keras.Client(runtimetest.Open(t, 1)))
	require.NoError(t, err)
	flat, err := m.Variables()[0].Value(t.Context())
	require.NoError(t, err)
	require.InDelta(t, 0.64, flat.([]float32)[0], 1e-6)
}

// TestBehindTheTraining saves each step of a training behind it, and also synchronously. Each step
// donates the variables of the step before, and changes them while they are written. Both files of
// a step must be the same to the byte.
func TestBehindTheTraining(t *testing.T) {
	dir := t.TempDir()
	var list []keras.Callback
	for _, synchronous := range []bool{false, true} {
		to := filepath.Join(dir, fmt.Sprint(synchronous))
		require.NoError(t, os.Mkdir(to, 0o755))
		for _, c := range []callbacks.ModelCheckpoint{
			{},
			{Filepath: "{epoch}_{batch}.weights.h5", SaveWeightsOnly: true},
			{Filepath: "{epoch}_{batch}.safetensors", SaveWeightsOnly: true},
		} {
			c.Filepath, c.SaveFreq, c.Synchronous = filepath.Join(to, c.Filepath), 1, synchronous
			list = append(list, &c)
		}
	}
	_, err := train(t, "data=2,model=4", 0, list)
	require.NoError(t, err)
	files := names(t, filepath.Join(dir, "true"))
	require.Len(t, files, 3*epochs*samples/size)
	require.Equal(t, files, names(t, filepath.Join(dir, "false")))
	before := []byte(nil)
	for _, name := range files {
		want, err := os.ReadFile(filepath.Join(dir, "true", name))
		require.NoError(t, err)
		got, err := os.ReadFile(filepath.Join(dir, "false", name))
		require.NoError(t, err)
		require.Equal(t, want, got, name)
		require.NotEqual(t, before, got)
		before = got
	}
}

// TestDirectoryResumes requires that BackupAndRestore resumes from ModelCheckpoint's directory, and
// that the training then ends with the same weights and history.
func TestDirectoryResumes(t *testing.T) {
	dir := t.TempDir()
	want, err := train(t, "", 0, []keras.Callback{&callbacks.ModelCheckpoint{Filepath: dir, SaveFreq: 7}}, keras.ShuffleSeed(1))
	require.NoError(t, err)
	var warnings bytes.Buffer
	got, err := train(t, "", 0, []keras.Callback{&callbacks.BackupAndRestore{BackupDir: dir, Logger: plainlog.New(&warnings)}})
	require.NoError(t, err)
	require.Contains(t, warnings.String(), "the backup of step 14 in "+dir+": epoch 3, 4 batches of it done")
	require.Equal(t, want.weights, got.weights)
	require.Equal(t, want.history, got.history)
}

func TestCheckpointErrors(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	require.NoError(t, os.WriteFile(file, nil, 0o644))
	foreign := filepath.Join(dir, "foreign")
	store, err := checkpoint.NewStore(foreign, 0)
	require.NoError(t, err)
	require.NoError(t, store.Save(t.Context(), 3, nil, []byte("other")))
	other := filepath.Join(dir, "other")
	_, err = fit(t, line(t), 1, &callbacks.ModelCheckpoint{Filepath: other})
	require.NoError(t, err)
	for _, tc := range []struct {
		name     string
		callback keras.Callback
		want     string
	}{
		{"no path", &callbacks.ModelCheckpoint{}, "ModelCheckpoint: got no Filepath"},
		{"ending", &callbacks.ModelCheckpoint{Filepath: "m.h5"}, "got Filepath m.h5, want one that ends in .keras, in .weights.h5 with SaveWeightsOnly, or a directory"},
		{"weights in an archive", &callbacks.ModelCheckpoint{Filepath: "m.keras", SaveWeightsOnly: true}, "want one that ends in .weights.h5"},
		{"a model in a file of weights", &callbacks.ModelCheckpoint{Filepath: "m.weights.h5"}, "got Filepath m.weights.h5 without SaveWeightsOnly"},
		{"unknown field", &callbacks.ModelCheckpoint{Filepath: "m_{val_loss:.2f}.keras"}, "the unknown field {val_loss}"},
		{"field of batches", &callbacks.ModelCheckpoint{Filepath: "m_{batch}.keras"}, "the unknown field {batch}"},
		{"directory with fields", &callbacks.ModelCheckpoint{Filepath: "ckpt_{epoch}"}, "or a directory, whose name has no ending and no fields"},
		{"nothing to monitor", &callbacks.ModelCheckpoint{Filepath: filepath.Join(dir, "m.keras"), SaveBestOnly: true}, `SaveBestOnly: there is no "val_loss" to monitor: the logs hold loss`},
		{"no name", &callbacks.ModelCheckpoint{Filepath: filepath.Join(dir, "new", ".keras")}, "want a name before .keras"},
		{"negative", &callbacks.ModelCheckpoint{Filepath: "m.keras", SaveFreq: -1}, "got SaveFreq -1"},
		{"a file where the directory should be", &callbacks.ModelCheckpoint{Filepath: filepath.Join(file, "m.keras")}, "cannot be made"},
		{"no directory", &callbacks.BackupAndRestore{}, "BackupAndRestore: got no BackupDir"},
		{"a file for a directory", &callbacks.BackupAndRestore{BackupDir: file}, "cannot be made"},
		{"negative backup", &callbacks.BackupAndRestore{BackupDir: dir, SaveFreq: -1}, "got SaveFreq -1"},
		{"no state of a training", &callbacks.BackupAndRestore{BackupDir: foreign}, "holds no state of a training"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := fit(t, line(t), 1, tc.callback)
			require.ErrorContains(t, err, tc.want)
		})
	}
	_, err = train(t, "", 0, []keras.Callback{&callbacks.BackupAndRestore{BackupDir: other}})
	require.ErrorContains(t, err, "is of another model or of one compiled otherwise: it lacks model/")
	require.ErrorContains(t, err, "use the model that it was made with, or another directory")
}

// TestDamagedBackup damages the newest backup after a training was cut off. The backup before it
// must be used, with a warning, and the training must end with the same weights as one that was not
// cut off. If there is no backup before, Fit must return an error that says what to do.
func TestDamagedBackup(t *testing.T) {
	undamaged := line(t)
	_, err := fit(t, undamaged, 5)
	require.NoError(t, err)
	want, err := undamaged.Variables()[0].Value(t.Context())
	require.NoError(t, err)
	for _, tc := range []struct {
		name   string
		damage func(data []byte) []byte
	}{
		{"cut off", func(data []byte) []byte { return data[:len(data)/2] }},
		{"a bit", func(data []byte) []byte { data[16] ^= 1; return data }},
		{"foreign", func([]byte) []byte { return []byte("\x89HDF\r\n\x1a\nof another program") }},
	} {
		t.Run(tc.name, func(t *testing.T) {
			dir := t.TempDir()
			var warnings bytes.Buffer
			backup := func() keras.Callback {
				return &callbacks.BackupAndRestore{BackupDir: dir, SaveFreq: 2, Logger: plainlog.New(&warnings)}
			}
			steps := 0
			_, err := fit(t, line(t), 5, backup(), &callbacks.Lambda{TrainBatchEnd: func(context.Context, int, *keras.BatchLogs) error {
				if steps++; steps == 9 {
					return errCut
				}
				return nil
			}})
			require.ErrorIs(t, err, errCut)
			store, err := checkpoint.NewStore(dir, 0)
			require.NoError(t, err)
			data, err := os.ReadFile(store.Path(8))
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(store.Path(8), tc.damage(data), 0o644))
			m := line(t)
			history, err := fit(t, m, 5, backup())
			require.NoError(t, err)
			require.Len(t, history.Epochs, 5)
			require.Contains(t, warnings.String(), "that one is used")
			require.Contains(t, warnings.String(), "resumes from the backup of step 6")
			got, err := m.Variables()[0].Value(t.Context())
			require.NoError(t, err)
			require.Equal(t, want, got)
		})
	}
	t.Run("all", func(t *testing.T) {
		dir := t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(dir, "step-000000000001.ckpt"), nil, 0o644))
		_, err := fit(t, line(t), 1, &callbacks.BackupAndRestore{BackupDir: dir})
		require.ErrorContains(t, err, "there is no undamaged checkpoint before it: remove the directory to train from the beginning")
	})
}

// writing describes a test of a callback that writes files: how to make it for a directory, and
// what its errors say.
type writing struct {
	name     string
	callback func(dir string) keras.Callback
	names    string // the callback that the error names
	want     string // how the error begins when the disk is full
}

// writers are the callbacks that save the model or the training, each with the text of its errors.
var writers = []writing{
	{"backup", func(dir string) keras.Callback {
		return &callbacks.BackupAndRestore{BackupDir: dir, SaveFreq: 1, Logger: slog.New(slog.DiscardHandler)}
	}, "BackupAndRestore", "BackupAndRestore: checkpoint: saving "},
	{"directory", func(dir string) keras.Callback { return &callbacks.ModelCheckpoint{Filepath: dir, SaveFreq: 1} }, "ModelCheckpoint", "ModelCheckpoint: checkpoint: saving "},
	{"archive", func(dir string) keras.Callback {
		return &callbacks.ModelCheckpoint{Filepath: filepath.Join(dir, "{epoch}_{batch}.keras"), SaveFreq: 1}
	}, "ModelCheckpoint", "ModelCheckpoint: saving: model functional"},
	{"weights", func(dir string) keras.Callback {
		return &callbacks.ModelCheckpoint{Filepath: filepath.Join(dir, "{epoch}_{batch}.weights.h5"), SaveFreq: 1, SaveWeightsOnly: true}
	}, "ModelCheckpoint", "ModelCheckpoint: saving: weights of model functional"},
}

// loggers are the callbacks that write logs into files.
var loggers = []writing{
	{name: "table", callback: func(dir string) keras.Callback { return &callbacks.CSVLogger{Filename: filepath.Join(dir, "log.csv")} }, names: "CSVLogger"},
	{name: "events", callback: func(dir string) keras.Callback { return &callbacks.TensorBoard{LogDir: dir} }, names: "TensorBoard"},
}

// TestNoDirectory gives each callback that writes a path in which a file is where a directory
// should be. The error must name the callback and the file.
func TestNoDirectory(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, []byte("a file"), 0o644))
	for _, tc := range append(writers, loggers...) {
		t.Run(tc.name, func(t *testing.T) {
			_, err := train(t, "", 0, []keras.Callback{tc.callback(filepath.Join(file, "directory"))})
			require.ErrorIs(t, err, syscall.ENOTDIR)
			require.ErrorContains(t, err, tc.names)
			require.ErrorContains(t, err, file)
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			require.Equal(t, "a file", string(text))
		})
	}
}
