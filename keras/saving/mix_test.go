package saving_test

// This file tests layers that Keras applies to a dict of images and labels.

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/testing/peer"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/saving"
)

// Keras loads a model of ours that mixes images and labels, and saves it again; we load that file.
func TestImagesAndLabels(t *testing.T) {
	python := peer.Python(t, "keras", "jax")
	x, y := layers.Input([]int{4, 4, 3}), layers.Input([]int{5})
	mixed := layers.ApplyAll(layers.MixUp(0.3), x, y)
	require.NoError(t, mixed[0].Err())
	m, err := keras.NewModel(keras.Tensors(x, y), keras.Tensors(mixed[0].Apply(layers.Flatten()), mixed[1]))
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "mix.keras")
	require.NoError(t, saving.SaveModel(t.Context(), m, path))
	cmd := exec.Command(python, "-c", "import keras, sys; m = keras.saving.load_model(sys.argv[1]); assert m.output_shape == [(None, 48), (None, 5)]; m.save(sys.argv[1])", path)
	cmd.Env = append(os.Environ(), "KERAS_BACKEND=jax", "JAX_PLATFORMS=cpu")
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	again, err := saving.LoadModel(t.Context(), path)
	require.NoError(t, err)
	require.Equal(t, "MixUp", layers.ClassName(again.Layers()[2]))
}
