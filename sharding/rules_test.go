package sharding_test

// This file tests the texts of rules, for one op each.

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/sharding"
)

// parseOps parses a function main with the given parameters, such as "%a: tensor<4xf32>", and body,
// and returns its ops. The last one is the return.
func parseOps(t *testing.T, params, body string) []*ir.Op {
	t.Helper()
	m, err := ir.Parse("func.func @main(" + params + ") {\n" + body + "\nreturn\n}")
	require.NoError(t, err)
	return slices.Collect(m.Main().Body.Ops())
}

func TestRules(t *testing.T) {
	for _, tc := range []struct {
		name, params, body string
		conservative       bool
		want               string
	}{
		{name: "element-wise", params: "%a: tensor<2x4xf32>", body: "%0 = stablehlo.add %a, %a : tensor<2x4xf32>",
			want: "([i, j], [i, j])->([i, j]) {i=2, j=4}"},
		{name: "scalars", params: "%a: tensor<f32>", body: "%0 = stablehlo.add %a, %a : tensor<f32>",
			want: "([], [])->([])"},
		{name: "select with a scalar predicate", params: "%p: tensor<i1>, %a: tensor<4x8xf32>", body: "%0 = stablehlo.select %p, %a, %a : tensor<i1>, tensor<4x8xf32>",
			want: "([], [i, j], [i, j])->([i, j]) {i=4, j=8}"},
		{name: "dot with batch", params: "%a: tensor<4x8x32xf32>, %b: tensor<4x32x16xf32>",
			body: "%0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<4x8x32xf32>, tensor<4x32x16xf32>) -> tensor<4x8x16xf32>",
			want: "([i, j, l], [i, l, k])->([i, j, k]) {i=4, j=8, k=16, l=32} reduction={l}"},
		{name: "dot of vector and matrix", params: "%a: tensor<4xf32>, %b: tensor<4x8xf32>",
			body: "%0 = stablehlo.dot %a, %b : (tensor<4xf32>, tensor<4x8xf32>) -> tensor<8xf32>",
			want: "([j], [j, i])->([i]) {i=8, j=4} reduction={j}"},
		{name: "reduce", params: "%a: tensor<2x64x13xf32>, %z: tensor<f32>",
			body: "%0 = stablehlo.reduce(%a init: %z) applies stablehlo.add across dimensions = [1] : (tensor<2x64x13xf32>, tensor<f32>) -> tensor<2x13xf32>",
			want: "([i, j, k], [])->([i, k]) {i=2, j=64, k=13} reduction={j}"},
		{name: "broadcast that expands a dimension", params: "%a: tensor<2x1x13xf32>",
			body: "%0 = stablehlo.broadcast_in_dim %a, dims = [0, 1, 2] : (tensor<2x1x13xf32>) -> tensor<2x64x13xf32>",
			want: "([i, j, l])->([i, k, l]) {i=2, j=1, k=64, l=13}"},
		{name: "transpose", params: "%a: tensor<2x3x4xf32>", body: "%0 = stablehlo.transpose %a, dims = [2, 0, 1] : (tensor<2x3x4xf32>) -> tensor<4x2x3xf32>",
			want: "([j, k, i])->([i, j, k]) {i=4, j=2, k=3}"},
		{name: "reshape that merges", params: "%a: tensor<2x4xf32>", body: "%0 = stablehlo.reshape %a : (tensor<2x4xf32>) -> tensor<8xf32>",
			want: "([i, j])->([ij]) {i=2, j=4}"},
		{name: "reshape with a common divisor", params: "%a: tensor<6x4xf32>", body: "%0 = stablehlo.reshape %a : (tensor<6x4xf32>) -> tensor<4x6xf32>",
			want: "([ij, mn])->([ik, ln]) {i=2, j=3, k=2, l=3, m=2, n=2}"},
		{name: "reshape without one", params: "%a: tensor<12x5xf32>", body: "%0 = stablehlo.reshape %a : (tensor<12x5xf32>) -> tensor<5x12xf32>",
			want: "([i, l])->([j, k]) {i=12, j=5, k=12, l=5}"},
		{name: "reshape around dimensions of size 1", params: "%a: tensor<1x8x4xf32>", body: "%0 = stablehlo.reshape %a : (tensor<1x8x4xf32>) -> tensor<8x1x4x1xf32>",
			want: "([i, j, l])->([j, k, l, m]) {i=1, j=8, k=1, l=4, m=1}"},
		{name: "reshape of nothing", params: "%a: tensor<0x8xf32>", body: "%0 = stablehlo.reshape %a : (tensor<0x8xf32>) -> tensor<8x0xf32>",
			want: "none"},
		{name: "slice", params: "%a: tensor<32x4xf32>", body: "%0 = stablehlo.slice %a [0:32, 1:2] : (tensor<32x4xf32>) -> tensor<32x1xf32>",
			want: "([i, j])->([i, j]) {i=32, j=4} permutation={j}"},
		{name: "slice, conservative", params: "%a: tensor<32x4xf32>", body: "%0 = stablehlo.slice %a [0:32, 1:2] : (tensor<32x4xf32>) -> tensor<32x1xf32>",
			conservative: true, want: "([i, j])->([i, j]) {i=32, j=4} permutation={j} blocked_propagation={j}"},
		{name: "reduce_window, conservative", params: "%a: tensor<8x16xf32>, %z: tensor<f32>",
			body:         `%0 = "stablehlo.reduce_window"(%a, %z) <{window_dimensions = array<i64: 1, 2>, window_strides = array<i64: 1, 2>}> ({ ^bb0(%x: tensor<f32>, %y: tensor<f32>): %m = stablehlo.maximum %x, %y : tensor<f32> stablehlo.return %m : tensor<f32> }) : (tensor<8x16xf32>, tensor<f32>) -> tensor<8x8xf32>`,
			conservative: true, want: "([i, j], [])->([i, j]) {i=8, j=8} permutation={j} blocked_propagation={j}"},
		{name: "select_and_scatter, conservative", params: "%a: tensor<8x16xf32>, %s: tensor<8x8xf32>, %z: tensor<f32>",
			body:         `%0 = "stablehlo.select_and_scatter"(%a, %s, %z) <{window_dimensions = array<i64: 1, 2>, window_strides = array<i64: 1, 2>}> ({ ^bb0(%x: tensor<f32>, %y: tensor<f32>): %m = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1> stablehlo.return %m : tensor<i1> }, { ^bb0(%x: tensor<f32>, %y: tensor<f32>): %m = stablehlo.add %x, %y : tensor<f32> stablehlo.return %m : tensor<f32> }) : (tensor<8x16xf32>, tensor<8x8xf32>, tensor<f32>) -> tensor<8x16xf32>`,
			conservative: true, want: "([i, k], [i, j], [])->([i, k]) {i=8, j=8, k=16} need_replication={j} permutation={k} blocked_propagation={j, k}"},
		{name: "sort", params: "%a: tensor<1x3xf32>", body: sortOf("1x3"), want: "([i, j])->([i, j]) {i=1, j=3} need_replication={j} blocked_propagation={j}"},
		{name: "sort, empty", params: "%a: tensor<0x3xf32>", body: sortOf("0x3"), want: "([i, j])->([i, j]) {i=0, j=3} need_replication={j}"},
		{name: "concatenate", params: "%a: tensor<4x3xf32>, %b: tensor<4x5xf32>",
			body: "%0 = stablehlo.concatenate %a, %b, dim = 1 : (tensor<4x3xf32>, tensor<4x5xf32>) -> tensor<4x8xf32>",
			want: "([i, j], [i, j])->([i, j]) {i=4, j=8} need_replication={j}"},
		{name: "dynamic_slice", params: "%a: tensor<32x4xf32>, %i: tensor<i32>",
			body: "%0 = stablehlo.dynamic_slice %a, %i, %i, sizes = [32, 1] : (tensor<32x4xf32>, tensor<i32>, tensor<i32>) -> tensor<32x1xf32>",
			want: "([i, j], [], [])->([i, j]) {i=32, j=4} need_replication={j} blocked_propagation={j}"},
		{name: "convolution", params: "%a: tensor<2x224x224x192xf32>, %b: tensor<3x3x192x64xf32>",
			body: "%0 = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[0, 1], [0, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x224x224x192xf32>, tensor<3x3x192x64xf32>) -> tensor<2x112x112x64xf32>",
			want: "([i, jk, lm, n], [k, m, n, o])->([i, j, l, o]) {i=2, j=112, k=2, l=112, m=2, n=192, o=64} reduction={k, m, n} permutation={j, l}"},
		{name: "embedding look-up", params: "%a: tensor<50257x64xf32>, %i: tensor<8x16x1xi32>",
			body: `%0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 64>}> : (tensor<50257x64xf32>, tensor<8x16x1xi32>) -> tensor<8x16x64xf32>`,
			want: "([l, k], [i, j, m])->([i, j, k]) {i=8, j=16, k=64, l=50257, m=1} reduction={l} need_replication={m}"},
		{name: "triangular_solve", params: "%a: tensor<8x3x3xf32>, %b: tensor<8x3x5xf32>",
			body: `%0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose TRANSPOSE>, unit_diagonal = false}> : (tensor<8x3x3xf32>, tensor<8x3x5xf32>) -> tensor<8x3x5xf32>`,
			want: "([i, l, j], [i, j, k])->([i, l, k]) {i=8, j=3, k=5, l=3} need_replication={j, k, l}"},
		{name: "stated rule", params: "%a: tensor<4x2xf32>",
			body: "%0 = stablehlo.custom_call @foo(%a) {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([j, i]) {i=4, j=2}, custom>} : (tensor<4x2xf32>) -> tensor<2x4xf32>",
			want: "([i, j])->([j, i]) {i=4, j=2}, custom"},
		{name: "unknown custom call", params: "%a: tensor<4x2xf32>", body: "%0 = stablehlo.custom_call @foo(%a) : (tensor<4x2xf32>) -> tensor<2x4xf32>",
			want: "none"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			rule, none, err := sharding.RuleOf(parseOps(t, tc.params, tc.body)[0], tc.conservative)
			require.NoError(t, err)
			require.Equal(t, tc.want, rule.String())
			require.Equal(t, rule == nil, none != "", "a reason is given where there is no rule, and only there")
		})
	}
}

