package aot_test

// This file checks which of target's limits the compilers for accelerators have, and that a test
// shows each limit of the table.

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/ir/pass"
	"github.com/gospmd/gospmd/runtime/aot"
	limits "github.com/gospmd/gospmd/target"
)

// Programs that show limits of several compilers.
const (
	divisionByZero = `func.func @main(%x: tensor<8xf32>) -> tensor<8xi32> {
  %a = stablehlo.constant dense<7> : tensor<8xi32>
  %i = stablehlo.convert %x : (tensor<8xf32>) -> tensor<8xi32>
  %zero = stablehlo.subtract %i, %i : tensor<8xi32>
  %0 = stablehlo.divide %a, %zero : tensor<8xi32>
  return %0 : tensor<8xi32>
}`
	dilated = `func.func @main(%x: tensor<1x2x3x3xf32>, %k: tensor<6x2x3x4xf32>) -> tensor<1x3x4x4xf32> {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[3, 3], [0, 0]], lhs_dilate = [1, 2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x2x3x3xf32>, tensor<6x2x3x4xf32>) -> tensor<1x3x4x4xf32>
  return %0 : tensor<1x3x4x4xf32>
}`
	complexRemainders = `func.func @main(%x: tensor<8xcomplex<f32>>, %y: tensor<8xcomplex<f32>>) -> tensor<8xcomplex<f32>> {
  %0 = stablehlo.remainder %x, %y : tensor<8xcomplex<f32>>
  return %0 : tensor<8xcomplex<f32>>
}`
)

// acceleratorLimit is a program that shows a limit of a compiler for accelerators where the passes
// do not run.
type acceleratorLimit struct {
	limit  limits.Limit
	passes []string // that work around the limit
	memory int      // the limit of memory that the passes need
	on     []string // the targets; none: 8 chips
	shows  func(*testing.T, *aot.Executable, error) bool
	text   string
}

// isRefused reports whether the compiler returned an error.
func isRefused(_ *testing.T, _ *aot.Executable, err error) bool { return err != nil }

// sums reports whether the executable has an all-reduce.
func sums(t *testing.T, e *aot.Executable, err error) bool {
	require.NoError(t, err)
	return slices.ContainsFunc(e.Collectives, func(c aot.Collective) bool { return c.Kind == "all-reduce" })
}

// multipliesTwice reports whether the loop of the executable has two products.
func multipliesTwice(t *testing.T, e *aot.Executable, err error) bool {
	require.NoError(t, err)
	n, err := aot.ProductsInLoops(e.HLO)
	require.NoError(t, err)
	t.Logf("%d products in the loop", n)
	return n > 1
}

// acceleratorLimits has the limits that a compilation shows.
var acceleratorLimits = []acceleratorLimit{
	{limits.FoldsDivisions, []string{"division", "division_local"}, 0, nil, isRefused, divisionByZero},
	{limits.TakesForGroups, []string{"conv_groups"}, 0, nil, isRefused, dilated},
	{limits.MissingElements, []string{"elements"}, 0, nil, isRefused, complexRemainders},
	{limits.UnitDimensions, []string{"unit_dimensions"}, 0, nil, isRefused, `sdy.mesh @mesh = <["data"=2, "model"=4]>
func.func @main(%x: tensor<64x1x64x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}, {}, {}]>}) -> (tensor<1x64x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"data"}, {}]>}) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %y = stablehlo.tanh %x : tensor<64x1x64x256xf32>
  %0 = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<64x1x64x256xf32>, tensor<f32>) -> tensor<1x64x256xf32>
  return %0 : tensor<1x64x256xf32>
}`},
	{limits.SumsForScatters, []string{"two_scatters"}, 16e9, []string{"v5e:4x4", "h100:2x8"}, sums, `sdy.mesh @mesh = <["x"=16]>
func.func @main(%x: tensor<3584x1792xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %y: tensor<3584x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<1792x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [0] x [0] : (tensor<3584x1792xf32>, tensor<3584x1024xf32>) -> tensor<1792x1024xf32>
  return %0 : tensor<1792x1024xf32>
}`},
	{limits.SummedInLoops, []string{"products"}, 0, nil, multipliesTwice, `sdy.mesh @mesh = <["x"=8]>
func.func @main(%a: tensor<4x256x128xf32>, %w: tensor<128x256xf32>) -> (tensor<128x256xf32>, tensor<4x256x256xf32>) {
  %0 = stablehlo.constant dense<0> : tensor<i32>
  %zeros = stablehlo.constant dense<0.0> : tensor<4x256x256xf32>
  %none = stablehlo.constant dense<0.0> : tensor<128x256xf32>
  %r:3 = stablehlo.while(%i = %0, %s = %none, %t = %zeros) : tensor<i32>, tensor<128x256xf32>, tensor<4x256x256xf32>
  cond {
    %n = stablehlo.constant dense<4> : tensor<i32>
    %b = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %b : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %h1 = stablehlo.dynamic_slice %a, %i, %0, %0, sizes = [1, 256, 128] : (tensor<4x256x128xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x256x128xf32>
    %h = stablehlo.reshape %h1 : (tensor<1x256x128xf32>) -> tensor<256x128xf32>
    %g = stablehlo.dot_general %h, %w, contracting_dims = [1] x [0] : (tensor<256x128xf32>, tensor<128x256xf32>) -> tensor<256x256xf32>
    %p = stablehlo.dot_general %h, %g, contracting_dims = [0] x [0] : (tensor<256x128xf32>, tensor<256x256xf32>) -> tensor<128x256xf32>
    %s1 = stablehlo.add %s, %p : tensor<128x256xf32>
    %g1 = stablehlo.reshape %g : (tensor<256x256xf32>) -> tensor<1x256x256xf32>
    %t1 = stablehlo.dynamic_update_slice %t, %g1, %i, %0, %0 : (tensor<4x256x256xf32>, tensor<1x256x256xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x256x256xf32>
    %k = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %k, %s1, %t1 : tensor<i32>, tensor<128x256xf32>, tensor<4x256x256xf32>
  }
  return %r#1, %r#2 : tensor<128x256xf32>, tensor<4x256x256xf32>
}`},
}

