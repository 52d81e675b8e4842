package compile_test

// This file tests programs that are made to fit into memory.

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/compile/memory"
	"github.com/gospmd/gospmd/compile/report"
	"github.com/gospmd/gospmd/hardware"
	"github.com/gospmd/gospmd/internal/testing/longtest"
	"github.com/gospmd/gospmd/internal/testing/runtimetest"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/ir/pass"
	"github.com/gospmd/gospmd/program"
	"github.com/gospmd/gospmd/runtime"
)

func init() { runtimetest.CompileQuickly() }

// stepFile returns the module of a training step that JAX wrote (benchmarks/peers/fit_programs.py),
// from the file of that name in testdata/memory.
func stepFile(t testing.TB, name string) *ir.Module {
	m, err := ir.ParseFile("testdata/memory/" + name + ".mlir")
	require.NoError(t, err)
	return m
}

// limited compiles m twice with the options o: without a limit (free), and in one micro-batch with
// part times the peak of free as its limit of memory (tight). Pass stacks does not run, so that the
// limit decides about all values that loops save. The optimizer's state stays in its place.
func limited(t testing.TB, m *ir.Module, o compile.Options, part float64) (free, tight *program.Program) {
	o.Debug.Off = []string{"stacks"}
	free, err := compile.Compile(t.Context(), m, o)
	require.NoError(t, err)
	o.MemoryLimit, o.MicroBatches, o.KeepPlacement = int(part*float64(report.New(free).Memory.Peak)), 1, true
	tight, err = compile.Compile(t.Context(), m, o)
	require.NoError(t, err)
	return free, tight
}

// numbersFor returns random values for the inputs of p, flat slices in their order, the same in
// each run: normal floats times 0.3, whole numbers below 8.
func numbersFor(p *program.Program) []any {
	rng := rand.New(rand.NewPCG(11, 3))
	var out []any
	for _, in := range p.Inputs {
		list := reflect.MakeSlice(reflect.SliceOf(in.Type.DType.GoType()), in.Type.Size(), in.Type.Size())
		for i := range list.Len() {
			switch e := list.Index(i); {
			case e.CanFloat():
				e.SetFloat(rng.NormFloat64() * 0.3)
			case e.CanInt():
				e.SetInt(rng.Int64N(8))
			case e.CanUint():
				e.SetUint(rng.Uint64N(8))
			case in.Type.DType == dtypes.Bool:
				e.SetBool(rng.IntN(2) == 1)
			}
		}
		out = append(out, list.Interface())
	}
	return out
}

// requireClose is requireWithin with a tolerance of 1e-6 on CPUs.
func requireClose(t *testing.T, want, got []any) {
	t.Helper()
	requireWithin(t, want, got, runtimetest.Tolerance(1e-6))
}

// requireWithin requires that outputs of two runs are equal: floats to within the tolerance, a part
// of the largest absolute value of each output, or of 1 if that is larger, and all others exactly.
func requireWithin(t *testing.T, want, got []any, tolerance float64) {
	t.Helper()
	require.Len(t, got, len(want))
	for i := range want {
		w, g := reflect.ValueOf(want[i]), reflect.ValueOf(got[i])
		require.Equal(t, w.Len(), g.Len())
		largest := 0.0
		for k := range w.Len() {
			if w.Index(k).CanFloat() {
				largest = max(largest, math.Abs(w.Index(k).Float()))
			}
		}
		for k := range w.Len() {
			if a, b := w.Index(k), g.Index(k); !a.CanFloat() {
				require.Equal(t, a.Interface(), b.Interface(), "output %d, element %d", i, k)
			} else if math.Abs(a.Float()-b.Float()) > tolerance*max(1, largest) {
				require.InDelta(t, a.Float(), b.Float(), tolerance*max(1, largest), "output %d, element %d", i, k)
			}
		}
	}
}

