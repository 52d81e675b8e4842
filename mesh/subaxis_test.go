package mesh_test

// This file tests the algebra of sub-axes: single cases, and its laws. The laws are tested on all
// sub-axes of small axes, and on random lists.

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/mesh"
)

// part returns the sub-axis of size size of the axis with number 0, after a part of size pre.
func part(pre, size int) mesh.SubAxis { return mesh.SubAxis{Pre: pre, Size: size} }

// text writes a sub-axis as 0:(2)4, or as "-" if ok is false.
func text(a mesh.SubAxis, ok bool) string {
	if !ok {
		return "-"
	}
	return fmt.Sprintf("%d:(%d)%d", a.Axis, a.Pre, a.Size)
}

// The table has every relation between two sub-axes of an axis of size 24, or of different axes.
func TestSubAxisAlgebra(t *testing.T) {
	other := mesh.SubAxis{Axis: 1, Pre: 1, Size: 2}
	for _, tc := range []struct {
		name                                  string
		a, b                                  mesh.SubAxis
		overlaps, contains, prefixOf, follows bool // of a and b; follows: b is right after a
		// the common prefix of a and b; the prefix and the suffix of a without b
		common, prefix, suffix string
	}{
		{"equal", part(2, 4), part(2, 4), true, true, true, false, "0:(2)4", "-", "-"},
		{"full axis and first part", part(1, 24), part(1, 4), true, true, false, false, "0:(1)4", "-", "0:(4)6"},
		{"first part and full axis", part(1, 4), part(1, 24), true, false, true, false, "0:(1)4", "-", "-"},
		{"full axis and last part", part(1, 24), part(6, 4), true, true, false, false, "-", "0:(1)6", "-"},
		{"full axis and middle part", part(1, 24), part(2, 3), true, true, false, false, "-", "0:(1)2", "0:(6)4"},
		{"part within another", part(2, 2), part(2, 4), true, false, true, false, "0:(2)2", "-", "-"},
		{"overlap at the end", part(1, 4), part(2, 6), true, false, false, false, "-", "0:(1)2", "-"},
		{"overlap at the start", part(2, 6), part(1, 4), true, false, false, false, "-", "-", "0:(4)3"},
		{"neighbours", part(1, 2), part(2, 4), false, false, false, true, "-", "0:(1)2", "-"},
		{"neighbours in the wrong order", part(2, 4), part(1, 2), false, false, false, false, "-", "0:(2)4", "-"},
		{"with a gap", part(1, 2), part(4, 2), false, false, false, false, "-", "0:(1)2", "-"},
		{"same start, other primes", part(1, 2), part(1, 3), true, false, false, false, "-", "-", "-"},
		{"borders that do not divide each other", part(1, 2), part(3, 2), true, false, false, false, "-", "-", "-"},
		{"the same the other way round", part(3, 4), part(1, 2), true, false, false, false, "-", "-", "-"},
		{"borders of which no part is free", part(1, 4), part(2, 3), true, false, false, false, "-", "-", "-"},
		{"another axis", part(1, 2), other, false, false, false, false, "-", "0:(1)2", "-"},
		{"size 1 with itself", part(1, 1), part(1, 1), true, true, true, true, "0:(1)1", "-", "-"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			require.Equal(t, tc.overlaps, tc.a.Overlaps(tc.b), "overlaps")
			require.Equal(t, tc.contains, tc.a.Contains(tc.b), "contains")
			require.Equal(t, tc.prefixOf, tc.a.IsPrefixOf(tc.b), "is prefix of")
			require.Equal(t, tc.follows, tc.a.IsFollowedBy(tc.b), "is followed by")
			require.Equal(t, tc.common, text(tc.a.CommonPrefix(tc.b)), "common prefix")
			require.Equal(t, tc.prefix, text(tc.a.PrefixWithout(tc.b)), "prefix without")
			require.Equal(t, tc.suffix, text(tc.a.SuffixWithout(tc.b)), "suffix without")
		})
	}
}

