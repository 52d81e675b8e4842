package saving_test

// This file tests clones of models.

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/testing/runtimetest"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/saving"
)

// The clone of each model that Keras saved has variables of the same paths. With the model's
// weights it predicts the same.
func TestClones(t *testing.T) {
	client := keras.Client(runtimetest.OpenSample(t, 6, false))
	for _, name := range archives(t) {
		t.Run(filepath.Base(name), func(t *testing.T) {
			on(t, "")
			m, err := saving.LoadModel(t.Context(), name, saving.WithoutCompile(), client)
			require.NoError(t, err)
			clone, err := saving.CloneModel(m)
			require.NoError(t, err)
			require.Equal(t, m.Name(), clone.Name())
			require.Equal(t, m.DTypePolicy(), clone.DTypePolicy())
			require.False(t, clone.IsCompiled())
			require.NoError(t, clone.Compile(client))
			weights, err := m.Weights(t.Context())
			require.NoError(t, err)
			var all []any
			for i, v := range m.Variables() {
				if v.Name() != "seed_generator_state" { // generators are numbered
					require.Equal(t, v.Path(), clone.Variables()[i].Path())
				}
				require.NotSame(t, v, clone.Variables()[i])
			}
			for _, w := range weights {
				all = append(all, w)
			}
			require.NoError(t, clone.SetWeights(t.Context(), all...))
			require.Equal(t, predict(t, m), predict(t, clone))
		})
	}
}

// TestCloneUnbuilt clones a Sequential that contains a Sequential before either is built. The clone
// must get the same name and, when both are built, the same variables.
func TestCloneUnbuilt(t *testing.T) {
	inner, err := keras.NewSequential(layers.Dense(3, layers.Activation("relu")), layers.Dropout(0.5))
	require.NoError(t, err)
	m, err := keras.NewSequential(inner.AsLayer(), layers.Dense(2))
	require.NoError(t, err)
	clone, err := saving.CloneModel(m)
	require.NoError(t, err)
	require.Equal(t, m.Name(), clone.Name())
	require.NoError(t, m.Build([]int{4}))
	require.NoError(t, clone.Build([]int{4}))
	require.Equal(t, len(m.Variables()), len(clone.Variables()))
	for i, v := range m.Variables() {
		if v.Name() != "seed_generator_state" { // generators are numbered
			require.Equal(t, v.Path(), clone.Variables()[i].Path())
		}
	}

	own, err := keras.NewSubclassed(&residual{})
	require.NoError(t, err)
	_, err = saving.CloneModel(own)
	require.ErrorContains(t, err, "saving: clone of model residual: it is of the Go type *saving_test.residual")
}
