package reshard_test

// This file checks that no detour is cheaper than the plan.

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gospmd/gospmd/mesh"
)

// Going from A to C by way of any B sends no less than going straight, all-
// reduces taken without their rounding. Not compared, as doc.go says: detours that
// need more memory than a plan from A to C may, and axes whose size has several
// prime factors.
func TestTriangle(t *testing.T) {
	count := 20_000
	if testing.Short() {
		count = 2_000
	}
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
		case sent(m, tensor, ab)+sent(m, tensor, bc) >= sent(m, tensor, ac):
		case max(ab.Live(), bc.Live()) > liveLimit(a, c, tensor):
			larger++
		default:
			t.Errorf("mesh %s, %s: from %s to %s costs %d:\n%sby way of %s %d + %d:\n%s%s", m, tensor, a, c, ac.Bytes(), ac, b, ab.Bytes(), bc.Bytes(), ab, bc)
		}
	}
	t.Logf("of %d detours, %d are cheaper and need too much memory", count, larger)
}

// primePowers reports whether every axis can be cut in one way only.
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
