package mesh

// This file defines AxisRef, a whole mesh axis or a sub-axis of one, and what
// follows from a list of them: sizes, coordinates and replica groups.

import "fmt"

// AxisRef names a mesh axis or, when Sub is set, a sub-axis of it: the axis
// seen as [Pre, Size, rest], of which the middle part is meant. "x":(2)4 in
// Shardy's text is AxisRef{Name: "x", Sub: true, Pre: 2, Size: 4}.
type AxisRef struct {
	Name string
	Sub  bool
	Pre  int // product of the parts before this one; 0 unless Sub
	Size int // size of this part; 0 unless Sub
}

// FullAxis refers to the whole axis of that name.
func FullAxis(name string) AxisRef { return AxisRef{Name: name} }

// FullAxes refers to whole axes.
func FullAxes(names ...string) []AxisRef {
	out := make([]AxisRef, len(names))
	for i, n := range names {
		out[i] = FullAxis(n)
	}
	return out
}

// String returns Shardy's text without quotes: x or x:(2)4.
func (a AxisRef) String() string {
	if !a.Sub {
		return a.Name
	}
	return fmt.Sprintf("%s:(%d)%d", a.Name, a.Pre, a.Size)
}

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

// RefCoordinate returns the coordinate along a of the device at position pos
// in m's row-major order.
func (m *DeviceMesh) RefCoordinate(pos int, a AxisRef) int {
	stride := 1
	for i := len(m.axes) - 1; i >= 0; i-- {
		if ax := m.axes[i]; ax.Name == a.Name {
			c := pos / stride % ax.Size
			if a.Sub {
				c = c / (ax.Size / (a.Pre * a.Size)) % a.Size
			}
			return c
		}
		stride *= m.axes[i].Size
	}
	panic(fmt.Sprintf("BUG: mesh %s has no axis %q", m, a.Name))
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
// first member.
func (m *DeviceMesh) ReplicaGroups(axes []AxisRef) [][]int {
	n := m.RefsSize(axes)
	groups := make([][]int, 0, m.Size()/n)
	index := make(map[int]int, m.Size()/n)
	for pos := range m.Size() {
		key := m.without(pos, axes)
		g, ok := index[key]
		if !ok {
			g = len(groups)
			index[key] = g
			groups = append(groups, make([]int, n))
		}
		groups[g][m.RefsCoordinate(pos, axes)] = pos
	}
	return groups
}

// without returns pos with its coordinates along axes set to 0.
func (m *DeviceMesh) without(pos int, axes []AxisRef) int {
	for _, a := range axes {
		stride := 1
		for i := len(m.axes) - 1; m.axes[i].Name != a.Name; i-- {
			stride *= m.axes[i].Size
		}
		if a.Sub {
			stride *= m.AxisSize(a.Name) / (a.Pre * a.Size)
		}
		pos -= m.RefCoordinate(pos, a) * stride
	}
	return pos
}
