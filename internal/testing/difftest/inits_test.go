package difftest_test

// This file holds programs that once had wrong results here, but right ones in JAX: with initial
// values that are not neutral, and with rules of custom calls. Each runs on both engines, on one
// device and on its mesh, and must have the results given here.

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gospmd/gospmd/internal/testing/needs"
	"github.com/gospmd/gospmd/runtime"
)

// onEngines runs test on each engine that this binary has.
func onEngines(t *testing.T, test func(t *testing.T, h *harness)) {
	for _, name := range []string{"go", "pjrt"} {
		t.Run(name, func(t *testing.T) {
			if name == "pjrt" {
				needs.Cgo(t, runtime.HasPJRT)
			}
			test(t, open(t, name))
		})
	}
}

// runCases runs each case on both engines as a subtest, which requires the results that the case
// wants.
func runCases(t *testing.T, cases []thread) {
	onEngines(t, func(t *testing.T, h *harness) {
		for _, tc := range cases {
			t.Run(tc.name, func(t *testing.T) { h.thread(t, tc) })
		}
	})
}

// numbers returns v as f32.
func numbers(v ...float32) []float32 { return v }

// reduced returns the text of a program that reduces dimension 0 of %a, a 4x6 tensor of f32, by the
// op of that kind, such as add, starting from init. Its mesh has the axes data=n and model=m, which
// shard dimension 1 and dimension 0 of %a.
func reduced(n, m int, kind string, init float64) string {
	return fmt.Sprintf(`module @m {
  sdy.mesh @mesh = <["data"=%d, "model"=%d]>
  func.func @main(%%a: tensor<4x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {"data"}]>}) -> tensor<6xf32> {
    %%i = stablehlo.constant dense<%e> : tensor<f32>
    %%0 = stablehlo.reduce(%%a init: %%i) applies stablehlo.%s across dimensions = [0] : (tensor<4x6xf32>, tensor<f32>) -> tensor<6xf32>
    return %%0 : tensor<6xf32>
  }
}`, n, m, init, kind)
}

// TestReduceInitLocalSizeOne reduces a dimension that has one index on each device, and requires
// that the initial value counts once. There XLA replaces the reduction by its operand, and loses
// the initial value.
func TestReduceInitLocalSizeOne(t *testing.T) {
	negative := make([]float32, 24)
	for i := range negative {
		negative[i] = -float32(i%7) - 1
	}
	fold := func(init float64, f func(a, b float64) float64) (out []float64) {
		for c := range 6 {
			x := init
			for r := range 4 {
				x = f(x, float64(negative[6*r+c]))
			}
			out = append(out, x)
		}
		return out
	}
	var cases []thread
	for _, shape := range [][2]int{{2, 4}, {1, 4}, {2, 2}, {1, 3}} {
		for _, c := range []struct {
			kind string
			init float64
			want []float64
		}{
			{"add", 3, fold(3, func(a, b float64) float64 { return a + b })},
			{"add", 0, fold(0, func(a, b float64) float64 { return a + b })},
			{"maximum", 0, []float64{0, 0, 0, 0, 0, 0}},
			{"maximum", -3, fold(-3, func(a, b float64) float64 { return max(a, b) })},
			{"minimum", -5, fold(-5, func(a, b float64) float64 { return min(a, b) })},
			{"multiply", 2, fold(2, func(a, b float64) float64 { return a * b })},
		} {
			cases = append(cases, thread{
				name: fmt.Sprintf("%s from %g on %dx%d", c.kind, c.init, shape[0], shape[1]),
				text: reduced(shape[0], shape[1], c.kind, c.init), in: []any{negative}, want: c.want,
			})
		}
	}
	runCases(t, cases)
}

// TestReduceInitOfSizeOne reduces a dimension of size one, also on one device, and requires that
// the initial value counts once, also if it is an argument of the program.
func TestReduceInitOfSizeOne(t *testing.T) {
	runCases(t, []thread{{
		name: "sum", in: []any{numbers(1, 2), numbers(3)}, want: []float64{4, 5},
		text: `module @m {
  sdy.mesh @mesh = <["x"=2]>
  func.func @main(%a: tensor<1x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %i: tensor<f32>) -> tensor<2xf32> {
    %0 = stablehlo.reduce(%a init: %i) applies stablehlo.add across dimensions = [0] : (tensor<1x2xf32>, tensor<f32>) -> tensor<2xf32>
    return %0 : tensor<2xf32>
  }
}`,
	}, {
		name: "two at a time", in: []any{numbers(1, 2, 3, 4), numbers(-1, -2, -3, -4)}, want: []float64{15},
		text: `module @m {
  sdy.mesh @mesh = <["x"=4]>
  func.func @main(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %b: tensor<4xf32>) -> tensor<f32> {
    %i = stablehlo.constant dense<5.0> : tensor<f32>
    %z = stablehlo.constant dense<0.0> : tensor<f32>
    %0:2 = stablehlo.reduce(%a init: %i), (%b init: %z) across dimensions = [0] : (tensor<4xf32>, tensor<4xf32>, tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
      reducer(%v: tensor<f32>, %w: tensor<f32>) (%j: tensor<f32>, %k: tensor<f32>) {
        %s = stablehlo.add %v, %w : tensor<f32>
        %m = stablehlo.maximum %j, %k : tensor<f32>
        stablehlo.return %s, %m : tensor<f32>, tensor<f32>
      }
    %1 = stablehlo.add %0#0, %0#1 : tensor<f32>
    return %1 : tensor<f32>
  }
}`,
	}})
}

