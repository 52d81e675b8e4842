package compile_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/compile/report"
	"github.com/gospmd/gospmd/hardware"
	"github.com/gospmd/gospmd/internal/testing/longtest"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/target"
)

// transformer returns the text of a transformer's forward pass on a mesh of the given sizes, axes
// data and model, with the usual annotations: the batch over data, heads and hidden units over
// model. The batch has 32 texts of 64 tokens; there are 8 heads of 16 features. A layer has about
// 40 ops, some of them superfluous, as gradients leave them.
func transformer(layers, data, model int) string {
	return sizedTransformer(layers, data, model, 32, 64, 8)
}

// sizedTransformer is transformer for batch texts with the given number of tokens each, and for the
// given number of heads with 16 features each.
func sizedTransformer(layers, data, model, batch, tokens, heads int) string {
	var (
		dim, hidden = 16 * heads, 64 * heads

		act   = fmt.Sprintf("tensor<%dx%dx%dxf32>", batch, tokens, dim)
		tact  = fmt.Sprintf("tensor<%dx%dx%dxf32>", batch, dim, tokens)
		wide  = fmt.Sprintf("tensor<%dx%dx%dxf32>", batch, tokens, hidden)
		head  = fmt.Sprintf("tensor<%dx%dx%dx16xf32>", batch, tokens, heads)
		thead = fmt.Sprintf("tensor<%dx%dx%dx16xf32>", batch, heads, tokens)
		att   = fmt.Sprintf("tensor<%dx%dx%dx%dxf32>", batch, heads, tokens, tokens)
		row   = fmt.Sprintf("tensor<%dx%dx%dxf32>", batch, heads, tokens)
		comp  = fmt.Sprintf("tensor<%dx%dx%dxi1>", batch, tokens, hidden)
		units = fmt.Sprintf("tensor<%dxf32>", hidden)

		square = fmt.Sprintf("%dx%dxf32", dim, dim)
		up     = fmt.Sprintf("%dx%dxf32", dim, hidden)
		down   = fmt.Sprintf("%dx%dxf32", hidden, dim)
	)
	params := []string{fmt.Sprintf(`%%x: %s {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}, {}]>} loc("x")`, act)}
	var b strings.Builder
	n := 0
	var body strings.Builder
	op := func(format string, args ...any) string {
		n++
		name := fmt.Sprintf("%%v%d", n)
		fmt.Fprintf(&body, "    %s = %s\n", name, fmt.Sprintf(format, args...))
		return name
	}
	param := func(layer int, name, t, pin string) string {
		v := fmt.Sprintf("%%l%d_%s", layer, name)
		params = append(params, fmt.Sprintf(`%s: tensor<%s> {sdy.sharding = #sdy.sharding<@mesh, %s>} loc("layer%d/%s")`, v, t, pin, layer, name))
		return v
	}
	dense := func(x, from, w, wt, to string) string {
		return op("stablehlo.dot_general %s, %s, contracting_dims = [2] x [0] : (%s, tensor<%s>) -> %s", x, w, from, wt, to)
	}
	x := "%x"
	for l := range layers {
		var split []string
		for _, name := range []string{"query", "key", "value"} {
			w := param(l, name, square, `[{}, {"model"}]`)
			h := dense(x, act, w, square, act)
			h = op("stablehlo.reshape %s : (%s) -> %s", h, act, head)
			split = append(split, h)
		}
		s := op("stablehlo.dot_general %s, %s, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3] : (%s, %s) -> %s", split[0], split[1], head, head, att)
		one := op("stablehlo.constant dense<1.0> : tensor<f32>")
		ones := op("stablehlo.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> %s", one, att)
		s = op("stablehlo.multiply %s, %s : %s", s, ones, att)
		inf := op("stablehlo.constant dense<0xFF800000> : tensor<f32>")
		m := op("stablehlo.reduce(%s init: %s) applies stablehlo.maximum across dimensions = [3] : (%s, tensor<f32>) -> %s", s, inf, att, row)
		m = op("stablehlo.broadcast_in_dim %s, dims = [0, 1, 2] : (%s) -> %s", m, row, att)
		e := op("stablehlo.exponential %s : %s", op("stablehlo.subtract %s, %s : %s", s, m, att), att)
		zero := op("stablehlo.constant dense<0.0> : tensor<f32>")
		sum := op("stablehlo.reduce(%s init: %s) applies stablehlo.add across dimensions = [3] : (%s, tensor<f32>) -> %s", e, zero, att, row)
		sum = op("stablehlo.broadcast_in_dim %s, dims = [0, 1, 2] : (%s) -> %s", sum, row, att)
		p := op("stablehlo.divide %s, %s : %s", e, sum, att)
		o := op("stablehlo.dot_general %s, %s, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1] : (%s, %s) -> %s", p, split[2], att, head, thead)
		o = op("stablehlo.transpose %s, dims = [0, 2, 1, 3] : (%s) -> %s", o, thead, head)
		o = op("stablehlo.reshape %s : (%s) -> %s", o, head, act)
		o = dense(o, act, param(l, "out", square, `[{"model"}, {}]`), square, act)
		x = op("stablehlo.add %s, %s : %s", x, o, act)
		x = op(`sdy.sharding_constraint %s <@mesh, [{"data"}, {}, {}]> : %s`, x, act)
		h := dense(x, act, param(l, "up", up, `[{}, {"model"}]`), up, wide)
		bias := param(l, "bias", fmt.Sprintf("%dxf32", hidden), `[{"model"}]`)
		h = op("stablehlo.add %s, %s : %s", h, op("stablehlo.broadcast_in_dim %s, dims = [2] : (%s) -> %s", bias, units, wide), wide)
		zeros := op("stablehlo.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> %s", zero, wide)
		h = op("stablehlo.maximum %s, %s : %s", h, zeros, wide)
		op("stablehlo.compare GT, %s, %s, FLOAT : (%s, %s) -> %s", h, zeros, wide, wide, comp)
		h = dense(h, wide, param(l, "down", down, `[{"model"}, {}]`), down, act)
		t := op("stablehlo.transpose %s, dims = [0, 2, 1] : (%s) -> %s", h, act, tact)
		h = op("stablehlo.transpose %s, dims = [0, 2, 1] : (%s) -> %s", t, tact, act)
		x = op("stablehlo.add %s, %s : %s", x, h, act)
	}
	fmt.Fprintf(&b, "module @transformer {\n  sdy.mesh @mesh = <[\"data\"=%d, \"model\"=%d]>\n", data, model)
	fmt.Fprintf(&b, "  func.func public @main(%s) -> (%s {jax.result_info = \"y\"}) {\n", strings.Join(params, ", "), act)
	fmt.Fprintf(&b, "%s    return %s : %s\n  }\n}\n", body.String(), x, act)
	return b.String()
}

