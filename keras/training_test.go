package keras_test

// This file tests what changes a training: gradient accumulation, frozen layers
// and sharded updates.

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"testing"

	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile/report"
	"github.com/gospmd/gospmd/internal/testing/longtest"
	"github.com/gospmd/gospmd/internal/testing/runtimetest"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/distribution"
	"github.com/gospmd/gospmd/keras/initializers"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/optimizers"
	"github.com/gospmd/gospmd/keras/random"
	"github.com/gospmd/gospmd/keras/saving"
)

// useDevices makes the process run on n devices until the test ends, also if an earlier test has
// opened the process' client. It skips the test if the platform has fewer.
func useDevices(t *testing.T, n int) {
	t.Helper()
	runtimetest.Need(t, n)
	require.NoError(t, distribution.Close())
	require.NoError(t, distribution.Initialize(t.Context(), distribution.Options{Devices: n}))
	t.Cleanup(func() { require.NoError(t, distribution.Close()) })
}

// trainInParts trains a model of 12 inputs and two Dense layers, hidden with 10 units and out with
// 3, under the distribution d, nil for none: four steps of SGD with momentum on batches of 24
// samples, each accumulated from that many parts. It returns the weights.
func trainInParts(t *testing.T, d distribution.Distribution, parts int) (weights [][]float32) {
	t.Helper()
	require.NoError(t, distribution.Scope(d, func() error {
		x := keras.Input([]int{12})
		y := x.Apply(layers.Dense(10, layers.Name("hidden"), layers.Activation("tanh"), layers.KernelInitializer(initializers.GlorotUniform(initializers.Seed(1))))).
			Apply(layers.Dense(3, layers.Name("out"), layers.KernelInitializer(initializers.GlorotUniform(initializers.Seed(2)))))
		m, err := keras.NewModel([]*layers.Tensor{x}, []*layers.Tensor{y})
		require.NoError(t, err)
		var opts []optimizers.Option
		if parts > 1 {
			opts = append(opts, optimizers.GradientAccumulationSteps(parts))
		}
		require.NoError(t, m.Compile(keras.Loss("mse"), keras.Optimizer(optimizers.SGD(append(opts, optimizers.LearningRate(0.1), optimizers.Momentum(0.9))...)), quiet))
		inputs, err := random.Normal([]int{48, 12}, random.Seed(7))
		require.NoError(t, err)
		targets, err := random.Normal([]int{48, 3}, random.Seed(8))
		require.NoError(t, err)
		_, err = m.Fit(t.Context(), inputs, targets, keras.BatchSize(24/parts), keras.Epochs(2), keras.Shuffle(false), keras.Output(io.Discard))
		require.NoError(t, err)
		values, err := m.Weights(t.Context())
		require.NoError(t, err)
		for _, v := range values {
			weights = append(weights, tensors.MustCopyFlatData[float32](v))
		}
		return nil
	}))
	return weights
}

// Accumulated gradients give the step of the full batch on one device, on each
// mesh and with a sharded update; the mesh need not divide the batches.
func TestAccumulationOnMeshes(t *testing.T) {
	useDevices(t, 8)
	want := trainInParts(t, nil, 1)
	for _, text := range []string{distribution.Single, "8x1", "2x4", "3x2"} {
		for _, parts := range longtest.Pick([]int{2}, []int{1, 2, 4}) {
			for _, opts := range [][]distribution.Option{nil, {distribution.ShardedUpdate()}} {
				if text == distribution.Single && opts != nil {
					continue
				}
				t.Run(fmt.Sprintf("%s in %d, sharded update %v", text, parts, opts != nil), func(t *testing.T) {
					mesh, err := distribution.ParseMesh(text, "data", "model")
					require.NoError(t, err)
					var d distribution.Distribution
					if mesh != nil {
						layouts := distribution.NewLayoutMap(mesh)
						require.NoError(t, layouts.Set("hidden/kernel", "", "model"))
						d, err = distribution.NewModelParallel(layouts, "data", opts...)
						require.NoError(t, err)
					}
					got := trainInParts(t, d, parts)
					require.Len(t, got, len(want))
					for i := range want {
						require.InDeltaSlice(t, want[i], got[i], 2e-6, "weight %d", i)
					}
				})
			}
		}
	}
}

// TestSetTrainable trains a layer upon a frozen model: only the layer's variables may change, not
// even the averages of the model's normalization. When the model is unfrozen, and compiled again,
// all variables must change.
func TestSetTrainable(t *testing.T) {
	layers.ClearSession()
	x := keras.Input([]int{4})
	features := x.Apply(layers.Dense(5, layers.Name("below"))).Apply(layers.BatchNormalization(layers.Name("norm")))
	base := model(t, x, features)
	m := model(t, x, features.Apply(layers.Dense(2, layers.Name("top"))))
	client := runtimetest.Open(t, 1)
	data, labels := [][]float32{{1, 2, 3, 4}, {4, 3, 2, 1}, {0, 1, 0, 2}}, [][]float32{{1, 0}, {0, 1}, {1, 1}}
	values := func() map[string]any {
		out := make(map[string]any)
		for _, v := range m.Variables() {
			flat, err := v.Value(t.Context())
			require.NoError(t, err)
			out[v.Path()] = flat
		}
		return out
	}
	for _, frozen := range []bool{true, false} {
		base.SetTrainable(!frozen)
		require.Len(t, m.TrainableVariables(), map[bool]int{true: 2, false: 6}[frozen])
		require.NoError(t, m.Compile(keras.Optimizer("sgd"), keras.Loss("mse"), keras.Client(client)))
		before := values()
		_, err := m.Fit(t.Context(), data, labels, keras.Verbose(0))
		require.NoError(t, err)
		for path, after := range values() {
			if frozen && path != "top/kernel" && path != "top/bias" {
				require.Equal(t, before[path], after, "%s is frozen", path)
			} else {
				require.NotEqual(t, before[path], after, "%s is trained", path)
			}
		}
	}
}

