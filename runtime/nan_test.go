package runtime_test

// This file tests that NaN gets from any device to the result.

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/dtypes/bfloat16"
	"github.com/gomlx/compute/dtypes/float16"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/runtime"
	"github.com/gospmd/gospmd/runtime/runtimetest"
)

// TestExtremesKeepNaN takes minimum and maximum over a split dimension, as one
// number and as one that is split again, of numbers with a NaN at each place
// and with none.
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
					if place >= 0 { // math.Min takes -Inf before NaN
						want = [2]float64{math.NaN(), math.NaN()}
					}
					a, err := c.Put(p.Inputs[0].Type, p.Inputs[0].Sharding, as(dtype, rows))
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

// as returns values as a slice of the type.
func as(dtype dtypes.DType, values []float64) any {
	switch dtype {
	case dtypes.Float64:
		return values
	case dtypes.Float32:
		return converted(values, func(v float64) float32 { return float32(v) })
	case dtypes.Float16:
		return converted(values, func(v float64) float16.Float16 { return float16.FromFloat32(float32(v)) })
	}
	return converted(values, func(v float64) bfloat16.BFloat16 { return bfloat16.FromFloat32(float32(v)) })
}

func converted[T any](values []float64, f func(float64) T) []T {
	out := make([]T, len(values))
	for i, v := range values {
		out[i] = f(v)
	}
	return out
}

// float64s fetches an array of any of these types.
func float64s(t *testing.T, a *runtime.Array) []float64 {
	t.Helper()
	flat, err := a.Get(context.Background())
	require.NoError(t, err)
	d, err := ir.DenseFromFlat(a.Type(), flat)
	require.NoError(t, err)
	return d.Float64s()
}
