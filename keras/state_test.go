package keras_test

// This file saves the state of trainings on each of several meshes and loads it on each. It also
// tests the errors of loading, and the names of logs.

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/checkpoint"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/optimizers"
	"github.com/gospmd/gospmd/keras/random"
)

// saver is a callback that takes the state of the training when it has ended, into state, and saves
// it in file.
type saver struct {
	keras.BaseCallback
	model *keras.Model
	file  string
	state *keras.State
}

func (s *saver) OnTrainBegin(_ context.Context, m *keras.Model) error { s.model = m; return nil }

func (s *saver) OnTrainEnd(ctx context.Context) (err error) {
	if s.state, err = s.model.Training().Snapshot(ctx); err != nil {
		return err
	}
	return checkpoint.Save(ctx, s.file, s.state.Tensors, s.state.Metadata)
}

// stateModel returns a model of 6 inputs and 3 outputs, compiled with mse, with all kinds of
// variables: weights, moving averages, random states, Adam's slots, and a scale of the loss.
func stateModel(t *testing.T, client keras.CompileOption) *keras.Model {
	t.Helper()
	x := keras.Input([]int{6})
	y := x.Apply(layers.Dense(10, layers.Name("a"))).Apply(layers.BatchNormalization()).Apply(layers.Dropout(0.3)).Apply(layers.Dense(3))
	m := model(t, x, y)
	adam := optimizers.NewLossScaleOptimizer("adam", optimizers.InitialScale(8), optimizers.DynamicGrowthSteps(2))
	require.NoError(t, m.Compile(keras.Optimizer(adam), keras.Loss("mse"), client, quiet))
	return m
}

// values returns the values of all variables of the model and its optimizer, as flat slices.
func values(t *testing.T, m *keras.Model) (out []any) {
	t.Helper()
	for _, v := range append(m.Variables(), m.Optimizer().Variables()...) {
		flat, err := v.Value(t.Context())
		require.NoError(t, err)
		out = append(out, flat)
	}
	return out
}

// TestSaveAndRestoreOnEachMesh saves after two steps on each mesh and loads on each: parameters and
// optimizer must be the same to the bit.
func TestSaveAndRestoreOnEachMesh(t *testing.T) {
	meshes := []string{"", "data=8,model=1", "data=4,model=2", "data=2,model=4", "data=1,model=8", "data=3,model=2"}
	x, err := random.Normal([]int{20, 6}, random.Seed(1))
	require.NoError(t, err)
	y, err := random.Normal([]int{20, 3}, random.Seed(2))
	require.NoError(t, err)
	for _, from := range meshes {
		s := &saver{file: filepath.Join(t.TempDir(), "state.ckpt")}
		var want []any
		onMesh(t, from, func(client keras.CompileOption) {
			m := stateModel(t, client)
			_, err := m.Fit(t.Context(), x, y, keras.BatchSize(10), keras.Verbose(0), keras.Callbacks(s))
			require.NoError(t, err)
			want = values(t, m)
		})
		c, err := checkpoint.Open(s.file)
		require.NoError(t, err)
		for _, to := range meshes {
			t.Run(fmt.Sprintf("%q to %q", from, to), func(t *testing.T) {
				onMesh(t, to, func(client keras.CompileOption) {
					m := stateModel(t, client)
					require.NoError(t, m.LoadCheckpoint(t.Context(), c))
					require.Equal(t, want, values(t, m))
					if to != "" {
						sharding := m.Variable(m.Layers()[1].Name() + "/kernel").Array().Sharding()
						require.Equal(t, `[{}, {"model"}]`, sharding.String())
					}
				})
			})
		}
		require.NoError(t, c.Close())
	}
}

