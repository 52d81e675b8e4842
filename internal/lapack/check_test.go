package lapack_test

// This file checks the errors of refused calls.

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/lapack"
	"github.com/gospmd/gospmd/ir"
)

func TestCheck(t *testing.T) {
	for _, tc := range []struct{ name, call, wantErr string }{
		{"as it should be", `@lapack_spotrf_ffi(%x) {mhlo.backend_config = {uplo = 76 : ui8}} : (tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<i32>)`, ""},
		{"layouts of LAPACK", `@lapack_spotrf_ffi(%x) {mhlo.backend_config = {uplo = 76 : ui8}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>]} : (tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<i32>)`, ""},
		{"other layouts", `@lapack_spotrf_ffi(%x) {mhlo.backend_config = {uplo = 76 : ui8}, operand_layouts = [dense<[1, 0]> : tensor<2xindex>]} : (tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<i32>)`, "LAPACK's are [dense<[0, 1]>"},
		{"a result too few", `@lapack_sgetrf_ffi(%x) : (tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4xi32>)`, "has 2 results, LAPACK's has 3"},
		{"another element type", `@lapack_dgetrf_ffi(%x) : (tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4xi32>, tensor<i32>)`, "operand 0 is tensor<4x4xf32>: want elements of f64"},
		{"another size", `@lapack_sgetrf_ffi(%x) : (tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<3xi32>, tensor<i32>)`, "result 1 is tensor<3xi32>: want the size 4 in place of 3"},
		{"another batch", `@lapack_sgetrf_ffi(%x) : (tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4xi32>, tensor<2xi32>)`, "result 2 is tensor<2xi32>: want 0 dimensions, after those of the batch, []"},
		{"no attribute", `@lapack_spotrf_ffi(%x) : (tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<i32>)`, "lacks the attribute uplo"},
		{"an odd number of singular vectors", `@lapack_sgesdd_ffi(%x) {mhlo.backend_config = {mode = 65 : ui8}} : (tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4xf32>, tensor<4x3xf32>, tensor<4x4xf32>, tensor<i32>)`, "3 left and 4 right singular vectors"},
		{"not there", `@lapack_sggev_ffi(%x) : (tensor<4x4xf32>) -> tensor<4x4xf32>`, "lapack_sggev_ffi is not known here"},
		{"refused", `@tridiagonal_solve_perturbed_ffi(%x) : (tensor<4x4xf32>) -> tensor<4x4xf32>`, "without perturb_singular"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			results := strings.Count(tc.call[strings.Index(tc.call, "->"):], "tensor")
			m, err := ir.Parse(fmt.Sprintf("func.func @main(%%x: tensor<4x4xf32>) {\n %%0:%d = stablehlo.custom_call %s\n return\n}", results, tc.call))
			require.NoError(t, err)
			err = lapack.Check(m.Main().Body.First())
			if tc.wantErr == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorContains(t, err, tc.wantErr)
		})
	}
}
