package compile_test

// This file tests the element type in which gradients are summed over devices.

import (
	"fmt"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/dtypes/bfloat16"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/internal/testing/runtimetest"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/program"
)

// step is a training step on 4 devices. The gradient of the weight %w is the sum of the examples
// %x, [4, 2], which are sharded. It is computed in the type %[1]s, and added to the slot %m; the
// update is in f32. The outputs are the new weight, the new slot and the loss, the sum of %x.
const step = `
sdy.mesh @mesh = <["data"=4]>
func.func @main(%%x: tensor<4x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>, gospmd.role = "data"},
    %%w: tensor<2xf32> {tf.aliasing_output = 0 : i32, gospmd.role = "parameter"},
    %%m: tensor<2xf32> {tf.aliasing_output = 1 : i32, gospmd.role = "optimizer"}) -> (tensor<2xf32>, tensor<2xf32>, tensor<f32>) {
  %%zero = stablehlo.constant dense<0.0> : tensor<%[1]s>
  %%zero32 = stablehlo.constant dense<0.0> : tensor<f32>
  %%half = stablehlo.convert %%x : (tensor<4x2xf32>) -> tensor<4x2x%[1]s>
  %%g = stablehlo.reduce(%%half init: %%zero) applies stablehlo.add across dimensions = [0] : (tensor<4x2x%[1]s>, tensor<%[1]s>) -> tensor<2x%[1]s>
  %%g32 = stablehlo.convert %%g : (tensor<2x%[1]s>) -> tensor<2xf32>
  %%m2 = stablehlo.add %%m, %%g32 : tensor<2xf32>
  %%w2 = stablehlo.subtract %%w, %%m2 : tensor<2xf32>
  %%loss = stablehlo.reduce(%%x init: %%zero32) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x2xf32>, tensor<f32>) -> tensor<f32>
  return %%w2, %%m2, %%loss : tensor<2xf32>, tensor<2xf32>, tensor<f32>
}`

// summedTypes returns the types, such as tensor<4xf32>, of the values that are summed over devices
// in p, in program order.
func summedTypes(p *program.Program) (list []string) {
	p.Module.Main().Walk(func(op *ir.Op) {
		if op.Kind == ir.OpSPMDAllReduce || op.Kind == ir.OpSPMDReduceScatter {
			for _, v := range op.Operands {
				list = append(list, v.Type.String())
			}
		}
	})
	return list
}

// A step of four devices sums the gradients in the type that the user says, or in that of the
// gradients, and the loss in its own. 256, 1, 1 and 1 add up to 259 in f32 and f64 only: bf16 has 8
// bits. A type of integers and XLA's partitioner are errors.
func TestReduceDType(t *testing.T) {
	x := []float32{256, 2, 1, 2, 1, 2, 1, 2}
	inBF16 := func() float32 {
		sum := bfloat16.FromFloat32(0)
		for _, v := range []float32{256, 1, 1, 1} {
			sum = bfloat16.FromFloat32(sum.Float32() + v)
		}
		return sum.Float32()
	}
	require.NotEqual(t, float32(259), inBF16())
	for _, tc := range []struct {
		computed string
		reduce   dtypes.DType
		summed   []string // besides the loss
		exact    bool
	}{
		{"bf16", dtypes.InvalidDType, []string{"tensor<2xbf16>"}, false},
		{"bf16", dtypes.BFloat16, []string{"tensor<2xbf16>"}, false},
		{"bf16", dtypes.Float32, []string{"tensor<2xf32>"}, true},
		{"f32", dtypes.InvalidDType, []string{"tensor<2xf32>"}, true},
		{"f32", dtypes.BFloat16, []string{"tensor<2xbf16>"}, false},
		{"f32", dtypes.Float64, []string{"tensor<2xf64>"}, true},
	} {
		t.Run(fmt.Sprint(tc.computed, " in ", tc.reduce), func(t *testing.T) {
			m, err := ir.Parse(fmt.Sprintf(step, tc.computed))
			require.NoError(t, err)
			p, err := compile.Compile(t.Context(), m, compile.Options{ReduceDType: tc.reduce, KeepLayouts: true})
			require.NoError(t, err)
			require.ElementsMatch(t, append(tc.summed, "tensor<f32>"), summedTypes(p), "%s", p.Module)
			client := runtimetest.Open(t, 4)
			out := runOn(t, client, p, []any{x, []float32{0, 0}, []float32{0, 0}})
			require.Equal(t, float32(267), out[2].([]float32)[0], "the loss")
			slot := out[1].([]float32)
			require.Equal(t, float32(8), slot[1])
			if tc.exact {
				require.Equal(t, float32(259), slot[0])
			} else {
				require.NotEqual(t, float32(259), slot[0])
				require.InDelta(t, 259, slot[0], 4)
			}
		})
	}
	_, err := compile.Compile(t.Context(), ir.MustParse(fmt.Sprintf(step, "f32")), compile.Options{ReduceDType: dtypes.Int32})
	require.ErrorContains(t, err, "Options.ReduceDType is Int32: want a type of floats")
	_, err = compile.Compile(t.Context(), ir.MustParse(fmt.Sprintf(step, "f32")), compile.Options{ReduceDType: dtypes.Float32, Partitioner: compile.XLA})
	require.ErrorContains(t, err, "Options.ReduceDType is set")
}