// fitting are training steps, and parts of their memory that they can be made to fit into.
var fitting = []struct {
	name  string
	parts []float64
}{
	{"transformer", []float64{0.7, 0.51}},
	{"conv_net", []float64{0.7, 0.5}},
	{"mlp", []float64{0.7, 0.5}},
	{"recurrent", []float64{0.7, 0.5}},
	{"scanned", []float64{0.5, 0.35}},
	{"lstm", []float64{0.5, 0.35}},
	{"checkpointed", []float64{0.85}},
}

// Programs with a limit of memory have a predicted peak within the limit, need at most the limit by
// XLA's own figures, if the engine has them, and compute the same as without a limit, to within
// 1e-6. The short form takes the first part of each program.
func TestMemoryLimit(t *testing.T) {
	for _, f := range fitting {
		for _, part := range f.parts[:longtest.Pick(1, len(f.parts))] {
			t.Run(fmt.Sprint(f.name, " ", part), func(t *testing.T) {
				free, tight := limited(t, stepFile(t, f.name), compile.Options{}, part)
				r := report.New(tight)
				require.LessOrEqual(t, r.Memory.Peak, memory.Usable(tight.Fitting.Limit, r.Memory.Fixed()))
				require.Equal(t, r.Memory.Peak, tight.Fitting.After)
				require.Equal(t, report.New(free).Memory.Peak, tight.Fitting.Before)
				require.NotEmpty(t, tight.Fitting.Values)

				client := openExact(t, free.Mesh.Size())
				exe, err := client.Load(t.Context(), runtimetest.AnyTarget(tight))
				require.NoError(t, err)
				defer exe.Close()
				if xla, err := exe.Memory(); err == nil {
					t.Logf("limit %d, predicted %d, XLA %d", tight.Fitting.Limit, r.Memory.Peak, xla.Required()+r.Memory.Constants)
					require.LessOrEqual(t, xla.Required()+r.Memory.Constants, tight.Fitting.Limit)
				}
				inputs := numbersFor(free)
				requireClose(t, runOn(t, client, free, inputs), runOn(t, client, tight, inputs))
			})
		}
	}
}

// interpreted is an observer of the engine that does nothing: with an observer, the Go engine runs
// each op by itself.
type interpreted struct{}

func (interpreted) Observe(runtime.Observed) {}

// openInterpreted returns a client of the Go engine that runs each op by itself.
func openInterpreted(t *testing.T, devices int) *runtime.Client {
	return runtimetest.OpenWith(t, runtime.Options{Devices: devices, Engine: runtime.EngineGo, Observer: interpreted{}})
}

// openExact returns a client of the engine that tests run on. The Go engine runs each op by itself:
// otherwise it gives products to GoMLX's backend, which adds up in an order that depends on the ops
// around.
func openExact(t *testing.T, devices int) *runtime.Client {
	if runtimetest.Engine() == runtime.EngineGo {
		return openInterpreted(t, devices)
	}
	return runtimetest.Open(t, devices)
}

// With a limit of memory, programs compute the same bits as without, on the Go engine if it runs
// each op by itself. Compilers, and GoMLX's matrix products, add numbers in an order that depends
// on the ops around.
func TestMemoryLimitToTheBit(t *testing.T) {
	client := openInterpreted(t, 2)
	for _, tc := range []struct {
		name string
		part float64
	}{{"transformer", 0.7}, {"conv_net", 0.7}, {"recurrent", 0.5}, {"scanned", 0.5}} {
		t.Run(tc.name, func(t *testing.T) {
			free, tight := limited(t, stepFile(t, tc.name), compile.Options{Platform: "goengine"}, tc.part)
			inputs := numbersFor(free)
			require.Equal(t, runOn(t, client, free, inputs), runOn(t, client, tight, inputs))
		})
	}
}

