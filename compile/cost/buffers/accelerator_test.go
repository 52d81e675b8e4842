package buffers_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/compile/cost/buffers"
	"github.com/gospmd/gospmd/ir"
)

// Accelerators multiply numbers of 16 bits as they are, and TPUs compute what is
// element-wise around a product inside of it.
func TestAccelerators(t *testing.T) {
	f := ir.MustParse(`func.func @main(%a: tensor<64x64xbf16>, %w: tensor<64x64xbf16>) -> tensor<64x64xbf16> {
  %0 = stablehlo.tanh %a : tensor<64x64xbf16>
  %1 = stablehlo.dot_general %0, %w, contracting_dims = [1] x [0] : (tensor<64x64xbf16>, tensor<64x64xbf16>) -> tensor<64x64xbf16>
  %2 = stablehlo.abs %1 : tensor<64x64xbf16>
  %3 = stablehlo.dot_general %2, %w, contracting_dims = [0] x [0] : (tensor<64x64xbf16>, tensor<64x64xbf16>) -> tensor<64x64xbf16>
  return %3 : tensor<64x64xbf16>
}`).Main()
	const matrix = 64 * 64 * 2
	for model, kernels := range map[buffers.Model]int{buffers.TPU: 2, buffers.GPU: 4} {
		a := buffers.Assign(f, none, model)
		require.Equal(t, matrix, a.Temporary)
		require.Len(t, a.Steps, kernels)
	}
	require.Greater(t, buffers.Assign(f, none, buffers.CPU).Temporary, 2*matrix, "in 32 bits")
}

// TPUs multiply f32 in bf16, unless more is asked for, and gather it as such.
func TestGatheredForProducts(t *testing.T) {
	temporary := func(model buffers.Model, precision string) int {
		f := ir.MustParse(`module @m {
  sdy.mesh @mesh = <["x"=4]>
  func.func @main(%a: tensor<64x512xf32>, %w: tensor<128x256xf32>) -> tensor<64x256xf32> {
    %0 = spmd.all_gather %w dim=0 axes={"x"} : (tensor<128x256xf32>) -> tensor<512x256xf32>
    %1 = stablehlo.dot_general %a, %0, contracting_dims = [1] x [0], precision = [` + precision + `, ` + precision + `] : (tensor<64x512xf32>, tensor<512x256xf32>) -> tensor<64x256xf32>
    return %1 : tensor<64x256xf32>
  }
}`).Main()
		return buffers.Assign(f, none, model).Temporary
	}
	const full = 512 * 256 * 4
	require.Equal(t, full/2, temporary(buffers.TPU, "DEFAULT"))
	require.Equal(t, full, temporary(buffers.TPU, "HIGHEST"))
	require.Equal(t, full, temporary(buffers.GPU, "DEFAULT"))
}

// What frees memory runs early: of a sum of four products two are there at a time.
func TestFrugal(t *testing.T) {
	text := `func.func @main(%a: tensor<64x64xf32>, %w: tensor<64x64xf32>) -> tensor<f32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
`
	for _, n := range []string{"0", "1", "2", "3"} {
		text += "  %p" + n + " = stablehlo.dot_general %a, %w, contracting_dims = [" + map[bool]string{true: "0] x [1", false: "1] x [0"}[n > "1"] +
			"], precision = [" + map[bool]string{true: "HIGHEST", false: "DEFAULT"}[n == "1" || n == "2"] + ", DEFAULT] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>\n"
	}
	for _, n := range []string{"0", "1", "2", "3"} {
		text += "  %s" + n + " = stablehlo.reduce(%p" + n + " init: %z) applies stablehlo.add across dimensions = [0, 1] : (tensor<64x64xf32>, tensor<f32>) -> tensor<f32>\n"
	}
	text += `  %t0 = stablehlo.add %s0, %s1 : tensor<f32>
  %t1 = stablehlo.add %s2, %s3 : tensor<f32>
  %t = stablehlo.add %t0, %t1 : tensor<f32>
  return %t : tensor<f32>
}`
	f := ir.MustParse(text).Main()
	const matrix = 64 * 64 * 4
	require.GreaterOrEqual(t, buffers.Assign(f, none, buffers.CPUInOrder).Temporary, 4*matrix)
	require.Less(t, buffers.Assign(f, none, buffers.GPU).Temporary, 2*matrix)
}

// The bytes of arguments that libtpu 0.0.51 reports.
func TestTiles(t *testing.T) {
	for _, c := range []struct {
		dtype dtypes.DType
		dims  []int
		bytes int
	}{
		{dtypes.Float32, nil, 512},
		{dtypes.Float32, []int{10}, 512},
		{dtypes.Float32, []int{784}, 4096},
		{dtypes.Float32, []int{512, 10}, 16 * 512 * 4}, // in columns
		{dtypes.Float32, []int{512, 1024}, 512 * 1024 * 4},
		{dtypes.Float32, []int{3, 3, 3, 32}, 9 * 4 * 128 * 4},
		{dtypes.BFloat16, []int{1, 256}, 2 * 256 * 2},
	} {
		typ := ir.Tensor(c.dtype, c.dims...)
		require.Equal(t, c.bytes, buffers.TPU.Bytes(typ), typ)
		require.Equal(t, typ.MemoryBytes(), buffers.GPU.Bytes(typ), typ)
	}
}

// Every program has a prediction on every platform, of at most its values' bytes.
func TestEveryProgram(t *testing.T) {
	files, err := filepath.Glob("../../../benchmarks/memory/testdata/*.mlir")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		m, err := ir.Parse(string(text))
		require.NoError(t, err)
		p, err := compile.Compile(t.Context(), m, compile.Options{})
		require.NoError(t, err)
		f := p.Module.Main()
		all := 0
		f.Walk(func(op *ir.Op) {
			for _, r := range op.Results {
				all += r.Type.MemoryBytes()
			}
		})
		for _, model := range []buffers.Model{buffers.GPU, buffers.TPU} {
			a := buffers.Assign(f, none, model)
			require.Positive(t, a.Inputs, file)
			require.Less(t, a.Temporary, all, file)
		}
	}
}
