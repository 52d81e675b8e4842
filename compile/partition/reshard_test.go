package partition_test

// This file checks the ops of reshard plans: they send the bytes of the plan and, on an engine,
// every element arrives at the right place.

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/compile/partition"
	"github.com/gospmd/gospmd/compile/reshard"
	"github.com/gospmd/gospmd/internal/testing/runtimetest"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/runtime"
)

// anyLayout returns a random sharding on m of a tensor of that rank. It gives each axis, as a whole
// or in parts of size 2 if its size is 4 or 8, to a dimension or to none; if sums is true, those of
// no dimension are unreduced axes.
func anyLayout(rng *rand.Rand, m *mesh.DeviceMesh, rank int, sums bool) *layout.Sharding {
	var refs []mesh.AxisRef
	for _, a := range m.Axes() {
		switch {
		case a.Size == 8 && rng.IntN(2) == 0:
			refs = append(refs, mesh.SubAxisRef(a.Name, 1, 2), mesh.SubAxisRef(a.Name, 2, 2), mesh.SubAxisRef(a.Name, 4, 2))
		case a.Size == 4 && rng.IntN(2) == 0:
			refs = append(refs, mesh.SubAxisRef(a.Name, 1, 2), mesh.SubAxisRef(a.Name, 2, 2))
		default:
			refs = append(refs, mesh.FullAxis(a.Name))
		}
	}
	rng.Shuffle(len(refs), func(i, j int) { refs[i], refs[j] = refs[j], refs[i] })
	s := layout.Replicated(m, rank)
	for _, r := range refs {
		switch d := rng.IntN(rank + 1); {
		case d < rank:
			s.Dims[d].Axes = m.MergeRefs(append(s.Dims[d].Axes, r))
		case sums:
			s.Unreduced = append(s.Unreduced, r)
		}
	}
	slices.SortFunc(s.Unreduced, m.CompareRefs)
	s.Unreduced = m.MergeRefs(s.Unreduced)
	return s
}

func anyDims(rng *rand.Rand) []int {
	sizes := []int{1, 2, 3, 5, 8, 9, 10, 16, 17}
	dims := make([]int, 1+rng.IntN(3))
	for d := range dims {
		dims[d] = sizes[rng.IntN(len(sizes))]
	}
	return dims
}

var meshes = []*mesh.DeviceMesh{
	mesh.MustParse("x=16"), mesh.MustParse("x=8"), mesh.MustParse("x=4,y=2"), mesh.MustParse("x=2,y=2,z=2"), mesh.MustParse("x=2,y=3"), mesh.MustParse("x=7"),
}

// For random shardings, the ops of a resharding verify, have results of the wanted shape, and send
// the bytes of the plan. All kinds of steps must occur.
func TestReshardSends(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	kinds := map[reshard.Kind]int{}
	unusual := slices.Concat(rare...)
	for i := range 3_000 {
		m := meshes[i%len(meshes)]
		dims := anyDims(rng)
		if rng.IntN(20) == 0 {
			dims[0] = 0
		}
		dtype := []dtypes.DType{dtypes.Float32, dtypes.Bool, dtypes.Complex64, dtypes.Int8}[rng.IntN(4)]
		sums := dtype == dtypes.Float32 && rng.IntN(2) == 0
		from, to := anyLayout(rng, m, len(dims), sums), anyLayout(rng, m, len(dims), sums && rng.IntN(3) == 0)
		if i < len(unusual) {
			dims, from, to = unusual[i].dims, unusual[i].from, unusual[i].to
			m = from.Mesh
		}
		whole := ir.Tensor(dtype, dims...)
		plan, err := reshard.Plan(from, to, reshard.Tensor{Dims: dims, ElemSize: ir.ElementBytes(dtype)})
		require.NoError(t, err)
		for _, s := range plan {
			kinds[s.Kind]++
		}
		module := partition.Reshard(m, whole.WithDims(from.LocalShape(dims)), plan, ir.OpMaximum)
		require.NoError(t, ir.Verify(module), "from %s to %s:\n%s%s", from, to, plan, module)
		require.Equal(t, to.LocalShape(dims), module.Main().Returned()[0].Type.Dims)
		sent := 0
		for op := range module.Main().Body.Ops() {
			sent += cost.SentBytes(m, op)
		}
		require.Equal(t, plan.Bytes(), sent, "from %s to %s of %v:\n%s%s", from, to, dims, plan, module)
	}
	for k := reshard.Pad; k <= reshard.NeighbourGather; k++ {
		require.NotZero(t, kinds[k], "no plan had a step of kind %s", k)
	}
}