// loopedStep returns the text of a module that runs three training steps in a loop. The network has
// the given number of layers, each a product and a tanh. main gets the batch x, 128x16, and a 16x16
// weight for each layer, w1, w2, …; its results are the weights after the steps.
func loopedStep(layers int) string {
	const x, w = "tensor<128x16xf32>", "tensor<16x16xf32>"
	var params, start, carried, types, body strings.Builder
	add := func(to *strings.Builder, format string, args ...any) { fmt.Fprintf(to, format, args...) }
	for i := 1; i <= layers; i++ {
		add(&params, ", %%w%d: %s", i, w)
		add(&start, ", %%v%d = %%w%d", i, i)
		add(&carried, ", %%n%d", i)
		add(&types, ", %s", w)
	}
	h := "x"
	for i := 1; i <= layers; i++ {
		add(&body, "%%a%d = stablehlo.dot_general %%%s, %%v%d, contracting_dims = [1] x [0] : (%s, %s) -> %s\n", i, h, i, x, w, x)
		h = fmt.Sprint("h", i)
		add(&body, "%%%s = stablehlo.tanh %%a%d : %s\n", h, i, x)
	}
	g := h
	for i := layers; i > 0; i-- {
		before := "x"
		if i > 1 {
			before = fmt.Sprint("h", i-1)
		}
		add(&body, "%%s%d = stablehlo.multiply %%h%d, %%h%d : %s\n", i, i, i, x)
		add(&body, "%%e%d = stablehlo.multiply %%s%d, %%%s : %s\n", i, i, g, x)
		add(&body, "%%d%d = stablehlo.dot_general %%%s, %%e%d, contracting_dims = [0] x [0] : (%s, %s) -> %s\n", i, before, i, x, x, w)
		g = fmt.Sprint("g", i)
		add(&body, "%%%s = stablehlo.dot_general %%e%d, %%v%d, contracting_dims = [1] x [1] : (%s, %s) -> %s\n", g, i, i, x, w, x)
		add(&body, "%%n%d = stablehlo.subtract %%v%d, %%d%d : %s\n", i, i, i, w)
	}
	results := make([]string, layers)
	for i := range results {
		results[i] = fmt.Sprintf("%%r#%d", i+1)
	}
	list := strings.TrimPrefix(types.String(), ", ")
	return fmt.Sprintf(`func.func @main(%%x: %s%s) -> (%s) {
  %%zero = stablehlo.constant dense<0> : tensor<i32>
  %%r:%d = stablehlo.while(%%i = %%zero%s) : tensor<i32>%s
    cond {
      %%three = stablehlo.constant dense<3> : tensor<i32>
      %%p = stablehlo.compare LT, %%i, %%three : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %%p : tensor<i1>
    } do {
      %%one = stablehlo.constant dense<1> : tensor<i32>
      %%j = stablehlo.add %%i, %%one : tensor<i32>
      %s
      stablehlo.return %%j%s : tensor<i32>%s
    }
  return %s : %s
}`, x, params.String(), list, layers+1, start.String(), types.String(), body.String(), carried.String(), types.String(), strings.Join(results, ", "), list)
}

// Compile makes a program that is over its limit because of a loop fit, also by XLA's own figures:
// it computes values of the loop's body again. The results are close to those without a limit.
func TestMemoryLimitInLoops(t *testing.T) {
	m, err := ir.Parse(loopedStep(6))
	require.NoError(t, err)
	free, tight := limited(t, m, compile.Options{}, 0.8)
	require.NotEmpty(t, tight.Fitting.Values)
	client := runtimetest.Open(t, 1)
	exe, err := client.Load(t.Context(), runtimetest.AnyTarget(tight))
	require.NoError(t, err)
	defer exe.Close()
	if xla, err := exe.Memory(); err == nil {
		t.Logf("limit %d, predicted %d, XLA %d", tight.Fitting.Limit, tight.Fitting.After, xla.Required())
		require.LessOrEqual(t, xla.Required(), tight.Fitting.Limit)
	}
	inputs := numbersFor(free)
	requireClose(t, runOn(t, client, free, inputs), runOn(t, client, tight, inputs))
}

// scan is a loop of 8 iterations that saves three values of each, and a loop that reads these.
type scan struct {
	stacked int // how many iterations the stacks have room for
	// text of ops that compute %at, the index of an iteration's place, from the iteration's number
	// %k
	write string
	// text of ops that compute %at, the index to read, from the number %k of the later loop's
	// iteration
	read    string
	results string // returns %r#1, the last value, or %r#2, all values; and the result of the later loop
}

