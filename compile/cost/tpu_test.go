package cost_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// The kernels of a TPU are those of libtpu: an optimizer's slots and the weight are one kernel, a
// sum over what a kernel makes is computed with it, an element-wise op is computed again in each
// product that reads it, and a value that only products read is kept in 16 bits.
func TestKernelsOfTPU(t *testing.T) {
	const n = 128 * 128 * 4
	for _, tc := range []struct {
		name, results, body string
		gpu, tpu            int // kernels
		saved               int // bytes that a TPU accesses less
	}{
		{"a slot and the weight", "tensor<128x128xf32>, tensor<128x128xf32>", `%m = stablehlo.add %a, %b : tensor<128x128xf32>
%p = stablehlo.multiply %m, %b : tensor<128x128xf32>
return %m, %p : tensor<128x128xf32>, tensor<128x128xf32>`, 2, 1, 2 * n},
		{"a product between them", "tensor<128x128xf32>, tensor<128x128xf32>", `%m = stablehlo.add %a, %b : tensor<128x128xf32>
%d = stablehlo.dot_general %b, %m, contracting_dims = [1] x [0] : (tensor<128x128xf32>, tensor<128x128xf32>) -> tensor<128x128xf32>
%x = "stablehlo.transpose"(%d) <{permutation = array<i64: 1, 0>}> : (tensor<128x128xf32>) -> tensor<128x128xf32>
%y = stablehlo.add %x, %m : tensor<128x128xf32>
return %m, %y : tensor<128x128xf32>, tensor<128x128xf32>`, 3, 3, 0},
		{"a sum of what is made", "tensor<128x128xf32>, tensor<128xf32>", `%m = stablehlo.add %a, %b : tensor<128x128xf32>
%z = stablehlo.constant dense<0.0> : tensor<f32>
%s = stablehlo.reduce(%m init: %z) applies stablehlo.add across dimensions = [0] : (tensor<128x128xf32>, tensor<f32>) -> tensor<128xf32>
return %m, %s : tensor<128x128xf32>, tensor<128xf32>`, 2, 1, n},
		{"read by two products", "tensor<128x128xf32>, tensor<128x128xf32>", `%m = stablehlo.negate %a : tensor<128x128xf32>
%x = stablehlo.dot_general %m, %b, contracting_dims = [1] x [0] : (tensor<128x128xf32>, tensor<128x128xf32>) -> tensor<128x128xf32>
%y = stablehlo.dot_general %m, %b, contracting_dims = [0] x [0] : (tensor<128x128xf32>, tensor<128x128xf32>) -> tensor<128x128xf32>
return %x, %y : tensor<128x128xf32>, tensor<128x128xf32>`, 3, 2, 2 * n},
		{"products of a product", "tensor<128x128xf32>", `%m = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<128x128xf32>, tensor<128x128xf32>) -> tensor<128x128xf32>
%x = stablehlo.dot_general %m, %b, contracting_dims = [1] x [0] : (tensor<128x128xf32>, tensor<128x128xf32>) -> tensor<128x128xf32>
return %x : tensor<128x128xf32>`, 2, 2, n},
		{"at full precision", "tensor<128x128xf32>", `%m = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<128x128xf32>, tensor<128x128xf32>) -> tensor<128x128xf32>
%x = stablehlo.dot_general %m, %b, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<128x128xf32>, tensor<128x128xf32>) -> tensor<128x128xf32>
return %x : tensor<128x128xf32>`, 2, 2, 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			m, f := parse(t, fmt.Sprintf("func.func @main(%%a: tensor<128x128xf32>, %%b: tensor<128x128xf32>) -> (%s) {\n%s\n}", tc.results, tc.body))
			kernels := func(platform string) (count, bytes int) {
				machine := slowMachine(false)
				machine.Platform = platform
				for _, k := range machine.Kernels(m.Meshes[0].Mesh, f) {
					count++
					bytes += k.Bytes
				}
				return count, bytes
			}
			count, want := kernels("cuda")
			require.Equal(t, tc.gpu, count)
			count, got := kernels("tpu")
			require.Equal(t, tc.tpu, count)
			copied := 2 * n // arguments, and results of their type
			for _, r := range f.Body.Terminator().Operands {
				copied += r.Type.MemoryBytes()
			}
			require.Equal(t, want-tc.saved, got-4*copied)
		})
	}
}

// A TPU accesses its memory for collectives, too, beside their time on the links.
func TestExchanged(t *testing.T) {
	m, f := parse(t, `func.func @main(%a: tensor<64x64xf32>) -> tensor<64x64xf32> {
%0 = spmd.all_reduce %a axes={"y"} reduction=add : tensor<64x64xf32>
return %0 : tensor<64x64xf32>
}`)
	machine := slowMachine(true)
	before := machine.Predict(m.Meshes[0].Mesh, f)
	require.Zero(t, before.BytesAccessed)
	machine.Platform = "tpu"
	p := machine.Predict(m.Meshes[0].Mesh, f)
	require.Equal(t, 2*64*64*4, p.BytesAccessed)
	require.Equal(t, before.Links, p.Links)
	require.InDelta(t, float64(p.BytesAccessed)/90, p.Memory, 1e-9)
}
