package aot_test

// This file checks which of target's limits XLA's compiler for CPUs has.

import (
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/hardware"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/ir/pass"
	"github.com/gospmd/gospmd/runtime"
	limits "github.com/gospmd/gospmd/target"
)

// cpuLimit is a small program that shows a limit of XLA on CPUs where the passes do not run.
type cpuLimit struct {
	limit  limits.Limit
	name   string   // of the constant
	does   string   // what XLA does, for the message of the test
	passes []string // that work around the limit
	shows  func(*testing.T, cpuRun) bool
	text   string
	inputs []any
}

// cpuRun is what has become of a program: its outcome, and the files that XLA wrote about it.
type cpuRun struct {
	dir, name string
	outcome   string // right, wrong, or an error; empty if the process ended before
}

// The outcomes of a run with results: those of the Go engine, or others.
const (
	right = "right"
	wrong = "wrong"
)

// files returns the texts of the files about the program whose names end so, one after the other.
func (r cpuRun) files(t *testing.T, end string) string {
	names, err := filepath.Glob(filepath.Join(r.dir, "module_*."+r.name+"."+end))
	require.NoError(t, err)
	var b strings.Builder
	for _, name := range names {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		b.Write(text)
	}
	return b.String()
}

// isNotRight reports whether XLA gave wrong results, an error, or ended the process.
func isNotRight(_ *testing.T, r cpuRun) bool { return r.outcome != right }

// scatters reports whether the optimized module has a scatter.
func scatters(t *testing.T, r cpuRun) bool {
	text := r.files(t, "cpu_after_optimizations.txt")
	require.Contains(t, text, "ENTRY")
	return strings.Contains(text, " scatter(")
}

// convolvesBySingleProducts reports whether XLA made code of its own for a convolution: a loop over
// single products. It calls Eigen for the others.
func convolvesBySingleProducts(t *testing.T, r cpuRun) bool {
	require.Contains(t, r.files(t, "cpu_after_optimizations.txt"), " convolution(")
	return r.files(t, "convolution*_elemental_kernel_module.ir-with-opt.ll") != ""
}

// vectorSum and scalarSum match additions of LLVM.
var (
	vectorSum = regexp.MustCompile(` fadd [a-z ]*<\d+ x (float|double)>`)
	scalarSum = regexp.MustCompile(` fadd [a-z ]*(float|double) `)
)

// addsSingleNumbers reports whether all additions in the code of XLA are those of single numbers.
func addsSingleNumbers(t *testing.T, r cpuRun) bool {
	text := r.files(t, "*.ir-with-opt.ll")
	return scalarSum.MatchString(text) && !vectorSum.MatchString(text)
}

