package reshard_test

// This file tests plans of random problems: they are right, no path on a small mesh is cheaper, and
// no detour is.

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile/reshard"
	"github.com/gospmd/gospmd/internal/testing/longtest"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
)

// randomMesh returns a random mesh of one to three axes, called x, y and z, with at most the given
// number of devices. Axes may have size 1.
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

// randomSharding returns a random sharding on m of a tensor of that rank, by full axes and by
// sub-axes; with sums, some axes hold partial sums.
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

// randomTensor returns a tensor of up to three dimensions, even and uneven ones of up to 24
// elements, some of size 0 and 1. An element has 1 to 8 bytes.
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

// checkPlan runs the steps, a plan for tensor between the shardings, on random elements. It returns
// an error if devices do not get the right elements, or if a step needs more than three times the
// bytes of a device's shards before and after the plan together.
func checkPlan(from, to *layout.Sharding, tensor reshard.Tensor, steps reshard.Steps, rng *rand.Rand) error {
	if err := checkElements(from, to, tensor, steps, rng); err != nil {
		return err
	}
	heldBytes := func(s *layout.Sharding) int {
		return len(newBuffer(s.LocalShape(tensor.Dims), 0).data) * tensor.ElemSize
	}
	if limit := 3 * (heldBytes(from) + heldBytes(to)); steps.Live() > limit {
		return fmt.Errorf("mesh %s, %s, from %s to %s: %d live bytes, want at most %d\n%s", from.Mesh, tensor, from, to, steps.Live(), limit, steps)
	}
	return nil
}

// checkElements runs the steps, a plan for tensor between the shardings, on simulated devices with
// random elements. It returns an error if the steps do not fit together, or if a device does not
// get the elements of its shard of the sharding to.
func checkElements(from, to *layout.Sharding, tensor reshard.Tensor, steps reshard.Steps, rng *rand.Rand) error {
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
	return nil
}

func TestRandom(t *testing.T) {
	t.Parallel()
	count := longtest.Pick(5_000, 20_000)
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

// liveLimit returns the bytes that a device may hold at any time during a plan of t between the
// shardings: three times those of its shards before and after the plan together.
func liveLimit(from, to *layout.Sharding, t reshard.Tensor) int {
	heldBytes := func(s *layout.Sharding) int { return len(newBuffer(s.LocalShape(t.Dims), 0).data) * t.ElemSize }
	return 3 * (heldBytes(from) + heldBytes(to))
}

// FuzzPlan makes a random problem from the seed, and checks its plan, twice.
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

func TestExhaustive(t *testing.T) {
	t.Parallel()
	count := 10_000
	if testing.Short() {
		count = 200
	}
	rng := rand.New(rand.NewPCG(5, 6))
	for range count {
		m := randomMesh(rng, 8)
		if !primePowers(m) {
			continue
		}
		tensor := randomTensor(rng)
		tensor.Dims = tensor.Dims[:min(2, len(tensor.Dims))]
		rank := len(tensor.Dims)
		sums := rng.IntN(2) == 0
		a, b := randomSharding(rng, m, rank, sums), randomSharding(rng, m, rank, sums && rng.IntN(3) == 0)
		steps := plan(t, a, b, tensor)
		want, ok := reshard.ExhaustiveCost(a, b, tensor)
		if exchanged := slices.ContainsFunc(steps, func(s reshard.Step) bool { return s.Kind == reshard.NeighbourGather }); exchanged == ok {
			t.Errorf("mesh %s, %s, from %s to %s: a neighbour gather is for where there is no other plan:\n%s", m, tensor, a, b, steps)
		}
		if got := sentBytes(m, tensor, steps); ok && got != want {
			t.Errorf("mesh %s, %s, from %s to %s: sends %d/%d bytes, want %d:\n%s", m, tensor, a, b, got, m.Size(), want, steps)
		}
	}
}

// sentBytes returns the bytes that all devices of m together send in the steps of a plan for t. For
// all-reduces it counts without rounding.
func sentBytes(m *mesh.DeviceMesh, t reshard.Tensor, steps reshard.Steps) int {
	total := 0
	for _, s := range steps {
		if s.Kind != reshard.AllReduce && s.Kind != reshard.BitwiseAllReduce {
			total += s.Bytes * m.Size()
			continue
		}
		n, size := m.RefsSize(s.Axes), t.ElemSize
		for _, d := range s.Before {
			size *= d
		}
		total += 2 * (n - 1) * size * m.Size() / n
	}
	return total
}

// A detour from A to C through any B sends at least as much as the plan, without the rounding of
// all-reduces. As doc.go says, two kinds of detours are not compared: those that need more memory
// than a plan from A to C may, and those on axes whose size has several prime factors.
func TestTriangle(t *testing.T) {
	t.Parallel()
	count := longtest.Pick(5_000, 20_000)
	rng := rand.New(rand.NewPCG(3, 4))
	larger := 0
	for range count {
		m := randomMesh(rng, 16)
		if !primePowers(m) {
			continue
		}
		tensor := randomTensor(rng)
		rank := len(tensor.Dims)
		sums := rng.IntN(3) == 0
		a, b, c := randomSharding(rng, m, rank, sums), randomSharding(rng, m, rank, sums), randomSharding(rng, m, rank, sums && rng.IntN(3) == 0)
		ab, bc, ac := plan(t, a, b, tensor), plan(t, b, c, tensor), plan(t, a, c, tensor)
		switch {
		case sentBytes(m, tensor, ab)+sentBytes(m, tensor, bc) >= sentBytes(m, tensor, ac):
		case max(ab.Live(), bc.Live()) > liveLimit(a, c, tensor):
			larger++
		default:
			t.Errorf("mesh %s, %s: from %s to %s costs %d:\n%sthrough %s %d + %d:\n%s%s", m, tensor, a, c, ac.Bytes(), ac, b, ab.Bytes(), bc.Bytes(), ab, bc)
		}
	}
	t.Logf("of %d detours, %d are cheaper and need too much memory", count, larger)
}

// primePowers reports whether every axis can be cut into primes in only one order.
func primePowers(m *mesh.DeviceMesh) bool {
	return !slices.ContainsFunc(m.Shape(), func(n int) bool {
		p := 2
		for n > 1 && n%p != 0 {
			p++
		}
		for n > 1 && n%p == 0 {
			n /= p
		}
		return n > 1
	})
}
