package callbacks_test

// This file trains by several processes of a job, whose clients are all in the test's
// process.

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/checkpoint"
	"github.com/gospmd/gospmd/internal/plainlog"
	"github.com/gospmd/gospmd/internal/testing/jobtest"
	"github.com/gospmd/gospmd/internal/testing/longtest"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/callbacks"
	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/keras/distribution"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/random"
	"github.com/gospmd/gospmd/keras/saving"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/runtime"
)

// member is one process of a job: its number, its client, its model and the data to train it on.
type member struct {
	rank   int
	client *runtime.Client
	model  *keras.Model
	x, y   *tensors.Tensor
	out    bytes.Buffer // what it prints
}

// job opens the clients of a job with that many processes and devices in each. It returns for each
// process the same small model on the mesh, and the data to train it on.
func job(t *testing.T, processes, devices int, meshText string) []*member {
	t.Helper()
	x, err := random.Normal([]int{samples, 6}, random.Seed(3))
	require.NoError(t, err)
	y, err := random.Normal([]int{samples, 3}, random.Seed(4))
	require.NoError(t, err)
	var out []*member
	for rank, c := range jobtest.Open(t, processes, devices) {
		layers.ClearSession()
		m, err := small(meshText, c)
		require.NoError(t, err)
		out = append(out, &member{rank: rank, client: c, model: m, x: x, y: y})
	}
	return out
}

// together calls do for all processes of a job at the same time, and returns their errors by
// process.
func together(members []*member, do func(*member) error) []error {
	errs := make([]error, len(members))
	var wait sync.WaitGroup
	for i, m := range members {
		wait.Go(func() { errs[i] = do(m) })
	}
	wait.Wait()
	return errs
}

// fit trains the member's model on its data, with the options that all trainings of these tests
// have and opts.
func (m *member) fit(ctx context.Context, opts ...keras.RunOption) (*keras.History, error) {
	return m.model.Fit(ctx, m.x, m.y, append([]keras.RunOption{
		keras.BatchSize(size), keras.Epochs(epochs), keras.ShuffleSeed(7), keras.Output(&m.out)}, opts...)...)
}

// alone has the losses, weights and predictions of a training on one device, which a job must
// reproduce.
type alone struct {
	losses  []float64
	weights []any
	outputs []float32
	loss    float64
}

// results trains the member's model with opts, evaluates and predicts, and returns the numbers of
// all three.
func (m *member) results(opts ...keras.RunOption) (r alone, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	history, err := m.fit(ctx, opts...)
	if err != nil {
		return r, err
	}
	r.losses = history.Logs["loss"]
	logs, err := m.model.Evaluate(ctx, m.x, m.y, keras.BatchSize(16), keras.Output(&m.out))
	if err != nil {
		return r, err
	}
	r.loss, _ = logs.Get("loss")
	if r.weights, err = valuesOf(ctx, m.model); err != nil {
		return r, err
	}
	outputs, err := m.model.Predict(ctx, m.x, keras.BatchSize(16), keras.Output(&m.out))
	if err != nil {
		return r, err
	}
	return r, outputs[0].ConstFlatData(func(flat any) { r.outputs = slices.Clone(flat.([]float32)) })
}

func requireSame(t *testing.T, want, got alone) {
	t.Helper()
	require.InDeltaSlice(t, want.losses, got.losses, 1e-6)
	require.InDelta(t, want.loss, got.loss, 1e-6)
	require.InDeltaSlice(t, want.outputs, got.outputs, 1e-5)
	require.Len(t, got.weights, len(want.weights))
	for i, w := range want.weights {
		if flat, ok := w.([]float32); ok {
			require.InDeltaSlice(t, flat, got.weights[i], 1e-5)
			continue
		}
		require.Equal(t, w, got.weights[i])
	}
}

// one returns the results of one process on one device, which it computes once. Jobs are compared
// with them.
var one = sync.OnceValues(func() (alone, error) {
	c, err := runtime.Open(context.Background(), runtime.Options{Platform: "cpu"})
	if err != nil {
		return alone{}, err
	}
	m, err := small("", c)
	if err != nil {
		return alone{}, err
	}
	x, err := random.Normal([]int{samples, 6}, random.Seed(3))
	if err != nil {
		return alone{}, err
	}
	y, err := random.Normal([]int{samples, 3}, random.Seed(4))
	if err != nil {
		return alone{}, err
	}
	return (&member{client: c, model: m, x: x, y: y}).results()
})

