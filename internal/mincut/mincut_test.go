package mincut_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/mincut"
)

// network returns a network of the edges (from, to, capacity).
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
		// Source and sink are joined by two ways of which a cross edge takes
		// part: flow must be sent back.
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

// Of small random networks no cut is cheaper than the one found.
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
			other := weight(func(i int) bool { return i == mincut.Source || i > mincut.Sink && set>>(i-2)&1 != 0 })
			require.LessOrEqual(t, total, other, "%v", edges)
		}
	}
}
