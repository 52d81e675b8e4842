package mesh

// This file defines AxisList, the axes that shard one dimension, and the conversion between axes by
// number (SubAxis) and by name (AxisRef).

import (
	"fmt"
	"slices"
)

// AxisList is a list of axes, major to minor, such as those that shard a dimension. A prefix of a
// list shards less: it has the first axes of the list, and of its last axis perhaps only a prefix.
// A method that returns a part of a list may share the memory of the list, as slicing does.
//
// The operations are those of AxisListRef in Shardy.
type AxisList []SubAxis

// Size returns the product of the sizes of the axes: the number of shards.
func (l AxisList) Size() int {
	n := 1
	for _, a := range l {
		n *= a.Size
	}
	return n
}

// Overlaps reports whether an axis of l overlaps a.
func (l AxisList) Overlaps(a SubAxis) bool {
	for _, b := range l { // slices.ContainsFunc(l, a.Overlaps) would allocate
		if a.Overlaps(b) {
			return true
		}
	}
	return false
}

// IsPrefixOf reports whether the list m starts with the list l. The last axis of l may be the major
// part of the axis in m.
func (l AxisList) IsPrefixOf(m AxisList) bool {
	if len(l) > len(m) {
		return false
	}
	for i := range l {
		if l[i] != m[i] {
			return i == len(l)-1 && l[i].IsPrefixOf(m[i])
		}
	}
	return true
}

// IsStrictPrefixOf reports whether l is a prefix of m, as by IsPrefixOf, and not equal to it.
func (l AxisList) IsStrictPrefixOf(m AxisList) bool { return l.IsPrefixOf(m) && !slices.Equal(l, m) }

// CommonPrefix returns the longest list that l and m both start with. Its last axis may be only the
// major part of an axis of one of them. Where the axes differ and neither is a prefix of the other,
// the list ends before them.
func (l AxisList) CommonPrefix(m AxisList) AxisList {
	for i := range min(len(l), len(m)) {
		if l[i] == m[i] {
			continue
		}
		out := slices.Clone(l[:i])
		if c, ok := l[i].CommonPrefix(m[i]); ok {
			out = append(out, c)
		}
		return out
	}
	if len(l) < len(m) {
		return l
	}
	return m
}

// TrimPrefix returns a new list: the axes of l that follow prefix, which must be a strict prefix of
// l.
func (l AxisList) TrimPrefix(prefix AxisList) AxisList {
	i := 0
	for i < len(prefix) && prefix[i] == l[i] {
		i++
	}
	out := slices.Clone(l[i:])
	if i < len(prefix) { // the last axis of prefix may be only a prefix of the axis of l
		_, out[0] = l[i].Split(prefix[i].Size)
	}
	return out
}

// AppendMerged appends axes to l. If a sub-axis continues the last one of the list, it merges the
// two: x:(1)2 and x:(2)4 become x:(1)8. Like append, it may change the memory of l.
func (l AxisList) AppendMerged(axes ...SubAxis) AxisList {
	for _, a := range axes {
		if n := len(l); n > 0 && l[n-1].IsFollowedBy(a) {
			l[n-1].Size *= a.Size
			continue
		}
		l = append(l, a)
	}
	return l
}

// Sorted returns the axes in the order of the mesh, with neighbouring sub-axes merged: the form of
// a list whose order has no meaning.
func (l AxisList) Sorted() AxisList {
	sorted := slices.Clone(l)
	slices.SortFunc(sorted, SubAxis.Compare)
	return AxisList(nil).AppendMerged(sorted...)
}

// Without returns what is left of the axes of l without the parts that an axis of m covers, in the
// order of the mesh and with neighbours merged. Of an axis that overlaps one of m whose borders do
// not divide its own, nothing is left.
func (l AxisList) Without(m AxisList) AxisList {
	rest := l
	for _, b := range m {
		var next AxisList
		for _, a := range rest {
			if !a.Overlaps(b) {
				next = append(next, a)
				continue
			}
			if prefix, ok := a.PrefixWithout(b); ok {
				next = append(next, prefix)
			}
			if suffix, ok := a.SuffixWithout(b); ok {
				next = append(next, suffix)
			}
		}
		rest = next
	}
	return rest.Sorted()
}

// PrefixWithout returns the longest prefix of l that overlaps no axis of m.
func (l AxisList) PrefixWithout(m AxisList) AxisList {
	for i, a := range l {
		prefix, ok := a.PrefixWithoutAny(m)
		if ok && prefix == a {
			continue
		}
		out := slices.Clone(l[:i])
		if ok {
			out = append(out, prefix)
		}
		return out
	}
	return l
}

// SubAxis returns the axis a by number. The mesh must have the axis.
func (m *DeviceMesh) SubAxis(a AxisRef) SubAxis {
	i := m.AxisIndex(a.Name)
	if i < 0 {
		panic(fmt.Sprintf("BUG: mesh %s has no axis %q", m, a.Name))
	}
	if a.Sub {
		return SubAxis{i, a.Pre, a.Size}
	}
	return SubAxis{i, 1, m.axes[i].Size}
}

// Ref returns the axis a by name. It is the inverse of DeviceMesh.SubAxis.
func (m *DeviceMesh) Ref(a SubAxis) AxisRef {
	full := m.axes[a.Axis]
	if a.Size == full.Size {
		return FullAxis(full.Name)
	}
	return SubAxisRef(full.Name, a.Pre, a.Size)
}

// AxisList returns the axes by number; nil for an empty list. The mesh must have all of them.
func (m *DeviceMesh) AxisList(axes []AxisRef) AxisList {
	if len(axes) == 0 {
		return nil
	}
	out := make(AxisList, len(axes))
	for i, a := range axes {
		out[i] = m.SubAxis(a)
	}
	return out
}

// Refs returns the axes of a list by name; nil for an empty list. It is the inverse of
// DeviceMesh.AxisList.
func (m *DeviceMesh) Refs(list AxisList) []AxisRef {
	if len(list) == 0 {
		return nil
	}
	out := make([]AxisRef, len(list))
	for i, a := range list {
		out[i] = m.Ref(a)
	}
	return out
}

// SortedRefs returns the axes in the order of the mesh, with neighbouring sub-axes merged.
// Replicated and unreduced axes are written in this form.
func (m *DeviceMesh) SortedRefs(axes []AxisRef) []AxisRef { return m.Refs(m.AxisList(axes).Sorted()) }