func (s scan) module(t *testing.T) *ir.Module {
	stack := fmt.Sprintf("tensor<%dx64x64xf32>", s.stacked)
	text := strings.NewReplacer("STACK", stack, "WRITE", s.write, "READ", s.read, "RETURNED", s.results).Replace(
		`func.func @main(%x: tensor<64x64xf32>, %w: tensor<64x64xf32>) -> (RESULTTYPE, tensor<64x64xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %seven = stablehlo.constant dense<7> : tensor<i32>
  %eight = stablehlo.constant dense<8> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %none = stablehlo.constant dense<0.0> : STACK
  %r:6 = stablehlo.while(%k = %zero, %h = %x, %ss = %none, %sa = %none, %sb = %none, %sc = %none) : tensor<i32>, tensor<64x64xf32>, STACK, STACK, STACK, STACK
    cond {
      %p = stablehlo.compare LT, %k, %eight, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %at = WRITE : tensor<i32>
      %a = stablehlo.sine %h : tensor<64x64xf32>
      %b = stablehlo.tanh %h : tensor<64x64xf32>
      %c = stablehlo.multiply %a, %b : tensor<64x64xf32>
      %d = stablehlo.dot_general %c, %w, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
      %e = stablehlo.tanh %d : tensor<64x64xf32>
      %e1 = stablehlo.reshape %e : (tensor<64x64xf32>) -> tensor<1x64x64xf32>
      %a1 = stablehlo.reshape %a : (tensor<64x64xf32>) -> tensor<1x64x64xf32>
      %b1 = stablehlo.reshape %b : (tensor<64x64xf32>) -> tensor<1x64x64xf32>
      %c1 = stablehlo.reshape %c : (tensor<64x64xf32>) -> tensor<1x64x64xf32>
      %ns = stablehlo.dynamic_update_slice %ss, %e1, %at, %zero, %zero : (STACK, tensor<1x64x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> STACK
      %na = stablehlo.dynamic_update_slice %sa, %a1, %at, %zero, %zero : (STACK, tensor<1x64x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> STACK
      %nb = stablehlo.dynamic_update_slice %sb, %b1, %at, %zero, %zero : (STACK, tensor<1x64x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> STACK
      %nc = stablehlo.dynamic_update_slice %sc, %c1, %at, %zero, %zero : (STACK, tensor<1x64x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> STACK
      %next = stablehlo.add %k, %one : tensor<i32>
      stablehlo.return %next, %e, %ns, %na, %nb, %nc : tensor<i32>, tensor<64x64xf32>, STACK, STACK, STACK, STACK
    }
  %g:2 = stablehlo.while(%k = %zero, %y = %r#1) : tensor<i32>, tensor<64x64xf32>
    cond {
      %p = stablehlo.compare LT, %k, %eight, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %at = READ : tensor<i32>
      %a1 = stablehlo.dynamic_slice %r#3, %at, %zero, %zero, sizes = [1, 64, 64] : (STACK, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x64x64xf32>
      %b1 = stablehlo.dynamic_slice %r#4, %at, %zero, %zero, sizes = [1, 64, 64] : (STACK, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x64x64xf32>
      %c1 = stablehlo.dynamic_slice %r#5, %at, %zero, %zero, sizes = [1, 64, 64] : (STACK, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x64x64xf32>
      %ab = stablehlo.add %a1, %b1 : tensor<1x64x64xf32>
      %abc = stablehlo.multiply %ab, %c1 : tensor<1x64x64xf32>
      %z = stablehlo.reshape %abc : (tensor<1x64x64xf32>) -> tensor<64x64xf32>
      %n = stablehlo.subtract %z, %y : tensor<64x64xf32>
      %next = stablehlo.add %k, %one : tensor<i32>
      stablehlo.return %next, %n : tensor<i32>, tensor<64x64xf32>
    }
  return RETURNED, %g#1 : RESULTTYPE, tensor<64x64xf32>
}`)
	result := "tensor<64x64xf32>"
	if s.results == "%r#2" {
		result = stack
	}
	m, err := ir.Parse(strings.ReplaceAll(text, "RESULTTYPE", result))
	require.NoError(t, err)
	return m
}