// argmaxFrom is a template of a program on MESH devices: an argmax of SIZE numbers, which starts
// from a value, its second input, and the index 700. It returns the sum of the largest value and
// its index.
const argmaxFrom = `module @m {
  sdy.mesh @mesh = <["x"=MESH]>
  func.func @main(%a: tensor<SIZExf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %v: tensor<f32>) -> tensor<f32> {
    %n = stablehlo.iota dim = 0 : tensor<SIZExf32>
    %i = stablehlo.constant dense<700.0> : tensor<f32>
    %0:2 = stablehlo.reduce(%a init: %v), (%n init: %i) across dimensions = [0] : (tensor<SIZExf32>, tensor<SIZExf32>, tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
      reducer(%p: tensor<f32>, %q: tensor<f32>) (%j: tensor<f32>, %k: tensor<f32>) {
        %g = stablehlo.compare GE, %q, %p : (tensor<f32>, tensor<f32>) -> tensor<i1>
        %m = stablehlo.select %g, %q, %p : tensor<i1>, tensor<f32>
        %l = stablehlo.select %g, %k, %j : tensor<i1>, tensor<f32>
        stablehlo.return %m, %l : tensor<f32>, tensor<f32>
      }
    %1 = stablehlo.add %0#0, %0#1 : tensor<f32>
    return %1 : tensor<f32>
  }
}`

// TestArgmaxInitCountsOnce uses an argmax that takes the last of equal values. An initial value
// that is as large as the elements must not win: it comes before all elements.
func TestArgmaxInitCountsOnce(t *testing.T) {
	text := func(mesh, size string) string {
		return strings.NewReplacer("MESH", mesh, "SIZE", size).Replace(argmaxFrom)
	}
	runCases(t, []thread{
		{name: "as large as an element", text: text("4", "4"), in: []any{numbers(1, 5, 2, 3), numbers(5)}, want: []float64{6}},
		{name: "larger", text: text("4", "4"), in: []any{numbers(1, 5, 2, 3), numbers(9)}, want: []float64{709}},
		{name: "smaller", text: text("4", "4"), in: []any{numbers(1, 5, 2, 3), numbers(-1)}, want: []float64{6}},
		{name: "uneven", text: text("4", "5"), in: []any{numbers(1, 2, 5, 3, 5), numbers(5)}, want: []float64{9}},
		{name: "a device without elements", text: text("4", "3"), in: []any{numbers(-1, -2, -1), numbers(-1)}, want: []float64{1}},
		{name: "one element", text: text("2", "1"), in: []any{numbers(3), numbers(8)}, want: []float64{708}},
	})
}

// TestReduceByOrderedBody reduces by a body that is right in one order only, x + y², from 1. So the
// partitioner must gather the elements, and the result must be that of one device.
func TestReduceByOrderedBody(t *testing.T) {
	runCases(t, []thread{{
		name: "sum of squares", in: []any{numbers(1, 2, 3, 4)}, want: []float64{31},
		text: `module @m {
  sdy.mesh @mesh = <["x"=4]>
  func.func @main(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<f32> {
    %i = stablehlo.constant dense<1.0> : tensor<f32>
    %0 = stablehlo.reduce(%a init: %i) across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
      reducer(%p: tensor<f32>, %q: tensor<f32>) {
        %s = stablehlo.multiply %q, %q : tensor<f32>
        %m = stablehlo.add %p, %s : tensor<f32>
        stablehlo.return %m : tensor<f32>
      }
    return %0 : tensor<f32>
  }
}`,
	}})
}

// windowSum is a template of a program on MESH devices: a reduction of windows of 2 by the op BODY,
// which starts from INIT, with padding at the end.
const windowSum = `module @m {
  sdy.mesh @mesh = <["x"=MESH]>
  func.func @main(%a: tensor<6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
    %i = stablehlo.constant dense<INIT> : tensor<f32>
    %0 = "stablehlo.reduce_window"(%a, %i) <{window_dimensions = array<i64: 2>, padding = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      BODY
      stablehlo.return %s : tensor<f32>
    }) : (tensor<6xf32>, tensor<f32>) -> tensor<6xf32>
    return %0 : tensor<6xf32>
  }
}`

