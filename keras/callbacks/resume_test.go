package callbacks_test

// This file interrupts trainings and resumes them.

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"testing"

	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/plainlog"
	"github.com/gospmd/gospmd/internal/testing/runtimetest"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/callbacks"
	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/keras/distribution"
	"github.com/gospmd/gospmd/keras/initializers"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/random"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/runtime"
)

// trained is the result of a training, which a resumed one must equal to the bit.
type trained struct {
	history *keras.History
	weights []any // of model and optimizer
	seen    []int // numbers of the batches that were trained on, in order
}

const (
	samples = 40
	size    = 8 // of a batch: 5 of them make an epoch
	epochs  = 3
)

// small returns a model of 6 inputs and 3 outputs with dropout, compiled on client with adam, mse
// and mae. Its initial weights are always the same. meshText, such as data=2,model=4, is the mesh
// on which it is model parallel; "" is one device.
func small(meshText string, client *runtime.Client) (m *keras.Model, err error) {
	var d distribution.Distribution
	if meshText != "" {
		dm, err := mesh.Parse(meshText)
		if err != nil {
			return nil, err
		}
		layouts := distribution.NewLayoutMap(dm)
		if err := layouts.Set(".*kernel", distribution.None, "model"); err != nil {
			return nil, err
		}
		if d, err = distribution.NewModelParallel(layouts, "data"); err != nil {
			return nil, err
		}
	}
	err = distribution.Scope(d, func() (err error) {
		x := keras.Input([]int{6})
		y := x.Apply(layers.Dense(10, layers.Activation("relu"), layers.KernelInitializer(initializers.GlorotUniform(initializers.Seed(1))))).
			Apply(layers.Dropout(0.3, layers.Seed(5))).
			Apply(layers.Dense(3, layers.KernelInitializer(initializers.GlorotUniform(initializers.Seed(2)))))
		if m, err = keras.NewModel([]*layers.Tensor{x}, []*layers.Tensor{y}); err != nil {
			return err
		}
		return m.Compile(keras.Optimizer("adam"), keras.Loss("mse"), keras.Metrics("mae"), keras.Client(client))
	})
	return m, err
}

// random8 returns the inputs of one batch of 8 samples with width random numbers each, always the
// same ones.
func random8(t *testing.T, width int) *tensors.Tensor {
	t.Helper()
	x, err := random.Normal([]int{size, width}, random.Seed(9))
	require.NoError(t, err)
	return x
}

var errCut = errors.New("cut off")

// train trains the model small on meshText with the callbacks list: 40 samples in batches of 8 for
// 3 epochs, with a validation. opts come last, so that they win. It interrupts the training by
// errCut after cut steps, 0 for never. It returns Fit's error, and with that only history and seen.
func train(t *testing.T, meshText string, cut int, list []keras.Callback, opts ...keras.RunOption) (trained, error) {
	t.Helper()
	m, err := small(meshText, runtimetest.Open(t, 8))
	require.NoError(t, err)
	x, y := normal(t, samples, 6, 3), normal(t, samples, 3, 4)
	var out trained
	steps := 0
	cutter := &callbacks.Lambda{TrainBatchEnd: func(context.Context, int, *keras.BatchLogs) error {
		out.seen = append(out.seen, m.Training().Progress().Step)
		if steps++; steps == cut {
			return errCut
		}
		return nil
	}}
	opts = append([]keras.RunOption{keras.BatchSize(size), keras.Epochs(epochs), keras.Verbose(0), keras.ValidationData(random8(t, 6), random8(t, 3)),
		keras.Callbacks(append(list, cutter)...)}, opts...)
	out.history, err = m.Fit(t.Context(), x, y, opts...)
	if err != nil {
		return out, err
	}
	out.weights, err = valuesOf(t.Context(), m)
	return out, err
}

// valuesOf returns the values of the model's and then the optimizer's variables, as flat slices.
func valuesOf(ctx context.Context, m *keras.Model) (out []any, err error) {
	for _, v := range append(m.Variables(), m.Optimizer().Variables()...) {
		flat, err := v.Value(ctx)
		if err != nil {
			return nil, err
		}
		out = append(out, flat)
	}
	return out, nil
}