// A loop reads values that another loop saves of its iterations. It computes them again, from other
// results that the first loop has for all iterations, or from a value that the first loop saves
// instead, in both directions, and the results are close. Where the two loops may not mean the same
// iterations, the program does not fit.
func TestMemoryLimitOfScans(t *testing.T) {
	client := runtimetest.OpenSample(t, 1, false)
	const forward, backward, mirrored = "stablehlo.add %k, %zero", "stablehlo.subtract %seven, %k", "stablehlo.maximum %k, %zero"
	for _, tc := range []struct {
		name string
		scan scan
		fits bool
	}{
		{"from a new stack", scan{8, forward, backward, "%r#1"}, true},
		{"from a new stack, backward", scan{8, backward, forward, "%r#1"}, true},
		{"from the results", scan{8, forward, backward, "%r#2"}, true},
		{"from the results, backward", scan{8, backward, backward, "%r#2"}, true},
		{"with room for more", scan{9, forward, backward, "%r#1"}, false},
		{"out of range", scan{8, forward, "stablehlo.subtract %eight, %k", "%r#1"}, false},
		{"at places that are not known", scan{8, mirrored, backward, "%r#1"}, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			m := tc.scan.module(t)
			o := compile.Options{Debug: pass.Debug{Off: []string{"stacks"}}}
			free, err := compile.Compile(t.Context(), m, o)
			require.NoError(t, err)
			o.MemoryLimit, o.MicroBatches = int(0.7*float64(report.New(free).Memory.Peak)), 1
			tight, err := compile.Compile(t.Context(), m, o)
			if !tc.fits {
				require.ErrorContains(t, err, "does not fit")
				return
			}
			require.NoError(t, err)
			again := 0
			for _, v := range tight.Fitting.Values {
				if v.Type == "8x64x64xf32" && v.Action == program.Recompute {
					again++
				}
			}
			require.Positive(t, again)
			inputs := numbersFor(free)
			requireClose(t, runOn(t, client, free, inputs), runOn(t, client, tight, inputs))
		})
	}
}

// randomStep returns a random step, a function main of x and y, 32x32. Each value is computed from
// values before it. A second half reads most values in the opposite order, as a backward pass does.
func randomStep(rng *rand.Rand) *ir.Module {
	f := ir.NewFunc("main")
	t := ir.Tensor(dtypes.Float32, 32, 32)
	b := ir.NewBuilder(f.Body)
	values := []*ir.Value{f.AddParam("x", t, nil), f.AddParam("y", t, nil)}
	grow := func(v, w *ir.Value) *ir.Value {
		switch rng.IntN(6) {
		case 0:
			return b.Add(v, w)
		case 1:
			return b.Multiply(v, w)
		case 2:
			return b.Sine(v)
		case 3:
			return b.Transpose(b.Tanh(v), []int{1, 0})
		case 4:
			return b.Tanh(b.Subtract(v, w))
		}
		dims := &ir.DotDims{LHSContracting: []int{1}, RHSContracting: []int{0}}
		return b.Tanh(b.DotGeneral(v, w, dims))
	}
	for range 12 {
		values = append(values, grow(values[len(values)-1], values[rng.IntN(len(values))]))
	}
	g := values[len(values)-1]
	for i := len(values) - 2; i >= 0; i-- {
		if rng.IntN(4) > 0 {
			g = grow(g, values[i])
		}
	}
	f.Return(g)
	return &ir.Module{Name: "random", Funcs: []*ir.Func{f}}
}

