package keras_test

import (
	"log/slog"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile/report"
	"github.com/gospmd/gospmd/internal/testing/runtimetest"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/program"
)

// A model that is made to fit trains as without the limit; one that cannot fit is an error.
func TestMemory(t *testing.T) {
	var step *program.Program
	loss := func(opts ...keras.CompileOption) (float64, error) {
		layers.ClearSession()
		x := keras.Input([]int{8})
		y := x
		for range 6 {
			y = y.Apply(layers.Dense(8, layers.Activation("gelu"), layers.KernelInitializer("ones")))
		}
		m, err := keras.NewModel([]*layers.Tensor{x}, []*layers.Tensor{y})
		require.NoError(t, err)
		opts = append(opts, keras.Loss("mse"), keras.Client(runtimetest.Open(t, 1)), keras.Logger(slog.New(slog.DiscardHandler)))
		if err := m.Compile(opts...); err != nil {
			return 0, err
		}
		batch := make([][]float32, 256)
		for i := range batch {
			batch[i] = []float32{1, 2, 3, 4, 5, 6, 7, float32(i) / 256}
		}
		h, err := m.Fit(t.Context(), batch, batch, keras.BatchSize(256), keras.Epochs(2), keras.Verbose(0))
		if err != nil {
			return 0, err
		}
		step = m.Programs()[0]
		return h.Logs["loss"][1], nil
	}
	want, err := loss()
	require.NoError(t, err)
	got, err := loss(keras.Memory("120kB"))
	require.NoError(t, err)
	require.InEpsilon(t, want, got, 1e-6)
	require.LessOrEqual(t, step.Fitting.After, 120_000)
	require.Greater(t, step.Fitting.Before, 120_000)

	_, err = loss(keras.Memory("20kB"))
	var over *report.OverBudgetError
	require.ErrorAs(t, err, &over)
	require.ErrorContains(t, err, "does not fit")
	_, err = loss(keras.Memory("much"))
	require.ErrorContains(t, err, `the memory of a device: got size "much"`)
}
