package cost_test

// This file tests the counting of FLOPs.

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/ir"
)

func TestFlops(t *testing.T) {
	for _, tc := range []struct {
		name, main string
		want       int
	}{
		{"matmul", `func.func @main(%a: tensor<4x8xf32>, %b: tensor<8x16xf32>) -> tensor<4x16xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x16xf32>) -> tensor<4x16xf32>
  return %0 : tensor<4x16xf32>
}`, 2 * 4 * 8 * 16},
		{"batched matmul", `func.func @main(%a: tensor<3x4x8xf32>, %b: tensor<3x8x16xf32>) -> tensor<3x4x16xf32> {
  %0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<3x4x8xf32>, tensor<3x8x16xf32>) -> tensor<3x4x16xf32>
  return %0 : tensor<3x4x16xf32>
}`, 3 * 2 * 4 * 8 * 16},
		{"element-wise and moves", `func.func @main(%a: tensor<4x8xf32>) -> tensor<32xf32> {
  %0 = stablehlo.exponential %a : tensor<4x8xf32>
  %1 = stablehlo.add %0, %a : tensor<4x8xf32>
  %2 = stablehlo.reshape %1 : (tensor<4x8xf32>) -> tensor<32xf32>
  return %2 : tensor<32xf32>
}`, 64},
		{"reduction", `func.func @main(%a: tensor<4x8xf32>) -> tensor<4xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%a init: %z) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}`, 32},
		{"convolution", `func.func @main(%a: tensor<1x8x8x3xf32>, %k: tensor<3x3x3x16xf32>) -> tensor<1x6x6x16xf32> {
  %0 = stablehlo.convolution(%a, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x8x3xf32>, tensor<3x3x3x16xf32>) -> tensor<1x6x6x16xf32>
  return %0 : tensor<1x6x6x16xf32>
}`, 2 * 3 * 3 * 3 * 6 * 6 * 16},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, f := parse(t, tc.main)
			n, unknown := cost.Flops(f)
			require.Equal(t, tc.want, n)
			require.False(t, unknown)
		})
	}
}

// Each of two users of random bits has half of their costs. The state has none.
func TestBitFlops(t *testing.T) {
	_, f := parse(t, `func.func @main(%state: tensor<3xui64>) -> (tensor<3xui64>, tensor<8xui64>, tensor<8xf32>) {
  %0:2 = stablehlo.rng_bit_generator %state, algorithm = PHILOX : (tensor<3xui64>) -> (tensor<3xui64>, tensor<8xui64>)
  %1 = stablehlo.not %0#1 : tensor<8xui64>
  %2 = stablehlo.convert %0#1 : (tensor<8xui64>) -> tensor<8xf32>
  return %0#0, %1, %2 : tensor<3xui64>, tensor<8xui64>, tensor<8xf32>
}`)
	ops := slices.Collect(f.Body.Ops())
	half := cost.BitFlops(ops[0].Results[1])
	require.Positive(t, half)
	require.Zero(t, cost.BitFlops(ops[0].Results[0]))
	require.Zero(t, cost.BitFlops(ops[1].Result()))
	require.Zero(t, cost.BitFlops(f.Params()[0]))
	ops[2].Result().ReplaceAllUsesWith(f.AddParam("y", ops[2].Result().Type, nil))
	ops[2].Erase()
	require.Equal(t, 2*half, cost.BitFlops(ops[0].Results[1]))
}

// silent lists the ops without FLOPs: they make, move or send data, pass values on, state
// something, or are not known.
var silent = map[ir.OpKind]bool{}

func init() {
	for _, k := range []ir.OpKind{
		ir.OpConstant, ir.OpIota, ir.OpBroadcastInDim, ir.OpReshape, ir.OpTranspose, ir.OpBitcastConvert, ir.OpSlice, ir.OpPad,
		ir.OpConcatenate, ir.OpReverse, ir.OpDynamicSlice, ir.OpDynamicUpdateSlice, ir.OpGather,
		ir.OpRngBitGenerator, ir.OpRng, // depends on the backend
		ir.OpWhile, ir.OpIf, ir.OpCase, ir.OpReturn, ir.OpCall, ir.OpComposite, ir.OpFuncReturn, ir.OpCustomCall,
		ir.OpOptimizationBarrier, ir.OpAfterAll, ir.OpCreateToken,
		ir.OpPartitionID, ir.OpReplicaID, ir.OpCrossReplicaSum,
		ir.OpShardingConstraint, ir.OpReshard, ir.OpPropagationBarrier, ir.OpShardingGroup, ir.OpDataFlowEdge, ir.OpFuncDataFlowEdge,
		ir.OpManualComputation, ir.OpNamedComputation, ir.OpSdyReturn, ir.OpSdyConstant, ir.OpSPMDAxisIndex,
	} {
		silent[k] = true
	}
}

// Every op has a count, or is listed as having none.
func TestEveryOpIsCounted(t *testing.T) {
	ir.EachOpInfo(func(row *ir.OpInfo) {
		counted := cost.IsCounted(row.Kind)
		still := silent[row.Kind] || row.Is(ir.Collective)
		require.NotEqual(t, counted, still, "%s: want a row in flops, or one in silent", row.Name)
	})
}