// Random programs for CPUs and GPUs, in one micro-batch, compute close to the same at the smallest
// limit that Compile can make them fit into, of 0.6 to 0.9 of their peak. More than 13 of 40 must
// fit.
func TestMemoryLimitOfRandomPrograms(t *testing.T) {
	client := runtimetest.OpenSample(t, 1, false)
	for _, platform := range []string{"", hardware.CUDA} {
		rng := rand.New(rand.NewPCG(5, 8))
		fitted := 0
		for range 40 {
			m := randomStep(rng)
			free, err := compile.Compile(t.Context(), m, compile.Options{Platform: platform})
			require.NoError(t, err)
			for _, part := range []float64{0.6, 0.7, 0.8, 0.9} {
				o := compile.Options{Platform: platform, MemoryLimit: int(part * float64(report.New(free).Memory.Peak)), MicroBatches: 1}
				tight, err := compile.Compile(t.Context(), m, o)
				if err != nil {
					require.ErrorContains(t, err, "does not fit")
					continue
				}
				fitted++
				inputs := numbersFor(free)
				requireClose(t, runOn(t, client, free, inputs), runOn(t, client, tight, inputs))
				break
			}
		}
		require.Greater(t, fitted, 13)
		t.Logf("%d of 40 programs for platform %q fit into less memory", fitted, platform)
	}
}

// A program for an accelerator that is compiled with a limit fits the limit, and has
// optimization_barriers, which hold back the ops that compute values again.
func TestMemoryLimitOfAccelerators(t *testing.T) {
	for _, platform := range []string{"tpu", "cuda"} {
		m := cost.Default()
		m.Platform = platform
		o := compile.Options{Machine: m}
		free, err := compile.Compile(t.Context(), stepFile(t, "mlp"), o)
		require.NoError(t, err)
		o.MemoryLimit = report.NewFor(free, m).Memory.Peak * 8 / 10
		tight, err := compile.Compile(t.Context(), stepFile(t, "mlp"), o)
		require.NoError(t, err)
		require.LessOrEqual(t, report.NewFor(tight, m).Memory.Peak, o.MemoryLimit)
		require.Contains(t, tight.Module.String(), "stablehlo.optimization_barrier")
		require.NotContains(t, free.Module.String(), "stablehlo.optimization_barrier")
	}
}

// deepStep returns the text of a step of training on two devices that share the batch: a network of
// as many layers of tanh, whose weights w1, w2, …, donated, are half as large as the batch.
func deepStep(layers int) string {
	const x, w = "tensor<128x64xf32>", "tensor<64x64xf32>"
	var params, results, body strings.Builder
	add := func(to *strings.Builder, format string, args ...any) { fmt.Fprintf(to, format, args...) }
	for i := 1; i <= layers; i++ {
		add(&params, ", %%w%d: %s {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>, tf.aliasing_output = %d : i32}", i, w, i-1)
		add(&results, ", %%n%d", i)
		add(&body, "%%a%d = stablehlo.dot_general %%h%d, %%w%d, contracting_dims = [1] x [0] : (%s, %s) -> %s\n", i, i-1, i, x, w, x)
		add(&body, "%%h%d = stablehlo.tanh %%a%d : %s\n", i, i, x)
	}
	add(&body, "%%g%d = stablehlo.multiply %%h%d, %%h%d : %s\n", layers, layers, layers, x)
	for i := layers; i > 0; i-- {
		add(&body, "%%g%d = stablehlo.dot_general %%g%d, %%w%d, contracting_dims = [1] x [1] : (%s, %s) -> %s\n", i-1, i, i, x, w, x)
		add(&body, "%%d%d = stablehlo.dot_general %%h%d, %%g%d, contracting_dims = [0] x [0] : (%s, %s) -> %s\n", i, i-1, i, x, x, w)
		add(&body, "%%n%d = stablehlo.subtract %%w%d, %%d%d : %s\n", i, i, i, w)
	}
	types := strings.TrimPrefix(strings.Repeat(", "+w, layers), ", ")
	return fmt.Sprintf(`module {
  sdy.mesh @mesh = <["data"=2]>
  func.func @main(%%h0: %s {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}%s) -> (%s) {
    %s
    return %s : %s
  }
}`, x, params.String(), types, body.String(), strings.TrimPrefix(results.String(), ", "), types)
}

