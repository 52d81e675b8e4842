package mincut_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/mincut"
)

// network returns a network with that number of nodes, source and sink included, and the edges
// (from, to, capacity).
func network(nodes int, edges [][3]int) *mincut.Network {
	n := mincut.New()
	for range nodes - 2 {
		n.AddNode()
	}
	for _, e := range edges {
		n.Connect(e[0], e[1], e[2])
	}
	return n
}

func TestCut(t *testing.T) {
	for _, tc := range []struct {
		name  string
		edges [][3]int
		want  []bool
		total int
	}{
		{"nothing flows", [][3]int{{0, 2, 5}}, []bool{true, false, true}, 0},
		{"one edge", [][3]int{{0, 2, 5}, {2, 1, 3}}, []bool{true, false, true}, 3},
		{"of equal cuts the one next to the source", [][3]int{{0, 2, 3}, {2, 1, 3}}, []bool{true, false, false}, 3},
		// Two paths with a cross edge between them join source and sink: flow must be sent back.
		{"flow is sent back", [][3]int{{0, 2, 1}, {0, 3, 1}, {2, 3, 1}, {2, 4, 1}, {3, 5, 1}, {4, 1, 2}, {5, 1, 2}}, []bool{true, false, false, false, false, false}, 2},
		{"a bottleneck behind", [][3]int{{0, 2, 4}, {0, 3, 4}, {2, 4, 9}, {3, 4, 9}, {4, 5, 5}, {5, 1, 9}}, []bool{true, false, true, true, true, false}, 5},
	} {
		t.Run(tc.name, func(t *testing.T) {
			source, total := network(len(tc.want), tc.edges).Cut()
			require.Equal(t, tc.want, source)
			require.Equal(t, tc.total, total)
		})
	}
}

// The work grows about linearly with the number of nodes, on networks like those of long programs:
// a chain with an edge at each node from the source or to the sink, and a chain between a source
// and a sink at its ends.
func TestCutGrowth(t *testing.T) {
	for _, tc := range []struct {
		name string
		at   func(i, n int) (source, sink int) // the capacities at node i of n
	}{
		{"edges everywhere", func(i, _ int) (int, int) { return i * 7 % 5, i * 3 % 4 }},
		{"ends only", func(i, n int) (int, int) { return 9 * max(0, 1-i), 9 * max(0, i-n+2) }},
		{"source in the middle", func(i, n int) (int, int) {
			if i == n/2 {
				return 1000, 0
			}
			return 0, i * 3 % 4
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			steps := func(n int) int {
				x := mincut.New()
				for i := range n {
					at := x.AddNode()
					source, sink := tc.at(i, n)
					x.Connect(mincut.Source, at, source)
					x.Connect(at, mincut.Sink, sink)
					if i > 0 {
						x.Connect(at-1, at, 1+i%3)
						x.Connect(at, at-1, 1+i%2)
					}
				}
				x.Cut()
				return x.Steps()
			}
			require.Less(t, steps(32_000), 12*steps(4_000))
		})
	}
}

// On small random networks, Cut's total is the weight of the cut that it returns, and no other cut
// is cheaper. Of equal cuts it returns the one nearest to the source.
func TestCutIsMinimal(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		nodes := 3 + rng.IntN(6)
		var edges [][3]int
		for range rng.IntN(20) {
			edges = append(edges, [3]int{rng.IntN(nodes), rng.IntN(nodes), rng.IntN(10)})
		}
		weight := func(source func(int) bool) (w int) {
			for _, e := range edges {
				if source(e[0]) && !source(e[1]) {
					w += e[2]
				}
			}
			return w
		}
		source, total := network(nodes, edges).Cut()
		require.Equal(t, total, weight(func(i int) bool { return source[i] }), "%v", edges)
		for set := range 1 << (nodes - 2) {
			in := func(i int) bool { return i == mincut.Source || i > mincut.Sink && set>>(i-2)&1 != 0 }
			require.LessOrEqual(t, total, weight(in), "%v", edges)
			if weight(in) > total {
				continue
			}
			for i := range nodes { // of several minimal cuts, Cut returns the one nearest to the source
				require.True(t, !source[i] || in(i), "node %d of %v", i, edges)
			}
		}
	}
}
