package keras_test

// This file freezes a part of a model.

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/runtime/runtimetest"
)

// TestSetTrainable trains a layer upon a frozen model, whose normalization
// does not change its averages; unfrozen and compiled again, all of it changes.
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
