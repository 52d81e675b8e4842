package cost_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// On a TPU a gather from a table with narrow rows first copies the table into rows of tiles, which
// take twice its bytes here. libtpu counts nine times the rows of its result, which a sum then
// reads, and the indices three times. A scatter into zeros counts what it fills, in rows, and the
// copy back from them. On a GPU there are no such copies.
//
// libtpu 0.0.51 counts the same for programs that are a gather or a scatter alone: 13,734 units of
// 64 KiB for 16,384 rows of a table of 1,048,576x64: 12,288 to reorder the table, 1,152 = 9·128 for
// the rows, 102 for the indices and 192 for the result.
func TestRowTraffic(t *testing.T) {
	const dims = `<{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 64>}>`
	const table, indices, rows = 1024 * 64 * 4, 256 * 4, 256 * 64 * 4
	for _, tc := range []struct {
		name, body string
		copied     int // bytes of arguments and results that are copied to the chip, and back
		gpu, tpu   int // of all kernels, without these copies
	}{
		{"gather and sum", `func.func @main(%a: tensor<1024x64xf32>, %i: tensor<256x1xi32>) -> tensor<64xf32> {
%0 = "stablehlo.gather"(%a, %i) ` + dims + ` : (tensor<1024x64xf32>, tensor<256x1xi32>) -> tensor<256x64xf32>
%z = stablehlo.constant dense<0.0> : tensor<f32>
%1 = stablehlo.reduce(%0 init: %z) applies stablehlo.add across dimensions = [0] : (tensor<256x64xf32>, tensor<f32>) -> tensor<64xf32>
return %1 : tensor<64xf32>
}`, table + indices + 128*4, rows + indices + 64*4, 3*table + 9*2*rows + 5*indices + 2*rows + 64*4},
		{"scatter into zeros", `func.func @main(%u: tensor<256x64xf32>, %i: tensor<256x1xi32>) -> tensor<1024x64xf32> {
%z = stablehlo.constant dense<0.0> : tensor<1024x64xf32>
%0 = "stablehlo.scatter"(%z, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
^bb0(%x: tensor<f32>, %y: tensor<f32>):
  %s = stablehlo.add %x, %y : tensor<f32>
  stablehlo.return %s : tensor<f32>
}) : (tensor<1024x64xf32>, tensor<256x1xi32>, tensor<256x64xf32>) -> tensor<1024x64xf32>
return %0 : tensor<1024x64xf32>
}`, rows + indices + table, 2*rows + indices, 2*table + 3*table + rows + 5*indices},
	} {
		t.Run(tc.name, func(t *testing.T) {
			m, f := parse(t, tc.body)
			accessed := func(platform string) (bytes int) {
				machine := slowMachine(false)
				machine.Platform = platform
				for _, k := range machine.Kernels(m.Meshes[0].Mesh, f) {
					bytes += k.Bytes
				}
				require.Equal(t, machine.Predict(m.Meshes[0].Mesh, f).BytesAccessed, bytes, "the prediction and the kernels agree")
				return bytes
			}
			require.Equal(t, tc.gpu, accessed("cuda"))
			require.Equal(t, tc.tpu, accessed("tpu")-4*tc.copied)
		})
	}
}
