package cost_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// On a TPU a gather from a table with narrow rows first copies the table into rows of tiles: it
// reads the table, and writes twice its bytes. Its result is copied from such rows in the same way.
// Table, indices and result are copied between the two memories of the TPU, too. On a GPU there are
// no such copies.
func TestRowTraffic(t *testing.T) {
	m, f := parse(t, `func.func @main(%a: tensor<1024x64xf32>, %i: tensor<256x1xi32>) -> tensor<256x64xf32> {
%0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 64>}> : (tensor<1024x64xf32>, tensor<256x1xi32>) -> tensor<256x64xf32>
return %0 : tensor<256x64xf32>
}`)
	accessedBytes := func(platform string) int {
		machine := slowMachine(false)
		machine.Platform = platform
		p := machine.Predict(m.Meshes[0].Mesh, f)
		kernels := machine.Kernels(m.Meshes[0].Mesh, f)
		require.Len(t, kernels, 1)
		require.Equal(t, p.BytesAccessed, kernels[0].Bytes, "the prediction and the kernels agree")
		require.InDelta(t, float64(kernels[0].Bytes)/machine.MemoryBandwidth, kernels[0].Seconds, 1e-12)
		return p.BytesAccessed
	}
	const table, indices, result = 1024 * 64 * 4, 256 * 4, 256 * 64 * 4
	require.Equal(t, 2*result+indices, accessedBytes("cuda"))
	const copied = 2 * (table + indices + result)
	require.Equal(t, accessedBytes("cuda")+3*table+3*result+copied, accessedBytes("tpu"))
}