// Compilers for accelerators combine the sums of gradients, and then all gradients are in memory at
// once. Where that is too much, sums wait for each other. On the Go engine the numbers stay the
// same to the bit.
func TestMemoryLimitOfSums(t *testing.T) {
	client, err := runtime.Open(t.Context(), runtime.Options{Devices: 2, Engine: runtime.EngineGo, Observer: interpreted{}})
	require.NoError(t, err)
	defer client.Close()
	m, err := ir.Parse(deepStep(8))
	require.NoError(t, err)
	machine := cost.Default()
	machine.Platform = "cuda"
	o := compile.Options{Machine: machine}
	free, err := compile.Compile(t.Context(), m, o)
	require.NoError(t, err)
	require.Equal(t, 1, countOps(free.Module, ir.OpSPMDAllReduce))
	o.MemoryLimit = report.NewFor(free, machine).Memory.Peak * 8 / 10
	tight, err := compile.Compile(t.Context(), m, o)
	require.NoError(t, err)
	require.LessOrEqual(t, report.NewFor(tight, machine).Memory.Peak, o.MemoryLimit)
	require.Greater(t, countOps(tight.Module, ir.OpSPMDAllReduce), 1)
	require.Positive(t, countOps(tight.Module, ir.OpOptimizationBarrier))
	inputs := numbersFor(free)
	require.Equal(t, runOn(t, client, free, inputs), runOn(t, client, tight, inputs))
}

// For CPUs gospmd combines the sums of gradients, as far as the limit allows: divided ones let the
// update of a weight run before the next gradient is computed.
func TestMemoryLimitOfCombinedSums(t *testing.T) {
	m := stepFile(t, "adam")
	o := compile.Options{ShardedUpdate: true, MicroBatches: 4}
	free, err := compile.Compile(t.Context(), m, o)
	require.NoError(t, err)
	require.Equal(t, 1, countOps(free.Module, ir.OpSPMDReduceScatter))
	o.MemoryLimit = report.New(free).Memory.Peak * 96 / 100
	tight, err := compile.Compile(t.Context(), m, o)
	require.NoError(t, err)
	require.LessOrEqual(t, report.New(tight).Memory.Peak, o.MemoryLimit)
	require.Greater(t, countOps(tight.Module, ir.OpSPMDReduceScatter), 1)
	require.Zero(t, countOps(tight.Module, ir.OpOptimizationBarrier))
	client, inputs := openExact(t, free.Mesh.Size()), numbersFor(free)
	requireClose(t, runOn(t, client, free, inputs), runOn(t, client, tight, inputs))
}

// The same module, limit and machine give the same program, byte by byte.
func TestMemoryLimitIsDeterministic(t *testing.T) {
	_, first := limited(t, stepFile(t, "mlp"), compile.Options{}, 0.5)
	_, second := limited(t, stepFile(t, "mlp"), compile.Options{}, 0.5)
	require.Equal(t, first.Module.String(), second.Module.String())
	require.Equal(t, first.Fitting, second.Fitting)
}

// A program that is within its limit is not changed. For one that cannot be made to fit, Compile
// returns an error that says what takes the memory. A negative limit, and a limit with XLA's
// partitioner, are errors.
func TestMemoryLimitEnds(t *testing.T) {
	m := stepFile(t, "mlp")
	free, err := compile.Compile(t.Context(), m, compile.Options{})
	require.NoError(t, err)
	peak := report.New(free).Memory.Peak

	limit := peak + peak/20
	same, err := compile.Compile(t.Context(), m, compile.Options{MemoryLimit: limit})
	require.NoError(t, err)
	require.Equal(t, free.Module.String(), same.Module.String())
	require.Equal(t, &program.Fitting{Limit: limit, Before: peak, After: peak, MicroBatches: 1}, same.Fitting)
	require.Contains(t, report.New(same).String(), "the program fits as it is")

	_, err = compile.Compile(t.Context(), m, compile.Options{MemoryLimit: 1000})
	var over *report.OverBudgetError
	require.ErrorAs(t, err, &over)
	require.ErrorContains(t, err, "does not fit")
	require.ErrorContains(t, err, "the limit is 1,000")

	for _, tc := range []struct {
		options compile.Options
		want    string
	}{
		{compile.Options{MemoryLimit: -1}, "Options.MemoryLimit is -1 bytes: want a positive number"},
		{compile.Options{MemoryLimit: 1, Partitioner: compile.XLA}, "use compile.SPMD"},
	} {
		_, err := compile.Compile(t.Context(), m, tc.options)
		require.ErrorContains(t, err, tc.want)
	}
}

