package mesh_test

// This file tests replica groups, also against their definition.

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/mesh"
)

func TestReplicaGroups(t *testing.T) {
	m := mesh.MustParse("x=2,y=4")
	for _, tc := range []struct {
		name string
		axes []mesh.AxisRef
		want [][]int
	}{
		{"no axis", nil, [][]int{{0}, {1}, {2}, {3}, {4}, {5}, {6}, {7}}},
		{"major axis", mesh.FullAxes("x"), [][]int{{0, 4}, {1, 5}, {2, 6}, {3, 7}}},
		{"minor axis", mesh.FullAxes("y"), [][]int{{0, 1, 2, 3}, {4, 5, 6, 7}}},
		{"both", mesh.FullAxes("x", "y"), [][]int{{0, 1, 2, 3, 4, 5, 6, 7}}},
		{"both, minor first", mesh.FullAxes("y", "x"), [][]int{{0, 4, 1, 5, 2, 6, 3, 7}}},
		{"major half", []mesh.AxisRef{mesh.SubAxisRef("y", 1, 2)}, [][]int{{0, 2}, {1, 3}, {4, 6}, {5, 7}}},
		{"minor half", []mesh.AxisRef{mesh.SubAxisRef("y", 2, 2)}, [][]int{{0, 1}, {2, 3}, {4, 5}, {6, 7}}},
		{"halves swapped", []mesh.AxisRef{mesh.SubAxisRef("y", 2, 2), mesh.SubAxisRef("y", 1, 2)}, [][]int{{0, 2, 1, 3}, {4, 6, 5, 7}}},
	} {
		t.Run(tc.name, func(t *testing.T) { require.Equal(t, tc.want, m.ReplicaGroups(tc.axes)) })
	}
}

// The groups have what defines them: each member is at its linear coordinate along the axes, and
// all members of a group have the same other coordinates. Each device is in one group, and the
// groups are in the order of their first members.
func TestReplicaGroupsByDefinition(t *testing.T) {
	for _, text := range []string{"x=8", "x=2,y=12", "x=3,y=4,z=2"} {
		m := mesh.MustParse(text)
		all := refs(m)
		for _, a := range all {
			for _, b := range all {
				axes := []mesh.AxisRef{a}
				if !a.Overlaps(b) {
					axes = append(axes, b)
				}
				seen := make(map[int]bool)
				first := -1
				for _, group := range m.ReplicaGroups(axes) {
					require.Len(t, group, m.RefsSize(axes))
					require.Greater(t, group[0], first)
					first = group[0]
					for i, pos := range group {
						require.Equal(t, i, m.RefsCoordinate(pos, axes))
						for _, r := range all {
							if isIndependent(axes, r) {
								require.Equal(t, m.RefCoordinate(first, r), m.RefCoordinate(pos, r), "%s: %v, %s", text, axes, r)
							}
						}
						require.False(t, seen[pos])
						seen[pos] = true
					}
				}
				require.Len(t, seen, m.Size())
			}
		}
	}
}

func isIndependent(axes []mesh.AxisRef, r mesh.AxisRef) bool {
	for _, a := range axes {
		if a.Overlaps(r) {
			return false
		}
	}
	return true
}

func BenchmarkReplicaGroups(b *testing.B) {
	for _, size := range []int{8, 4096} {
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			m := mesh.MustParse(fmt.Sprintf("x=%d,y=2,z=2", size/4))
			for b.Loop() {
				m.ReplicaGroups(mesh.FullAxes("x", "z"))
			}
		})
	}
}
