package buffers_test

// This file tests products that GPUs compute in parts.

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile/cost/buffers"
	"github.com/gospmd/gospmd/ir"
)

// product returns a function that multiplies an m×k matrix by a k×n matrix.
func product(m, n, k int) *ir.Func {
	return ir.MustParse(fmt.Sprintf(`func.func @main(%%a: tensor<%dx%dxf32>, %%b: tensor<%dx%dxf32>) -> tensor<%dx%dxf32> {
  %%0 = stablehlo.dot_general %%a, %%b, contracting_dims = [1] x [0] : (tensor<%dx%dxf32>, tensor<%dx%dxf32>) -> tensor<%dx%dxf32>
  return %%0 : tensor<%dx%dxf32>
}`, m, k, k, n, m, n, m, k, k, n, m, n, m, n)).Main()
}

// The numbers of parts are those in the optimized HLO of XLA (jax-cuda13-pjrt 0.12) for an H100.
func TestSplits(t *testing.T) {
	for _, c := range []struct{ m, n, k, parts int }{
		{64, 64, 64, 1}, {64, 128, 64, 4}, {128, 128, 16, 1}, {32, 32, 224, 1}, {128, 128, 128, 8},
		{256, 256, 96, 1}, {256, 128, 96, 4}, {512, 256, 224, 2}, {512, 256, 192, 1}, {64, 64, 8192, 64},
		{256, 256, 256, 4}, {512, 512, 256, 1}, {1024, 256, 512, 4}, {1024, 512, 512, 1}, {256, 8, 1024, 16},
		{1024, 512, 784, 2}, {128, 1000, 384, 4}, {384, 384, 3152, 8}, {384, 1536, 3152, 4}, {640, 640, 768, 2},
		{1024, 1024, 1024, 1}, {1024, 512, 1024, 4}, {1024, 256, 2048, 8}, {1024, 1024, 2048, 2}, {2048, 1024, 2048, 1},
		{2048, 768, 3072, 1}, {1408, 1024, 4096, 2}, {512, 256, 4096, 16}, {1500, 700, 3000, 2}, {256, 256, 65536, 32},
	} {
		require.Equal(t, c.parts, buffers.Splits(product(c.m, c.n, c.k).Body.First()), "%+v", c)
	}
}

// A part of the contracted dimension is a multiple of 16 bytes. Operands that are too short for that
// are copied with padding: 3,152 float32 in 8 parts of 396.
func TestPaddedParts(t *testing.T) {
	padded, whole := product(384, 384, 3152), product(384, 384, 3168)
	const parts = 8 * 384 * 384 * 4
	require.Equal(t, parts+2*384*3168*4, buffers.Assign(padded, aliasNothing, buffers.GPU).Temporary)
	require.Equal(t, parts, buffers.Assign(whole, aliasNothing, buffers.GPU).Temporary)
}
