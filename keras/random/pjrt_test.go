//go:build cgo

package random_test

// This file traces, compiles and runs random numbers on XLA, on one device and
// sharded over eight.

import (
	"context"
	"fmt"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/internal/testing/runtimetest"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/keras/random"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/runtime"
	"github.com/gospmd/gospmd/trace"
)

// onXLA runs build with a key on the client's devices, and returns the results. On a mesh, each
// dimension of a result is sharded by the axis of the same number if the axis divides it.
func onXLA(t *testing.T, c *runtime.Client, dm *mesh.DeviceMesh, key random.Key, build func(key *graph.Node) []*graph.Node) []any {
	t.Helper()
	module, err := trace.Record("random", dm, func(r *trace.Recorder) ([]trace.Output, error) {
		var replicated *layout.Sharding
		if dm != nil {
			replicated = layout.Replicated(dm, 1)
		}
		var outputs []trace.Output
		for i, n := range build(r.Param("key", ir.Tensor(dtypes.Uint32, 2), replicated)) {
			outputs = append(outputs, trace.Output{Name: fmt.Sprint("out", i), Node: n, Sharding: spread(dm, n.Shape().Dimensions)})
		}
		return outputs, nil
	})
	require.NoError(t, err)
	program, err := compile.Compile(t.Context(), module, compile.Options{})
	require.NoError(t, err)
	executable, err := c.Load(context.Background(), program)
	require.NoError(t, err)
	defer executable.Close()
	in, err := c.Put(ir.Tensor(dtypes.Uint32, 2), program.Inputs[0].Sharding, []uint32{key[0], key[1]})
	require.NoError(t, err)
	results, err := executable.Run(in)
	require.NoError(t, err)
	out := make([]any, len(results))
	for i, a := range results {
		out[i], err = a.Get(context.Background())
		require.NoError(t, err)
		a.Release()
	}
	return out
}

// spread returns the sharding of a tensor with the sizes dims in which axis i of the mesh shards
// dimension i if it divides its size. It is nil without a mesh.
func spread(dm *mesh.DeviceMesh, dims []int) *layout.Sharding {
	if dm == nil {
		return nil
	}
	s := layout.Replicated(dm, len(dims))
	for i, axis := range dm.AxisNames() {
		if i < len(dims) && dims[i]%dm.AxisSize(axis) == 0 {
			s.Dims[i].Axes = mesh.FullAxes(axis)
		}
	}
	return s
}

// On XLA, on one device and sharded over eight on three meshes, numbers equal those of the host bit
// for bit. Normal ones do not depend on the mesh, and differ from the host's by at most 4 units in
// the last place.
func TestXLA(t *testing.T) {
	key := random.Key{13, 7}
	shape := []int{8, 6, 5}
	all := fullRanges(shape)
	n := size(shape)
	words, wide, floats, halves := make([]uint32, n), make([]uint64, n), make([]float32, n), dtypes.MakeAnySlice(dtypes.BFloat16, n)
	bools, ints, normals := make([]bool, n), make([]int32, n), make([]float32, n)
	require.NoError(t, key.FillBits(words, shape, all))
	require.NoError(t, key.FillBits(wide, shape, all))
	require.NoError(t, key.FillUniform(floats, shape, all, -0.078, 0.1))
	require.NoError(t, key.FillUniform(halves, shape, all, 0, 1))
	require.NoError(t, key.FillBernoulli(bools, shape, all, 0.6))
	require.NoError(t, key.FillRandInt(ints, shape, all, -7, 1000003))
	require.NoError(t, key.FillNormal(normals, shape, all, 0, 1))
	build := func(key *graph.Node) []*graph.Node {
		k := random.Trace(key)
		return []*graph.Node{
			k.Bits(dtypes.Uint32, shape...),
			k.Bits(dtypes.Uint64, shape...),
			k.Uniform(dtypes.Float32, -0.078, 0.1, shape...),
			k.Uniform(dtypes.BFloat16, 0, 1, shape...),
			k.Bernoulli(0.6, shape...),
			k.RandInt(dtypes.Int32, -7, 1000003, shape...),
			k.Normal(dtypes.Float32, 0, 1, shape...),
		}
	}
	exactly := []any{words, wide, floats, halves, bools, ints}
	one := onXLA(t, runtimetest.Open(t, 1), nil, key, build)
	eight := runtimetest.Open(t, 8)
	for _, tc := range []struct {
		name string
		got  []any
	}{
		{"one device", one},
		{"8x1", onXLA(t, eight, mesh.MustParse("data=8,model=1"), key, build)},
		{"4x2", onXLA(t, eight, mesh.MustParse("data=4,model=2"), key, build)},
		{"2x4, one axis idle", onXLA(t, eight, mesh.MustParse("data=2,model=4"), key, build)},
	} {
		t.Run(tc.name, func(t *testing.T) {
			for i, want := range exactly {
				require.Equal(t, want, tc.got[i], "result %d", i)
			}
			last := len(exactly)
			tolerance{ulps: 4}.check(t, tc.got[last], normals)
			require.Equal(t, one[last], tc.got[last], "normal numbers depend on the mesh")
		})
	}
}

// Elements beyond 2³² count in 64 bits: traced words must be the host's. XLA computes only those of
// a tensor of 2⁴⁰ elements that are sliced out.
func TestXLAHugeTensor(t *testing.T) {
	key := random.Key{1, 2}
	shape := []int{1 << 20, 1 << 20}
	want := make([]uint32, 4)
	ranges := []layout.Range{{Start: 4095, Limit: 4097}, {Start: 1<<20 - 2, Limit: 1 << 20}}
	require.NoError(t, key.FillBits(want, shape, ranges))
	got := onXLA(t, runtimetest.Open(t, 1), nil, key, func(key *graph.Node) []*graph.Node {
		bits := random.Trace(key).Bits(dtypes.Uint32, shape...)
		return []*graph.Node{graph.Slice(bits, graph.AxisRange(4095, 4097), graph.AxisRange(1<<20-2))}
	})
	require.Equal(t, want, got[0])
}
