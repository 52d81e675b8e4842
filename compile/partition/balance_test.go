package partition_test

// This file tests which layouts are revised.

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile/partition"
	"github.com/gospmd/gospmd/internal/difftest"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/sharding"
)

// laidOut returns the module with a layout on every value.
func laidOut(t testing.TB, m *ir.Module) *ir.Module {
	_, err := sharding.Propagate(m, sharding.Options{})
	require.NoError(t, err)
	require.NoError(t, sharding.Complete(m))
	return m
}

func TestBalance(t *testing.T) {
	// A product whose sum is outstanding over y, something that is done with
	// it, and a product that needs whole rows.
	const between = `sdy.mesh @mesh = <["x"=2, "y"=4]%[1]s>
func.func @main(%%a: tensor<%[2]dx1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %%w: tensor<1024x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>},
    %%u: tensor<64x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}) -> (tensor<%[2]dx256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  %%0 = stablehlo.dot_general %%a, %%w, contracting_dims = [1] x [0] : (tensor<%[2]dx1024xf32>, tensor<1024x64xf32>) -> tensor<%[2]dx64xf32>
  %%1 = %[3]s %%0 %[4]s : tensor<%[2]dx64xf32>
  %%2 = stablehlo.dot_general %%1, %%u, contracting_dims = [1] x [0] : (tensor<%[2]dx64xf32>, tensor<64x256xf32>) -> tensor<%[2]dx256xf32>
  return %%2 : tensor<%[2]dx256xf32>
}`
	for _, tc := range []struct {
		name, text string
		op         int
		want       string // the layout of its result
	}{
		{"work between a sum and its use is split", fmt.Sprintf(between, "", 1<<16, "stablehlo.tanh", ""), 1, `[{"x", "y"}, {}]`},
		{"devices in another order", fmt.Sprintf(between, `, device_ids=[7, 6, 5, 4, 3, 2, 1, 0]`, 1<<16, "stablehlo.tanh", ""), 1, `[{"x", "y"}, {}]`},
		{"too little to meet once more", fmt.Sprintf(between, "", 64, "stablehlo.tanh", ""), 1, `[{"x"}, {}]`},
		{"what is pinned stays", fmt.Sprintf(between, "", 1<<16, "sdy.sharding_constraint", `<@mesh, [{"x"}, {}]>`), 1, `[{"x"}, {}]`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			m := laidOut(t, ir.MustParse(tc.text))
			partition.Balance(m, m.Meshes[0].Mesh)
			require.NoError(t, ir.Verify(m))
			require.Equal(t, tc.want, slices.Collect(m.Main().Body.Ops())[tc.op].Result().Sharding.String())
		})
	}
}

// Of random programs none becomes dearer, and all become the same twice.
func TestBalanceCostsNoMore(t *testing.T) {
	changed := 0
	for seed := range uint64(300) {
		m := difftest.New(seed, difftest.Options{}).Module
		if len(m.Meshes) == 0 {
			continue
		}
		laidOut(t, m)
		dm, again := m.Meshes[0].Mesh, m.Clone()
		before, text := partition.Price(m, dm), m.String()
		partition.Balance(m, dm)
		require.NoError(t, ir.Verify(m), "seed %d", seed)
		require.LessOrEqual(t, partition.Price(m, dm), before, "seed %d", seed)
		partition.Balance(again, dm)
		require.Equal(t, m.String(), again.String(), "seed %d", seed)
		if m.String() != text {
			changed++
		}
	}
	require.Positive(t, changed) // few, since they are small
}

func BenchmarkBalance(b *testing.B) {
	for _, shape := range [][2]int{{2, 4}, {64, 64}} {
		m := layersOn(b, 40, shape[0], shape[1])
		b.Run(fmt.Sprintf("devices=%d", shape[0]*shape[1]), func(b *testing.B) {
			for b.Loop() {
				partition.Balance(m.Clone(), m.Meshes[0].Mesh)
			}
		})
	}
}
