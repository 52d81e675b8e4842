package layout_test

// This file tests Sharding: its text, comparisons and validity.

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
)

func dims(d ...layout.DimSharding) []layout.DimSharding { return d }

func axes(refs ...mesh.AxisRef) layout.DimSharding { return layout.DimSharding{Axes: refs} }

func fullDim(names ...string) layout.DimSharding { return axes(mesh.FullAxes(names...)...) }

func TestShardingString(t *testing.T) {
	m := mesh.MustParse("x=2,y=8")
	for _, tc := range []struct {
		name string
		s    *layout.Sharding
		want string
	}{
		{"unknown", nil, "[?]"},
		{"replicated", layout.Replicated(m, 2), "[{}, {}]"},
		{"open", layout.OpenSharding(m, 2), "[{?}, {?}]"},
		{"scalar", layout.Replicated(m, 0), "[]"},
		{"everything", &layout.Sharding{Mesh: m,
			Dims:       dims(layout.DimSharding{Axes: mesh.FullAxes("x"), Open: true, Priority: 2}, axes(mesh.SubAxisRef("y", 1, 2))),
			Replicated: []mesh.AxisRef{mesh.SubAxisRef("y", 2, 2)}, Unreduced: []mesh.AxisRef{mesh.SubAxisRef("y", 4, 2)}},
			`[{"x", ?}p2, {"y":(1)2}], replicated={"y":(2)2}, unreduced={"y":(4)2}`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			require.Equal(t, tc.want, tc.s.String())
			require.Equal(t, tc.want, tc.s.Clone().String())
			require.True(t, tc.s.Equal(tc.s.Clone()))
			if tc.s != nil {
				require.NoError(t, tc.s.Validate(len(tc.s.Dims)))
			}
		})
	}
}

func TestShardingComparisons(t *testing.T) {
	m := mesh.MustParse("x=2,y=4")
	base := func() *layout.Sharding { return &layout.Sharding{Mesh: m, Dims: dims(fullDim("x"), fullDim())} }
	for _, tc := range []struct {
		name        string
		change      func(s *layout.Sharding)
		equal, same bool
	}{
		{"nothing", func(s *layout.Sharding) {}, true, true},
		{"open", func(s *layout.Sharding) { s.Dims[1].Open = true }, false, true},
		{"priority", func(s *layout.Sharding) { s.Dims[0].Priority = 1 }, false, true},
		{"replicated", func(s *layout.Sharding) { s.Replicated = mesh.FullAxes("y") }, false, true},
		{"unreduced", func(s *layout.Sharding) { s.Unreduced = mesh.FullAxes("y") }, false, false},
		{"axes", func(s *layout.Sharding) { s.Dims[1] = fullDim("y") }, false, false},
		{"axes of a shared slice", func(s *layout.Sharding) { s.Dims[0].Axes[0] = mesh.FullAxis("y") }, false, false},
		{"equal mesh", func(s *layout.Sharding) { s.Mesh = mesh.MustParse("x=2,y=4") }, true, true},
		{"mesh", func(s *layout.Sharding) { s.Mesh = mesh.MustParse("x=2,y=2") }, false, false},
		{"rank", func(s *layout.Sharding) { s.Dims = s.Dims[:1] }, false, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			a := base()
			b := a.Clone()
			tc.change(b)
			require.Equal(t, tc.equal, a.Equal(b))
			require.Equal(t, tc.equal, b.Equal(a))
			require.Equal(t, tc.same, a.SameLayout(b))
			require.True(t, a.Equal(base()), "a clone shares nothing that changes")
		})
	}
	require.True(t, (*layout.Sharding)(nil).Equal(nil))
	require.False(t, base().Equal(nil))
}

func TestCounts(t *testing.T) {
	m := mesh.MustParse("x=2,y=4,one=1")
	for _, tc := range []struct {
		name       string
		s          *layout.Sharding
		shards     int
		replicated bool
	}{
		{"unknown", nil, 0, true},
		{"replicated", layout.Replicated(m, 2), 1, true},
		{"an axis of size 1", &layout.Sharding{Mesh: m, Dims: dims(fullDim("one"))}, 1, true},
		{"two axes", &layout.Sharding{Mesh: m, Dims: dims(fullDim("x"), fullDim("y"))}, 8, false},
		{"sub-axis", &layout.Sharding{Mesh: m, Dims: dims(axes(mesh.SubAxisRef("y", 2, 2)))}, 2, false},
		{"unreduced", &layout.Sharding{Mesh: m, Dims: dims(fullDim()), Unreduced: mesh.FullAxes("x")}, 1, false},
		{"one device", layout.Replicated(nil, 1), 1, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			require.Equal(t, tc.replicated, tc.s.IsReplicated())
			if tc.s != nil {
				require.Equal(t, tc.shards, tc.s.ShardCount())
			}
		})
	}
}

