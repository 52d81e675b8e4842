package reshard_test

// This file checks that remembered ways are the ways that are found.

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile/reshard"
)

// A Planner plans as Plan does, for tensors of several sizes in turn, even and
// uneven ones.
func TestPlanner(t *testing.T) {
	count := 1_000
	if testing.Short() {
		count = 200
	}
	rng := rand.New(rand.NewPCG(9, 10))
	for range count {
		m := randomMesh(rng, 16)
		rank := rng.IntN(4)
		sums := rng.IntN(3) == 0
		from, to := randomSharding(rng, m, rank, sums), randomSharding(rng, m, rank, sums && rng.IntN(3) == 0)
		var planner reshard.Planner
		for i := range 4 {
			tensor := reshard.Tensor{Dims: make([]int, rank), ElemSize: 1 + rng.IntN(8)}
			for d := range tensor.Dims {
				tensor.Dims[d] = m.Size() * (1 + rng.IntN(5))
				if i == 3 {
					tensor.Dims[d] = rng.IntN(20)
				}
			}
			got, err := planner.Plan(from, to, tensor)
			require.NoError(t, err)
			require.Equal(t, plan(t, from, to, tensor), got, "%s from %s to %s", tensor, from, to)
		}
	}
}
