package operations_test

// This file tests values at the edges of types, and gradients at 0, on both engines. The wanted
// numbers are those of Keras 3.15 on JAX.

import (
	"fmt"
	"math"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/testing/runtimetest"
	"github.com/gospmd/gospmd/internal/testing/tracetest"
	"github.com/gospmd/gospmd/keras/layers/internal/operations"
)

// run computes f on XLA and on the engine written in Go, and calls check with the results.
func run(t *testing.T, f func(in []*graph.Node) []*graph.Node, inputs []*tensors.Tensor, check func(t *testing.T, out []*tensors.Tensor)) {
	for _, xla := range []bool{false, true} {
		t.Run(fmt.Sprintf("xla=%v", xla), func(t *testing.T) {
			check(t, tracetest.RunOn(t, runtimetest.OpenSample(t, 1, xla), f, inputs...))
		})
	}
}

// TestSaturate requires that numbers out of the range of an integer type become the nearest one.
func TestSaturate(t *testing.T) {
	x := tensors.FromValue([]float32{-1e10, -1, 0.5, 255, 255.5, 256, 3e9, 1e20})
	types := []string{"uint8", "int8", "uint16", "int32", "uint32"}
	run(t, func(in []*graph.Node) (out []*graph.Node) {
		for _, to := range types {
			out = append(out, operations.Table["SaturateCast"].Compute(in[0].Graph(), []any{in[0]}, map[string]any{"dtype": to}, nil)...)
		}
		back := graph.ConvertDType(out[3], dtypes.Int64)
		out = append(out, operations.Table["SaturateCast"].Compute(back.Graph(), []any{back}, map[string]any{"dtype": "uint8"}, nil)...)
		return append(out, operations.Table["SaturateCast"].Compute(back.Graph(), []any{in[1]}, map[string]any{"dtype": "int64"}, nil)...)
	}, []*tensors.Tensor{x, tensors.FromValue([]uint64{7, math.MaxInt64, math.MaxUint64})}, func(t *testing.T, out []*tensors.Tensor) {
		require.Equal(t, []uint8{0, 0, 0, 255, 255, 255, 255, 255}, out[0].Value())
		require.Equal(t, []int8{-128, -1, 0, 127, 127, 127, 127, 127}, out[1].Value())
		require.Equal(t, []uint16{0, 0, 0, 255, 255, 256, math.MaxUint16, math.MaxUint16}, out[2].Value())
		require.Equal(t, []int32{math.MinInt32, -1, 0, 255, 255, 256, math.MaxInt32, math.MaxInt32}, out[3].Value())
		require.Equal(t, []uint32{0, 0, 0, 255, 255, 256, 3e9, math.MaxUint32}, out[4].Value())
		require.Equal(t, []uint8{0, 0, 0, 255, 255, 255, 255, 255}, out[5].Value())
		require.Equal(t, []int64{7, math.MaxInt64, math.MaxInt64}, out[6].Value())
	})
}

// TestPowerAtZero requires the gradients of a power whose base or exponent is 0.
func TestPowerAtZero(t *testing.T) {
	zeros, exponents := tensors.FromValue([]float32{0, 0, 0}), tensors.FromValue([]float32{0, 1, 2})
	run(t, func(in []*graph.Node) (out []*graph.Node) {
		power := func(a, b any) *graph.Node {
			y := operations.Table["Power"].Compute(in[0].Graph(), []any{a, b}, nil, nil)[0]
			out = append(out, y)
			return graph.ReduceAllSum(y)
		}
		for _, n := range []any{0, 1, 2, graph.ConvertDType(in[1], dtypes.Int32)} {
			out = append(out, graph.Gradient(power(in[0], n), in[0])...)
		}
		return append(out, graph.Gradient(power(in[0], in[1]), in[1])...)
	}, []*tensors.Tensor{zeros, exponents}, func(t *testing.T, out []*tensors.Tensor) {
		for i, want := range [][]float32{{1, 1, 1}, {0, 0, 0}, {0, 0, 0}, {1, 1, 1}, {0, 0, 0}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 0, 0}, {0, 0, 0}} {
			require.Equal(t, want, out[i].Value(), i)
		}
	})
}