func TestPrimes(t *testing.T) {
	for _, tc := range []struct {
		a           mesh.SubAxis
		primes, all mesh.AxisList
	}{
		{part(1, 1), nil, nil},
		{part(1, 2), mesh.AxisList{part(1, 2)}, mesh.AxisList{part(1, 2)}},
		{part(1, 6), mesh.AxisList{part(1, 2), part(2, 3)}, mesh.AxisList{part(1, 2), part(1, 3), part(2, 3), part(3, 2)}},
		{part(2, 4), mesh.AxisList{part(2, 2), part(4, 2)}, mesh.AxisList{part(2, 2), part(4, 2)}},
		{part(1, 12), mesh.AxisList{part(1, 2), part(2, 2), part(4, 3)},
			mesh.AxisList{part(1, 2), part(1, 3), part(2, 2), part(2, 3), part(3, 2), part(4, 3), part(6, 2)}},
	} {
		require.Equal(t, tc.primes, tc.a.Primes(), "%v", tc.a)
		require.Equal(t, tc.all, tc.a.AllPrimes(), "%v", tc.a)
	}
}

// subAxes returns all sub-axes of an axis with number 0 and size full, also the full axis. None has
// size 1, unless full is 1.
func subAxes(full int) mesh.AxisList {
	var out mesh.AxisList
	for pre := 1; pre <= full; pre++ {
		for size := min(2, full); size <= full; size++ {
			if full%pre == 0 && full/pre%size == 0 {
				out = append(out, part(pre, size))
			}
		}
	}
	return out
}

// All pairs of sub-axes of several axes obey the laws of Split, Prefix, Primes, Compare and
// Overlaps.
func TestSubAxisLaws(t *testing.T) {
	for _, full := range []int{1, 2, 6, 8, 12, 30, 36} {
		all := subAxes(full)
		for _, a := range all {
			require.Zero(t, a.Compare(a))
			require.Equal(t, mesh.AxisList{a}.Size(), a.Primes().Size(), "%v: the primes make up the axis", a)
			require.True(t, slices.IsSortedFunc(a.AllPrimes(), mesh.SubAxis.Compare), "%v", a)
			for _, p := range a.Primes() {
				require.Contains(t, a.AllPrimes(), p)
			}
			for size := 1; size <= a.Size; size++ {
				if a.Size%size != 0 {
					continue
				}
				major, minor := a.Split(size)
				require.Equal(t, a.Prefix(size), major)
				require.True(t, major.IsPrefixOf(a))
				require.True(t, major.IsFollowedBy(minor))
				require.Equal(t, mesh.AxisList{a}, mesh.AxisList{major}.AppendMerged(minor), "merging undoes splitting")
			}
			for _, b := range all {
				require.Equal(t, a.Compare(b), -b.Compare(a), "%v %v", a, b)
				require.Equal(t, a == b, a.Compare(b) == 0)
				require.Equal(t, a.Overlaps(b), b.Overlaps(a), "%v %v", a, b)
				if a.IsPrefixOf(b) {
					require.True(t, b.Contains(a), "%v %v", a, b)
				}
				if b.IsPrefixOf(a) && a.IsPrefixOf(b) || a.Contains(b) && b.Contains(a) {
					require.Equal(t, a, b)
				}
				if c, ok := a.CommonPrefix(b); ok {
					require.True(t, c.IsPrefixOf(a) && c.IsPrefixOf(b), "%v %v", a, b)
				}
				if prefix, ok := a.PrefixWithout(b); ok {
					require.True(t, prefix.IsPrefixOf(a) && !prefix.Overlaps(b), "%v without %v: %v", a, b, prefix)
				}
				if suffix, ok := a.SuffixWithout(b); ok {
					require.True(t, a.Contains(suffix) && suffix.End() == a.End() && !suffix.Overlaps(b), "%v without %v: %v", a, b, suffix)
				}
			}
		}
	}
}

