package reshard_test

// This file checks plans of random problems.

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile/reshard"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
)

// randomMesh returns a mesh of up to three axes.
func randomMesh(rng *rand.Rand, most int) *mesh.DeviceMesh {
	for {
		shape := make([]int, 1+rng.IntN(3))
		n := 1
		for i := range shape {
			shape[i] = 1 + rng.IntN(most)
			n *= shape[i]
		}
		if n <= most {
			m, err := mesh.New(shape, []string{"x", "y", "z"}[:len(shape)], nil)
			if err != nil {
				panic(err)
			}
			return m
		}
	}
}

// randomSharding splits dimensions by whole axes and parts of them.
func randomSharding(rng *rand.Rand, m *mesh.DeviceMesh, rank int, sums bool) *layout.Sharding {
	s := layout.Replicated(m, rank)
	var refs []mesh.AxisRef
	for _, a := range m.Axes() {
		if a.Size == 1 || rng.IntN(4) == 0 {
			continue
		}
		if rng.IntN(2) == 0 {
			refs = append(refs, mesh.FullAxis(a.Name))
			continue
		}
		for pre := 1; pre < a.Size; {
			var sizes []int
			for n := 2; n <= a.Size/pre; n++ {
				if a.Size/pre%n == 0 {
					sizes = append(sizes, n)
				}
			}
			n := sizes[rng.IntN(len(sizes))]
			if ref := mesh.SubAxisRef(a.Name, pre, n); n == a.Size {
				refs = append(refs, mesh.FullAxis(a.Name))
			} else if rng.IntN(3) > 0 {
				refs = append(refs, ref)
			}
			pre *= n
		}
	}
	rng.Shuffle(len(refs), func(i, j int) { refs[i], refs[j] = refs[j], refs[i] })
	for _, r := range refs {
		if rank == 0 || sums && rng.IntN(4) == 0 {
			if sums {
				s.Unreduced = append(s.Unreduced, r)
			}
			continue
		}
		d := rng.IntN(rank)
		s.Dims[d].Axes = append(s.Dims[d].Axes, r)
	}
	for d := range s.Dims {
		s.Dims[d].Axes = m.MergeRefs(s.Dims[d].Axes)
	}
	sortRefs(m, s.Unreduced)
	s.Unreduced = m.MergeRefs(s.Unreduced)
	return s
}

func sortRefs(m *mesh.DeviceMesh, refs []mesh.AxisRef) {
	for i := range refs {
		for j := i; j > 0 && m.CompareRefs(refs[j], refs[j-1]) < 0; j-- {
			refs[j], refs[j-1] = refs[j-1], refs[j]
		}
	}
}

// randomTensor has even, uneven, empty and single dimensions.
func randomTensor(rng *rand.Rand) reshard.Tensor {
	sizes := []int{0, 1, 1, 2, 3, 4, 5, 6, 7, 8, 8, 9, 10, 12, 16, 16, 17, 24}
	t := reshard.Tensor{Dims: make([]int, rng.IntN(4)), ElemSize: 1 + rng.IntN(8)}
	for d := range t.Dims {
		i := rng.IntN(len(sizes))
		if i == 0 {
			i = rng.IntN(len(sizes))
		}
		t.Dims[d] = sizes[i]
	}
	return t
}

func plan(t testing.TB, from, to *layout.Sharding, tensor reshard.Tensor) reshard.Steps {
	steps, err := reshard.Plan(from, to, tensor)
	require.NoError(t, err)
	return steps
}

// checkPlan runs a plan and checks all that holds of every plan.
func checkPlan(from, to *layout.Sharding, tensor reshard.Tensor, steps reshard.Steps, rng *rand.Rand) error {
	describe := func(err error) error {
		return fmt.Errorf("mesh %s, %s, from %s to %s: %w\n%s", from.Mesh, tensor, from, to, err, steps)
	}
	global := newBuffer(tensor.Dims, 0)
	for i := range global.data {
		global.data[i] = 1 + rng.IntN(1_000_000)
	}
	got, err := simulate(from.Mesh, steps, scatter(global, from, rng))
	if err != nil {
		return describe(err)
	}
	back, err := gather(got, tensor.Dims, to)
	if err != nil {
		return describe(err)
	}
	for i := range global.data {
		if back.data[i] != global.data[i] {
			return describe(fmt.Errorf("element %d is %d, want %d", i, back.data[i], global.data[i]))
		}
	}
	held := func(s *layout.Sharding) int {
		return len(newBuffer(s.LocalShape(tensor.Dims), 0).data) * tensor.ElemSize
	}
	if limit := 3 * (held(from) + held(to)); steps.Live() > limit {
		return describe(fmt.Errorf("%d live bytes, want at most %d", steps.Live(), limit))
	}
	return nil
}

func TestRandom(t *testing.T) {
	count := 20_000
	if testing.Short() {
		count = 2_000
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for range count {
		m := randomMesh(rng, 16)
		tensor := randomTensor(rng)
		rank := len(tensor.Dims)
		sums := rng.IntN(3) == 0
		a, b := randomSharding(rng, m, rank, sums), randomSharding(rng, m, rank, sums && rng.IntN(3) == 0)
		steps, err := reshard.Plan(a, b, tensor)
		if err != nil {
			t.Error(a.Mesh, err)
			continue
		}
		if err := checkPlan(a, b, tensor, steps, rng); err != nil {
			t.Error(err)
		}
	}
}

// liveLimit returns what a device may hold during a plan.
func liveLimit(from, to *layout.Sharding, t reshard.Tensor) int {
	held := func(s *layout.Sharding) int { return len(newBuffer(s.LocalShape(t.Dims), 0).data) * t.ElemSize }
	return 3 * (held(from) + held(to))
}

// FuzzPlan checks the plan of a random problem, twice.
func FuzzPlan(f *testing.F) {
	for seed := range uint64(10) {
		f.Add(seed, uint8(16))
	}
	f.Fuzz(func(t *testing.T, seed uint64, devices uint8) {
		rng := rand.New(rand.NewPCG(seed, 0))
		m := randomMesh(rng, 1+int(devices)%24)
		tensor := randomTensor(rng)
		rank := len(tensor.Dims)
		a, b := randomSharding(rng, m, rank, rng.IntN(2) == 0), randomSharding(rng, m, rank, rng.IntN(4) == 0)
		steps := plan(t, a, b, tensor)
		require.Equal(t, steps, plan(t, a, b, tensor), "planned again")
		require.NoError(t, checkPlan(a, b, tensor, steps, rng))
	})
}
