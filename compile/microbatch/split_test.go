package microbatch_test

// This file tests how Split finds the batch, and what it refuses.

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile/microbatch"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/sharding"
)

// batchModule has data of 12 samples on a mesh of 2×2, in the second dimension: the first counts
// time.
const batchModule = `module {
  sdy.mesh @mesh = <["data"=2, "model"=2]>
  func.func @main(%x: tensor<5x12x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"data"}, {}]>}, %w: tensor<4x4xf32>, %y: tensor<12xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}]>}) -> tensor<5x12x4xf32> {
    %0 = stablehlo.dot_general %x, %w, contracting_dims = [2] x [0] : (tensor<5x12x4xf32>, tensor<4x4xf32>) -> tensor<5x12x4xf32>
    %1 = stablehlo.broadcast_in_dim %y, dims = [1] : (tensor<12xf32>) -> tensor<5x12x4xf32>
    %2 = stablehlo.add %0, %1 : tensor<5x12x4xf32>
    return %2 : tensor<5x12x4xf32>
  }
}`

// split propagates the shardings of text, and splits its batch n ways. data tells which parameters
// are data. It returns the module, and what Split returns.
func split(t *testing.T, text string, data []bool, n int) (*ir.Module, *microbatch.Batch, error) {
	m, err := ir.Parse(text)
	require.NoError(t, err)
	_, err = sharding.Propagate(m, sharding.Options{})
	require.NoError(t, err)
	require.NoError(t, sharding.Complete(m))
	var list []*layout.Sharding
	for _, p := range m.Main().Params() {
		list = append(list, p.Sharding)
	}
	m.Main().Walk(func(op *ir.Op) {
		for _, r := range op.Results {
			list = append(list, r.Sharding)
		}
	})
	b, err := microbatch.Split(m, m.Meshes[0].Mesh, list, data, n)
	return m, b, err
}

// The batch is the sharded dimension of the data. The new axis shards it, and the values that
// depend on it, but neither weights nor results of main. Counts gives 2 and 6 for the 6 samples of
// a device, and nothing without data.
func TestSplit(t *testing.T) {
	m, b, err := split(t, batchModule, []bool{true, false, true}, 3)
	require.NoError(t, err)
	require.Equal(t, []string{"data", "model", "microbatch"}, b.Mesh.AxisNames())
	var got []string
	for _, p := range b.Module.Main().Params() {
		got = append(got, p.Sharding.String())
	}
	require.Equal(t, []string{`[{}, {"data", "microbatch"}, {}]`, `[{}, {}]`, `[{"data", "microbatch"}]`}, got)
	require.Equal(t, `[{}, {"data", "microbatch"}, {}]`, b.Module.Main().Returned()[0].Sharding.String())
	require.Equal(t, `[{}, {"data"}, {}]`, b.Module.Main().Results[0].Sharding.String())

	require.Equal(t, []int{2, 6}, microbatch.Counts(m, m.Meshes[0].Mesh, []bool{true, false, true}))
	require.Empty(t, microbatch.Counts(m, m.Meshes[0].Mesh, []bool{false, false, false}))
}

// An axis of the mesh may have the name of the new axis.
func TestSplitNames(t *testing.T) {
	text := `module {
  sdy.mesh @mesh = <["microbatch"=2]>
  func.func @main(%x: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"microbatch"}]>}) -> tensor<8xf32> {
    %0 = stablehlo.abs %x : tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}`
	_, b, err := split(t, text, []bool{true}, 2)
	require.NoError(t, err)
	require.Equal(t, []string{"microbatch", "microbatch_"}, b.Mesh.AxisNames())
}

// A batch that is not divisible is an error that says how to choose the number of micro-batches. A
// module without data is an error too.
func TestSplitErrors(t *testing.T) {
	_, _, err := split(t, batchModule, []bool{true, false, true}, 4)
	var odd *microbatch.Error
	require.ErrorAs(t, err, &odd)
	require.Equal(t, 6, odd.Samples)
	require.EqualError(t, err, `the step cannot be divided into micro-batches: the batch of input "arg0" has 12 samples in dimension 1, not 4 equal parts on each of 2 shards: take a number of micro-batches that divides 6`)
	_, _, err = split(t, batchModule, []bool{false, false, false}, 2)
	require.ErrorContains(t, err, "no input holds data with a batch dimension")
}
