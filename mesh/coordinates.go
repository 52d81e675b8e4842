package mesh

// This file defines where a device stands along axes, and which devices stand
// in one line: replica groups.

import "fmt"

// RefSize returns the number of shards that a makes on m.
func (m *DeviceMesh) RefSize(a AxisRef) int {
	if a.Sub {
		return a.Size
	}
	return m.AxisSize(a.Name)
}

// RefsSize returns the product of the sizes of the axes.
func (m *DeviceMesh) RefsSize(axes []AxisRef) int {
	n := 1
	for _, a := range axes {
		n *= m.RefSize(a)
	}
	return n
}

// RefStride returns the number of positions between two neighbours along a.
func (m *DeviceMesh) RefStride(a AxisRef) int {
	stride := 1
	for i := len(m.Axes()) - 1; i >= 0; i-- {
		if ax := m.axes[i]; ax.Name == a.Name {
			if a.Sub {
				stride *= ax.Size / (a.Pre * a.Size)
			}
			return stride
		}
		stride *= m.axes[i].Size
	}
	panic(fmt.Sprintf("BUG: mesh %s has no axis %q", m, a.Name))
}

// Coordinates returns the coordinates of the device at position pos, one for
// each axis.
func (m *DeviceMesh) Coordinates(pos int) []int {
	out := make([]int, len(m.Axes()))
	for i := len(out) - 1; i >= 0; i-- {
		out[i] = pos % m.axes[i].Size
		pos /= m.axes[i].Size
	}
	return out
}

// RefCoordinate returns the coordinate along a of the device at position pos
// in m's row-major order.
func (m *DeviceMesh) RefCoordinate(pos int, a AxisRef) int {
	return pos / m.RefStride(a) % m.RefSize(a)
}

// RefsCoordinate returns the linear coordinate of position pos along axes,
// the first of which is the major one.
func (m *DeviceMesh) RefsCoordinate(pos int, axes []AxisRef) int {
	c := 0
	for _, a := range axes {
		c = c*m.RefSize(a) + m.RefCoordinate(pos, a)
	}
	return c
}

// ReplicaGroups partitions the positions of m (not the device ids) into the
// groups within which only the coordinates along axes differ. Members of a
// group are ordered by their linear coordinate along axes, groups by their
// first member. axes must not overlap.
func (m *DeviceMesh) ReplicaGroups(axes []AxisRef) [][]int {
	// offsets[c] is what the member at linear coordinate c adds to the first.
	offsets := []int{0}
	for _, a := range axes {
		stride, size := m.RefStride(a), m.RefSize(a)
		next := make([]int, 0, len(offsets)*size)
		for _, o := range offsets {
			for c := range size {
				next = append(next, o+c*stride)
			}
		}
		offsets = next
	}
	members := make([]int, 0, m.Size())
	groups := make([][]int, 0, m.Size()/len(offsets))
	for pos := range m.Size() {
		if m.RefsCoordinate(pos, axes) != 0 {
			continue
		}
		start := len(members)
		for _, o := range offsets {
			members = append(members, pos+o)
		}
		groups = append(groups, members[start:len(members):len(members)])
	}
	return groups
}
