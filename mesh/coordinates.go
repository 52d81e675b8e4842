package mesh

// This file defines the coordinates of a device along axes, and replica groups:
// the devices that differ in their coordinates along some axes only.

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

// RefStride returns the number of positions between two neighbours along a,
// which must be an axis of m.
func (m *DeviceMesh) RefStride(a AxisRef) int { return m.stride(m.SubAxis(a)) }

// stride is RefStride by number.
func (m *DeviceMesh) stride(a SubAxis) int {
	stride := m.axes[a.Axis].Size / a.End()
	for _, minor := range m.axes[a.Axis+1:] {
		stride *= minor.Size
	}
	return stride
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

// Coordinate returns the coordinate along a of the device at position pos in
// m's row-major order.
func (m *DeviceMesh) Coordinate(pos int, a SubAxis) int { return pos / m.stride(a) % a.Size }

// RefCoordinate is Coordinate along an axis by name.
func (m *DeviceMesh) RefCoordinate(pos int, a AxisRef) int { return m.Coordinate(pos, m.SubAxis(a)) }

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
