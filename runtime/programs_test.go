package runtime_test

// This file holds the programs that the tests run. It also tests programs that engines have run
// wrongly or that need a special feature: functions that only attributes name, collectives of
// several operands, and minima and maxima of NaN.

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/dtypes/bfloat16"
	"github.com/gomlx/compute/dtypes/float16"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/internal/testing/runtimetest"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/program"
	"github.com/gospmd/gospmd/runtime"
	"github.com/gospmd/gospmd/sharding"
	"github.com/gospmd/gospmd/trace"
)

// split returns the closed sharding on m in which dimension i is sharded by axes[i]; "" means not
// sharded.
func split(m *mesh.DeviceMesh, axes ...string) *layout.Sharding {
	s := layout.Replicated(m, len(axes))
	for i, a := range axes {
		if a != "" {
			s.Dims[i].Axes = mesh.FullAxes(a)
		}
	}
	return s
}

// parse compiles a module that is given as text, with the default options, and returns the program.
// It ends the test if that fails.
func parse(t testing.TB, text string) *program.Program {
	m, err := ir.Parse(text)
	require.NoError(t, err)
	p, err := compile.Compile(t.Context(), m, compile.Options{})
	require.NoError(t, err)
	return p
}

// mlp is a data-parallel training step of a two-layer perceptron: inputs w1, w2, x, y; outputs the
// new w1 and w2 and the loss. The mesh dm has an axis "data"; it is nil for one device.
type mlp struct {
	batch, in, hidden, out int
	donate                 bool
	rate                   float64
}

func (s mlp) compile(t testing.TB, dm *mesh.DeviceMesh) *program.Program {
	m, err := trace.Record("train", dm, func(r *trace.Recorder) ([]trace.Output, error) {
		var replicated, byBatch *layout.Sharding
		if dm != nil {
			replicated, byBatch = split(dm, "", ""), split(dm, "data", "")
		}
		param := func(name string, s *layout.Sharding, dims ...int) *graph.Node {
			return r.Param(name, ir.Tensor(dtypes.Float32, dims...), s)
		}
		w1, w2 := param("w1", replicated, s.in, s.hidden), param("w2", replicated, s.hidden, s.out)
		x, y := param("x", byBatch, s.batch, s.in), param("y", byBatch, s.batch, s.out)
		hidden := graph.Tanh(graph.Dot(x, w1).Product())
		loss := graph.ReduceAllMean(graph.Square(graph.Sub(graph.Dot(hidden, w2).Product(), y)))
		grads := r.Gradient(loss, w1, w2)
		outputs := []trace.Output{
			{Name: "w1'", Node: graph.Sub(w1, graph.MulScalar(grads[0], s.rate)), Sharding: replicated},
			{Name: "w2'", Node: graph.Sub(w2, graph.MulScalar(grads[1], s.rate)), Sharding: replicated},
			{Name: "loss", Node: loss},
		}
		if s.donate {
			outputs[0].Donor, outputs[1].Donor = "w1", "w2"
		}
		return outputs, nil
	})
	require.NoError(t, err)
	p, err := compile.Compile(t.Context(), m, compile.Options{})
	require.NoError(t, err)
	return p
}

// losses trains for some steps and returns the loss of each. seed determines the first weights and
// the data. Old weights are released, or donated, in each step.
func (s mlp) losses(t testing.TB, c *runtime.Client, e *runtime.Executable, steps int, seed uint64) []float32 {
	rng := rand.New(rand.NewPCG(seed, 1))
	args := make([]*runtime.Array, 4)
	for i, in := range e.Program().Inputs {
		flat := make([]float32, in.Type.Size())
		for k := range flat {
			flat[k] = float32(rng.NormFloat64()) / 2
		}
		var err error
		args[i], err = c.Put(in.Type, in.Sharding, flat)
		require.NoError(t, err)
	}
	out := make([]float32, steps)
	for i := range out {
		r, err := e.Run(args...)
		require.NoError(t, err)
		args[0].Release()
		args[1].Release()
		args[0], args[1] = r[0], r[1]
		out[i] = value(t, r[2])
		r[2].Release()
	}
	for _, a := range args {
		a.Release()
	}
	return out
}

// load loads p, and closes the executable at the end of the test.
func load(t testing.TB, c *runtime.Client, p *program.Program) *runtime.Executable {
	e, err := c.Load(context.Background(), p)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, e.Close()) })
	return e
}

// value returns the element of a, an array of one float32, when it has been computed.
func value(t testing.TB, a *runtime.Array) float32 {
	flat, err := runtime.Values[float32](context.Background(), a)
	require.NoError(t, err)
	return flat[0]
}

