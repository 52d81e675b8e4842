package keras_test

// This file tests training with a sharded update.

import (
	"context"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile/report"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/distribution"
	"github.com/gospmd/gospmd/keras/initializers"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/random"
)

// trainSharded trains a small model by Adam and returns its losses and the
// bytes of the optimizer on a device.
func trainSharded(t *testing.T, batch int, opts ...distribution.Option) (losses []float64, optimizer int) {
	t.Helper()
	require.NoError(t, distribution.Initialize(distribution.Options{Devices: 8}))
	d, err := distribution.NewDataParallel(opts...)
	require.NoError(t, err)
	require.NoError(t, distribution.Scope(d, func() error {
		x := keras.Input([]int{12})
		y := x.Apply(layers.Dense(17, layers.Name("hidden"), layers.Activation("relu"), layers.KernelInitializer(initializers.GlorotUniform(initializers.Seed(1))))).
			Apply(layers.Dense(3, layers.Name("out"), layers.KernelInitializer(initializers.GlorotUniform(initializers.Seed(2)))))
		m, err := keras.NewModel([]*layers.Tensor{x}, []*layers.Tensor{y})
		require.NoError(t, err)
		require.NoError(t, m.Compile(keras.Loss("mse"), keras.Optimizer("adam"), keras.Warnings(io.Discard)))
		inputs, err := random.Normal([]int{40, 12}, random.Seed(7))
		require.NoError(t, err)
		targets, err := random.Normal([]int{40, 3}, random.Seed(8))
		require.NoError(t, err)
		h, err := m.Fit(context.Background(), inputs, targets, keras.BatchSize(batch), keras.Epochs(3), keras.Shuffle(false), keras.Output(io.Discard))
		require.NoError(t, err)
		losses = h.Logs["loss"]
		optimizer = report.New(m.Programs()[0]).Memory.Optimizer
		return nil
	}))
	return losses, optimizer
}

// The losses are those of the plain update; the slots take an eighth, rounded
// up. The last batch, of another size, is trained on by a second program.
func TestShardedUpdate(t *testing.T) {
	plain, full := trainSharded(t, 16)
	sharded, part := trainSharded(t, 16, distribution.ShardedUpdate())
	require.InDeltaSlice(t, plain, sharded, 1e-5)
	weights := 12*17 + 17 + 17*3 + 3
	require.Equal(t, 4*(2*weights+2), full, "two slots, iteration and rate")
	// hidden/kernel 12x17 and its bias 17 by 3 and 3 rows a device, out/kernel
	// 17x3 by 3 rows, out/bias replicated.
	require.Equal(t, 4*(2*(12*3+3+3*3+3)+2), part)
}
