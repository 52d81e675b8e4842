package difftest_test

// This file tests that random programs state rules, and that these influence layouts.

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/internal/difftest"
	"github.com/gospmd/gospmd/ir"
)

func TestProgramsStateRules(t *testing.T) {
	stated := map[ir.OpKind]bool{}
	differ := 0
	for seed := range uint64(400) {
		p := difftest.New(seed, difftest.Options{})
		without := p.Module.Clone()
		ops := 0
		without.Main().Walk(func(op *ir.Op) {
			if op.Has("sdy.sharding_rule") && op.Kind != ir.OpCustomCall {
				stated[op.Kind] = true
				op.Attrs = op.Attrs.Without("sdy.sharding_rule")
				ops++
			}
		})
		if ops == 0 || differ > 20 {
			continue
		}
		a, err := compile.Compile(t.Context(), p.Module, compile.Options{})
		require.NoError(t, err)
		b, err := compile.Compile(t.Context(), without, compile.Options{})
		require.NoError(t, err)
		if a.Module.String() != b.Module.String() {
			differ++
		}
	}
	for _, kind := range []ir.OpKind{ir.OpDotGeneral, ir.OpReduce, ir.OpTranspose, ir.OpAdd, ir.OpGather, ir.OpScatter, ir.OpConvolution, ir.OpSort} {
		require.True(t, stated[kind], "%s with a stated rule", kind)
	}
	require.Greater(t, len(stated), 70, "kinds of ops with a stated rule")
	require.Greater(t, differ, 20, "programs that are compiled in another way")
}

// TestStatedRuleOfRewrittenOp rewrites ops that state a rule. The rule is about the operands in the
// original program: when the second op became a broadcast of %a, its rule did not fit any more. An
// op in the per-device program, with other shapes, keeps no rule.
func TestStatedRuleOfRewrittenOp(t *testing.T) {
	text := `module @m {
  sdy.mesh @mesh = <["x"=2]>
  func.func @main(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<2x4xf32> {
    %0 = stablehlo.broadcast_in_dim %a, dims = [1] : (tensor<4xf32>) -> tensor<1x4xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1] {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([k, j]) {i=1, j=4, k=2}>} : (tensor<1x4xf32>) -> tensor<2x4xf32>
    return %1 : tensor<2x4xf32>
  }
}`
	runCases(t, []thread{{name: "broadcast of a broadcast", text: text, in: []any{numbers(1, 2, 3, 4)}, want: []float64{1, 2, 3, 4, 1, 2, 3, 4}}})
	m, err := ir.Parse(text)
	require.NoError(t, err)
	compiled, err := compile.Compile(t.Context(), m, compile.Options{})
	require.NoError(t, err)
	require.NotContains(t, compiled.Module.String(), "sharding_rule")
}
