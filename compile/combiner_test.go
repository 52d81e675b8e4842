package compile_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/target"
)

// independentSums returns the text of a module with n products, each of a parameter
// tensor<8x16xf32> and one shared weight. The axis model, of two devices, shards the contracted
// dimension, so there are n partial sums, which do not depend on each other. All products are
// results.
func independentSums(n int) string {
	const row, weight = "tensor<8x16xf32>", "tensor<16x16xf32>"
	var params, ops, results, types []string
	for i := range n {
		params = append(params, fmt.Sprintf(`%%x%d: %s {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}`, i, row))
		ops = append(ops, fmt.Sprintf("    %%v%d = stablehlo.dot_general %%x%d, %%w, contracting_dims = [1] x [0] : (%s, %s) -> %s\n", i, i, row, weight, row))
		results = append(results, fmt.Sprintf("%%v%d", i))
		types = append(types, row+" {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}")
	}
	params = append(params, fmt.Sprintf(`%%w: %s {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>}`, weight))
	return fmt.Sprintf("module {\n  sdy.mesh @mesh = <[\"model\"=2]>\n  func.func public @main(%s) -> (%s) {\n%s    return %s : %s\n  }\n}\n",
		strings.Join(params, ", "), strings.Join(types, ", "), strings.Join(ops, ""), strings.Join(results, ", "), strings.Join(slices.Repeat([]string{row}, n), ", "))
}

// Independent sums become one collective. In a long program there is one collective for each
// window.
func TestCombineWindows(t *testing.T) {
	for _, tc := range []struct{ sums, collectives int }{{100, 1}, {compile.MaxWindow, 1}, {2*compile.MaxWindow + 100, 3}} {
		m, err := ir.Parse(independentSums(tc.sums))
		require.NoError(t, err)
		p, err := compile.Compile(t.Context(), m, compile.Options{})
		require.NoError(t, err)
		collectives, operands := 0, 0
		p.Module.Main().Walk(func(op *ir.Op) {
			if op.Kind == ir.OpSPMDAllReduce {
				collectives++
				operands += len(op.Operands)
			}
		})
		require.Equal(t, tc.sums, operands)
		require.Equal(t, tc.collectives, collectives, "%d sums", tc.sums)
	}
}

// On virtual devices of a CPU (cost.Host), collectives among the same devices become one call, also
// along different dimensions and of different types. On the default machine three gathers stay
// three calls.
func TestCombineNeighbours(t *testing.T) {
	const text = `module {
  sdy.mesh @mesh = <["x"=2]>
  func.func @main(%x: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>},
      %a: tensor<4x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %b: tensor<6x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
      %c: tensor<8x4xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>},
      tensor<8x4xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
    %0 = stablehlo.dot_general %x, %a, contracting_dims = [1] x [0] : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
    %1 = sdy.sharding_constraint %0 <@mesh, [{}, {}]> : tensor<8x6xf32>
    %2 = sdy.sharding_constraint %b <@mesh, [{}, {}]> : tensor<6x4xf32>
    %3 = stablehlo.dot_general %1, %2, contracting_dims = [1] x [0] : (tensor<8x6xf32>, tensor<6x4xf32>) -> tensor<8x4xf32>
    return %3, %c : tensor<8x4xf32>, tensor<8x4xi32>
  }
}
`
	for _, tc := range []struct {
		machine *cost.Machine
		calls   int
	}{{cost.Host(), 1}, {nil, 3}} {
		m, err := ir.Parse(text)
		require.NoError(t, err)
		p, err := compile.Compile(t.Context(), m, compile.Options{Machine: tc.machine})
		require.NoError(t, err)
		gathers := 0
		p.Module.Main().Walk(func(op *ir.Op) {
			if op.Kind == ir.OpSPMDAllGather {
				gathers++
			}
		})
		require.Equal(t, 3, gathers, "\n%s", p.Module)
		shared := target.Share(p)
		require.False(t, shared.Waits)
		require.Equal(t, tc.calls, strings.Count(string(shared.Text), target.SharedCall), "%s", shared.Text)
	}
}
