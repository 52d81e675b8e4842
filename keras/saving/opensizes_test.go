package saving_test

// This file saves a model whose input leaves sizes open.

import (
	"path/filepath"
	"testing"

	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/saving"
	"github.com/gospmd/gospmd/runtime/runtimetest"
)

func TestOpenSizes(t *testing.T) {
	on(t, "")
	client := keras.Client(runtimetest.Open(t, 6))
	x := keras.Input([]int{layers.None, 6, 3})
	y := x.Apply(layers.Conv2D(4, []int{3})).Apply(layers.GlobalAveragePooling2D()).Apply(layers.Dense(2))
	m, err := keras.NewModel([]*layers.Tensor{x}, []*layers.Tensor{y})
	require.NoError(t, err)
	require.NoError(t, m.Compile(client))
	name := filepath.Join(t.TempDir(), "open.keras")
	require.NoError(t, saving.SaveModel(t.Context(), m, name))
	require.Contains(t, configOf(t, name), `"batch_shape":[null,null,6,3]`)

	on(t, "")
	loaded, err := saving.LoadModel(t.Context(), name, client)
	require.NoError(t, err)
	require.Equal(t, []int{layers.None, layers.None, 6, 3}, loaded.Inputs()[0].Shape())
	for _, height := range []int{4, 9} {
		images := tensors.FromFlatDataAndDimensions(make([]float32, 2*height*6*3), 2, height, 6, 3)
		want, err := m.Predict(t.Context(), images, keras.Verbose(0))
		require.NoError(t, err)
		got, err := loaded.Predict(t.Context(), images, keras.Verbose(0))
		require.NoError(t, err)
		require.Equal(t, want[0].Value(), got[0].Value())
	}
}