// TestJob trains, evaluates and predicts on meshes that go over processes along any
// axis: all processes get the numbers of one device. Only process 0 shows progress
// and writes files.
func TestJob(t *testing.T) {
	want, err := one()
	require.NoError(t, err)
	for _, tc := range []struct {
		processes, devices int
		mesh               string
		long               bool
	}{{2, 2, "data=2,model=2", true}, {3, 2, "data=3,model=2", false}, {2, 2, "data=1,model=4", true}, {4, 1, "data=4,model=1", true}, {2, 4, "data=2,model=4", true}} {
		if tc.long && !longtest.Enabled() {
			continue
		}
		t.Run(fmt.Sprintf("%dx%d %s", tc.processes, tc.devices, tc.mesh), func(t *testing.T) {
			members := job(t, tc.processes, tc.devices, tc.mesh)
			dir := t.TempDir()
			got := make([]alone, len(members))
			require.NoError(t, errors.Join(together(members, func(m *member) (err error) {
				// a file of a process other than 0 would be noticed
				own := filepath.Join(dir, fmt.Sprint(m.rank))
				if err := os.Mkdir(own, 0o755); err != nil {
					return err
				}
				got[m.rank], err = m.results(keras.Callbacks(
					&callbacks.CSVLogger{Filename: filepath.Join(own, "log.csv")},
					&callbacks.TensorBoard{LogDir: filepath.Join(own, "logs"), UpdateFreq: 2},
					&callbacks.ModelCheckpoint{Filepath: filepath.Join(own, "{epoch}.keras"), Verbose: true, Output: &m.out},
					&callbacks.ModelCheckpoint{Filepath: filepath.Join(own, "some", "x.weights.h5"), SaveWeightsOnly: true},
					&callbacks.ModelCheckpoint{Filepath: filepath.Join(own, "some", "x.safetensors"), SaveWeightsOnly: true}))
				return err
			})...))
			for _, m := range members {
				requireSame(t, want, got[m.rank])
				require.Equal(t, got[0], got[m.rank])
				entries, err := os.ReadDir(filepath.Join(dir, fmt.Sprint(m.rank)))
				require.NoError(t, err)
				if m.rank == 0 {
					require.Len(t, entries, 3+epochs, "%v", entries)
					require.Contains(t, m.out.String(), "Epoch 3: saving to")
					require.Contains(t, m.out.String(), "5/5 ━")
				} else {
					require.Empty(t, entries)
					require.Empty(t, m.out.String())
				}
			}
			// Any process loads what process 0 has saved.
			saved, err := saving.LoadModel(t.Context(), filepath.Join(dir, "0", "3.keras"))
			require.NoError(t, err)
			weights, err := saved.Weights(t.Context())
			require.NoError(t, err)
			// not in Keras' files
			want := slices.DeleteFunc(slices.Clone(got[0].weights), func(v any) bool { _, seed := v.([]uint32); return seed })
			for i, w := range weights {
				require.NoError(t, w.ConstFlatData(func(flat any) { require.Equal(t, want[i], flat) }))
			}
			file, err := checkpoint.OpenSafetensors(filepath.Join(dir, "0", "some", "x.safetensors"))
			require.NoError(t, err)
			kernel, err := file.Tensor("dense/kernel")
			require.NoError(t, err)
			flat := make([]float32, 60)
			require.NoError(t, kernel.Fill(flat, kernel.Type().DType, []int{6, 10}, []layout.Range{{Limit: 6}, {Limit: 10}}))
			require.Equal(t, want[0], flat)
			require.NoError(t, file.Close())
		})
	}
}

// TestJobResumes interrupts jobs and starts them again with other numbers of processes, and last
// with one. The training must end as one without interruptions.
func TestJobResumes(t *testing.T) {
	want, err := one()
	require.NoError(t, err)
	dir := filepath.Join(t.TempDir(), "backup")
	for run, tc := range []struct {
		processes, devices, cut int
		mesh                    string
	}{{3, 2, 4, "data=3,model=2"}, {2, 2, 5, "data=2,model=2"}, {4, 2, 2, "data=2,model=4"}, {1, 1, 0, "data=1,model=1"}} {
		if tc.processes == 4 && !longtest.Enabled() {
			continue
		}
		members := job(t, tc.processes, tc.devices, tc.mesh)
		got := make([]alone, len(members))
		errs := together(members, func(m *member) (err error) {
			steps := 0
			got[m.rank], err = m.results(keras.Verbose(0), keras.Callbacks(
				&callbacks.BackupAndRestore{BackupDir: dir, SaveFreq: 2, Logger: plainlog.New(&m.out)},
				&callbacks.Lambda{TrainBatchEnd: func(context.Context, int, *keras.BatchLogs) error {
					if steps++; steps == tc.cut {
						return errCut
					}
					return nil
				}}))
			return err
		})
		for _, m := range members {
			if run > 0 && m.rank == 0 {
				require.Contains(t, m.out.String(), "the training resumes from the backup of step")
			} else {
				require.Empty(t, m.out.String())
			}
			if tc.cut > 0 {
				require.Error(t, errs[m.rank])
				continue
			}
			require.NoError(t, errs[m.rank])
			requireSame(t, want, got[m.rank])
		}
	}
	require.NoDirExists(t, dir)
}