// randomList returns up to four axes and sub-axes of m, chosen by rng, in random order. They do not
// overlap, none has size 1, and neighbours are merged. It may return nil.
func randomList(rng *rand.Rand, m *mesh.DeviceMesh) mesh.AxisList {
	var out mesh.AxisList
	for range rng.IntN(5) {
		i := rng.IntN(len(m.Axes()))
		var proper mesh.AxisList
		for _, a := range subAxes(m.Axes()[i].Size) {
			if a.Axis = i; a.Size > 1 && !out.Overlaps(a) {
				proper = append(proper, a)
			}
		}
		if len(proper) > 0 {
			out = out.AppendMerged(proper[rng.IntN(len(proper))])
		}
	}
	return out
}

// The functions of AxisList (conversion, size, prefixes, merging) agree with their definitions on
// random lists of axes.
func TestAxisListLaws(t *testing.T) {
	m := mesh.MustParse("x=12,y=8,z=3")
	rng := rand.New(rand.NewPCG(1, 2))
	for range 2_000 {
		l, other := randomList(rng, m), randomList(rng, m)
		require.Equal(t, l, m.AxisList(m.Refs(l)), "by name and back")
		require.Equal(t, l.Size(), m.RefsSize(m.Refs(l)))
		require.True(t, mesh.AxisList(nil).IsPrefixOf(l) && l.IsPrefixOf(l) && !l.IsStrictPrefixOf(l))

		// If every axis is split to its primes and these are merged, the list is the same again.
		var primes mesh.AxisList
		for _, a := range l {
			primes = append(primes, a.Primes()...)
		}
		require.Equal(t, l, mesh.AxisList(nil).AppendMerged(primes...), "%v", l)

		// A random prefix, which may end within an axis, and the rest of the list.
		if len(l) > 0 {
			n := rng.IntN(len(l))
			cut := append(slices.Clone(l[:n]), l[n].Prefix(l[n].Primes()[0].Size))
			require.True(t, cut.IsPrefixOf(l))
			require.Equal(t, cut, cut.CommonPrefix(l))
			if cut.IsStrictPrefixOf(l) {
				require.Equal(t, l, slices.Clone(cut).AppendMerged(l.TrimPrefix(cut)...), "%v after %v", l, cut)
				require.False(t, l.IsPrefixOf(cut))
			}
		}

		common := l.CommonPrefix(other)
		require.True(t, common.IsPrefixOf(l) && common.IsPrefixOf(other), "%v %v", l, other)
		require.Equal(t, l.IsPrefixOf(other), slices.Equal(common, l), "%v %v", l, other)

		prefix := l.PrefixWithout(other)
		require.True(t, prefix.IsPrefixOf(l))
		for _, a := range prefix {
			require.False(t, other.Overlaps(a), "%v without %v", l, other)
		}

		sorted := l.Sorted()
		require.True(t, slices.IsSortedFunc(sorted, mesh.SubAxis.Compare))
		require.Equal(t, l.Size(), sorted.Size())
		require.Equal(t, sorted, sorted.Sorted())
		require.Equal(t, sorted, m.AxisList(m.SortedRefs(m.Refs(l))))

		rest := l.Without(other)
		for _, a := range rest {
			require.False(t, other.Overlaps(a), "%v without %v: %v", l, other, rest)
			require.True(t, slices.ContainsFunc(sorted, func(b mesh.SubAxis) bool { return b.Contains(a) }), "%v without %v: %v", l, other, rest)
		}
		require.Empty(t, l.Without(l))
		require.Equal(t, sorted, l.Without(nil))
	}
}

// Axes by name must have the same relations as sub-axes by number.
func TestRefsRelateAsSubAxes(t *testing.T) {
	m := mesh.MustParse("x=12,y=8")
	for _, a := range refs(m) {
		sub := m.SubAxis(a)
		require.Equal(t, a, m.Ref(sub))
		for _, b := range refs(m) {
			require.Equal(t, sub.Overlaps(m.SubAxis(b)), a.Overlaps(b), "%s %s", a, b)
			require.Equal(t, sub.Contains(m.SubAxis(b)), a.Contains(b) || m.Ref(m.SubAxis(a)) == b, "%s %s", a, b)
		}
		for pos := range m.Size() {
			require.Equal(t, m.RefCoordinate(pos, a), m.Coordinate(pos, sub))
		}
	}
	require.Panics(t, func() { m.SubAxis(mesh.FullAxis("z")) })
}