// TestResume interrupts a training once or twice and resumes it, also on a mesh and with a schedule
// of learning rates: history and weights are those of an uninterrupted training to the bit.
//
// Cut before its first backup, a training begins again, without a warning.
func TestResume(t *testing.T) {
	others := func() []keras.Callback {
		return []keras.Callback{
			&callbacks.LearningRateScheduler{Schedule: func(_ int, rate float64) float64 { return rate * 0.9 }},
			&callbacks.ReduceLROnPlateau{Monitor: "loss", Patience: ptr(0), MinDelta: ptr(10.0)},
			&callbacks.EarlyStopping{Monitor: "loss", Patience: 9, RestoreBestWeights: true},
		}
	}
	for _, tc := range []struct {
		name  string
		mesh  string
		every int
		cuts  []int // steps of each run
	}{
		{"after each batch", "", 1, []int{3, 5}},
		{"at an epoch's last batch", "", 5, []int{6}},
		{"after each epoch", "", 0, []int{8}},
		{"before the first backup", "", 4, []int{2}},
		{"on a mesh", "data=3,model=2", 4, []int{6}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			want := uncut(t, tc.mesh, others)
			dir := filepath.Join(t.TempDir(), "backup")
			var warnings bytes.Buffer
			for _, cut := range tc.cuts {
				_, err := train(t, tc.mesh, cut, append(others(), &callbacks.BackupAndRestore{BackupDir: dir, SaveFreq: tc.every, Logger: plainlog.New(&warnings)}), keras.ShuffleSeed(7))
				require.ErrorIs(t, err, errCut)
			}
			got, err := train(t, tc.mesh, 0, append(others(), &callbacks.BackupAndRestore{BackupDir: dir, SaveFreq: tc.every, Logger: plainlog.New(&warnings)}))
			require.NoError(t, err)
			require.NoDirExists(t, dir, "no backup is left")
			if tc.cuts[0] < tc.every {
				require.Empty(t, warnings.String())
				return
			}
			require.Contains(t, warnings.String(), "the training resumes from the backup of step")
			require.Equal(t, want.history, got.history)
			require.Equal(t, want.weights, got.weights)
			require.Equal(t, want.seen[len(want.seen)-len(got.seen):], got.seen, "the rest of the steps")
		})
	}
}

// TestInterrupted ends the context of a training, as Ctrl-C does: Fit must return that error,
// TrainEnd must be called, and the training must be saved where it was, also between backups and in
// the last batch of an epoch. The next run must resume there and end as a training that was not
// interrupted.
func TestInterrupted(t *testing.T) {
	want, err := train(t, "", 0, nil, keras.ShuffleSeed(7))
	require.NoError(t, err)
	for _, at := range []int{1, 7, 10} {
		dir := t.TempDir()
		m, err := small("", runtimetest.Open(t, 1))
		require.NoError(t, err)
		var output bytes.Buffer
		ctx, cancel := context.WithCancel(t.Context())
		steps, ended := 0, false
		history, err := m.Fit(ctx, normal(t, samples, 6, 3), normal(t, samples, 3, 4), keras.BatchSize(size), keras.Epochs(epochs), keras.Verbose(0),
			keras.ValidationData(random8(t, 6), random8(t, 3)), keras.ShuffleSeed(7),
			keras.Callbacks(&callbacks.BackupAndRestore{BackupDir: dir, Logger: plainlog.New(&output)}, &callbacks.Lambda{
				TrainBatchEnd: func(context.Context, int, *keras.BatchLogs) error {
					if steps++; steps == at {
						cancel()
					}
					return nil
				},
				TrainEnd: func(ctx context.Context) error { ended = true; return ctx.Err() },
			}))
		require.ErrorIs(t, err, context.Canceled)
		require.ErrorContains(t, err, "fit: interrupted in epoch")
		require.Len(t, history.Epochs, (at-1)/5)
		require.True(t, ended)
		require.Equal(t, at, steps)
		require.Contains(t, output.String(), fmt.Sprintf("the training was interrupted; the same program resumes it from the backup of step %d in %s", at, dir))
		got, err := train(t, "", 0, []keras.Callback{&callbacks.BackupAndRestore{BackupDir: dir, Logger: plainlog.New(&output)}})
		require.NoError(t, err)
		require.Equal(t, want.history, got.history)
		require.Equal(t, want.weights, got.weights)
		require.Equal(t, want.seen[at:], got.seen)
	}
}

// TestInterruptedExecutions ends the context of a training that has chosen to run several steps as
// one program, while it reads the batches of an execution. The batches that it has read must be
// trained on, and the training must be saved there. The resumed training must end with the losses
// of one that was not interrupted.
func TestInterruptedExecutions(t *testing.T) {
	const at = 300
	dir := t.TempDir()
	x, y := normal(t, 1000, 6, 3), normal(t, 1000, 3, 4)
	fit := func(ctx context.Context, read func()) (*keras.History, string, error) {
		m, err := small("", runtimetest.Open(t, 1))
		require.NoError(t, err)
		var output bytes.Buffer
		ds := data.FromTensorSlices(x, y).Map(func(b data.Batch) (data.Batch, error) {
			read()
			return b, nil
		}).Batch(size)
		history, err := m.Fit(ctx, ds, nil, keras.Epochs(4), keras.Verbose(0), keras.Callbacks(&callbacks.BackupAndRestore{BackupDir: dir, Logger: plainlog.New(&output)}))
		loops := 0
		for _, p := range m.Programs() {
			p.Module.Main().Walk(func(op *ir.Op) {
				if op.Kind == ir.OpWhile {
					loops++
				}
			})
		}
		require.Equal(t, 1, loops)
		return history, output.String(), err
	}
	want, _, err := fit(t.Context(), func() {})
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	n := 0
	_, output, err := fit(ctx, func() {
		if n++; n == at*size+1 {
			cancel()
		}
	})
	require.ErrorIs(t, err, context.Canceled)
	require.Contains(t, output, fmt.Sprintf("the same program resumes it from the backup of step %d in %s", at, dir))
	got, _, err := fit(t.Context(), func() {})
	require.NoError(t, err)
	require.InDeltaSlice(t, want.Logs["loss"], got.Logs["loss"], 1e-6)
}