// BenchmarkCompile compiles about 7500 ops for 8 and for 256 devices, and prints the module for
// XLA. It reports the number of ops.
func BenchmarkCompile(b *testing.B) {
	for _, size := range []struct{ data, model int }{{2, 4}, {32, 8}} {
		b.Run(fmt.Sprintf("%dx%d", size.data, size.model), func(b *testing.B) {
			m, err := ir.Parse(transformer(192, size.data, size.model))
			require.NoError(b, err)
			ops := 0
			m.Main().Walk(func(*ir.Op) { ops++ })
			for b.Loop() {
				p, err := compile.Compile(b.Context(), m, compile.Options{})
				require.NoError(b, err)
				require.NotEmpty(b, target.CPU.Text(p))
			}
			b.ReportMetric(float64(ops), "ops")
		})
	}
}

// BenchmarkTarget compiles a program for the default machine, which has one strategy, and for
// targets, which compare several strategies.
func BenchmarkTarget(b *testing.B) {
	m, err := ir.Parse(transformer(24, 2, 4))
	require.NoError(b, err)
	for _, name := range []string{"", "v5e:2x4", "h100:8"} {
		b.Run("machine="+name, func(b *testing.B) {
			o := compile.Options{}
			if name != "" {
				on, err := hardware.ParseTarget(name)
				require.NoError(b, err)
				o.Platform = on.Chip.Platform
				o.Machine, err = cost.MachineFor(on, m.Meshes[0].Mesh)
				require.NoError(b, err)
			}
			for b.Loop() {
				_, err := compile.Compile(b.Context(), m, o)
				require.NoError(b, err)
			}
		})
	}
}

