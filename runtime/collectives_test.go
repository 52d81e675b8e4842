package runtime_test

// This file tests that an engine runs collectives of several operands.

import (
	"context"
	"strings"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/runtime"
	"github.com/gospmd/gospmd/runtime/runtimetest"
)

// Two inputs that are wanted whole are gathered at once, even and uneven, along
// the groups of one axis of two.
func TestGathersTogether(t *testing.T) {
	c := runtimetest.Open(t, 8)
	p := parse(t, `
module @together {
  sdy.mesh @mesh = <["x"=2, "y"=4]>
  func.func @main(
      %a: tensor<10xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>} loc("a"),
      %b: tensor<8x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>} loc("b"))
      -> (tensor<10xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}, tensor<8x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) {
    return %a, %b : tensor<10xf32>, tensor<8x2xf32>
  }
}`)
	require.Equal(t, 1, strings.Count(p.Module.String(), "spmd.all_gather"), "%s", p.Module)
	count := func(n int) []float32 {
		out := make([]float32, n)
		for i := range out {
			out[i] = float32(i + 1)
		}
		return out
	}
	a, err := c.Put(ir.Tensor(dtypes.Float32, 10), p.Inputs[0].Sharding, count(10))
	require.NoError(t, err)
	b, err := c.Put(ir.Tensor(dtypes.Float32, 8, 2), p.Inputs[1].Sharding, count(16))
	require.NoError(t, err)
	out, err := load(t, c, p).Run(a, b)
	require.NoError(t, err)
	for i, n := range []int{10, 16} {
		require.Len(t, out[i].Shards(), 8)
		got, err := runtime.Values[float32](context.Background(), out[i])
		require.NoError(t, err)
		require.Equal(t, count(n), got)
		out[i].Release()
	}
	a.Release()
	b.Release()
}

// Gathers along another dimension than the first go together too.
func TestGathersTogetherAlongColumns(t *testing.T) {
	c := runtimetest.Open(t, 4)
	p := parse(t, `
module @columns {
  sdy.mesh @mesh = <["x"=4]>
  func.func @main(
      %a: tensor<3x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>} loc("a"),
      %b: tensor<3x8x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {}]>} loc("b"))
      -> (tensor<3x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<3x8x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}) {
    return %a, %b : tensor<3x8xf32>, tensor<3x8x2xf32>
  }
}`)
	require.Equal(t, 1, strings.Count(p.Module.String(), "spmd.all_gather"), "%s", p.Module)
	args, want := make([]*runtime.Array, 2), make([][]float32, 2)
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
	for i := range out {
		got, err := runtime.Values[float32](context.Background(), out[i])
		require.NoError(t, err)
		require.Equal(t, want[i], got)
		out[i].Release()
	}
}
