package difftest_test

// This file runs convolutions that XLA computes wrongly.

import (
	"fmt"
	"testing"
)

// TestConvolutionLikeGroups runs a convolution on which XLA aborted, and requires the right
// numbers. XLA swapped the operands, and took the first dimension, which is dilated by the size of
// the kernel, for a dimension of groups.
func TestConvolutionLikeGroups(t *testing.T) {
	want := []float64{3, -1, 7, -4, -3, 19, 2, 4, 9, -4, 15, -8, -5, 29, 4, 6}
	var cases []thread
	for _, devices := range []int{1, 2} {
		cases = append(cases, thread{
			name: fmt.Sprintf("%d devices", devices), want: want,
			in: []any{numbers(1, 2, 3, 4, 5, 6), numbers(1, -2, 3, .5, 2, 1, -1, 4)},
			text: fmt.Sprintf(`module @m {
  sdy.mesh @mesh = <["x"=%d]>
  func.func @main(%%x: tensor<1x3x2x1xf32>, %%k: tensor<2x4x1x1xf32>) -> tensor<1x4x4x1xf32> {
    %%0 = stablehlo.convolution(%%x, %%k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [2, 2]], lhs_dilate = [2, 2], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x3x2x1xf32>, tensor<2x4x1x1xf32>) -> tensor<1x4x4x1xf32>
    return %%0 : tensor<1x4x4x1xf32>
  }
}`, devices),
		})
	}
	runCases(t, cases)
}