// Every row of the op table has a rule, or a reason why it has none.
func TestEveryOpHasRuleOrReason(t *testing.T) {
	ir.EachOpInfo(func(info *ir.OpInfo) {
		hasRule, none := sharding.RuleRow(info.Kind)
		if hasRule == (none != "") {
			t.Errorf("%s: has a rule: %v, reason why not: %q; want one of the two", info.Name, hasRule, none)
		}
	})
}

func TestStatedRuleThatDoesNotFit(t *testing.T) {
	for _, tc := range []struct{ name, rule, want string }{
		{"operands", "([i], [i])->([i]) {i=4}", "has 2 operands, the op has 1"},
		{"rank", "([i])->([i]) {i=4}", "gives operand 0 1 dimensions, its type tensor<4x2xf32> has 2"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			ops := parseOps(t, "%a: tensor<4x2xf32>", strings.ReplaceAll(
				"%0 = stablehlo.custom_call @foo(%a) {sdy.sharding_rule = #sdy.op_sharding_rule<RULE>} : (tensor<4x2xf32>) -> tensor<2x4xf32>", "RULE", tc.rule))
			_, _, err := sharding.RuleOf(ops[0], false)
			require.ErrorContains(t, err, tc.want)
		})
	}
}

// sortOf returns the text of a sort of %a, of f32, along the last of two dimensions of the given
// sizes, such as "4x8".
func sortOf(dims string) string {
	t := "tensor<" + dims + "xf32>"
	return `%0 = "stablehlo.sort"(%a) <{dimension = 1 : i64}> ({ ^bb0(%x: tensor<f32>, %y: tensor<f32>): %m = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1> stablehlo.return %m : tensor<i1> }) : (` + t + `) -> ` + t
}