// TestNamedComparator runs JAX' approx_max_k on sharded rows. This custom call refers to its
// comparator by name. On the CPU the result is exact. The Go engine must say that it does not have
// the call.
func TestNamedComparator(t *testing.T) {
	c := runtimetest.Open(t, 4)
	m, err := ir.ParseFile("../ir/testdata/jax/approximate.mlir")
	require.NoError(t, err)
	dm := mesh.MustParse("data=4")
	require.NoError(t, sharding.Remesh(m, dm))
	layouts := layout.NewLayoutMap(dm)
	require.NoError(t, layouts.Set("arg0", "data", ""))
	require.NoError(t, sharding.Annotate(m, layouts))
	p, err := compile.Compile(t.Context(), m, compile.Options{})
	require.NoError(t, err)
	exe, err := c.Load(t.Context(), p)
	if err != nil {
		require.ErrorContains(t, err, `does not have the target "ApproxTopK"`)
		return
	}
	defer exe.Close()
	rows := make([]float32, 4*16)
	for i := range rows {
		rows[i] = float32(i * 37 % 64)
	}
	x, err := c.Put(p.Inputs[0].Type, p.Inputs[0].Sharding, rows)
	require.NoError(t, err)
	defer x.Release()
	out, err := exe.Run(x)
	require.NoError(t, err)
	got, err := runtime.Values[float32](context.Background(), out[0])
	require.NoError(t, err)
	require.Equal(t, []float32{60, 57, 50, 63, 59, 56, 62, 55, 52, 61, 58, 54}, got)
}

// Replicated results of sharded inputs are gathered by one collective: evenly and unevenly sharded
// ones, by one of two axes, and along a dimension that is not the first.
func TestGathersTogether(t *testing.T) {
	for _, tc := range []struct {
		name    string
		devices int
		module  string
	}{
		{"rows", 8, `
module @together {
  sdy.mesh @mesh = <["x"=2, "y"=4]>
  func.func @main(
      %a: tensor<10xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>} loc("a"),
      %b: tensor<8x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>} loc("b"))
      -> (tensor<10xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}, tensor<8x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) {
    return %a, %b : tensor<10xf32>, tensor<8x2xf32>
  }
}`},
		{"columns", 4, `
module @columns {
  sdy.mesh @mesh = <["x"=4]>
  func.func @main(
      %a: tensor<3x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>} loc("a"),
      %b: tensor<3x8x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {}]>} loc("b"))
      -> (tensor<3x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<3x8x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}) {
    return %a, %b : tensor<3x8xf32>, tensor<3x8x2xf32>
  }
}`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c := runtimetest.Open(t, tc.devices)
			p := parse(t, tc.module)
			require.Equal(t, 1, strings.Count(p.Module.String(), "spmd.all_gather"), "%s", p.Module)
			args, want := make([]*runtime.Array, len(p.Inputs)), make([][]float32, len(p.Inputs))
			for i, in := range p.Inputs {
				want[i] = make([]float32, in.Type.Size())
				for k := range want[i] {
					want[i][k] = float32(k + 1)
				}
				var err error
				args[i], err = c.Put(in.Type, in.Sharding, want[i])
				require.NoError(t, err)
				defer args[i].Release()
			}
			out, err := load(t, c, p).Run(args...)
			require.NoError(t, err)
			require.Len(t, out, len(want))
			for i := range out {
				require.Len(t, out[i].Shards(), tc.devices)
				got, err := runtime.Values[float32](context.Background(), out[i])
				require.NoError(t, err)
				require.Equal(t, want[i], got)
				out[i].Release()
			}
		})
	}
}

