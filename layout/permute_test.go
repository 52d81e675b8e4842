package layout_test

// This file tests who sends to whom in a permutation, by its definition.

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
)

func splitBy(m *mesh.DeviceMesh, dims ...[]mesh.AxisRef) *layout.Sharding {
	s := layout.Replicated(m, len(dims))
	for d, axes := range dims {
		s.Dims[d].Axes = axes
	}
	return s
}

func TestPermutePairs(t *testing.T) {
	square, long := mesh.MustParse("x=4,y=4"), mesh.MustParse("x=2,y=4")
	full := mesh.FullAxes
	partial := func(s *layout.Sharding, axes ...string) *layout.Sharding {
		s.Unreduced = full(axes...)
		return s
	}
	for _, tc := range []struct {
		name     string
		from, to *layout.Sharding
		stay     int // devices that keep what they hold
	}{
		{"nothing moves", splitBy(square, full("x"), nil), splitBy(square, full("x"), nil), 16},
		{"another axis", splitBy(square, full("x"), nil), splitBy(square, full("y"), nil), 4},
		{"axes change places", splitBy(square, full("x"), full("y")), splitBy(square, full("y"), full("x")), 4},
		{"another order", splitBy(long, full("x", "y")), splitBy(long, full("y", "x")), 2},
		{"parts in another order", splitBy(long, full("y")),
			splitBy(long, []mesh.AxisRef{mesh.SubAxisRef("y", 2, 2), mesh.SubAxisRef("y", 1, 2)}), 4},
		{"copies", splitBy(long, full("x")), splitBy(long, []mesh.AxisRef{mesh.SubAxisRef("y", 1, 2)}), 4},
		{"summands", partial(splitBy(square, full("x")), "y"), partial(splitBy(square, full("y")), "x"), 4},
	} {
		t.Run(tc.name, func(t *testing.T) {
			pairs, err := layout.PermutePairs(tc.from, tc.to)
			require.NoError(t, err)
			m := tc.from.Mesh
			require.Len(t, pairs, m.Size())
			sent, stay := map[int]bool{}, 0
			for i, p := range pairs {
				require.Equal(t, i, p[1], "one pair for each target, in order")
				require.False(t, sent[p[0]], "position %d sends twice", p[0])
				sent[p[0]] = true
				for d := range tc.from.Dims {
					require.Equal(t, m.RefsCoordinate(p[1], tc.to.Dims[d].Axes), m.RefsCoordinate(p[0], tc.from.Dims[d].Axes))
				}
				require.Equal(t, m.RefsCoordinate(p[1], tc.to.Unreduced), m.RefsCoordinate(p[0], tc.from.Unreduced))
				if p[0] == p[1] {
					stay++
				}
			}
			require.Equal(t, tc.stay, stay)
		})
	}
}

func TestPermutePairsRefuses(t *testing.T) {
	m := mesh.MustParse("x=2,y=4")
	for _, tc := range []struct {
		name     string
		from, to *layout.Sharding
		want     string
	}{
		{"another mesh", splitBy(m, nil), splitBy(mesh.MustParse("x=8"), nil), "want one mesh"},
		{"another rank", splitBy(m, nil), splitBy(m, nil, nil), "2 dimensions, want 1"},
		{"other shards", splitBy(m, mesh.FullAxes("x")), splitBy(m, mesh.FullAxes("y")), "dim 0 has 2 shards, then 4: want the same number"},
		{"other summands", splitBy(m), &layout.Sharding{Mesh: m, Unreduced: mesh.FullAxes("x")}, "1 parts to be summed, then 2"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := layout.PermutePairs(tc.from, tc.to)
			require.ErrorContains(t, err, tc.want)
		})
	}
}
