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

// Some values can be moved to the host if moves says so.
func randomGraph(rng *rand.Rand, n int, moves bool) graph {
	g := graph{base: make([]int, 2*n+1)}
	uses := make([][]int, n)
	for i := range n {
		x := memory.Node{Made: i, Bytes: 64 * (1 + rng.IntN(20)), Seconds: 0.1 + 10*rng.Float64()*rng.Float64(), Fixed: rng.IntN(12) == 0}
		if moves && rng.IntN(3) > 0 {
			x.Moves, x.Moving = true, 0.1+4*rng.Float64()*rng.Float64()
		}
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
			if t-from > widest && (!x.Fixed || x.Moves) {
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
// takes at most 1.05 times as long as the best of all: where values can only be computed again,
// where they can also be moved to the host, and where devices compute while they move.
func TestSearchIsNearTheOptimum(t *testing.T) {
	for _, tc := range []struct {
		name         string
		moves, while bool
	}{{name: "recompute"}, {"move", true, false}, {"move while computing", true, true}} {
		t.Run(tc.name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(7, 1))
			worst, graphs := 1.0, 0
			for graphs < 100 {
				g := randomGraph(rng, 6+rng.IntN(6), tc.moves)
				var clock []float64
				if tc.while {
					clock = g.clock(rng)
				}
				problem := func(limit int) memory.Problem {
					p := memory.NewProblem(limit, g.base, g.nodes)
					if tc.while {
						p = p.While(clock)
					}
					return p
				}
				least, most := problem(0).LeastPeak(), slices.Max(g.base)
				if least == most {
					continue
				}
				graphs++
				p := problem(least + rng.IntN(most-least))
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
		})
	}
}

// clock returns the time when each step of g starts, and that of the end: a step of the forward
// pass takes as long as its value, others a random time.
func (g graph) clock(rng *rand.Rand) []float64 {
	out := make([]float64, len(g.base)+1)
	for t := range g.base {
		seconds := 3 * rng.Float64()
		if t < len(g.nodes) {
			seconds = g.nodes[t].Seconds
		}
		out[t+1] = out[t] + seconds
	}
	return out
}

// A value is computed again if that is faster than its moves, and moved if that is faster or beside
// the device's work.
func TestSearchChoosesTheCheaperAction(t *testing.T) {
	base := []int{100, 100, 200, 200, 200, 200, 200, 200, 100, 100} // step 0 makes the value, step 9 reads it
	clock := []float64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}
	for _, tc := range []struct {
		name            string
		seconds, moving float64
		while           bool
		want            float64
	}{
		{"computing is faster", 1, 2, false, 1},
		{"moving is faster", 5, 2, false, 4},
		{"moving costs nothing beside other work", 1, 1, true, 0},
		{"moving takes longer than the gap", 1, 8, true, 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			p := memory.NewProblem(150, base, []memory.Node{
				{Bytes: 100, Seconds: tc.seconds, Made: 0, Early: 0, Late: []int{9}, Last: 9, Moves: true, Moving: tc.moving}})
			if tc.while {
				p = p.While(clock)
			}
			seconds, _ := p.Solve()
			require.Equal(t, tc.want, seconds)
		})
	}
}

// For a limit below the least peak of all choices, the search says that its choice does not fit.
func TestSearchFindsNothing(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 1))
	for range 20 {
		g := randomGraph(rng, 8, false)
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
