package runtime_test

// This file tests that an engine runs collectives of several operands.

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/runtime"
	"github.com/gospmd/gospmd/runtime/runtimetest"
)

// Inputs that are wanted whole are gathered at once: even and uneven ones along
// the groups of one axis of two, and along another dimension than the first.
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
