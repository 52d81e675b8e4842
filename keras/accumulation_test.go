package keras_test

// This file tests gradient accumulation over several batches, on meshes.

import (
	"fmt"
	"io"
	"testing"

	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/distribution"
	"github.com/gospmd/gospmd/keras/initializers"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/optimizers"
	"github.com/gospmd/gospmd/keras/random"
)

// trainInParts takes four steps by SGD with momentum on batches of 24, each in the given
// number of parts, and returns the weights.
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
		require.NoError(t, m.Compile(keras.Loss("mse"), keras.Optimizer(optimizers.SGD(append(opts, optimizers.LearningRate(0.1), optimizers.Momentum(0.9))...)), keras.Warnings(io.Discard)))
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
	require.NoError(t, distribution.Initialize(distribution.Options{Devices: 8}))
	want := trainInParts(t, nil, 1)
	for _, text := range []string{distribution.Single, "8x1", "2x4", "3x2"} {
		for _, parts := range []int{1, 2, 4} {
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