// TestLimits compiles programs without the passes that work around a limit, for TPUs and GPUs. Each
// must show the limit exactly where the platform's row in package target has it. With the passes
// none may show it where the row has the limit.
func TestLimits(t *testing.T) {
	for _, tc := range acceleratorLimits {
		on := tc.on
		if on == nil {
			on = []string{"v5e:2x4", "h100:8"}
		}
		for _, name := range on {
			passes := strings.Join(tc.passes, " and ")
			t.Run("off="+strings.Join(tc.passes, ",off=")+" for "+name, func(t *testing.T) {
				shown := func(off []string) (bool, error) {
					m, err := ir.Parse(tc.text)
					require.NoError(t, err)
					p, err := compile.Compile(t.Context(), m, compile.Options{Platform: target(t, name).Chip.Platform, MemoryLimit: tc.memory, Debug: pass.Debug{Off: off}})
					require.NoError(t, err)
					e, err := compileFor(t, p, name)
					return tc.shows(t, e, err), err
				}
				row := limits.Of(target(t, name).Chip.Platform)
				without, err := shown(tc.passes)
				if row.Has(tc.limit) {
					require.True(t, without, "%s has a limit no longer: remove it from the row, and pass %s if no other row has it", row.Version, passes)
					with, err := shown(nil)
					require.False(t, with, "%s has the limit in spite of pass %s: %v", row.Version, passes, err)
					return
				}
				require.False(t, without, "%s has the limit of pass %s: add it to the row: %v", row.Version, passes, err)
			})
		}
	}
}

// shownElsewhere names the tests that show other limits, and their files.
var shownElsewhere = map[limits.Limit]struct{ test, file string }{
	limits.DropsBarriers: {"TestCheckpointsOfJAX", "../../compile/checkpoints_test.go"},
	limits.FusesOperands: {"TestKeptOperands", "offload_test.go"},
	limits.PadsChannels:  {"TestPatches", "patches_test.go"},
}

// onlyTimed names the benchmarks that show limits which nothing but time shows, and their files.
var onlyTimed = map[limits.Limit]struct{ benchmark, file string }{
	limits.SlowStridedProducts: {"BenchmarkTurn", "../../compile/turn_bench_test.go"},
}

// TestEveryLimit requires a row in a table of limits, or another test, for each limit of the table of
// package target that is Seen. The test fails when the compiler has no such limit any more.
func TestEveryLimit(t *testing.T) {
	named := func(name, file string) {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		require.Contains(t, string(text), "func "+name+"(", file)
	}
	for _, row := range limits.Targets() {
		if row.Version == "" {
			continue // no compiler, or ours
		}
		for _, k := range row.Limits {
			if !k.Seen {
				continue
			}
			elsewhere, isElsewhere := shownElsewhere[k.Limit]
			timed, isTimed := onlyTimed[k.Limit]
			switch {
			case isElsewhere:
				named(elsewhere.test, elsewhere.file)
			case isTimed:
				named(timed.benchmark, timed.file)
			case row == limits.CPU:
				require.True(t, slices.ContainsFunc(cpuLimits, func(l cpuLimit) bool { return l.limit == k.Limit }), "limit %d of %s needs a row in cpuLimits", k.Limit, row.Name)
			default:
				require.True(t, slices.ContainsFunc(acceleratorLimits, func(l acceleratorLimit) bool { return l.limit == k.Limit }), "limit %d of %s needs a row in acceleratorLimits", k.Limit, row.Name)
			}
		}
	}
}