func TestValidate(t *testing.T) {
	m := mesh.MustParse("x=8,y=4")
	sub := mesh.SubAxisRef
	for _, tc := range []struct {
		name string
		s    *layout.Sharding
		rank int
		want []string // parts of the error; empty means success
	}{
		{name: "nil", rank: 3},
		{name: "one device", s: layout.Replicated(nil, 2), rank: 2},
		{name: "halves of an axis", s: &layout.Sharding{Mesh: m, Dims: dims(axes(sub("x", 2, 2)), axes(sub("x", 1, 2), sub("x", 4, 2)))}, rank: 2},
		{name: "minor part first", s: &layout.Sharding{Mesh: m, Dims: dims(axes(sub("x", 2, 4), sub("x", 1, 2)))}, rank: 1},
		{name: "priority of an open dimension", s: &layout.Sharding{Mesh: m, Dims: dims(layout.DimSharding{Open: true, Priority: 1})}, rank: 1},
		{name: "rank", s: layout.Replicated(m, 2), rank: 1, want: []string{"sharding [{}, {}] on the mesh x=8,y=4", "for 2 dimensions, the tensor has 1"}},
		{name: "unknown axis", s: &layout.Sharding{Mesh: m, Dims: dims(fullDim(), fullDim("z"))}, rank: 2,
			want: []string{`dim 1: unknown axis "z"`, `has axes "x", "y"`}},
		{name: "axis on one device", s: &layout.Sharding{Dims: dims(fullDim("x"))}, rank: 1, want: []string{"the mesh one device has axes none"}},
		{name: "sub-axis does not divide", s: &layout.Sharding{Mesh: m, Dims: dims(axes(sub("x", 3, 2)))}, rank: 1,
			want: []string{`dim 0: sub-axis x:(3)2 does not divide axis "x" of size 8`}},
		{name: "axis twice", s: &layout.Sharding{Mesh: m, Dims: dims(fullDim("x"), fullDim("x"))}, rank: 2,
			want: []string{`dim 1: axis "x" is used already by dim 0`}},
		{name: "axis and its part", s: &layout.Sharding{Mesh: m, Dims: dims(fullDim("x"), axes(sub("x", 1, 2)))}, rank: 2,
			want: []string{`dim 1: axis "x":(1)2 overlaps "x" of dim 0`}},
		{name: "parts overlap", s: &layout.Sharding{Mesh: m, Dims: dims(axes(sub("x", 1, 4)), axes(sub("x", 2, 4)))}, rank: 2,
			want: []string{`axis "x":(2)4 overlaps "x":(1)4`}},
		{name: "replicated and split", s: &layout.Sharding{Mesh: m, Dims: dims(fullDim("x")), Replicated: mesh.FullAxes("x")}, rank: 1,
			want: []string{`replicated: axis "x" is used already by dim 0`}},
		{name: "unreduced and split", s: &layout.Sharding{Mesh: m, Dims: dims(fullDim("x")), Unreduced: []mesh.AxisRef{sub("x", 2, 2)}}, rank: 1,
			want: []string{`unreduced: axis "x":(2)2 overlaps "x" of dim 0`}},
		{name: "unreduced and replicated", s: &layout.Sharding{Mesh: m, Replicated: mesh.FullAxes("y"), Unreduced: mesh.FullAxes("y")},
			want: []string{`unreduced: axis "y" is used already by replicated`}},
		{name: "mergeable", s: &layout.Sharding{Mesh: m, Dims: dims(axes(sub("x", 1, 2), sub("x", 2, 4)))}, rank: 1,
			want: []string{`dim 0: "x":(1)2, "x":(2)4: neighbouring sub-axes must be written as one, "x"`}},
		{name: "order of replicated", s: &layout.Sharding{Mesh: m, Replicated: mesh.FullAxes("y", "x")},
			want: []string{`replicated: the axes "y", "x" must stand in the order of the mesh`}},
		{name: "order of unreduced", s: &layout.Sharding{Mesh: m, Unreduced: []mesh.AxisRef{sub("x", 4, 2), sub("x", 1, 2)}},
			want: []string{"unreduced: the axes", "order of the mesh"}},
		{name: "priority of nothing", s: &layout.Sharding{Mesh: m, Dims: dims(layout.DimSharding{Priority: 1})}, rank: 1,
			want: []string{"dim 0: priority 1 means nothing"}},
		{name: "negative priority", s: &layout.Sharding{Mesh: m, Dims: dims(layout.DimSharding{Open: true, Priority: -1})}, rank: 1,
			want: []string{"dim 0: priority -1 is negative"}},
		{name: "all faults", s: &layout.Sharding{Mesh: m, Dims: dims(fullDim("x"), fullDim("x", "z")), Unreduced: mesh.FullAxes("x")}, rank: 3,
			want: []string{"for 2 dimensions", "dim 1: axis", `dim 1: unknown axis "z"`, "unreduced: axis"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			err := tc.s.Validate(tc.rank)
			if len(tc.want) == 0 {
				require.NoError(t, err)
			}
			requireParts(t, err, tc.want)
		})
	}
}
