package mesh_test

// This file tests axes and sub-axes against brute force over all devices.

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/mesh"
)

// refs returns every full axis and every proper sub-axis of m.
func refs(m *mesh.DeviceMesh) []mesh.AxisRef {
	var out []mesh.AxisRef
	for _, a := range m.Axes() {
		out = append(out, mesh.FullAxis(a.Name))
		for pre := 1; pre <= a.Size; pre++ {
			for size := 2; size <= a.Size; size++ {
				if r := mesh.SubAxisRef(a.Name, pre, size); m.CheckRef(r) == nil {
					out = append(out, r)
				}
			}
		}
	}
	return out
}

func TestCheckRef(t *testing.T) {
	m := mesh.MustParse("data=2,model=12")
	for _, tc := range []struct {
		name string
		ref  mesh.AxisRef
		want string // part of the error; empty means success
	}{
		{"full", mesh.FullAxis("model"), ""},
		{"first half", mesh.SubAxisRef("model", 1, 2), ""},
		{"middle", mesh.SubAxisRef("model", 2, 3), ""},
		{"last", mesh.SubAxisRef("model", 4, 3), ""},
		{"unknown", mesh.FullAxis("batch"), `unknown axis "batch": the mesh data=2,model=12 has axes "data", "model"`},
		{"misspelt", mesh.FullAxis("modle"), `unknown axis "modle" (did you mean "model"?)`},
		{"pre-size zero", mesh.SubAxisRef("model", 0, 2), "pre-size 0"},
		{"size one", mesh.SubAxisRef("model", 2, 1), "size 1, want a pre-size of at least 1 and a size of at least 2"},
		{"full axis as sub-axis", mesh.SubAxisRef("model", 1, 12), "is the full axis: write model"},
		{"pre-size does not divide", mesh.SubAxisRef("model", 5, 2), `does not divide axis "model" of size 12`},
		{"size does not divide", mesh.SubAxisRef("model", 1, 5), "does not divide"},
		{"product does not divide", mesh.SubAxisRef("model", 4, 2), "does not divide"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			err := m.CheckRef(tc.ref)
			if tc.want == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorContains(t, err, tc.want)
		})
	}
	require.ErrorContains(t, (*mesh.DeviceMesh)(nil).CheckRef(mesh.FullAxis("x")), "the mesh one device has axes none")
}

func TestString(t *testing.T) {
	require.Equal(t, "x", mesh.FullAxis("x").String())
	require.Equal(t, "x:(2)4", mesh.SubAxisRef("x", 2, 4).String())
	require.Equal(t, []mesh.AxisRef{{Name: "x"}, {Name: "y"}}, mesh.FullAxes("x", "y"))
}

// A sub-axis selects digits of a device's coordinate: the test counts them with nested loops.
func TestSubAxisCoordinates(t *testing.T) {
	m := mesh.MustParse("a=2,x=24,b=3")
	for _, split := range [][3]int{{1, 2, 12}, {2, 3, 4}, {2, 12, 1}, {6, 2, 2}, {4, 3, 2}, {1, 12, 2}} {
		r := mesh.SubAxisRef("x", split[0], split[1])
		require.NoError(t, m.CheckRef(r))
		pos := 0
		for a := range 2 {
			for range split[0] {
				for c := range split[1] {
					for range split[2] {
						for b := range 3 {
							require.Equal(t, c, m.RefCoordinate(pos, r), "%s at %d", r, pos)
							require.Equal(t, a, m.RefCoordinate(pos, mesh.FullAxis("a")))
							require.Equal(t, b, m.RefCoordinate(pos, mesh.FullAxis("b")))
							require.Equal(t, a, m.Coordinates(pos)[0])
							require.Equal(t, b, m.Coordinates(pos)[2])
							pos++
						}
					}
				}
			}
		}
	}
}

func TestRefsCoordinateIsMajorFirst(t *testing.T) {
	m := mesh.MustParse("x=2,y=3")
	for pos := range m.Size() {
		x, y := pos/3, pos%3
		require.Equal(t, x*3+y, m.RefsCoordinate(pos, mesh.FullAxes("x", "y")))
		require.Equal(t, y*2+x, m.RefsCoordinate(pos, mesh.FullAxes("y", "x")))
	}
	require.Equal(t, 6, m.RefsSize(mesh.FullAxes("x", "y")))
	require.Panics(t, func() { m.RefCoordinate(0, mesh.FullAxis("z")) })
}

