//go:build cgo

package compile_test

// This file compares sums over columns with and without the pass sums.

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/internal/testing/runtimetest"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/ir/pass"
	"github.com/gospmd/gospmd/runtime"
	"github.com/gospmd/gospmd/target"
)

// TestSums requires that sums of small whole numbers, which are exact in any order, are right on
// both engines, and that just the sums that the table names are rewritten.
func TestSums(t *testing.T) {
	for _, engine := range []string{runtime.EngineGo, runtime.EnginePJRT} {
		client := runtimetest.OpenWith(t, runtime.Options{Devices: 1, Engine: engine})
		for _, tc := range []struct {
			name, x, out, dims, init, op string
			elsewhere                    bool // on other platforms than a CPU
			rewritten                    bool
		}{
			{name: "a matrix", x: "64x8xf32", out: "8xf32", dims: "0", rewritten: true},
			{name: "images", x: "3x5x7x9xf32", out: "9xf32", dims: "0, 1, 2", rewritten: true},
			{name: "two dimensions stay", x: "70x3x4xf64", out: "3x4xf64", dims: "0", rewritten: true},
			{name: "from a negative zero", x: "64x8xf32", out: "8xf32", dims: "0", init: "-0.0"},
			{name: "elsewhere", x: "64x8xf32", out: "8xf32", dims: "0", elsewhere: true},
			{name: "few rows", x: "63x8xf32", out: "8xf32", dims: "0"},
			{name: "few columns", x: "640x7xf32", out: "7xf32", dims: "0"},
			{name: "to a number", x: "64x8xf32", out: "f32", dims: "0, 1"},
			{name: "rows", x: "8x64xf32", out: "8xf32", dims: "1"},
			{name: "the outer and the inner dimension", x: "8x9x64xf32", out: "9xf32", dims: "0, 2"},
			{name: "from one", x: "64x8xf32", out: "8xf32", dims: "0", init: "1.0"},
			{name: "maxima", x: "64x8xf32", out: "8xf32", dims: "0", op: "maximum"},
			{name: "integers", x: "64x8xi32", out: "8xi32", dims: "0", init: "0"},
			{name: "16 bits", x: "64x8xbf16", out: "8xbf16", dims: "0"},
		} {
			t.Run(engine+"/"+tc.name, func(t *testing.T) {
				or := func(s, otherwise string) string {
					if s == "" {
						return otherwise
					}
					return s
				}
				element := tc.x[strings.LastIndexByte(tc.x, 'x')+1:]
				m, err := ir.Parse(fmt.Sprintf(`func.func public @main(%%x: tensor<%s>) -> tensor<%s> {
  %%z = stablehlo.constant dense<%s> : tensor<%s>
  %%0 = stablehlo.reduce(%%x init: %%z) applies stablehlo.%s across dimensions = [%s] : (tensor<%s>, tensor<%s>) -> tensor<%s>
  return %%0 : tensor<%s>
}`, tc.x, tc.out, or(tc.init, "0.0"), element, or(tc.op, "add"), tc.dims, tc.x, element, tc.out, tc.out))
				require.NoError(t, err)
				machine := cost.Host()
				if tc.elsewhere {
					machine = nil
				}
				plain, err := compile.Compile(t.Context(), m, compile.Options{Machine: machine, Debug: pass.Debug{Off: []string{"sums"}}})
				require.NoError(t, err)
				product, err := compile.Compile(t.Context(), m, compile.Options{Machine: machine})
				require.NoError(t, err)
				require.NotContains(t, string(target.CPU.Text(plain)), "dot_general")
				require.Equal(t, tc.rewritten, strings.Contains(string(target.CPU.Text(product)), "dot_general"))
				inputs := []any{fewNumbers(m.Main().Params()[0].Type, rand.New(rand.NewPCG(1, 2)))}
				requireSame(t, runOn(t, client, plain, inputs), runOn(t, client, product, inputs), m.String())
			})
		}
	}
}
