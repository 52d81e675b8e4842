package keras_test

// This file tests FitsOn.

import (
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/fit"
	"github.com/gospmd/gospmd/hardware"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/keras/distribution"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/mesh"
)

// A model for a mesh of 8 absent devices is put on meshes of two hosts of 8 GPUs. Its weights and
// Adam's slots take 3 · 4 · (64·256+256 + 256·8+8) bytes, where they are replicated.
func TestFitsOn(t *testing.T) {
	layouts := distribution.NewLayoutMap(mesh.MustParse("data=2,model=4"))
	require.NoError(t, layouts.Set("d1/kernel", distribution.None, "model"))
	require.NoError(t, layouts.Set("d2/kernel", "model", distribution.None))
	d, err := distribution.NewModelParallel(layouts, "data")
	require.NoError(t, err)
	var m *keras.Model
	layers.ClearSession()
	require.NoError(t, distribution.Scope(d, func() error {
		x := keras.Input([]int{64}, layers.Name("x"))
		y := x.Apply(layers.Dense(256, layers.Name("d1"), layers.Activation("relu"))).Apply(layers.Dense(8, layers.Name("d2")))
		if m, err = keras.NewModel([]*layers.Tensor{x}, []*layers.Tensor{y}); err != nil {
			return err
		}
		return m.Compile(keras.Loss("mse"), keras.Optimizer("adam"), quiet)
	}))
	target, err := hardware.ParseTarget("h100:2x8")
	require.NoError(t, err)
	zeros := func(dims ...int) *tensors.Tensor { return tensors.FromShape(shapes.Make(dtypes.Float32, dims...)) }
	batch := data.Batch{X: []*tensors.Tensor{zeros(32, 64)}, Y: []*tensors.Tensor{zeros(32, 8)}}
	table, err := m.FitsOn(t.Context(), batch, fit.Options{Target: target})
	require.NoError(t, err)
	require.Len(t, table.Rows, 5, "16x1, 8x2, 4x4, 2x8, 1x16")
	for _, r := range table.Rows {
		require.True(t, r.Fits, r.Error)
		if r.Mesh == "data=16,model=1" {
			all := 4 * (64*256 + 256 + 256*8 + 8)
			require.Equal(t, all, r.Memory.Parameters)
			require.InDelta(t, 2*all, r.Memory.Optimizer, 64)
		}
	}
	require.NotNil(t, table.Best())

	table, err = m.FitsOn(t.Context(), batch, fit.Options{Target: target, Meshes: []*mesh.DeviceMesh{mesh.MustParse("data=4,model=4"), mesh.MustParse("data=4,rows=4")}})
	require.NoError(t, err)
	require.Equal(t, "data=4,model=4", table.Best().Mesh)
	require.Contains(t, table.Rows[1].Error, `"model"`, "a mesh without an axis of the layouts")

	_, err = m.FitsOn(t.Context(), data.Batch{X: batch.X}, fit.Options{Target: target})
	require.ErrorContains(t, err, "the batch has no labels")
	_, err = m.FitsOn(t.Context(), batch, fit.Options{})
	require.ErrorContains(t, err, "fits on: fit: Options.Target is not set")
}
