package sharding

// This file defines axis, the arithmetic form of a mesh axis or sub-axis, and
// the algebra on lists of them that propagation is made of.

import (
	"cmp"
	"slices"

	"github.com/gospmd/gospmd/mesh"
)

// axis is a mesh axis or sub-axis by number: the mesh axis dim, of which the
// part of the given size after parts of product pre is meant. A whole axis has
// pre 1 and the axis' size, so equal axes are equal values.
type axis struct{ dim, pre, size int }

// next returns the product of the parts up to the end of a.
func (a axis) next() int { return a.pre * a.size }

// toAxes converts references on m; all of them must exist there.
func toAxes(m *mesh.DeviceMesh, refs []mesh.AxisRef) []axis {
	if len(refs) == 0 {
		return nil
	}
	out := make([]axis, len(refs))
	for i, r := range refs {
		dim := m.AxisIndex(r.Name)
		if r.Sub {
			out[i] = axis{dim, r.Pre, r.Size}
		} else {
			out[i] = axis{dim, 1, m.Axes()[dim].Size}
		}
	}
	return out
}

// toRefs is the inverse of toAxes.
func toRefs(m *mesh.DeviceMesh, axes []axis) []mesh.AxisRef {
	if len(axes) == 0 {
		return nil
	}
	out := make([]mesh.AxisRef, len(axes))
	for i, a := range axes {
		whole := m.Axes()[a.dim]
		if a.size == whole.Size {
			out[i] = mesh.FullAxis(whole.Name)
		} else {
			out[i] = mesh.AxisRef{Name: whole.Name, Sub: true, Pre: a.pre, Size: a.size}
		}
	}
	return out
}

// sortedRefs returns the references in the mesh's order, neighbouring sub-axes
// merged, as replicated axes are written.
func sortedRefs(m *mesh.DeviceMesh, refs []mesh.AxisRef) []mesh.AxisRef {
	axes := toAxes(m, refs)
	slices.SortFunc(axes, func(a, b axis) int {
		return cmp.Or(cmp.Compare(a.dim, b.dim), cmp.Compare(a.pre, b.pre))
	})
	return toRefs(m, appendMerged(nil, axes...))
}

// overlaps reports whether a device's coordinate along a and b share a part.
// Sub-axes whose borders do not divide each other can not be told apart and
// count as overlapping, and so does an axis of size 1 with itself.
func (a axis) overlaps(b axis) bool {
	if a.dim != b.dim {
		return false
	}
	if a.pre > b.pre {
		a, b = b, a
	}
	return a == b || b.pre < a.next() || b.pre%a.next() != 0
}

// contains reports whether b is a part of a.
func (a axis) contains(b axis) bool {
	return a.dim == b.dim && a.pre <= b.pre && b.next() <= a.next()
}

// prefixOf reports whether b starts with a.
func (a axis) prefixOf(b axis) bool {
	return a.dim == b.dim && a.pre == b.pre && b.size%a.size == 0
}

// without returns the longest prefix of a that does not overlap b; ok is false
// when there is none. Of sub-axes whose borders do not divide each other, such as
// (1)4 and (2)3, no part goes with the other.
func (a axis) without(b axis) (prefix axis, ok bool) {
	if !a.overlaps(b) {
		return a, true
	}
	end, far := min(a.next(), b.next()), max(a.next(), b.next())
	if a.pre >= b.pre || b.pre%a.pre != 0 || end%b.pre != 0 || far%end != 0 {
		return axis{}, false
	}
	return axis{a.dim, a.pre, b.pre / a.pre}, true
}

// withoutAll is without for every one of bs.
func (a axis) withoutAll(bs []axis) (prefix axis, ok bool) {
	for _, b := range bs {
		if a, ok = a.without(b); !ok {
			return axis{}, false
		}
	}
	return a, true
}

// sizeOf returns the product of the sizes.
func sizeOf(axes []axis) int {
	n := 1
	for _, a := range axes {
		n *= a.size
	}
	return n
}

// isPrefix reports whether list b starts with list a, where the last axis of a
// may be a prefix of its counterpart.
func isPrefix(a, b []axis) bool {
	if len(a) > len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return i == len(a)-1 && a[i].prefixOf(b[i])
		}
	}
	return true
}

// isStrictPrefix reports whether b starts with a and says more.
func isStrictPrefix(a, b []axis) bool { return isPrefix(a, b) && !slices.Equal(a, b) }

// commonPrefix returns the longest list that both lists start with.
func commonPrefix(a, b []axis) []axis {
	for i := range min(len(a), len(b)) {
		if a[i] == b[i] {
			continue
		}
		out := slices.Clone(a[:i])
		if c, ok := commonStart(a[i], b[i]); ok {
			out = append(out, c)
		}
		return out
	}
	if len(a) < len(b) {
		return a
	}
	return b
}

// commonStart returns the longest axis that is a prefix of both.
func commonStart(a, b axis) (axis, bool) {
	switch {
	case a.prefixOf(b):
		return a, true
	case b.prefixOf(a):
		return b, true
	}
	return axis{}, false
}

// appendMerged appends axes to list; a sub-axis that continues the last one is
// merged with it: "x":(1)2, "x":(2)4 become "x":(1)8.
func appendMerged(list []axis, axes ...axis) []axis {
	for _, a := range axes {
		if n := len(list); n > 0 && list[n-1].dim == a.dim && list[n-1].next() == a.pre {
			list[n-1].size *= a.size
			continue
		}
		list = append(list, a)
	}
	return list
}
