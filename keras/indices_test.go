package keras_test

// This file gives embeddings indices that are out of range.

import (
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/layers"
)

// An index out of range is an error that names it, before it becomes NaN, also in a model within a
// model. Negative indices count from the end, as in Keras on JAX.
func TestIndices(t *testing.T) {
	words := keras.Input([]int{2}, layers.Name("words"), layers.DType(dtypes.Int32))
	inner := keras.Must(keras.Functional(words, words.Call(layers.Embedding(5, 3, layers.Name("table")))))
	outer := keras.Input([]int{2}, layers.Name("tokens"), layers.DType(dtypes.Int32))
	for name, m := range map[string]*keras.Model{
		"a Sequential":      keras.Must(keras.NewSequential(layers.Embedding(5, 3, layers.Name("table")), layers.Flatten(), layers.Dense(1))),
		"a model in it":     keras.Must(keras.Functional(outer, inner.Apply(outer).Call(layers.Flatten(), layers.Dense(1)))),
		"a second use":      keras.Must(keras.NewSequential(layers.ReversibleEmbedding(5, 3, layers.Name("table")), layers.Flatten(), layers.Dense(1))),
		"numbers as floats": keras.Must(keras.NewSequential(layers.Embedding(5, 3, layers.Name("table")), layers.Flatten(), layers.Dense(1))),
	} {
		t.Run(name, func(t *testing.T) {
			require.NoError(t, m.Compile(keras.Loss("mse"), goEngine(t), quiet))
			y := []float32{1, 2, 3}
			var good, bad any = [][]int32{{0, 4}, {-5, 2}, {-1, 1}}, [][]int32{{0, 4}, {3, 2}, {1, 5}}
			if name == "numbers as floats" {
				good, bad = [][]float32{{0, 4}, {1, 2}, {3, 1}}, [][]float32{{0, 4}, {3, 2}, {1, 5}}
			}
			_, err := m.Fit(t.Context(), good, y, keras.BatchSize(2), keras.Verbose(0))
			require.NoError(t, err)
			_, err = m.Fit(t.Context(), bad, y, keras.BatchSize(2), keras.Shuffle(false), keras.Verbose(0))
			require.ErrorContains(t, err, "batch 1: input ")
			require.ErrorContains(t, err, "sample 0 of the batch has the number 5, and layer table looks up numbers from 0 to 4")
			_, err = m.Predict(t.Context(), bad, keras.Verbose(0))
			require.ErrorContains(t, err, "sample 2 of the batch has the number 5")
		})
	}
}
