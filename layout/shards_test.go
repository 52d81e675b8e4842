package layout_test

// This file tests what each device holds, by a table and by fuzzing, and tests the pairs of a
// permutation against their definition.

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
)

func TestLocal(t *testing.T) {
	m := mesh.MustParse("x=2,y=4")
	r := func(bounds ...int) (out []layout.Range) {
		for i := 0; i < len(bounds); i += 2 {
			out = append(out, layout.Range{Start: bounds[i], Limit: bounds[i+1]})
		}
		return out
	}
	for _, tc := range []struct {
		name          string
		s             *layout.Sharding
		global, local []int
		pos           int
		ranges        []layout.Range
		even          bool
	}{
		{"unknown", nil, []int{3, 5}, []int{3, 5}, 0, r(0, 3, 0, 5), true},
		{"one device", layout.Replicated(nil, 1), []int{3}, []int{3}, 0, r(0, 3), true},
		{"even", &layout.Sharding{Mesh: m, Dims: dims(fullDim("x"), fullDim("y"))}, []int{4, 8}, []int{2, 2}, 6, r(2, 4, 4, 6), true},
		{"swapped", &layout.Sharding{Mesh: m, Dims: dims(fullDim("y"), fullDim("x"))}, []int{4, 8}, []int{1, 4}, 6, r(2, 3, 4, 8), true},
		{"two axes, one dim", &layout.Sharding{Mesh: m, Dims: dims(fullDim("x", "y"))}, []int{16}, []int{2}, 6, r(12, 14), true},
		{"two axes, minor first", &layout.Sharding{Mesh: m, Dims: dims(fullDim("y", "x"))}, []int{16}, []int{2}, 6, r(10, 12), true},
		{"uneven", &layout.Sharding{Mesh: m, Dims: dims(fullDim("y"))}, []int{10}, []int{3}, 3, r(9, 10), false},
		{"all padding", &layout.Sharding{Mesh: m, Dims: dims(fullDim("y"))}, []int{6}, []int{2}, 3, r(6, 6), false},
		{"less than one each", &layout.Sharding{Mesh: m, Dims: dims(fullDim("y"))}, []int{1}, []int{1}, 2, r(1, 1), false},
		{"empty dimension", &layout.Sharding{Mesh: m, Dims: dims(fullDim("y"))}, []int{0}, []int{0}, 2, r(0, 0), true},
		{"sub-axis", &layout.Sharding{Mesh: m, Dims: dims(axes(mesh.SubAxisRef("y", 2, 2)))}, []int{8}, []int{4}, 5, r(4, 8), true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			require.Equal(t, tc.local, tc.s.LocalShape(tc.global))
			require.Equal(t, tc.ranges, tc.s.ShardRanges(tc.global, tc.pos))
			require.Equal(t, tc.even, tc.s.IsEven(tc.global))
		})
	}
	require.Equal(t, 3, layout.Range{Start: 2, Limit: 5}.Len())
}

// The shards tile the global shape, whatever the sizes: every element is held by as many devices as
// hold each shard. No shard is larger than the local shape, and all have its size exactly if IsEven
// says so.
func FuzzShardRanges(f *testing.F) {
	f.Add([]byte{2, 4, 1, 10, 3, 0, 1, 2})
	f.Add([]byte{8, 0, 0, 0, 1, 7, 3, 9, 9, 4})
	f.Add([]byte{12, 6, 2, 5, 1, 1, 2, 0, 3, 1, 0, 2})
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, choices []byte) {
		next := func(n int) int {
			if len(choices) == 0 {
				return 0
			}
			c := int(choices[0]) % n
			choices = choices[1:]
			return c
		}
		m, err := mesh.New([]int{1 + next(12), 1 + next(6), 1 + next(3)}, []string{"x", "y", "z"}, nil)
		require.NoError(t, err)
		s := layout.Replicated(m, next(4))
		global := make([]int, len(s.Dims))
		for i := range global {
			global[i] = next(14)
		}
		free := pieces(m, next)
		for len(free) > 0 && len(global) > 0 {
			i := next(len(free))
			dim := &s.Dims[next(len(global))]
			dim.Axes = m.MergeRefs(append(dim.Axes, free[i]))
			free = append(free[:i], free[i+1:]...)
			if next(3) == 0 {
				break
			}
		}
		require.NoError(t, s.Validate(len(global)))

		held := make([]int, product(global))
		local := s.LocalShape(global)
		even := true
		for pos := range m.Size() {
			ranges := s.ShardRanges(global, pos)
			for i, r := range ranges {
				require.True(t, 0 <= r.Start && r.Start <= r.Limit && r.Limit <= global[i], "%v", r)
				require.LessOrEqual(t, r.Len(), local[i])
				even = even && r.Len() == local[i]
			}
			visit(global, ranges, func(flat int) { held[flat]++ })
		}
		for flat, n := range held {
			require.Equal(t, m.Size()/s.ShardCount(), n, "%s on %s, shape %v, element %d", s, m, global, flat)
		}
		require.Equal(t, even, s.IsEven(global))
	})
}

// pieces returns the axes of m, each divided into two sub-axes or left full. next, which returns a
// number below its argument, chooses.
func pieces(m *mesh.DeviceMesh, next func(int) int) (out []mesh.AxisRef) {
	for _, a := range m.Axes() {
		head := mesh.SubAxisRef(a.Name, 1, 1+next(a.Size))
		tail := mesh.SubAxisRef(a.Name, head.Size, a.Size/head.Size)
		if m.CheckRef(head) == nil && m.CheckRef(tail) == nil {
			out = append(out, head, tail)
		} else {
			out = append(out, mesh.FullAxis(a.Name))
		}
	}
	return out
}

func product(shape []int) int {
	n := 1
	for _, d := range shape {
		n *= d
	}
	return n
}

// visit calls f with the row-major index, in a tensor of shape global, of every element in ranges,
// one range for each dimension. It goes in ascending order.
func visit(global []int, ranges []layout.Range, f func(flat int)) {
	var walk func(dim, flat int)
	walk = func(dim, flat int) {
		if dim == len(global) {
			f(flat)
			return
		}
		for i := ranges[dim].Start; i < ranges[dim].Limit; i++ {
			walk(dim+1, flat*global[dim]+i)
		}
	}
	walk(0, 0)
}

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
		stay     int // number of devices that keep their shard
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
		{"other summands", splitBy(m), &layout.Sharding{Mesh: m, Unreduced: mesh.FullAxes("x")}, "1 unreduced parts, then 2"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := layout.PermutePairs(tc.from, tc.to)
			require.ErrorContains(t, err, tc.want)
		})
	}
}