// trainSharded trains a model of 12 inputs and two Dense layers, hidden with 17 units and out with
// 3, by Adam with that batch size on a DataParallel with opts. It returns the losses, and the bytes
// of the optimizer's variables on a device.
func trainSharded(t *testing.T, batch int, opts ...distribution.Option) (losses []float64, optimizer int) {
	t.Helper()
	m, losses := trainedOn(t, 40, batch, opts...)
	return losses, report.New(m.Programs()[0]).Memory.Optimizer
}

// trainedOn returns the model that trainSharded trains on that number of samples, and the losses, of
// three epochs and of an evaluation after them.
func trainedOn(t *testing.T, samples, batch int, opts ...distribution.Option) (m *keras.Model, losses []float64) {
	t.Helper()
	d, err := distribution.NewDataParallel(opts...)
	require.NoError(t, err)
	require.NoError(t, distribution.Scope(d, func() error {
		x := keras.Input([]int{12})
		y := x.Apply(layers.Dense(17, layers.Name("hidden"), layers.Activation("relu"), layers.KernelInitializer(initializers.GlorotUniform(initializers.Seed(1))))).
			Apply(layers.Dense(3, layers.Name("out"), layers.KernelInitializer(initializers.GlorotUniform(initializers.Seed(2)))))
		m, err = keras.NewModel([]*layers.Tensor{x}, []*layers.Tensor{y})
		require.NoError(t, err)
		require.NoError(t, m.Compile(keras.Loss("mse"), keras.Optimizer("adam"), quiet))
		inputs, err := random.Normal([]int{samples, 12}, random.Seed(7))
		require.NoError(t, err)
		targets, err := random.Normal([]int{samples, 3}, random.Seed(8))
		require.NoError(t, err)
		h, err := m.Fit(context.Background(), inputs, targets, keras.BatchSize(batch), keras.Epochs(3), keras.Shuffle(false), keras.Output(io.Discard))
		require.NoError(t, err)
		logs, err := m.Evaluate(context.Background(), inputs, targets, keras.BatchSize(batch), keras.Output(io.Discard))
		require.NoError(t, err)
		losses = append(h.Logs["loss"], logs[0].Value)
		return nil
	}))
	return m, losses
}

// With ShardedUpdate on 8 devices the losses are those of the plain update, and the slots take an
// eighth of the memory, rounded up. The last batch, of another size, is trained on by a second
// program.
func TestShardedUpdate(t *testing.T) {
	useDevices(t, 8)
	plain, full := trainSharded(t, 16)
	sharded, part := trainSharded(t, 16, distribution.ShardedUpdate())
	require.InDeltaSlice(t, plain, sharded, 1e-5)
	weights := 12*17 + 17 + 17*3 + 3
	require.Equal(t, 4*(2*weights+2), full, "two slots, iteration and rate")
	// hidden/kernel 12x17 and its bias 17 by 3 and 3 rows a device, out/kernel
	// 17x3 by 3 rows, out/bias replicated.
	require.Equal(t, 4*(2*(12*3+3+3*3+3)+2), part)
}

// With FullySharded on 8 devices the losses are those of plain training, and all programs, those of
// the smaller last batch and of the evaluation among them, have the kernels in the same shards. So
// have a model's weights that were loaded.
func TestFullySharded(t *testing.T) {
	useDevices(t, 8)
	plain, want := trainedOn(t, 37, 16)
	sharded, got := trainedOn(t, 37, 16, distribution.FullySharded())
	require.InDeltaSlice(t, want, got, 1e-5)
	requireShards := func(m *keras.Model) {
		local := map[string][]int{}
		for _, v := range m.Variables() {
			local[v.Path()] = v.Array().Sharding().LocalShape(v.Shape())
		}
		require.Equal(t, map[string][]int{"hidden/kernel": {12, 3}, "hidden/bias": {17}, "out/kernel": {3, 3}, "out/bias": {3}}, local)
	}
	requireShards(sharded)
	require.GreaterOrEqual(t, len(sharded.Programs()), 4)
	for _, p := range sharded.Programs() {
		require.Equal(t, 4*(12*3+17+3*3+3), report.New(p).Memory.Parameters)
	}
	file := filepath.Join(t.TempDir(), "a.weights.h5")
	require.NoError(t, saving.SaveWeights(t.Context(), plain, file))
	require.NoError(t, saving.LoadWeights(t.Context(), sharded, file))
	requireShards(sharded)
}
