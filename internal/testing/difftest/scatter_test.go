package difftest_test

// This file runs scatters with a single index.

import (
	"fmt"
	"testing"
)

// TestScatterIntoSlice updates a slice by a scatter with one index, in range and out of range, and
// requires the right numbers. XLA made a dynamic_update_slice of it, fused that with the slice, and
// wrote to a wrong place if the index was out of range.
func TestScatterIntoSlice(t *testing.T) {
	var cases []thread
	for _, c := range []struct {
		body  string
		index int
		want  []float64
	}{
		{"multiply", 1, []float64{1, 20, 3, 4, 5, 6, 7}},
		{"multiply", 6, []float64{1, 2, 3, 4, 5, 6, 70}},
		{"add", 0, []float64{11, 2, 3, 4, 5, 6, 7}},
		{"minimum", 3, []float64{1, 2, 3, 4, 5, 6, 7}},
		{"maximum", 4, []float64{1, 2, 3, 4, 10, 6, 7}},
		{"add", 7, []float64{1, 2, 3, 4, 5, 6, 7}},
		{"add", -1, []float64{1, 2, 3, 4, 5, 6, 7}},
	} {
		for _, devices := range []int{2, 3, 6} {
			cases = append(cases, thread{
				name: fmt.Sprintf("%s at %d on %d devices", c.body, c.index, devices),
				in:   []any{numbers(1, 2, 3, 4, 5, 6, 7), []int64{int64(c.index)}, numbers(10)}, want: c.want,
				text: fmt.Sprintf(`module @m {
  sdy.mesh @mesh = <["x"=%d]>
  func.func @main(%%a: tensor<7xf32>, %%i: tensor<1xi64>, %%u: tensor<1xf32>) -> tensor<7xf32> {
    %%0 = stablehlo.floor %%a : tensor<7xf32>
    %%r = stablehlo.reshape %%u : (tensor<1xf32>) -> tensor<f32>
    %%1 = "stablehlo.scatter"(%%0, %%i, %%r) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>}> ({
    ^bb0(%%x: tensor<f32>, %%y: tensor<f32>):
      %%2 = stablehlo.%s %%x, %%y : tensor<f32>
      stablehlo.return %%2 : tensor<f32>
    }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<7xf32>, tensor<1xi64>, tensor<f32>) -> tensor<7xf32>
    return %%1 : tensor<7xf32>
  }
}`, devices, c.body),
			})
		}
	}
	runCases(t, cases)
}