// transformersOnDevices returns a transformer of so many layers on 8 and on 4096 devices. With its
// sizes the same collectives are the cheapest on both.
func transformersOnDevices(t testing.TB, layers int) (few, many *ir.Module) {
	few, err := ir.Parse(sizedTransformer(layers, 2, 4, 64, 4, 64))
	require.NoError(t, err)
	many, err = ir.Parse(sizedTransformer(layers, 64, 64, 64, 4, 64))
	require.NoError(t, err)
	return few, many
}

func compileAndReport(t testing.TB, m *ir.Module) *report.Report {
	p, err := compile.Compile(t.Context(), m, compile.Options{})
	require.NoError(t, err)
	return report.New(p)
}

// The work of the compiler does not grow with the number of devices: for 8 and for 4096 there are
// the same collectives, and at most 1.2 times as many allocations.
func TestManyDevices(t *testing.T) {
	few, many := transformersOnDevices(t, 2)
	collectives := func(m *ir.Module) (kinds []string) {
		for _, c := range compileAndReport(t, m).Collectives {
			kinds = append(kinds, fmt.Sprint(c.Kind, c.Axes, c.Layer))
		}
		return kinds
	}
	require.NotEmpty(t, collectives(few))
	require.Equal(t, collectives(few), collectives(many))
	allocs := func(m *ir.Module) float64 { return testing.AllocsPerRun(1, func() { compileAndReport(t, m) }) }
	require.Less(t, allocs(many), 1.2*allocs(few))
}

// BenchmarkDevices compiles and reports for 8 and for 4096 devices in turn; x is the time for 4096
// devices, divided by that for 8.
func BenchmarkDevices(b *testing.B) {
	few, many := transformersOnDevices(b, 16)
	var took [2]time.Duration
	for b.Loop() {
		for i, m := range []*ir.Module{few, many} {
			start := time.Now()
			compileAndReport(b, m)
			took[i] += time.Since(start)
		}
	}
	b.ReportMetric(took[1].Seconds()/took[0].Seconds(), "x")
}

// For each further layer the compiler allocates little, less than 8500 times: equal layers share
// plans, strategies and costs. For the first 4 layers it allocates less than 100,000 times.
func TestAllocations(t *testing.T) {
	allocs := func(layers int) float64 {
		m, err := ir.Parse(transformer(layers, 2, 4))
		require.NoError(t, err)
		return testing.AllocsPerRun(1, func() {
			_, err := compile.Compile(t.Context(), m, compile.Options{})
			require.NoError(t, err)
		})
	}
	few, many := allocs(4), allocs(20)
	t.Logf("%.0f for the first 4 layers, %.0f for each more", few, (many-few)/16)
	require.Less(t, (many-few)/16, 8500.0)
	require.Less(t, few, 100_000.0)
}

func TestDeterministic(t *testing.T) {
	m, err := ir.Parse(transformer(2, 2, 4))
	require.NoError(t, err)
	want, err := compile.Compile(t.Context(), m, compile.Options{})
	require.NoError(t, err)
	for range longtest.Pick(5, 20) {
		got, err := compile.Compile(t.Context(), m, compile.Options{})
		require.NoError(t, err)
		require.Equal(t, string(target.CPU.Text(want)), string(target.CPU.Text(got)))
		require.Equal(t, want.String(), got.String())
	}
}
