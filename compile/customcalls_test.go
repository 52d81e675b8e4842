package compile_test

// This file checks how calls of LAPACK and approximate top k are partitioned, and the errors for
// calls that are not supported.

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/target"
)

// lapackCall is a Cholesky decomposition of eight matrices as JAX writes it, on a mesh of 8
// devices, x. Tests replace SHARDING, that of the matrices, and TARGET, the routine. Its stated
// rule lets rows and columns be sharded.
const lapackCall = `module {
  sdy.mesh @mesh = <["x"=8]>
  func.func @main(%x: tensor<8x16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, SHARDING>}) -> (tensor<8x16x16xf32>, tensor<8xi32>) {
    %0:2 = stablehlo.custom_call @TARGET(%x) {mhlo.backend_config = {uplo = 76 : ui8}, sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l, m], [i]) {i=8, j=16, k=16, l=16, m=16}, custom>} : (tensor<8x16x16xf32>) -> (tensor<8x16x16xf32>, tensor<8xi32>) loc("solver"("net.py":7:1))
    return %0#0, %0#1 : tensor<8x16x16xf32>, tensor<8xi32>
  }
}`

func compileText(t *testing.T, text string) (string, error) {
	m, err := ir.Parse(text)
	require.NoError(t, err)
	p, err := compile.Compile(t.Context(), m, compile.Options{})
	if err != nil {
		return "", err
	}
	return string(target.CPU.Text(p)), nil
}

func TestLapackBatchIsSharded(t *testing.T) {
	text, err := compileText(t, strings.NewReplacer("SHARDING", `[{"x"}, {}, {}]`, "TARGET", "lapack_spotrf_ffi").Replace(lapackCall))
	require.NoError(t, err)
	require.Contains(t, text, "(tensor<1x16x16xf32>) -> (tensor<1x16x16xf32>, tensor<1xi32>)")
	require.Contains(t, text, "operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>]")
	require.NotContains(t, text, "all_gather")
}

func TestLapackMatrixIsWhole(t *testing.T) {
	for _, sharding := range []string{`[{}, {"x"}, {}]`, `[{}, {}, {"x"}]`} {
		text, err := compileText(t, strings.NewReplacer("SHARDING", sharding, "TARGET", "lapack_spotrf_ffi").Replace(lapackCall))
		require.NoError(t, err)
		require.Regexp(t, `lapack_spotrf_ffi.*\(tensor<\dx16x16xf32>\) -> \(tensor<\dx16x16xf32>`, text)
	}
}

func TestLapackIsRefusedWithPlaceAndWayOut(t *testing.T) {
	_, err := compileText(t, strings.NewReplacer("SHARDING", `[{"x"}, {}, {}]`, "TARGET", "lapack_sggev_ffi").Replace(lapackCall))
	require.ErrorContains(t, err, "stablehlo.custom_call at solver (net.py:7): the routine lapack_sggev_ffi is not known here")
	_, err = compileText(t, strings.NewReplacer("SHARDING", `[{"x"}, {}, {}]`, "TARGET", "lapack_dpotrf_ffi").Replace(lapackCall))
	require.ErrorContains(t, err, "want elements of f64")
}

func TestApproxTopKIsSortAndSlice(t *testing.T) {
	text, err := compileText(t, `module {
  sdy.mesh @mesh = <["x"=8]>
  func.func @greater(%a: tensor<f32>, %b: tensor<f32>, %i: tensor<i32>, %j: tensor<i32>) -> tensor<i1> {
    %0 = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    return %0 : tensor<i1>
  }
  func.func @main(%x: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<8x3xf32>, tensor<8x3xi32>) {
    %i = stablehlo.iota dim = 1 : tensor<8x16xi32>
    %n = stablehlo.constant dense<-1> : tensor<i32>
    %l = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0:2 = stablehlo.custom_call @ApproxTopK(%x, %i, %l, %n) {called_computations = [@greater], mhlo.backend_config = {aggregate_to_topk = true, is_fallback = true, reduction_dim = 1 : i64, top_k = 3 : i64}} : (tensor<8x16xf32>, tensor<8x16xi32>, tensor<f32>, tensor<i32>) -> (tensor<8x3xf32>, tensor<8x3xi32>)
    return %0#0, %0#1 : tensor<8x3xf32>, tensor<8x3xi32>
  }
}`)
	require.NoError(t, err)
	require.Contains(t, text, "stablehlo.sort")
	require.Contains(t, text, "tensor<1x3xf32>")
	require.NotContains(t, text, "ApproxTopK")
	require.NotContains(t, text, "all_gather")
}
