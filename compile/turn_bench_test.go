//go:build cgo

package compile_test

// This file measures what pass turn saves.

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/hardware"
	"github.com/gospmd/gospmd/internal/testing/runtimetest"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/ir/pass"
	"github.com/gospmd/gospmd/runtime"
)

// recurrent multiplies a few rows by the transposed weight in each step of a loop, as the gradient
// of a recurrent layer does.
const recurrent = `func.func @main(%x: tensor<16x512xf32>, %w: tensor<512x512xf32>) -> tensor<16x512xf32> {
  %0 = stablehlo.constant dense<0> : tensor<i32>
  %r:2 = stablehlo.while(%i = %0, %c = %x) : tensor<i32>, tensor<16x512xf32>
  cond {
    %n = stablehlo.constant dense<100> : tensor<i32>
    %b = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %b : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    %p = stablehlo.dot_general %c, %w, contracting_dims = [1] x [1] : (tensor<16x512xf32>, tensor<512x512xf32>) -> tensor<16x512xf32>
    stablehlo.return %j, %p : tensor<i32>, tensor<16x512xf32>
  }
  return %r#1 : tensor<16x512xf32>
}`

// BenchmarkTurn runs 100 products with a transposed weight in a loop, with and without pass turn. If
// both take the same time, XLA on CPUs has no limit SlowStridedProducts any more.
func BenchmarkTurn(b *testing.B) {
	c := runtimetest.OpenWith(b, runtime.Options{Platform: hardware.CPU, Engine: runtime.EnginePJRT, Devices: 1})
	for _, v := range []struct {
		name string
		off  []string
	}{{"on", nil}, {"off", []string{"turn"}}} {
		b.Run(v.name, func(b *testing.B) {
			m, err := ir.Parse(recurrent)
			require.NoError(b, err)
			p, err := compile.Compile(b.Context(), m, compile.Options{Platform: hardware.CPU, Debug: pass.Debug{Off: v.off}})
			require.NoError(b, err)
			e := load(b, c, p)
			defer e.Close()
			var args []*runtime.Array
			for _, in := range p.Inputs {
				a, err := c.Put(in.Type, in.Sharding, make([]float32, in.Type.Size()))
				require.NoError(b, err)
				args = append(args, a)
			}
			for b.Loop() {
				results, err := e.Run(args...)
				require.NoError(b, err)
				_, err = results[0].Get(b.Context())
				require.NoError(b, err)
				results[0].Release()
			}
		})
	}
}
