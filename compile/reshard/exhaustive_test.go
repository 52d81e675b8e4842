package reshard_test

// This file compares plans with those that a search without shortcuts finds.

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gospmd/gospmd/compile/reshard"
	"github.com/gospmd/gospmd/mesh"
)

func TestExhaustive(t *testing.T) {
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
		want, ok := reshard.Exhaustive(a, b, tensor)
		if exchanged := slices.ContainsFunc(steps, func(s reshard.Step) bool { return s.Kind == reshard.Exchange }); exchanged == ok {
			t.Errorf("mesh %s, %s, from %s to %s: an exchange is for where there is no other way:\n%s", m, tensor, a, b, steps)
		}
		if got := sent(m, tensor, steps); ok && got != want {
			t.Errorf("mesh %s, %s, from %s to %s: sends %d/%d bytes, want %d:\n%s", m, tensor, a, b, got, m.Size(), want, steps)
		}
	}
}

// sent returns the bytes of a plan times the number of devices, with no
// rounding in all-reduces.
func sent(m *mesh.DeviceMesh, t reshard.Tensor, steps reshard.Steps) int {
	total := 0
	for _, s := range steps {
		if s.Kind != reshard.AllReduce && s.Kind != reshard.Union {
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
