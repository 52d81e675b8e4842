package compile_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/ir"
)

// transformer returns the text of a transformer's forward pass on a mesh of
// the given sizes, with the usual pins: batch over data, heads and hidden
// units over model. A layer has about 50 ops, some of them superfluous as
// gradients leave them.
func transformer(layers, data, model int) string {
	var b strings.Builder
	n := 0
	params := []string{`%x: tensor<32x64x128xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}, {}]>} loc("x")`}
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
	const (
		act  = "tensor<32x64x128xf32>"
		wide = "tensor<32x64x512xf32>"
		head = "tensor<32x64x8x16xf32>"
		att  = "tensor<32x8x64x64xf32>"
		row  = "tensor<32x8x64xf32>"
	)
	dense := func(x, from, w, wt, to string) string {
		return op("stablehlo.dot_general %s, %s, contracting_dims = [2] x [0] : (%s, tensor<%s>) -> %s", x, w, from, wt, to)
	}
	x := "%x"
	for l := range layers {
		var heads []string
		for _, name := range []string{"query", "key", "value"} {
			w := param(l, name, "128x128xf32", `[{}, {"model"}]`)
			h := dense(x, act, w, "128x128xf32", act)
			h = op("stablehlo.reshape %s : (%s) -> %s", h, act, head)
			heads = append(heads, h)
		}
		s := op("stablehlo.dot_general %s, %s, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3] : (%s, %s) -> %s", heads[0], heads[1], head, head, att)
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
		o := op("stablehlo.dot_general %s, %s, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1] : (%s, %s) -> tensor<32x8x64x16xf32>", p, heads[2], att, head)
		o = op("stablehlo.transpose %s, dims = [0, 2, 1, 3] : (tensor<32x8x64x16xf32>) -> %s", o, head)
		o = op("stablehlo.reshape %s : (%s) -> %s", o, head, act)
		o = dense(o, act, param(l, "out", "128x128xf32", `[{"model"}, {}]`), "128x128xf32", act)
		x = op("stablehlo.add %s, %s : %s", x, o, act)
		x = op(`sdy.sharding_constraint %s <@mesh, [{"data"}, {}, {}]> : %s`, x, act)
		h := dense(x, act, param(l, "up", "128x512xf32", `[{}, {"model"}]`), "128x512xf32", wide)
		bias := param(l, "bias", "512xf32", `[{"model"}]`)
		h = op("stablehlo.add %s, %s : %s", h, op("stablehlo.broadcast_in_dim %s, dims = [2] : (tensor<512xf32>) -> %s", bias, wide), wide)
		zeros := op("stablehlo.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> %s", zero, wide)
		h = op("stablehlo.maximum %s, %s : %s", h, zeros, wide)
		op("stablehlo.compare GT, %s, %s, FLOAT : (%s, %s) -> tensor<32x64x512xi1>", h, zeros, wide, wide)
		h = dense(h, wide, param(l, "down", "512x128xf32", `[{"model"}, {}]`), "512x128xf32", act)
		t := op("stablehlo.transpose %s, dims = [0, 2, 1] : (%s) -> tensor<32x128x64xf32>", h, act)
		h = op("stablehlo.transpose %s, dims = [0, 2, 1] : (tensor<32x128x64xf32>) -> %s", t, act)
		x = op("stablehlo.add %s, %s : %s", x, h, act)
	}
	fmt.Fprintf(&b, "module @transformer {\n  sdy.mesh @mesh = <[\"data\"=%d, \"model\"=%d]>\n", data, model)
	fmt.Fprintf(&b, "  func.func public @main(%s) -> (%s {jax.result_info = \"y\"}) {\n", strings.Join(params, ", "), act)
	fmt.Fprintf(&b, "%s    return %s : %s\n  }\n}\n", body.String(), x, act)
	return b.String()
}

// BenchmarkCompile compiles about 7500 ops, for few and for many devices, and
// prints the module that XLA gets.
func BenchmarkCompile(b *testing.B) {
	for _, size := range []struct{ data, model int }{{2, 4}, {32, 8}} {
		b.Run(fmt.Sprintf("%dx%d", size.data, size.model), func(b *testing.B) {
			m, err := ir.Parse(transformer(192, size.data, size.model))
			require.NoError(b, err)
			ops := 0
			m.Main().Walk(func(*ir.Op) { ops++ })
			for b.Loop() {
				p, err := compile.Compile(m, compile.Options{})
				require.NoError(b, err)
				require.NotEmpty(b, p.Text())
			}
			b.ReportMetric(float64(ops), "ops")
		})
	}
}

func TestDeterministic(t *testing.T) {
	m, err := ir.Parse(transformer(2, 2, 4))
	require.NoError(t, err)
	want, err := compile.Compile(m, compile.Options{})
	require.NoError(t, err)
	for range 20 {
		got, err := compile.Compile(m, compile.Options{})
		require.NoError(t, err)
		require.Equal(t, string(want.Text()), string(got.Text()))
		require.Equal(t, want.String(), got.String())
	}
}
