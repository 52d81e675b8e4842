package saving_test

// This file is the tf.distribute guide's run_training: it trains, saves in each epoch, and loads
// the last file in the next run, inside the strategy's scope.

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/testing/runtimetest"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/callbacks"
	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/keras/distribute"
	"github.com/gospmd/gospmd/keras/distribution"
	"github.com/gospmd/gospmd/keras/initializers"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/losses"
	"github.com/gospmd/gospmd/keras/optimizers"
	"github.com/gospmd/gospmd/keras/random"
	"github.com/gospmd/gospmd/keras/saving"
	"github.com/gospmd/gospmd/mesh"
)

// guideModel returns the model of the guide's get_compiled_model, with layers of 256, 256 and 10
// units on 784 inputs, compiled with opts. The seeds of its initial weights are fixed, so that runs
// can be compared.
func guideModel(opts ...keras.CompileOption) (*keras.Model, error) {
	layers.ClearSession()
	dense := func(units, seed int, opts ...layers.Option) layers.Layer {
		return layers.Dense(units, append(opts, layers.KernelInitializer(initializers.GlorotUniform(initializers.Seed(seed))))...)
	}
	x := keras.Input([]int{784})
	y := x.Apply(dense(256, 1, layers.Activation("relu"))).Apply(dense(256, 2, layers.Activation("relu"))).Apply(dense(10, 3))
	m, err := keras.NewModel([]*layers.Tensor{x}, []*layers.Tensor{y})
	if err != nil {
		return nil, err
	}
	return m, m.Compile(append([]keras.CompileOption{
		keras.Optimizer(optimizers.Adam()),
		keras.Loss(losses.SparseCategoricalCrossentropy(losses.FromLogits())),
		keras.Metrics("sparse_categorical_accuracy"),
	}, opts...)...)
}

// digits returns a dataset of n random images, of 784 numbers, and labels from 0 to 9, in batches
// of 32. A seed always gives the same ones.
func digits(t *testing.T, n, seed int) *data.Pipeline {
	t.Helper()
	x, err := random.Uniform([]int{n, 784}, random.Seed(seed))
	require.NoError(t, err)
	y, err := random.RandInt([]int{n}, 0, 10, random.Seed(seed))
	require.NoError(t, err)
	return data.FromTensorSlices(x, y).Batch(32)
}

// latest returns the .keras file in dir that was written last, "" if there is none.
func latest(t *testing.T, dir string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.keras"))
	require.NoError(t, err)
	last := ""
	var when int64
	for _, name := range files {
		info, err := os.Stat(name)
		require.NoError(t, err)
		if at := info.ModTime().UnixNano(); at > when {
			last, when = name, at
		}
	}
	return last
}

// TestRunTraining calls the guide's run_training twice. The second run loads the architecture, the
// loss, the metric and the optimizer's state from the file. So both runs together must equal a
// training of two epochs, also with ShardedUpdate.
func TestRunTraining(t *testing.T) {
	client := keras.Client(runtimetest.Open(t, 8))
	fit := func(m *keras.Model, epochs int, more ...keras.RunOption) *keras.History {
		history, err := m.Fit(t.Context(), digits(t, 80, 1), nil, append(more,
			keras.Epochs(epochs), keras.ValidationData(digits(t, 20, 2), nil), keras.Verbose(0))...)
		require.NoError(t, err)
		return history
	}
	on(t, "")
	alone, err := guideModel(client)
	require.NoError(t, err)
	want := fit(alone, 2).Logs

	mirrored, err := distribute.NewStrategy(dataParallel(t, "batch=8"))
	require.NoError(t, err)
	sharded, err := distribute.NewStrategy(dataParallel(t, "batch=3", distribution.ShardedUpdate()))
	require.NoError(t, err)
	for _, strategy := range []*distribute.Strategy{mirrored, sharded} {
		t.Run(fmt.Sprint(strategy), func(t *testing.T) {
			dir := t.TempDir()
			for run := range 2 {
				var m *keras.Model
				require.NoError(t, strategy.Scope(func() (err error) {
					if name := latest(t, dir); name != "" {
						layers.ClearSession()
						m, err = saving.LoadModel(t.Context(), name, client)
						return err
					}
					m, err = guideModel(client)
					return err
				}))
				checkpoints := &callbacks.ModelCheckpoint{Filepath: filepath.Join(dir, fmt.Sprintf("run%d-ckpt-{epoch}.keras", run))}
				got := fit(m, 1, keras.Callbacks(checkpoints)).Logs
				require.Len(t, got, len(want))
				for name, values := range want {
					require.InDelta(t, values[run], got[name][0], 1e-5, "run %d: %s", run, name)
				}
				require.Same(t, strategy.Distribution(), m.Distribution())
			}
			require.FileExists(t, filepath.Join(dir, "run1-ckpt-1.keras"))
		})
	}
}

func dataParallel(t *testing.T, meshText string, opts ...distribution.Option) distribution.Distribution {
	t.Helper()
	d, err := distribution.NewDataParallel(append(opts, distribution.Mesh(mesh.MustParse(meshText)))...)
	require.NoError(t, err)
	return d
}
