package aot_test

// This file checks which of target's limits the compilers for accelerators have.

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/ir/pass"
	limits "github.com/gospmd/gospmd/target"
)

// TestLimits compiles programs without the passes that work around a limit, for TPUs and GPUs. It
// requires an error exactly where the platform's row in package limits has the limit.
func TestLimits(t *testing.T) {
	for _, tc := range []struct {
		limit     limits.Limit
		off, text string
	}{
		{limits.FoldsDivisions, "off=division,off=division_local", `func.func @main(%x: tensor<8xf32>) -> tensor<8xi32> {
  %a = stablehlo.constant dense<7> : tensor<8xi32>
  %i = stablehlo.convert %x : (tensor<8xf32>) -> tensor<8xi32>
  %zero = stablehlo.subtract %i, %i : tensor<8xi32>
  %0 = stablehlo.divide %a, %zero : tensor<8xi32>
  return %0 : tensor<8xi32>
}`},
		{limits.TakesForGroups, "off=conv_groups", `func.func @main(%x: tensor<1x2x3x3xf32>, %k: tensor<6x2x3x4xf32>) -> tensor<1x3x4x4xf32> {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[3, 3], [0, 0]], lhs_dilate = [1, 2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x2x3x3xf32>, tensor<6x2x3x4xf32>) -> tensor<1x3x4x4xf32>
  return %0 : tensor<1x3x4x4xf32>
}`},
		{limits.MissingElements, "off=elements", `func.func @main(%x: tensor<8xcomplex<f32>>, %y: tensor<8xcomplex<f32>>) -> tensor<8xcomplex<f32>> {
  %0 = stablehlo.remainder %x, %y : tensor<8xcomplex<f32>>
  return %0 : tensor<8xcomplex<f32>>
}`},
		{limits.UnitDimensions, "off=unit_dimensions", `sdy.mesh @mesh = <["data"=2, "model"=4]>
func.func @main(%x: tensor<64x1x64x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}, {}, {}]>}) -> (tensor<1x64x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"data"}, {}]>}) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %y = stablehlo.tanh %x : tensor<64x1x64x256xf32>
  %0 = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<64x1x64x256xf32>, tensor<f32>) -> tensor<1x64x256xf32>
  return %0 : tensor<1x64x256xf32>
}`},
	} {
		for _, name := range []string{"v5e:2x4", "h100:8"} {
			t.Run(tc.off+" for "+name, func(t *testing.T) {
				debug, err := pass.ParseDebug(tc.off)
				require.NoError(t, err)
				m, err := ir.Parse(tc.text)
				require.NoError(t, err)
				p, err := compile.Compile(t.Context(), m, compile.Options{Debug: debug})
				require.NoError(t, err)
				_, err = compileFor(t, p, name)
				row := limits.Of(target(t, name).Chip.Platform)
				require.Equal(t, row.Has(tc.limit), err != nil, "%s: %v", row.Version, err)
			})
		}
	}
}
