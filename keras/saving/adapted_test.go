package saving_test

// This file tests layers with low-rank adaptations: their training, and their files.

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/testing/runtimetest"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/optimizers"
	"github.com/gospmd/gospmd/keras/saving"
	"github.com/gospmd/gospmd/keras/variable"
)

func valueOf(t *testing.T, v *variable.Variable) []float32 {
	t.Helper()
	flat, err := v.Value(t.Context())
	require.NoError(t, err)
	return flat.([]float32)
}

// TestEnableLora enables LoRA on a built Dense layer and trains one step. The step must change B
// alone, by its gradient: with targets y, the loss of (K + sAB)x is |y - Kx|²/2 at B = 0. Then the
// model is saved in both formats and loaded. EnableLora must return errors for a layer that is not
// built or has LoRA already, for a rank of 0 and for other options.
func TestEnableLora(t *testing.T) {
	client := keras.Client(runtimetest.OpenSample(t, 1, false))
	dense := layers.Dense(2, layers.UseBias(false))
	require.ErrorContains(t, dense.EnableLora(2), "EnableLora: the layer is not built")
	x0 := layers.Input([]int{3})
	m, err := keras.NewModel(keras.Tensors(x0), keras.Tensors(x0.Apply(dense)))
	require.NoError(t, err)
	require.ErrorContains(t, dense.EnableLora(0), "EnableLora: LoraRank: got 0")
	require.ErrorContains(t, dense.EnableLora(1, layers.UseBias(true)), "takes no option UseBias: it takes LoraRank, LoraAlpha")
	require.NoError(t, dense.EnableLora(2, layers.LoraAlpha(6)))
	require.ErrorContains(t, dense.EnableLora(2), "LoRA is enabled already")
	d := dense.Adaptation()
	require.Equal(t, []*variable.Variable{d.A, d.B}, m.TrainableVariables())
	require.NoError(t, d.Kernel.Assign(nil, []float32{1, 2, 3, 4, 5, 6}))
	require.NoError(t, d.A.Assign(nil, []float32{1, 0, 0, 2, -1, 1}))
	require.NoError(t, m.Compile(client, keras.Optimizer(optimizers.SGD(optimizers.LearningRate(0.01))), keras.Loss("mse")))
	x, y := [][]float32{{1, 0, 0}, {0, 1, 0}}, [][]float32{{2, 2}, {4, 1}}
	_, err = m.Fit(t.Context(), x, y, keras.BatchSize(2), keras.Verbose(0))
	require.NoError(t, err)
	// xᵀ(Kx - y)/2 is [[-.5, 0], [-.5, 1.5], [0, 0]]: the gradient of the kernel
	require.InDeltaSlice(t, []float32{0.015, 0, 0.03, -0.09}, valueOf(t, d.B), 1e-6) // -.01 · 3 · Aᵀ · that
	require.Equal(t, []float32{1, 0, 0, 2, -1, 1}, valueOf(t, d.A))
	require.Equal(t, []float32{1, 2, 3, 4, 5, 6}, valueOf(t, d.Kernel))

	want, err := m.Predict(t.Context(), x, keras.Verbose(0))
	require.NoError(t, err)
	row := want[0].Value().([][]float32)[1] // the second row of K + 3AB
	require.InDeltaSlice(t, []float32{3 + 3*2*0.03, 4 - 3*2*0.09}, row, 1e-5)
	requireMerged(t, m, client, x, row)
	requireAsIs(t, m, x, row)
}

// requireMerged saves model m in a .keras archive and loads it. It requires that the kernel in the
// file has the adaptation added to it, that the loaded model begins with an adaptation of zero, and
// that it predicts row for sample 1 of x.
func requireMerged(t *testing.T, m *keras.Model, client keras.CompileOption, x any, row []float32) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "adapted.keras")
	require.NoError(t, saving.SaveModel(t.Context(), m, path))
	again, err := saving.LoadModel(t.Context(), path, client)
	require.NoError(t, err)
	d := again.Layers()[1].(layers.Adapted).Adaptation()
	require.Equal(t, 3.0, d.Scale)
	require.InDeltaSlice(t, row, valueOf(t, d.Kernel)[2:4], 1e-5)
	require.Equal(t, make([]float32, 6), valueOf(t, d.A))
	require.Equal(t, make([]float32, 4), valueOf(t, d.B))
	out, err := again.Predict(t.Context(), x, keras.Verbose(0))
	require.NoError(t, err)
	require.InDeltaSlice(t, row, out[0].Value().([][]float32)[1], 1e-5)
}

// requireAsIs saves the weights of m by their paths, zeroes matrix B of the adaptation, and loads
// the file. It requires that B has its old values, and that m predicts row for sample 1 of x.
func requireAsIs(t *testing.T, m *keras.Model, x any, row []float32) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "adapted.safetensors")
	require.NoError(t, saving.SaveWeights(t.Context(), m, path))
	d := m.Layers()[1].(layers.Adapted).Adaptation()
	b := valueOf(t, d.B)
	client, err := m.Client(t.Context())
	require.NoError(t, err)
	require.NoError(t, d.B.Assign(client, make([]float32, 4)))
	require.NoError(t, saving.LoadWeights(t.Context(), m, path))
	require.Equal(t, b, valueOf(t, d.B))
	out, err := m.Predict(t.Context(), x, keras.Verbose(0))
	require.NoError(t, err)
	require.InDeltaSlice(t, row, out[0].Value().([][]float32)[1], 1e-5)
}

func TestLoraErrors(t *testing.T) {
	for want, l := range map[string]layers.Layer{
		"LoRA cannot adapt a kernel with a constraint": layers.Dense(2, layers.LoraRank(1), layers.KernelConstraint("non_neg")),
		"got LoraAlpha without LoraRank":               layers.Dense(2, layers.LoraAlpha(1)),
		"LoraRank: got 0":                              layers.Dense(2, layers.LoraRank(0)),
	} {
		require.ErrorContains(t, layers.Input([]int{3}).Apply(l).Err(), want)
	}
}
