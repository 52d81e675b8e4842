package keras_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/callbacks"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/random"
)

// TestAutomaticExecutions: a training with many short steps runs several of them as one
// program, unless a callback looks at batches or StepsPerExecution says otherwise. The
// losses are those of steps one by one.
func TestAutomaticExecutions(t *testing.T) {
	onMesh(t, "data=2,model=4", func(keras.CompileOption) {
		client := goEngine(t)
		fit := func(t *testing.T, callback keras.Callback, compile ...keras.CompileOption) (losses []float64, loops int) {
			layers.ClearSession()
			random.SetRandomSeed(3)
			x := keras.Input([]int{6})
			m := model(t, x, x.Apply(layers.Dense(8, layers.Activation("relu"))).Apply(layers.Dropout(0.5)).Apply(layers.Dense(2)))
			require.NoError(t, m.Compile(append(compile, keras.Loss("mse"), keras.Optimizer("adam"), client, quiet)...))
			history, err := m.Fit(t.Context(), ramp(82, 6), ramp(82, 2), keras.BatchSize(4), keras.Epochs(14), keras.ShuffleSeed(1), keras.Verbose(0),
				keras.Callbacks(callback))
			require.NoError(t, err)
			return history.Logs["loss"], loopsOf(m)
		}
		want, loops := fit(t, &callbacks.Lambda{}, keras.StepsPerExecution(1))
		require.Zero(t, loops)
		got, loops := fit(t, &callbacks.Lambda{EpochEnd: func(context.Context, int, keras.Logs) error { return nil }})
		require.Equal(t, 1, loops)
		require.InDeltaSlice(t, want, got, 1e-6)
		got, loops = fit(t, &callbacks.Lambda{TrainBatchEnd: func(context.Context, int, *keras.BatchLogs) error { return nil }})
		require.Zero(t, loops)
		require.Equal(t, want, got)
	})
}