// A program that only changes the sharding of its inputs returns the same bits: -0 stays -0, and
// padding does not get into elements.
func TestReshardMoves(t *testing.T) {
	client := runtimetest.Open(t, 16)
	rng := rand.New(rand.NewPCG(2, 2))
	programs := 10
	if testing.Short() {
		programs = 2
	}
	const tensors = 10
	kinds := map[reshard.Kind]bool{}
	ctx := context.Background()
	for i := range programs {
		m := meshes[i%len(meshes)]
		module := &ir.Module{Name: "reshard"}
		module.AddMesh("mesh", m)
		f := ir.NewFunc("main")
		module.Funcs = append(module.Funcs, f)
		var values []*ir.Value
		var targets []*layout.Sharding
		for k := range tensors {
			dims := anyDims(rng)
			from, to := anyLayout(rng, m, len(dims), false), anyLayout(rng, m, len(dims), false)
			if i < len(rare) && k < len(rare[i]) {
				dims, from, to = rare[i][k].dims, rare[i][k].from, rare[i][k].to
			}
			plan, err := reshard.Plan(from, to, reshard.Tensor{Dims: dims, ElemSize: 4})
			require.NoError(t, err)
			for _, s := range plan {
				kinds[s.Kind] = true
			}
			values = append(values, f.AddParam("", ir.Tensor(dtypes.Float32, dims...), from))
			targets = append(targets, to)
		}
		f.Return(values...)
		for k, s := range targets {
			f.Results[k].Sharding = s
		}
		p, err := compile.Compile(ctx, module, compile.Options{Partitioner: compile.SPMD})
		require.NoError(t, err)
		exe, err := client.Load(ctx, p)
		require.NoError(t, err)
		want := make([][]float32, tensors)
		args := make([]*runtime.Array, tensors)
		for k, in := range p.Inputs {
			want[k] = make([]float32, in.Type.Size())
			for j := range want[k] {
				want[k][j] = float32(rng.IntN(100)) - 50
				if rng.IntN(4) == 0 {
					want[k][j] = float32(math.Copysign(0, -1))
				}
			}
			args[k], err = client.Put(in.Type, in.Sharding, want[k])
			require.NoError(t, err)
		}
		got, err := exe.Run(args...)
		require.NoError(t, err)
		for k, a := range got {
			flat, err := a.Get(ctx)
			require.NoError(t, err)
			require.Equal(t, bitsOf(want[k]), bitsOf(flat.([]float32)), "%s from %s to %s", values[k].Type, values[k].Sharding, targets[k])
			a.Release()
		}
		for _, a := range args {
			a.Release()
		}
		require.NoError(t, exe.Close())
	}
	for k := reshard.Pad; k <= reshard.NeighbourGather; k++ {
		if k != reshard.ReplicatedToUnreduced && k != reshard.ReduceScatter && k != reshard.AllReduce {
			require.True(t, kinds[k], "no plan had a step of kind %s", k)
		}
	}
}

// rare are moves, by mesh, whose steps random moves seldom have, on the meshes x=16 and x=8.
var rare = func() [][]rareMove {
	split := func(m *mesh.DeviceMesh, axes ...mesh.AxisRef) *layout.Sharding {
		s := layout.Replicated(m, 1)
		s.Dims[0].Axes = axes
		return s
	}
	part := func(pre, size int) mesh.AxisRef { return mesh.SubAxisRef("x", pre, size) }
	all := mesh.FullAxis("x")
	m, n := meshes[0], meshes[1]
	return [][]rareMove{{
		{[]int{24}, split(m, all), split(m, part(2, 8))}, // permute, neighbour gather
		{[]int{10}, split(m, all), split(m, part(4, 4))}, // permute, neighbour gather
	}, {
		{[]int{3}, split(n, all), split(n, part(1, 4))},              // permute, pad to offset, bitwise all-reduce
		{[]int{3}, split(n, part(2, 4)), split(n, all)},              // no step
		{[]int{17}, split(n, all), split(n, part(1, 4))},             // all-gather, halo exchange to smaller blocks
		{[]int{17}, split(n, part(1, 4)), split(n, all)},             // halo exchange to larger blocks, slice
		{[]int{1}, split(n, all), split(n)},                          // pad to offset, bitwise all-reduce
		{[]int{16}, split(n, all), split(n, part(4, 2), part(1, 4))}, // permute
		{[]int{5}, split(n), split(n, all)},                          // slice
	}}
}()

type rareMove struct {
	dims     []int
	from, to *layout.Sharding
}

func bitsOf(list []float32) []uint32 {
	out := make([]uint32, len(list))
	for i, v := range list {
		out[i] = math.Float32bits(v)
	}
	return out
}
