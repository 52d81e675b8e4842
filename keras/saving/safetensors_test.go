package saving_test

// This file saves and loads weights as safetensors files.

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/checkpoint"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/saving"
)

// TestSafetensors saves the weights of a trained model on one device and on meshes. A model on
// another mesh, whose layers have other numbers in their names, must load equal weights. Weights of
// another model, and a file name of another format, must be errors.
func TestSafetensors(t *testing.T) {
	x, y := images(12)
	for from, to := range map[string]string{"": "data=2,model=3", "data=2,model=3": "data=3,model=2", "data=3,model=2": ""} {
		on(t, from)
		m := mlp(t)
		_, err := m.Fit(t.Context(), x, y, keras.Verbose(0))
		require.NoError(t, err)
		name := filepath.Join(t.TempDir(), "m.safetensors")
		require.NoError(t, saving.SaveWeights(t.Context(), m, name))
		want, err := m.Weights(t.Context())
		require.NoError(t, err)

		c, err := checkpoint.OpenSafetensors(name)
		require.NoError(t, err)
		require.ElementsMatch(t, []string{"d1/kernel", "d1/bias", "dense/kernel", "dense/bias"}, c.Names())
		require.NoError(t, c.Close())

		on(t, to)
		layers.Dense(1) // takes the name dense
		again := mlp(t)
		require.NoError(t, saving.LoadWeights(t.Context(), again, name))
		got, err := again.Weights(t.Context())
		require.NoError(t, err)
		require.Len(t, got, 4)
		for i := range got { // random states are not among them
			require.True(t, want[i].Equal(got[i]), "%s from %q to %q", m.Variables()[i].Path(), from, to)
		}
	}
	on(t, "")
	in := keras.Input([]int{2})
	other, err := keras.NewModel([]*layers.Tensor{in}, []*layers.Tensor{in.Apply(layers.Dense(3, layers.Name("d2")))})
	require.NoError(t, err)
	name := filepath.Join(t.TempDir(), "m.safetensors")
	require.NoError(t, saving.SaveWeights(t.Context(), mlp(t), name))
	require.ErrorContains(t, saving.LoadWeights(t.Context(), other, name), "is of another model or of one compiled otherwise: it lacks d2/kernel")
	require.ErrorContains(t, saving.SaveWeights(t.Context(), other, "x.bin"), "want one that ends in .weights.h5 or .safetensors")
}
