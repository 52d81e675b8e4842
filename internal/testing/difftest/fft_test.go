package difftest_test

// This file runs Fourier transforms in all layouts.

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/testing/longtest"
	"github.com/gospmd/gospmd/internal/testing/randprog"
	"github.com/gospmd/gospmd/ir"
)

// TestFFTResultsAreFetched fetches the results of Fourier transforms that are gathered along any
// dimension, on both engines. They must be right; without our workaround XLA on CPUs fails.
func TestFFTResultsAreFetched(t *testing.T) {
	kinds := []struct{ name, in, out string }{
		{"FFT", "4x6x8xcomplex<f32>", "4x6x8xcomplex<f32>"}, {"RFFT", "4x6x8xf32", "4x6x5xcomplex<f32>"}, {"IRFFT", "4x6x5xcomplex<f64>", "4x6x8xf64"},
	}
	layouts := []string{`[{"y"}, {"x"}, {}]`, `[{}, {}, {}]`}
	if longtest.Enabled() {
		layouts = append(layouts, `[{"x"}, {}, {}]`, `[{}, {"x"}, {}]`, `[{}, {}, {"x"}]`, `[{"x", "y"}, {}, {}]`)
	}
	onEngines(t, func(t *testing.T, h *harness) {
		for _, k := range kinds {
			for _, in := range layouts {
				for _, out := range layouts {
					t.Run(fmt.Sprint(k.name, in, out), func(t *testing.T) {
						m, err := ir.Parse(fmt.Sprintf(`module @m {
  sdy.mesh @mesh = <["x"=2, "y"=2]>
  func.func @main(%%a: tensor<%s> {sdy.sharding = #sdy.sharding<@mesh, %s>}) -> (tensor<%s> {sdy.sharding = #sdy.sharding<@mesh, %s>}) {
    %%0 = stablehlo.fft %%a, type = %s, length = [8] : (tensor<%s>) -> tensor<%s>
    return %%0 : tensor<%s>
  }
}`, k.in, in, k.out, out, k.name, k.in, k.out, k.out))
						require.NoError(t, err)
						require.NoError(t, h.check(&randprog.Program{Module: m, Exact: []bool{false}}))
					})
				}
			}
		}
	})
}
