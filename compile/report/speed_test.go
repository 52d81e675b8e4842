package report_test

// This file tests the predicted speed-up of programs.

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/compile/report"
	"github.com/gospmd/gospmd/ir"
)

func TestSpeedUp(t *testing.T) {
	const dot = `func.func @main(%%x: tensor<64x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [%s, %s]>}, %%w: tensor<32x16xf32>) -> (tensor<64x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [%s, {}]>}) {
  %%0 = stablehlo.dot_general %%x, %%w, contracting_dims = [1] x [0] : (tensor<64x32xf32>, tensor<32x16xf32>) -> tensor<64x16xf32>
  return %%0 : tensor<64x16xf32>
}`
	const whole = 2 * 64 * 32 * 16
	for _, tc := range []struct {
		name, mesh, main string
		want             *report.SpeedUp
	}{
		{"split on rows", `"x"=4`, fmt.Sprintf(dot, `{"x"}`, `{}`, `{"x"}`), &report.SpeedUp{OneDevice: whole, Arithmetic: 4, Total: 4}},
		{"repeated", `"x"=4`, fmt.Sprintf(dot, `{}`, `{}`, `{}`), &report.SpeedUp{OneDevice: whole, Arithmetic: 1, Total: 1}},
		{"repeated along one axis", `"x"=4, "y"=2`, fmt.Sprintf(dot, `{"x"}`, `{}`, `{"x"}`), &report.SpeedUp{OneDevice: whole, Arithmetic: 4, Total: 4}},
		{"uneven: 22 of 64 rows on the busiest", `"x"=3`, fmt.Sprintf(dot, `{"x"}`, `{}`, `{"x"}`), &report.SpeedUp{OneDevice: whole, Arithmetic: 64. / 22, Total: 64. / 22}},
		{"summed", `"x"=2`, fmt.Sprintf(dot, `{}`, `{"x"}`, `{}`), &report.SpeedUp{
			OneDevice: whole, Arithmetic: 2, Total: whole / (whole/2. + 160*(4*64*16+4096)),
		}},
		{"random bits: not known", `"x"=4`, `func.func @main(%s: tensor<2xui64>) -> (tensor<2xui64>, tensor<1024xui32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  %0:2 = stablehlo.rng_bit_generator %s, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<1024xui32>)
  return %0#0, %0#1 : tensor<2xui64>, tensor<1024xui32>
}`, nil},
		{"one device", `"x"=1`, fmt.Sprintf(dot, `{}`, `{}`, `{}`), nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			m, err := ir.Parse("sdy.mesh @mesh = <[" + tc.mesh + "]>\n" + tc.main)
			require.NoError(t, err)
			p, err := compile.Compile(t.Context(), m, compile.Options{KeepLayouts: true})
			require.NoError(t, err)
			require.Equal(t, tc.want, report.New(p).SpeedUp)
		})
	}
}

// The text of a speed-up has at least two digits of it, however slow the collectives make the
// program.
func TestSpeedUpText(t *testing.T) {
	m, err := ir.Parse(`sdy.mesh @mesh = <["x"=4]>
func.func @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %w: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<8x8xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}`)
	require.NoError(t, err)
	p, err := compile.Compile(t.Context(), m, compile.Options{KeepLayouts: true})
	require.NoError(t, err)
	r := report.New(p)
	for total, want := range map[float64]string{r.SpeedUp.Total: "device: 0.0014, with", 0.0996: "device: 0.1, with", 0.1: "device: 0.10, with", 3.999: "device: 4.00, with", 12e-6: "device: 1.2e-05, with"} {
		r.SpeedUp.Total = total
		require.Contains(t, r.String(), "predicted speed-up over one "+want)
	}
}
