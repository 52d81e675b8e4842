package ir_test

// This file tests the view of the dimensions of gather and scatter.

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/ir"
)

func TestIndexing(t *testing.T) {
	const add = `({
	^bb0(%x: tensor<f32>, %y: tensor<f32>):
	  %s = stablehlo.add %x, %y : tensor<f32>
	  stablehlo.return %s : tensor<f32>
	})`
	type pair = [2]int   // operand, slice
	type triple = [3]int // operand, index, slice
	for _, tc := range []struct {
		name, params, op string
		batches          []triple
		windows          []pair
		sizes            []int
		cut              []bool
	}{
		{"rows of a table", "%a: tensor<9x4xf32>, %i: tensor<2x3x1xi32>",
			`"stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 1, 4>}> : (tensor<9x4xf32>, tensor<2x3x1xi32>) -> tensor<2x3x4xf32>`,
			[]triple{{-1, 0, 0}, {-1, 1, 1}}, []pair{{1, 2}}, []int{1, 4}, []bool{true, false}},
		{"single indices, the window first", "%a: tensor<9x4xf32>, %i: tensor<3xi32>",
			`"stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 1], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 2, 4>}> : (tensor<9x4xf32>, tensor<3xi32>) -> tensor<2x4x3xf32>`,
			[]triple{{-1, 0, 2}}, []pair{{0, 0}, {1, 1}}, []int{2, 4}, []bool{true, false}},
		{"a shared batch, index vectors first", "%a: tensor<5x9x4xf32>, %i: tensor<1x5x3xi32>",
			`"stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [1], start_index_map = [1], index_vector_dim = 0>, slice_sizes = array<i64: 1, 1, 4>}> : (tensor<5x9x4xf32>, tensor<1x5x3xi32>) -> tensor<5x3x4xf32>`,
			[]triple{{0, 1, 0}, {-1, 2, 1}}, []pair{{2, 2}}, []int{1, 1, 4}, []bool{false, true, false}},
		{"updates of rows", "%a: tensor<9x4xf32>, %i: tensor<3x1xi32>, %u: tensor<3x2xf32>",
			`"stablehlo.scatter"(%a, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ` + add + ` : (tensor<9x4xf32>, tensor<3x1xi32>, tensor<3x2xf32>) -> tensor<9x4xf32>`,
			[]triple{{-1, 0, 0}}, []pair{{1, 1}}, []int{1, 2}, []bool{true, true}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			m, err := ir.Parse("func.func @main(" + tc.params + ") {\n %0 = " + tc.op + "\n return\n}")
			require.NoError(t, err)
			require.NoError(t, ir.Verify(m))
			x := m.Main().Body.First().Indexing()
			var batches []triple
			x.EachBatch(func(operand, index, slice int) { batches = append(batches, triple{operand, index, slice}) })
			var windows []pair
			x.EachWindow(func(operand, slice int) { windows = append(windows, pair{operand, slice}) })
			require.Equal(t, tc.batches, batches)
			require.Equal(t, tc.windows, windows)
			require.Equal(t, tc.sizes, []int(x.Sizes))
			for d, want := range tc.cut {
				require.Equal(t, want, x.IsCut(d), "dimension %d", d)
			}
		})
	}
}