// Two sub-axes overlap unless their coordinates are independent: every pair of coordinates occurs
// in the mesh. Sub-axes whose borders do not divide each other (areIncommensurable) may overlap all
// the same. Overlaps is symmetric, and a sub-axis overlaps what it contains.
func TestOverlaps(t *testing.T) {
	for _, text := range []string{"x=8", "x=12", "x=36", "x=4,y=6"} {
		m := mesh.MustParse(text)
		for _, a := range refs(m) {
			for _, b := range refs(m) {
				pairs := make(map[[2]int]int)
				for pos := range m.Size() {
					pairs[[2]int{m.RefCoordinate(pos, a), m.RefCoordinate(pos, b)}]++
				}
				independent := len(pairs) == m.RefSize(a)*m.RefSize(b)
				if got := a.Overlaps(b); got == independent && !areIncommensurable(a, b) {
					t.Errorf("%s: %s overlaps %s: got %v", text, a, b, got)
				}
				require.Equal(t, a.Overlaps(b), b.Overlaps(a), "%s %s", a, b)
				if a.Contains(b) {
					require.True(t, a.Overlaps(b))
				}
			}
		}
	}
}

// areIncommensurable reports whether a and b are sub-axes, and the end of the one that starts
// earlier does not divide the start of the other. Such sub-axes count as overlapping.
func areIncommensurable(a, b mesh.AxisRef) bool {
	if a.Pre > b.Pre {
		a, b = b, a
	}
	return a.Sub && b.Sub && b.Pre%(a.Pre*a.Size) != 0
}

func TestContains(t *testing.T) {
	x, low, high := mesh.FullAxis("x"), mesh.SubAxisRef("x", 1, 4), mesh.SubAxisRef("x", 2, 2)
	for _, tc := range []struct {
		name string
		a, b mesh.AxisRef
		want bool
	}{
		{"itself", x, x, true},
		{"axis and its part", x, low, true},
		{"part and its axis", low, x, false},
		{"part of a part", low, high, true},
		{"part and a larger one", high, low, false},
		{"neighbours", mesh.SubAxisRef("x", 1, 2), high, false},
		{"another axis", x, mesh.FullAxis("y"), false},
	} {
		t.Run(tc.name, func(t *testing.T) { require.Equal(t, tc.want, tc.a.Contains(tc.b)) })
	}
}

func TestMergeRefs(t *testing.T) {
	m := mesh.MustParse("x=8,y=4")
	sub := mesh.SubAxisRef
	x, y := mesh.FullAxis("x"), mesh.FullAxis("y")
	for _, tc := range []struct {
		name     string
		in, want []mesh.AxisRef
	}{
		{"nothing", nil, []mesh.AxisRef{}},
		{"full axes stay", []mesh.AxisRef{x, y}, []mesh.AxisRef{x, y}},
		{"neighbours", []mesh.AxisRef{sub("x", 1, 2), sub("x", 2, 2)}, []mesh.AxisRef{sub("x", 1, 4)}},
		{"to the full axis", []mesh.AxisRef{sub("x", 1, 2), sub("x", 2, 2), sub("x", 4, 2), y}, []mesh.AxisRef{x, y}},
		{"wrong order", []mesh.AxisRef{sub("x", 2, 2), sub("x", 1, 2)}, []mesh.AxisRef{sub("x", 2, 2), sub("x", 1, 2)}},
		{"a gap", []mesh.AxisRef{sub("x", 1, 2), sub("x", 4, 2)}, []mesh.AxisRef{sub("x", 1, 2), sub("x", 4, 2)}},
		{"parted by another axis", []mesh.AxisRef{sub("x", 1, 2), y, sub("x", 2, 2)}, []mesh.AxisRef{sub("x", 1, 2), y, sub("x", 2, 2)}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := m.MergeRefs(tc.in)
			require.Equal(t, tc.want, got)
			require.Equal(t, len(got) == len(tc.in), m.IsMerged(tc.in))
			for pos := range m.Size() {
				require.Equal(t, m.RefsCoordinate(pos, tc.in), m.RefsCoordinate(pos, got))
			}
		})
	}
}

func TestCompareRefs(t *testing.T) {
	m := mesh.MustParse("y=8,x=4")
	want := []mesh.AxisRef{mesh.SubAxisRef("y", 1, 2), mesh.SubAxisRef("y", 2, 2), mesh.SubAxisRef("y", 4, 2), mesh.FullAxis("x")}
	got := []mesh.AxisRef{want[3], want[1], want[2], want[0]}
	slices.SortFunc(got, m.CompareRefs)
	require.Equal(t, want, got)
}