// cpuLimits has the limits that a compilation or a run shows.
var cpuLimits = []cpuLimit{
	{limits.AddedIndices, "AddedIndices", "adds the indices of a slice of a slice", []string{"clamp"}, isNotRight, `func.func @main(%x: tensor<8xf32>, %i: tensor<i32>, %j: tensor<i32>) -> tensor<2xf32> {
  %a = stablehlo.dynamic_slice %x, %i, sizes = [4] : (tensor<8xf32>, tensor<i32>) -> tensor<4xf32>
  %b = stablehlo.dynamic_slice %a, %j, sizes = [2] : (tensor<4xf32>, tensor<i32>) -> tensor<2xf32>
  return %b : tensor<2xf32>
}`, []any{wholeNumbers(8), []int32{6}, []int32{0}}},
	{limits.NegativePadding, "NegativePadding", "reads beyond the operand where padding is negative", []string{"conv_padding"}, isNotRight, `func.func @main(%x: tensor<2x8x8x1xf32>, %k: tensor<3x3x1x1xf32>) -> tensor<2x6x6x1xf32> {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[-1, 1], [0, 0]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x8x8x1xf32>, tensor<3x3x1x1xf32>) -> tensor<2x6x6x1xf32>
  return %0 : tensor<2x6x6x1xf32>
}`, []any{wholeNumbers(128), wholeNumbers(9)}},
	{limits.TakesForGroups, "TakesForGroups", "takes a dilated dimension for one of groups", []string{"conv_groups"}, isNotRight, dilated, []any{wholeNumbers(18), wholeNumbers(144)}},
	{limits.MissingElements, "MissingElements", "aborts on remainders of complex numbers", []string{"elements"}, isNotRight, complexRemainders, []any{complexNumbers(8, 5), complexNumbers(8, 2)}},
	{limits.FoldsDivisions, "FoldsDivisions", "ends the process over a division by zero", []string{"division", "division_local"}, isNotRight, divisionByZero, []any{wholeNumbers(8)}},
	{limits.SlowMaxGradients, "SlowMaxGradients", "computes the gradient of a max pooling by a scatter", []string{"pooling"}, scatters, `func.func @main(%x: tensor<1x4x4x2xf32>, %g: tensor<1x2x2x2xf32>) -> tensor<1x4x4x2xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.select_and_scatter"(%x, %g, %zero) <{window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<1x4x4x2xf32>, tensor<1x2x2x2xf32>, tensor<f32>) -> tensor<1x4x4x2xf32>
  return %0 : tensor<1x4x4x2xf32>
}`, []any{wholeNumbers(32), wholeNumbers(8)}},
	{limits.SlowSmallImages, "SlowSmallImages", "computes convolutions of small images by single products", []string{"conv_images"}, convolvesBySingleProducts, `func.func @main(%x: tensor<2x2x2x4xf32>, %k: tensor<3x3x4x4xf32>) -> tensor<2x2x2x4xf32> {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x2x2x4xf32>, tensor<3x3x4x4xf32>) -> tensor<2x2x2x4xf32>
  return %0 : tensor<2x2x2x4xf32>
}`, []any{wholeNumbers(32), wholeNumbers(144)}},
	{limits.SlowLoopedConvolutions, "SlowLoopedConvolutions", "computes convolutions in loops by single products", []string{"conv_loops"}, convolvesBySingleProducts, `func.func @main(%x: tensor<2x6x6x3xf32>, %d: tensor<2x4x4x5xf32>, %s: tensor<3x3x3x5xf32>) -> tensor<3x3x3x5xf32> {
  %0 = stablehlo.constant dense<0> : tensor<i32>
  %r:2 = stablehlo.while(%i = %0, %c = %s) : tensor<i32>, tensor<3x3x3x5xf32>
  cond {
    %n = stablehlo.constant dense<2> : tensor<i32>
    %b = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %b : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    %h = stablehlo.slice %c [0:1, 0:1, 0:1, 0:5] : (tensor<3x3x3x5xf32>) -> tensor<1x1x1x5xf32>
    %w = stablehlo.broadcast_in_dim %h, dims = [0, 1, 2, 3] : (tensor<1x1x1x5xf32>) -> tensor<2x4x4x5xf32>
    %e = stablehlo.add %d, %w : tensor<2x4x4x5xf32>
    %g = stablehlo.convolution(%x, %e) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x6x6x3xf32>, tensor<2x4x4x5xf32>) -> tensor<3x3x3x5xf32>
    stablehlo.return %j, %g : tensor<i32>, tensor<3x3x3x5xf32>
  }
  return %r#1 : tensor<3x3x3x5xf32>
}`, []any{wholeNumbers(216), wholeNumbers(160), wholeNumbers(135)}},
	{limits.SlowColumnSums, "SlowColumnSums", "sums columns in loops that are not vectorized", []string{"sums"}, addsSingleNumbers, `func.func @main(%x: tensor<16x26x26x32xf32>) -> tensor<32xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<16x26x26x32xf32>, tensor<f32>) -> tensor<32xf32>
  return %0 : tensor<32xf32>
}`, []any{wholeNumbers(16 * 26 * 26 * 32)}},
}

// wholeNumbers returns n whole numbers from -3 to 3. Their sums and products are exact.
func wholeNumbers(n int) []float32 {
	out := make([]float32, n)
	for i := range out {
		out[i] = float32(i*5%7 - 3)
	}
	return out
}

// complexNumbers returns n times the real number x.
func complexNumbers(n int, x float32) []complex64 {
	return slices.Repeat([]complex64{complex(x, 0)}, n)
}

