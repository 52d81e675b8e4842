package saving_test

// This file loads weights of Keras' older format.

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/testing/runtimetest"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/saving"
)

// zero sets all weights of the model to 0.
func zero(t *testing.T, m *keras.Model) {
	t.Helper()
	weights, err := m.Weights(t.Context())
	require.NoError(t, err)
	zeros := make([]any, len(weights))
	for i, w := range weights {
		require.NoError(t, w.MutableFlatData(func(flat any) { clear(flat.([]float32)) }))
		zeros[i] = w
	}
	require.NoError(t, m.SetWeights(t.Context(), zeros...))
}

// TestLegacyWeights loads the weights of an archive from the file of the older format that Keras
// wrote for the same model. The predictions must be the same, also if the normalization layer is
// frozen.
func TestLegacyWeights(t *testing.T) {
	client := keras.Client(runtimetest.Open(t, 6))
	text, err := os.ReadFile("testdata/images.json")
	require.NoError(t, err)
	var want answer
	require.NoError(t, json.Unmarshal(text, &want))
	for _, meshText := range []string{"", "data=3,model=2"} {
		for _, frozen := range []bool{false, true} {
			on(t, "")
			if meshText != "" {
				onMesh(t, meshText, "dense/kernel", "", "model")
			}
			m, err := saving.LoadModel(t.Context(), "testdata/images.keras", client)
			require.NoError(t, err)
			keras.Must(m.Layer("batch_normalization")).(*layers.BatchNormalizationLayer).SetTrainable(!frozen)
			zero(t, m)
			require.NoError(t, saving.LoadWeights(t.Context(), m, "testdata/images.h5"))
			requireRows(t, want.Predictions, predict(t, m), 1e-6, "predictions")
		}
	}
}

// dense returns a model of Dense layers with the given numbers of units, on inputs of four numbers.
// It is compiled on six devices, without a loss.
func dense(t *testing.T, units ...int) *keras.Model {
	t.Helper()
	x := keras.Input([]int{4})
	y := x
	for _, n := range units {
		y = y.Apply(layers.Dense(n))
	}
	m, err := keras.NewModel([]*layers.Tensor{x}, []*layers.Tensor{y})
	require.NoError(t, err)
	require.NoError(t, m.Compile(keras.Client(runtimetest.Open(t, 6))))
	return m
}

// TestLegacyModel loads weights from a whole-model file of the older format. A model with other
// layers must be refused, with a reason.
func TestLegacyModel(t *testing.T) {
	const name = "../../internal/hdf5/testdata/keras_legacy.h5" // Dense(5), Dense(2)
	on(t, "")
	m := dense(t, 5, 2)
	zero(t, m)
	require.NoError(t, saving.LoadWeights(t.Context(), m, name))
	weights, err := m.Weights(t.Context())
	require.NoError(t, err)
	require.NotZero(t, weights[0].Value().([][]float32)[0][0])

	for _, tc := range []struct {
		name  string
		units []int
		want  string
	}{
		{"shape", []int{6, 2}, "variable dense/kernel (in the file /model_weights/first/sequential/first/kernel): the file has the shape [4 5], want [4 6]"},
		{"number of layers", []int{5, 2, 2}, "the file holds 2 layers with weights (first to dense), the model has 3 (dense to dense_2): it is another model's file"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			on(t, "")
			m := dense(t, tc.units...)
			zero(t, m)
			require.ErrorContains(t, saving.LoadWeights(t.Context(), m, name), tc.want)
			weights, err := m.Weights(t.Context())
			require.NoError(t, err)
			require.Zero(t, weights[len(weights)-2].Value().([][]float32)[0][0], "nothing has changed")
		})
	}
}