func normal(t *testing.T, rows, columns, seed int) *tensors.Tensor {
	t.Helper()
	x, err := random.Normal([]int{rows, columns}, random.Seed(seed))
	require.NoError(t, err)
	return x
}

// uncutRuns keeps the results of trainings that were never interrupted, by mesh, so that each is
// run once.
var uncutRuns = make(map[string]trained)

// uncut returns the result of train without an interruption, with the callbacks that others makes.
// It trains twice and requires equal results to the bit. It runs once for each mesh: later calls
// get the first result, whatever others is.
func uncut(t *testing.T, meshText string, others func() []keras.Callback) trained {
	t.Helper()
	if want, ok := uncutRuns[meshText]; ok {
		return want
	}
	want, err := train(t, meshText, 0, others(), keras.ShuffleSeed(7))
	require.NoError(t, err)
	again, err := train(t, meshText, 0, others(), keras.ShuffleSeed(7))
	require.NoError(t, err)
	require.Equal(t, want, again, "two trainings are equal to the bit")
	uncutRuns[meshText] = want
	return want
}

// TestResumeElsewhere interrupts a training again and again, and resumes it each time on another
// mesh. The history must be that of a training without a break on one device, up to rounding. With
// DeleteCheckpoint false, two backups must stay.
func TestResumeElsewhere(t *testing.T) {
	want, err := train(t, "", 0, nil, keras.ShuffleSeed(7))
	require.NoError(t, err)
	dir := t.TempDir()
	for i, meshText := range []string{"data=8,model=1", "data=2,model=4", "data=3,model=2"} {
		_, err := train(t, meshText, 4, []keras.Callback{&callbacks.BackupAndRestore{BackupDir: dir, SaveFreq: 2, Logger: slog.New(slog.DiscardHandler)}}, keras.ShuffleSeed(7))
		require.ErrorIs(t, err, errCut, "run %d", i)
	}
	got, err := train(t, "", 0, []keras.Callback{&callbacks.BackupAndRestore{BackupDir: dir, DeleteCheckpoint: new(false), Logger: slog.New(slog.DiscardHandler)}})
	require.NoError(t, err)
	require.Len(t, got.history.Epochs, epochs)
	for name, values := range want.history.Logs {
		require.InDeltaSlice(t, values, got.history.Logs[name], 1e-5, name)
	}
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, entries, 2, "DeleteCheckpoint")
}

// TestCSVLoggerResumes interrupts a training in its third epoch, after a backup in the second, and
// resumes it. The file must equal that of a training without a break: lines of epochs that are run
// again are there once.
func TestCSVLoggerResumes(t *testing.T) {
	dir := t.TempDir()
	logger := func(name string) keras.Callback { return &callbacks.CSVLogger{Filename: filepath.Join(dir, name)} }
	_, err := fit(t, line(t), 4, logger("uncut.csv"))
	require.NoError(t, err)
	backup := func() keras.Callback {
		return &callbacks.BackupAndRestore{BackupDir: filepath.Join(dir, "backup"), SaveFreq: 3, Logger: slog.New(slog.DiscardHandler)}
	}
	steps := 0
	_, err = fit(t, line(t), 4, logger("cut.csv"), backup(), &callbacks.Lambda{TrainBatchEnd: func(context.Context, int, *keras.BatchLogs) error {
		if steps++; steps == 5 {
			return errCut
		}
		return nil
	}})
	require.ErrorIs(t, err, errCut)
	_, err = fit(t, line(t), 4, logger("cut.csv"), backup())
	require.NoError(t, err)
	want, err := os.ReadFile(filepath.Join(dir, "uncut.csv"))
	require.NoError(t, err)
	got, err := os.ReadFile(filepath.Join(dir, "cut.csv"))
	require.NoError(t, err)
	require.Equal(t, string(want), string(got))
}

// TestResumeForFewerEpochs resumes a training for one epoch, after a backup in the second one: the
// weight is that of the backup, no step is trained, and the history has the first epoch alone.
func TestResumeForFewerEpochs(t *testing.T) {
	dir := t.TempDir()
	backup := func() keras.Callback {
		return &callbacks.BackupAndRestore{BackupDir: dir, SaveFreq: 3, Logger: slog.New(slog.DiscardHandler)}
	}
	_, err := fit(t, line(t), 4, backup(), &callbacks.Lambda{EpochEnd: func(_ context.Context, epoch int, _ keras.Logs) error {
		if epoch == 1 {
			return errCut
		}
		return nil
	}})
	require.ErrorIs(t, err, errCut)
	m := line(t)
	history, err := fit(t, m, 1, backup())
	require.NoError(t, err)
	require.Equal(t, []int{0}, history.Epochs, "the second one is not complete")
	flat, err := m.Variables()[0].Value(t.Context())
	require.NoError(t, err)
	require.InDelta(t, 0.8*0.8*0.8, flat.([]float32)[0], 1e-6)
}