// TestReduceWindowInitSharded checks that the padding of a sharded window does not add the initial
// value again.
func TestReduceWindowInitSharded(t *testing.T) {
	var cases []thread
	in := []any{numbers(1, -2, 3, -4, 5, 6)}
	for _, mesh := range []string{"2", "3", "4", "6"} {
		text := func(init, body string) string {
			return strings.NewReplacer("MESH", mesh, "INIT", init, "BODY", body).Replace(windowSum)
		}
		cases = append(cases,
			thread{name: "sum from 2 on " + mesh, text: text("2.0", "%s = stablehlo.add %p, %q : tensor<f32>"), in: in, want: []float64{1, 3, 1, 3, 13, 8}},
			thread{name: "maximum from 0 on " + mesh, text: text("0.0", "%s = stablehlo.maximum %p, %q : tensor<f32>"), in: in, want: []float64{1, 3, 3, 5, 6, 6}},
			thread{name: "product from 3 on " + mesh, text: text("3.0", "%s = stablehlo.multiply %p, %q : tensor<f32>"), in: in, want: []float64{-6, -18, -36, -60, 90, 18}},
		)
	}
	runCases(t, cases)
}

// TestSelectAndScatterInitSharded requires that a sharded select_and_scatter adds its initial value
// to every element exactly once.
func TestSelectAndScatterInitSharded(t *testing.T) {
	text := `module @m {
  sdy.mesh @mesh = <["x"=MESH]>
  func.func @main(%a: tensor<6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %s: tensor<6xf32>) -> tensor<6xf32> {
    %i = stablehlo.constant dense<100.0> : tensor<f32>
    %0 = "stablehlo.select_and_scatter"(%a, %s, %i) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 1>, padding = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %1 = stablehlo.compare GE, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    }, {
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %1 = stablehlo.add %p, %q : tensor<f32>
      stablehlo.return %1 : tensor<f32>
    }) : (tensor<6xf32>, tensor<6xf32>, tensor<f32>) -> tensor<6xf32>
    return %0 : tensor<6xf32>
  }
}`
	var cases []thread
	for _, mesh := range []string{"2", "3", "4", "6"} {
		cases = append(cases, thread{name: "on " + mesh, text: strings.ReplaceAll(text, "MESH", mesh),
			in: []any{numbers(1, -2, 3, -4, -5, -6), numbers(1, 2, 3, 4, 5, 6)}, want: []float64{101, 100, 105, 104, 105, 106}})
	}
	runCases(t, cases)
}

// TestScatterOperandCountsOnce scatters updates that are sharded along a batch dimension. The
// partial results are summed, but the operand must be added only once.
func TestScatterOperandCountsOnce(t *testing.T) {
	text := `module @m {
  sdy.mesh @mesh = <["x"=4]>
  func.func @main(%a: tensor<3xf32>, %i: tensor<4xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %u: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<3xf32> {
    %0 = "stablehlo.scatter"(%a, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %1 = stablehlo.KIND %p, %q : tensor<f32>
      stablehlo.return %1 : tensor<f32>
    }) : (tensor<3xf32>, tensor<4xi32>, tensor<4xf32>) -> tensor<3xf32>
    return %0 : tensor<3xf32>
  }
}`
	in := []any{numbers(10, -20, 30), []int32{1, 2, 1, 7}, numbers(1, 2, 3, 4)}
	runCases(t, []thread{
		{name: "add", text: strings.ReplaceAll(text, "KIND", "add"), in: in, want: []float64{10, -16, 32}},
		{name: "maximum", text: strings.ReplaceAll(text, "KIND", "maximum"), in: in, want: []float64{10, 3, 30}},
		{name: "multiply", text: strings.ReplaceAll(text, "KIND", "multiply"), in: in, want: []float64{10, -60, 60}},
	})
}

// TestShardingRuleOfResultsOnly states rules with factors that only a result has, or that a result
// lacks, for an identity and for ceil of whole numbers. Such factors cannot be sharded, because
// nothing says which part a device computes. The programs must return their operand.
func TestShardingRuleOfResultsOnly(t *testing.T) {
	text := `module @m {
  sdy.mesh @mesh = <["x"=2]>
  func.func @main(%a: tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
    %0 = stablehlo.custom_call @LayoutConstraint(%a) {sdy.sharding_rule = #sdy.op_sharding_rule<RULE, custom>} : (tensor<4x4xf32>) -> tensor<4x4xf32>
    return %0 : tensor<4x4xf32>
  }
}`
	in := []any{digits(16, 3)}
	var want []float64
	for _, v := range digits(16, 3) {
		want = append(want, float64(v))
	}
	var cases []thread
	for _, rule := range []string{
		"([i, j])->([k, l]) {i=4, j=4, k=4, l=4}", "([i, j])->([i, k]) {i=4, j=4, k=4}", "([i, j])->([k, j]) {i=4, j=4, k=4}",
		"([i, j])->([i, j]) {i=4, j=4} need_replication={i}", "([ij, k])->([ij, k]) {i=2, j=2, k=4}", "([i, j])->([i, j]) {i=2, j=2}",
	} {
		one := strings.ReplaceAll(text, "RULE", rule)
		// An op whose kind has a built-in rule keeps it, even if the program states another one.
		known := strings.NewReplacer("stablehlo.custom_call @LayoutConstraint(%a)", "stablehlo.ceil %a", ": (tensor<4x4xf32>) ->", ":").Replace(one)
		cases = append(cases, thread{name: rule, text: one, in: in, want: want}, thread{name: rule + " of ceil", text: known, in: in, want: want})
	}
	runCases(t, cases)
}
