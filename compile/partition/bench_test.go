package partition_test

// This file tests that a partitioned program has the same ops for few and for many devices, and
// measures partitioning and the search for shardings.

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile/autoshard"
	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/compile/partition"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/sharding"
)

// layersOn returns a program of n layers, each a product with a weight, 8192x8192, and a tanh, on a
// mesh with the axes d and m of the sizes data and model. The input, 4096x8192, is sharded by rows
// along d, and the weights along m, by columns and by rows in turn. All values have the shardings
// that propagation finds.
func layersOn(t testing.TB, n, data, model int) *ir.Module {
	var b strings.Builder
	fmt.Fprintf(&b, "module @layers {\n  sdy.mesh @mesh = <[\"d\"=%d, \"m\"=%d]>\n  func.func @main(%%x0: tensor<4096x8192xf32> {sdy.sharding = #sdy.sharding<@mesh, [{\"d\"}, {}]>}", data, model)
	for i := range n {
		axes := `{}, {"m"}`
		if i%2 == 1 {
			axes = `{"m"}, {}`
		}
		fmt.Fprintf(&b, ", %%w%d: tensor<8192x8192xf32> {sdy.sharding = #sdy.sharding<@mesh, [%s]>}", i, axes)
	}
	b.WriteString(") -> tensor<4096x8192xf32> {\n")
	for i := range n {
		fmt.Fprintf(&b, "    %%y%d = stablehlo.dot_general %%x%d, %%w%d, contracting_dims = [1] x [0] : (tensor<4096x8192xf32>, tensor<8192x8192xf32>) -> tensor<4096x8192xf32>\n", i, i, i)
		fmt.Fprintf(&b, "    %%x%d = stablehlo.tanh %%y%d : tensor<4096x8192xf32>\n", i+1, i)
	}
	fmt.Fprintf(&b, "    return %%x%d : tensor<4096x8192xf32>\n  }\n}", n)
	m, err := ir.Parse(b.String())
	require.NoError(t, err)
	_, err = sharding.Propagate(m, sharding.Options{})
	require.NoError(t, err)
	require.NoError(t, sharding.Complete(m))
	return m
}

// The program has the same ops for 4096 devices as for 8.
func TestSameOpsForManyDevices(t *testing.T) {
	ops := func(data, model int) (names []string) {
		m := layersOn(t, 6, data, model)
		local, err := partition.Module(m, m.Meshes[0].Mesh, cost.Default())
		require.NoError(t, err)
		local.Main().Walk(func(op *ir.Op) { names = append(names, op.FullName()) })
		return names
	}
	require.Equal(t, ops(2, 4), ops(64, 64))
}

func BenchmarkRefine(b *testing.B) {
	for _, shape := range [][2]int{{2, 4}, {64, 64}} {
		m := layersOn(b, 40, shape[0], shape[1])
		b.Run(fmt.Sprintf("devices=%d", shape[0]*shape[1]), func(b *testing.B) {
			for b.Loop() {
				c := m.Clone()
				autoshard.Refine(context.Background(), c.Main(), partition.NewEvaluator(c, m.Meshes[0].Mesh, cost.Default()), nil)
			}
		})
	}
}

func BenchmarkModule(b *testing.B) {
	for _, shape := range [][2]int{{2, 4}, {64, 64}} {
		m := layersOn(b, 40, shape[0], shape[1])
		b.Run(fmt.Sprintf("devices=%d", shape[0]*shape[1]), func(b *testing.B) {
			for b.Loop() {
				if _, err := partition.Module(m, m.Meshes[0].Mesh, cost.Default()); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