// Reports list the values that were computed again because of a limit. Exactly these have a time.
func TestMemoryLimitIsReported(t *testing.T) {
	_, tight := limited(t, stepFile(t, "mlp"), compile.Options{}, 0.7)
	actions := map[program.Action]int{}
	for _, v := range tight.Fitting.Values {
		require.Positive(t, v.Bytes)
		require.Equal(t, v.Action == program.Recompute, v.Seconds > 0, "%+v", v)
		actions[v.Action]++
	}
	require.Positive(t, actions[program.Recompute])
	text := report.New(tight).String()
	for _, want := range []string{"memory limit: ", "a run takes ", "  recompute  "} {
		require.Contains(t, text, want)
	}
}

// For TPUs, without a limit of memory, Compile keeps the two barriers of jax.checkpoint, and the
// ops behind them that compute values again: the tanh of each block twice.
func TestCheckpointsOfJAXStay(t *testing.T) {
	m := stepFile(t, "checkpointed")
	p, err := compile.Compile(t.Context(), m, compile.Options{Platform: "tpu"})
	require.NoError(t, err)
	require.Equal(t, 2, countOps(p.Module, ir.OpOptimizationBarrier), "one for each block")
	require.Equal(t, 4, countOps(p.Module, ir.OpTanh), "that of each block, twice")
}

// A matrix whose transpose pass turn has put before a loop is read as it is given where the limit
// has no room for both.
func TestMemoryLimitOfTurnedMatrices(t *testing.T) {
	m, err := ir.Parse(`module @m {
  func.func @main(%h: tensor<4x256xf32>, %w: tensor<256x256xf32>) -> tensor<4x256xf32> {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %0:2 = stablehlo.while(%i = %zero, %a = %h) : tensor<i32>, tensor<4x256xf32>
    cond {
      %n = stablehlo.constant dense<3> : tensor<i32>
      %1 = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %one = stablehlo.constant dense<1> : tensor<i32>
      %2 = stablehlo.dot_general %a, %w, contracting_dims = [1] x [1] : (tensor<4x256xf32>, tensor<256x256xf32>) -> tensor<4x256xf32>
      %3 = stablehlo.tanh %2 : tensor<4x256xf32>
      %4 = stablehlo.dot_general %w, %3, contracting_dims = [0] x [1] : (tensor<256x256xf32>, tensor<4x256xf32>) -> tensor<256x4xf32>
      %5 = stablehlo.transpose %4, dims = [1, 0] : (tensor<256x4xf32>) -> tensor<4x256xf32>
      %6 = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %6, %5 : tensor<i32>, tensor<4x256xf32>
    }
    return %0#1 : tensor<4x256xf32>
  }
}`)
	require.NoError(t, err)
	free, tight := limited(t, m, compile.Options{}, 0.6)
	require.Contains(t, free.Module.String(), "tensor<256x256xf32>) -> tensor<256x256xf32>")
	require.NotContains(t, tight.Module.String(), "tensor<256x256xf32>) -> tensor<256x256xf32>")
	client := openExact(t, 1)
	exe, err := client.Load(t.Context(), runtimetest.AnyTarget(tight))
	require.NoError(t, err)
	defer exe.Close()
	if xla, err := exe.Memory(); err == nil {
		require.LessOrEqual(t, xla.Required()+report.New(tight).Memory.Constants, tight.Fitting.Limit)
	}
	inputs := numbersFor(free)
	requireClose(t, runOn(t, client, free, inputs), runOn(t, client, tight, inputs))
}
