package reshard_test

// This file checks that no detour is cheaper than the plan.

import (
	"math/rand/v2"
	"testing"
)

// Going from A to C by way of any B costs no less than going straight.
func TestTriangle(t *testing.T) {
	count := 10_000
	if testing.Short() {
		count = 1_000
	}
	rng := rand.New(rand.NewPCG(3, 4))
	for range count {
		m := randomMesh(rng, 16)
		tensor := randomTensor(rng)
		rank := len(tensor.Dims)
		sums := rng.IntN(3) == 0
		a, b, c := randomSharding(rng, m, rank, sums), randomSharding(rng, m, rank, sums), randomSharding(rng, m, rank, sums && rng.IntN(3) == 0)
		ab, bc, ac := plan(t, a, b, tensor), plan(t, b, c, tensor), plan(t, a, c, tensor)
		if ab.Bytes()+bc.Bytes() < ac.Bytes() {
			t.Errorf("mesh %s, %s: from %s to %s costs %d:\n%sby way of %s %d + %d:\n%s%s", m, tensor, a, c, ac.Bytes(), ac, b, ab.Bytes(), bc.Bytes(), ab, bc)
		}
	}
}