// TestExtremesKeepNaN computes the minimum and the maximum over a sharded dimension, of numbers
// without NaN and with a NaN at each place. The results are a scalar and a vector that is sharded
// again. They must be NaN if an element is.
func TestExtremesKeepNaN(t *testing.T) {
	c := runtimetest.Open(t, 4)
	values := []float64{-3, 0.5, math.Inf(1), 7, -0.25, math.Inf(-1), 2, -8}
	for _, op := range []string{"minimum", "maximum"} {
		for _, dtype := range []dtypes.DType{dtypes.Float64, dtypes.Float32, dtypes.Float16, dtypes.BFloat16} {
			t.Run(fmt.Sprint(op, " of ", dtype), func(t *testing.T) {
				short := ir.Tensor(dtype).String()
				element := short[len("tensor<") : len(short)-1]
				start := "0x7FF0000000000000"
				if op == "maximum" {
					start = "0xFFF0000000000000"
				}
				p := parse(t, fmt.Sprintf(`
module @extremes {
  sdy.mesh @mesh = <["x"=4]>
  func.func @main(%%a: tensor<8x4x%[2]s> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>} loc("a"))
      -> (tensor<4x%[2]s> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}, tensor<4x%[2]s> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
    %%c = stablehlo.constant dense<%[3]s> : tensor<f64>
    %%i = stablehlo.convert %%c : (tensor<f64>) -> tensor<%[2]s>
    %%0 = stablehlo.reduce(%%a init: %%i) applies stablehlo.%[1]s across dimensions = [0] : (tensor<8x4x%[2]s>, tensor<%[2]s>) -> tensor<4x%[2]s>
    %%1 = stablehlo.negate %%a : tensor<8x4x%[2]s>
    %%2 = stablehlo.reduce(%%1 init: %%i) applies stablehlo.%[1]s across dimensions = [0] : (tensor<8x4x%[2]s>, tensor<%[2]s>) -> tensor<4x%[2]s>
    return %%0, %%2 : tensor<4x%[2]s>, tensor<4x%[2]s>
  }
}`, op, element, start))
				exe := load(t, c, p)
				for place := -1; place < len(values); place++ {
					rows := make([]float64, 0, 4*len(values))
					want := [2]float64{math.Inf(1), math.Inf(1)}
					best := math.Min
					if op == "maximum" {
						want, best = [2]float64{math.Inf(-1), math.Inf(-1)}, math.Max
					}
					for i, v := range values {
						if i == place {
							v = math.NaN()
						}
						rows = append(rows, v, v, v, v)
						want[0], want[1] = best(want[0], v), best(want[1], -v)
					}
					if place >= 0 { // math.Min of -Inf and NaN is -Inf
						want = [2]float64{math.NaN(), math.NaN()}
					}
					a, err := c.Put(p.Inputs[0].Type, p.Inputs[0].Sharding, sliceOf(dtype, rows))
					require.NoError(t, err)
					out, err := exe.Run(a)
					require.NoError(t, err)
					for i, o := range out {
						for _, got := range float64s(t, o) {
							if math.IsNaN(want[i]) {
								require.True(t, math.IsNaN(got), "result %d, NaN at %d: got %v", i, place, got)
							} else {
								require.Equal(t, want[i], got, "result %d", i)
							}
						}
						o.Release()
					}
					a.Release()
				}
			})
		}
	}
}

// sliceOf returns values converted to a slice of the Go type of dtype, a float type.
func sliceOf(dtype dtypes.DType, values []float64) any {
	switch dtype {
	case dtypes.Float64:
		return values
	case dtypes.Float32:
		return convert(values, func(v float64) float32 { return float32(v) })
	case dtypes.Float16:
		return convert(values, func(v float64) float16.Float16 { return float16.FromFloat32(float32(v)) })
	}
	return convert(values, func(v float64) bfloat16.BFloat16 { return bfloat16.FromFloat32(float32(v)) })
}

func convert[T any](values []float64, f func(float64) T) []T {
	out := make([]T, len(values))
	for i, v := range values {
		out[i] = f(v)
	}
	return out
}

// float64s fetches an array of any element type and returns its elements as float64.
func float64s(t *testing.T, a *runtime.Array) []float64 {
	t.Helper()
	flat, err := a.Get(context.Background())
	require.NoError(t, err)
	d, err := ir.DenseFromFlat(a.Type(), flat)
	require.NoError(t, err)
	return d.Float64s()
}

// A PJRT client refuses a program that was partitioned for another target: it may compute what its
// own compiler must not see, such as a division by zero that XLA on CPUs folds. The engine written
// in Go has no compiler, and runs it. A program for no particular target runs everywhere.
func TestOtherTarget(t *testing.T) {
	p := parse(t, "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n  %0 = stablehlo.negate %x : tensor<2xf32>\n  return %0 : tensor<2xf32>\n}")
	require.Equal(t, "any", p.Target)
	loads := func(engine, target string) error {
		c := runtimetest.OpenWith(t, runtime.Options{Engine: engine, Devices: 1})
		if p.Target = target; c.Platform() == target {
			p.Target = "cpu"
		}
		exe, err := c.Load(t.Context(), p)
		if err == nil {
			err = exe.Close()
		}
		return err
	}
	require.NoError(t, loads(runtime.EngineGo, "any"))
	require.NoError(t, loads(runtime.EngineGo, "tpu"))
	if runtime.HasPJRT {
		require.NoError(t, loads(runtime.EnginePJRT, "any"))
		err := loads(runtime.EnginePJRT, "tpu")
		require.ErrorContains(t, err, fmt.Sprintf("it was partitioned for the target %s, and these devices need", p.Target))
		require.ErrorContains(t, err, "partition its module with compile.Options.Platform")
	}
}
