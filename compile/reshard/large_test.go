package reshard_test

// This file tests plans on large meshes, where searches are limited: they must be right, and the
// work must not grow with the number of devices.

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile/reshard"
	"github.com/gospmd/gospmd/mesh"
)

// Plans on large meshes are right and within the limit of memory, also for dimensions that are
// smaller than the axes.
func TestLargeMeshes(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, text := range []string{"x=64", "x=8,y=8", "x=96", "x=16,y=4,z=2", "x=12,y=6"} {
		m := mesh.MustParse(text)
		for range 40 {
			tensor := randomTensor(rng)
			rank := len(tensor.Dims)
			from, to := randomSharding(rng, m, rank, true), randomSharding(rng, m, rank, false)
			require.NoError(t, checkPlan(from, to, tensor, plan(t, from, to, tensor), rng))
		}
	}
}

// Also on a mesh of 8, 12 or 16 axes there is always a plan, although searches visit at most 5000
// states: as a last resort, the dimensions that are sharded differently are gathered. On 8 axes
// plans are right.
func TestManyAxes(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for _, axes := range []int{8, 12, 16} {
		var text []string
		for i := range axes {
			text = append(text, fmt.Sprintf("a%d=2", i))
		}
		m := mesh.MustParse(strings.Join(text, ","))
		for range 12 {
			tensor := randomTensor(rng)
			rank := len(tensor.Dims)
			from, to := randomSharding(rng, m, rank, true), randomSharding(rng, m, rank, false)
			visited, err := reshard.CountVisited(from, to, tensor)
			require.NoError(t, err, "%s from %s to %s", tensor, from, to)
			require.LessOrEqual(t, visited, 5000, "%s from %s to %s", tensor, from, to)
			if axes == 8 {
				require.NoError(t, checkElements(from, to, tensor, plan(t, from, to, tensor), rng))
			}
		}
	}
}

// The plan that gathers all differing dimensions brings each device the elements of the goal's
// shard.
func TestDetour(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	for range 300 {
		m := randomMesh(rng, 12)
		tensor := randomTensor(rng)
		from, to := randomSharding(rng, m, len(tensor.Dims), true), randomSharding(rng, m, len(tensor.Dims), true)
		to.Unreduced = nil
		require.NoError(t, checkElements(from, to, tensor, reshard.Detour(from, to, tensor), rng), "%s from %s to %s", tensor, from, to)
	}
}

// On meshes of 64 to 65536 devices planning visits at most 600 states: those of three limited
// searches.
func TestWorkOnLargeMeshes(t *testing.T) {
	most := 0
	for _, n := range []int{64, 512, 4096, 65536} {
		for _, dims := range [][]int{{16, 128}, {5, 7, 3}, {16, 128, 8, 64}, {1000, 24}} {
			root := map[int]int{64: 8, 512: 16, 4096: 64, 65536: 256}[n]
			m := mesh.MustParse(fmt.Sprintf("x=%d,y=%d", root, n/root))
			rest := func(s string) string {
				for range len(dims) - 2 {
					s += ",*"
				}
				return s
			}
			for _, way := range [][2]string{{"x,*", "*,x"}, {"x,y", "y,x"}, {"x,*", "*,y"}, {"*,x+y", "y,*"}, {"x,y", "*,*"}} {
				from, to := parse(m, rest(way[0])), parse(m, rest(way[1]))
				visited, err := reshard.CountVisited(from, to, reshard.Tensor{Dims: dims, ElemSize: 4})
				require.NoError(t, err)
				most = max(most, visited)
				require.LessOrEqual(t, visited, 600, "%v from %s to %s on %s", dims, from, to, m)
			}
		}
	}
	require.Positive(t, most, "no search was made")
}
