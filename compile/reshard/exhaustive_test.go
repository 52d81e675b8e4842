package reshard_test

// This file compares plans with those that a search without shortcuts finds.

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gospmd/gospmd/compile/reshard"
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
		if exchanged := slices.ContainsFunc(steps, isExchange); exchanged == ok {
			t.Errorf("mesh %s, %s, from %s to %s: an exchange is for where there is no other way:\n%s", m, tensor, a, b, steps)
		}
		if ok && steps.Bytes() != want {
			t.Errorf("mesh %s, %s, from %s to %s: %d bytes, want %d:\n%s", m, tensor, a, b, steps.Bytes(), want, steps)
		}
	}
}