// TestLimitsOfCPUs runs small programs on XLA for CPUs, each with the passes for a limit and without
// them. It fails where the program without them does not show the limit any more, and where the one
// with them does. Nothing is timed: XLA's results are compared with those of the Go engine, and for
// limits that cost only time the test reads the code that XLA made. Each program runs in a process
// of its own, because some end it.
func TestLimitsOfCPUs(t *testing.T) {
	const inner, into = "GOSPMD_TEST_LIMIT", "GOSPMD_TEST_LIMIT_DIR"
	if name := os.Getenv(inner); name != "" {
		i := slices.IndexFunc(cpuLimits, func(l cpuLimit) bool { return l.name == name })
		cpuLimits[i].runBoth(t, os.Getenv(into))
		return
	}
	if !runtime.HasPJRT || os.Getenv("GOSPMD_ENGINE") == runtime.EngineGo {
		t.Skip("the engine is not PJRT: the test is of its plugin for CPUs")
	}
	for _, tc := range cpuLimits {
		t.Run(tc.name, func(t *testing.T) {
			require.True(t, limits.CPU.Has(tc.limit), "target.%s is not in the row of CPUs any more: remove it here", tc.name)
			dir := t.TempDir()
			cmd := exec.Command(os.Args[0], "-test.run=^TestLimitsOfCPUs$")
			cmd.Env = append(os.Environ(), inner+"="+tc.name, into+"="+dir, runtime.PlatformVar+"="+hardware.CPU, "XLA_FLAGS=--xla_dump_to="+dir)
			out, err := cmd.CombinedOutput() // an error: XLA may have ended the process
			with, without := runIn(dir, "with"), runIn(dir, "without")
			require.Equal(t, right, with.outcome, "with the passes: %v: %s", err, out)
			passes := strings.Join(tc.passes, " and ")
			require.True(t, tc.shows(t, without), "XLA for CPUs no longer %s (%s): remove target.%s and pass %s", tc.does, limits.CPU.Version, tc.name, passes)
			require.False(t, tc.shows(t, with), "XLA for CPUs %s in spite of pass %s: target.%s needs another one", tc.does, passes, tc.name)
		})
	}
}

// runIn returns the run with the name whose outcome and whose files are in dir.
func runIn(dir, name string) cpuRun {
	outcome, _ := os.ReadFile(filepath.Join(dir, name)) // none: the process has ended
	return cpuRun{dir, name, string(outcome)}
}

// runBoth runs the program with all passes, then without those for the limit, and writes what has
// become of each to a file in dir.
func (l cpuLimit) runBoth(t *testing.T, dir string) {
	open := func(engine string) *runtime.Client {
		c, err := runtime.Open(t.Context(), runtime.Options{Platform: hardware.CPU, Engine: engine, Devices: 1, CompilationCache: "off"})
		require.NoError(t, err)
		return c
	}
	xla, goes := open(runtime.EnginePJRT), open(runtime.EngineGo)
	want, err := l.run(t, goes, "reference", nil)
	require.NoError(t, err)
	for _, v := range []struct {
		name string
		off  []string
	}{{"with", nil}, {"without", l.passes}} {
		got, err := l.run(t, xla, v.name, v.off)
		outcome := right
		switch {
		case err != nil:
			outcome = err.Error()
		case !reflect.DeepEqual(want, got):
			outcome = wrong
		}
		require.NoError(t, os.WriteFile(filepath.Join(dir, v.name), []byte(outcome), 0o600))
	}
}

// run compiles the program without some passes, under a name, and returns the elements of its
// result on c.
func (l cpuLimit) run(t *testing.T, c *runtime.Client, name string, off []string) (any, error) {
	m, err := ir.Parse(l.text)
	require.NoError(t, err)
	m.Name = name
	p, err := compile.Compile(t.Context(), m, compile.Options{Platform: hardware.CPU, Debug: pass.Debug{Off: off}})
	require.NoError(t, err)
	e, err := c.Load(t.Context(), p)
	if err != nil {
		return nil, err
	}
	var args []*runtime.Array
	for i, in := range p.Inputs {
		a, err := c.Put(in.Type, in.Sharding, l.inputs[i])
		require.NoError(t, err)
		args = append(args, a)
	}
	results, err := e.Run(args...)
	if err != nil {
		return nil, err
	}
	return results[0].Get(t.Context())
}