// TestJobFails lets process 0 fail where the others need it: they must end with an error that says
// why, and names it. The short form has every other cause.
func TestJobFails(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o644))
	for i, tc := range []struct {
		name, want string
		callback   func() keras.Callback
	}{
		{"a directory that cannot be made", "cannot be made", func() keras.Callback { return &callbacks.ModelCheckpoint{Filepath: filepath.Join(file, "x.keras")} }},
		{"a file that cannot be written", "not a directory", func() keras.Callback { return &callbacks.CSVLogger{Filename: filepath.Join(file, "log.csv")} }},
		{"a directory that is none", "not a directory", func() keras.Callback { return &callbacks.BackupAndRestore{BackupDir: filepath.Join(file, "backup")} }},
		{"a file that cannot be replaced", "file exists", func() keras.Callback {
			path := filepath.Join(t.TempDir(), "x.keras")
			require.NoError(t, os.MkdirAll(filepath.Join(path, "full"), 0o755))
			return &callbacks.ModelCheckpoint{Filepath: path}
		}},
	} {
		if i%2 == 1 && !longtest.Enabled() {
			continue
		}
		t.Run(tc.name, func(t *testing.T) {
			members := job(t, 3, 1, "data=3,model=1")
			list := make([]keras.Callback, len(members))
			for i := range list {
				list[i] = tc.callback()
			}
			errs := together(members, func(m *member) error {
				_, err := m.results(keras.Callbacks(list[m.rank]))
				return err
			})
			for rank, err := range errs {
				require.ErrorContains(t, err, tc.want)
				if rank > 0 {
					require.ErrorContains(t, err, "process 0")
				}
			}
		})
	}
}

// TestPartsResume interrupts a job whose processes shuffle their own parts of the data,
// each with its own seed: it goes on as if it had not been interrupted.
func TestPartsResume(t *testing.T) {
	run := func(dir string, cut int) ([]alone, []error) {
		members := job(t, 2, 2, "data=4,model=1")
		got := make([]alone, len(members))
		errs := together(members, func(m *member) error {
			ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
			defer cancel()
			d := m.model.Distribution().(*distribution.ModelParallel)
			byHand, err := distribution.NewModelParallel(d.LayoutMap(), "data", distribution.AutoShardDataset(false))
			if err != nil {
				return err
			}
			*d = *byHand
			own := data.FromTensorSlices(m.x, m.y).Skip(m.rank * samples / 2).Take(samples / 2).Shuffle(data.Full).Batch(size / 2)
			if err := own.Seek(data.Position{Seed: uint64(10 + m.rank)}); err != nil {
				return err
			}
			if m.rank == 1 && dir != "" && cut == 0 { // what it was made with is not what counts
				if err := own.Seek(data.Position{Seed: 99}); err != nil {
					return err
				}
			}
			steps := 0
			list := []keras.Callback{&callbacks.Lambda{TrainBatchEnd: func(context.Context, int, *keras.BatchLogs) error {
				if steps++; steps == cut {
					return errCut
				}
				return nil
			}}}
			if dir != "" {
				list = append(list, &callbacks.BackupAndRestore{BackupDir: dir, SaveFreq: 2, Logger: plainlog.New(&m.out)})
			}
			history, err := m.model.Fit(ctx, own, nil, keras.Epochs(epochs), keras.Verbose(0), keras.Callbacks(list...))
			if err == nil {
				got[m.rank].losses = history.Logs["loss"]
			}
			return err
		})
		return got, errs
	}
	want, errs := run("", 0)
	require.NoError(t, errors.Join(errs...))
	dir := filepath.Join(t.TempDir(), "backup")
	_, errs = run(dir, 8)
	require.Error(t, errs[0])
	got, errs := run(dir, 0)
	require.NoError(t, errors.Join(errs...))
	require.InDeltaSlice(t, want[0].losses, got[0].losses, 1e-6)
	require.Equal(t, got[0], got[1])
}