func TestLoadCheckpointErrors(t *testing.T) {
	onMesh(t, "", func(client keras.CompileOption) {
		file := filepath.Join(t.TempDir(), "state.ckpt")
		m := stateModel(t, client)
		_, err := m.Fit(t.Context(), [][]float32{{1, 2, 3, 4, 5, 6}}, [][]float32{{1, 2, 3}}, keras.Verbose(0), keras.Callbacks(&saver{file: file}))
		require.NoError(t, err)
		foreign := filepath.Join(t.TempDir(), "foreign.ckpt")
		require.NoError(t, checkpoint.Save(t.Context(), foreign, nil, []byte(`{"format":"mine"}`)))
		content, err := os.ReadFile(file)
		require.NoError(t, err)
		content[40] ^= 1
		damaged := filepath.Join(t.TempDir(), "damaged.ckpt")
		require.NoError(t, os.WriteFile(damaged, content, 0o644))
		for _, tc := range []struct {
			name, file string
			model      func() *keras.Model
			want       string
		}{
			{"foreign", foreign, func() *keras.Model { return m }, "holds no state of a training"},
			{"damaged", damaged, func() *keras.Model { return m }, "the checkpoint is damaged: tensor model/"},
			{"not built", file, func() *keras.Model {
				seq, err := keras.NewSequential(layers.Dense(3))
				require.NoError(t, err)
				return seq
			}, "the model is not built"},
			{"another model", file, func() *keras.Model {
				x := keras.Input([]int{6})
				return model(t, x, x.Apply(layers.Dense(3)))
			}, "is of another model or of one compiled otherwise: it "},
			{"other sizes", file, func() *keras.Model {
				x := keras.Input([]int{6})
				return model(t, x, x.Apply(layers.Dense(11, layers.Name("a"))).Apply(layers.BatchNormalization()).Apply(layers.Dropout(0.3)).Apply(layers.Dense(3)))
			}, "is of another model: model/a/kernel is tensor<6x10xf32> there, want tensor<6x11xf32>"},
			{"another optimizer", file, func() *keras.Model {
				other := stateModel(t, client)
				require.NoError(t, other.Compile(keras.Optimizer("sgd"), keras.Loss("mse"), client))
				return other
			}, "is of another model or of one compiled otherwise: it lacks optimizer/sgd/iteration"},
		} {
			t.Run(tc.name, func(t *testing.T) {
				c, err := checkpoint.Open(tc.file)
				require.NoError(t, err)
				defer c.Close()
				require.ErrorContains(t, tc.model().LoadCheckpoint(t.Context(), c), tc.want)
			})
		}
	})
}

// TestLogNames: the names that a callback finds at the start of a training must be those of the
// logs of each batch, in alphabetical order; the logs of an epoch have those of the validation too.
func TestLogNames(t *testing.T) {
	onMesh(t, "", func(client keras.CompileOption) {
		x := keras.Input([]int{6})
		m := model(t, x, x.Apply(layers.Dense(3)))
		require.NoError(t, m.Compile(keras.Loss("mse"), keras.Metrics("mae", "accuracy"), keras.WeightedMetrics("mae", "mse"), client))
		var batch, epoch []string
		in, out := [][]float32{{1, 2, 3, 4, 5, 6}}, [][]float32{{1, 2, 3}}
		_, err := m.Fit(t.Context(), in, out, keras.Verbose(0), keras.ValidationData(in, out), keras.Callbacks(&names{t: t, batch: &batch, epoch: &epoch}))
		require.NoError(t, err)
		require.Equal(t, []string{"accuracy", "loss", "mae", "mse", "weighted_mae"}, batch)
		require.Len(t, epoch, 2*len(batch))
	})
}

// names is a callback that sets batch and epoch to the names of Training.LogNames, and requires
// that the logs of each batch and of each epoch have them.
type names struct {
	keras.BaseCallback
	t            *testing.T
	batch, epoch *[]string
}

func (n *names) OnTrainBegin(_ context.Context, m *keras.Model) error {
	*n.batch, *n.epoch = m.Training().LogNames()
	return nil
}

func (n *names) OnTrainBatchEnd(ctx context.Context, _ int, logs *keras.BatchLogs) error {
	got, err := logs.Get(ctx)
	n.compare(got, *n.batch)
	return err
}

func (n *names) OnEpochEnd(_ context.Context, _ int, logs keras.Logs) error {
	n.compare(logs, *n.epoch)
	return nil
}

func (n *names) compare(logs keras.Logs, want []string) {
	var got []string
	for _, l := range logs {
		got = append(got, l.Name)
	}
	require.Equal(n.t, want, got)
}
