package memory_test

// This file tests the search on problems that come from no program.

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile/memory"
)

// graph is a problem in the form of a training step: a forward pass, in which each value is
// computed from one or two earlier ones, and a backward pass, which reads most values in the
// opposite order.
type graph struct {
	base  []int
	nodes []memory.Node
}

func randomGraph(rng *rand.Rand, n int) graph {
	g := graph{base: make([]int, 2*n+1)}
	uses := make([][]int, n)
	for i := range n {
		x := memory.Node{Made: i, Bytes: 64 * (1 + rng.IntN(20)), Seconds: 0.1 + 10*rng.Float64()*rng.Float64(), Fixed: rng.IntN(12) == 0}
		if i > 0 {
			x.Reads = append(x.Reads, max(0, i-1-rng.IntN(2)*rng.IntN(3)))
			if other := rng.IntN(i); rng.IntN(3) == 0 && other != x.Reads[0] {
				x.Reads = append(x.Reads, other)
			}
		}
		for _, d := range x.Reads {
			uses[d] = append(uses[d], i)
		}
		if rng.IntN(4) > 0 {
			uses[i] = append(uses[i], 2*n-i)
		}
		g.nodes = append(g.nodes, x)
	}
	for i := range g.nodes {
		x := &g.nodes[i]
		from, widest := x.Made, 1
		x.Last = x.Made
		slices.Sort(uses[i])
		uses[i] = slices.Compact(uses[i])
		for k, t := range uses[i] {
			if t-from > widest && !x.Fixed {
				widest, x.Early, x.Late = t-from, from, uses[i][k:]
			}
			from, x.Last = t, t
		}
		for t := x.Made; t <= x.Last; t++ {
			g.base[t] += x.Bytes
		}
	}
	return g
}

// On small random problems the search finds a choice that fits if there is one, and its choice
// takes at most 1.05 times as long as the best of all.
func TestSearchIsNearTheOptimum(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 1))
	worst, graphs := 1.0, 0
	for graphs < 100 {
		g := randomGraph(rng, 6+rng.IntN(6))
		free := memory.NewProblem(0, g.base, g.nodes)
		least, most := free.LeastPeak(), slices.Max(g.base)
		if least == most {
			continue
		}
		graphs++
		p := memory.NewProblem(least+rng.IntN(most-least), g.base, g.nodes)
		want, ok := p.BruteForce()
		require.True(t, ok)
		got, fits := p.Solve()
		require.True(t, fits, "graph %d", graphs)
		if want == 0 {
			require.Zero(t, got, "graph %d", graphs)
			continue
		}
		worst = max(worst, got/want)
		assert.LessOrEqual(t, got, 1.05*want, "graph %d", graphs)
	}
	t.Logf("the worst of %d choices takes %.3f times as long as the best", graphs, worst)
}

// For a limit below the least peak of all choices, the search says that its choice does not fit.
func TestSearchFindsNothing(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 1))
	for range 20 {
		g := randomGraph(rng, 8)
		least := memory.NewProblem(0, g.base, g.nodes).LeastPeak()
		_, fits := memory.NewProblem(least-1, g.base, g.nodes).Solve()
		require.False(t, fits)
	}
}

// A chain of 100 values of equal size fits into the memory of 75, 50, 35 and 25 of them, at the
// cost of at most one more forward pass. Chen et al. (2016) showed this for a few times √n values.
// For 75, fewer than 40 values are computed again.
func TestChain(t *testing.T) {
	const n = 100
	g := graph{base: make([]int, 2*n+1)}
	for i := range n {
		x := memory.Node{Bytes: 1, Seconds: 1, Made: i, Early: min(i+1, n-1), Late: []int{2*n - i}, Last: 2*n - i}
		if i > 0 {
			x.Reads = []int{i - 1}
		}
		for t := x.Made; t <= x.Last; t++ {
			g.base[t]++
		}
		g.nodes = append(g.nodes, x)
	}
	for _, limit := range []int{75, 50, 35, 25} {
		seconds, fits := memory.NewProblem(limit, g.base, g.nodes).Solve()
		require.True(t, fits, limit)
		require.LessOrEqual(t, seconds, float64(n), limit)
	}
	seconds, _ := memory.NewProblem(75, g.base, g.nodes).Solve()
	require.Less(t, seconds, 40.0, "only what the limit needs is computed again")
}
