package mesh

// This file defines AxisList, the axes that shard one dimension, and the
// conversion between axes by number and by name.

import (
	"fmt"
	"slices"
)

// AxisList is a list of axes, major to minor, as those that shard a dimension.
// Its prefixes are the lists that shard less: the last axis of a prefix may be
// a prefix of its counterpart. As for any slice, a method that returns a part
// of the list may share its memory.
//
// The operations are those of AxisListRef in Shardy.
type AxisList []SubAxis

// Size returns the product of the sizes: the number of shards.
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

// IsPrefixOf reports whether list m starts with list l.
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

// IsStrictPrefixOf reports whether m starts with l and goes on.
func (l AxisList) IsStrictPrefixOf(m AxisList) bool { return l.IsPrefixOf(m) && !slices.Equal(l, m) }

// CommonPrefix returns the longest list that both lists start with.
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

// TrimPrefix returns a new list: the axes of l behind a strict prefix of it.
func (l AxisList) TrimPrefix(prefix AxisList) AxisList {
	i := 0
	for i < len(prefix) && prefix[i] == l[i] {
		i++
	}
	out := slices.Clone(l[i:])
	if i < len(prefix) { // the last axis of the prefix is a part of its counterpart
		_, out[0] = l[i].Split(prefix[i].Size)
	}
	return out
}

// AppendMerged appends axes to l. A part that follows the last one is merged
// with it: x:(1)2, x:(2)4 become x:(1)8. As append does, it may change the
// memory of l.
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

// Sorted returns the axes in the mesh's order, neighbouring parts merged: the
// form of lists that have no order of their own.
func (l AxisList) Sorted() AxisList {
	sorted := slices.Clone(l)
	slices.SortFunc(sorted, SubAxis.Compare)
	return AxisList(nil).AppendMerged(sorted...)
}

// Without returns what of the axes of l no axis of m covers, in the mesh's
// order.
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

// SubAxis returns a by number. The axis must be one of m.
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

// Ref returns a by name: the inverse of DeviceMesh.SubAxis.
func (m *DeviceMesh) Ref(a SubAxis) AxisRef {
	full := m.axes[a.Axis]
	if a.Size == full.Size {
		return FullAxis(full.Name)
	}
	return SubAxisRef(full.Name, a.Pre, a.Size)
}

// AxisList returns axes by number. All of them must be axes of m.
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

// Refs returns the axes of list by name: the inverse of DeviceMesh.AxisList.
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

// SortedRefs returns the axes in the mesh's order, neighbouring parts merged,
// as replicated and unreduced axes are written.
func (m *DeviceMesh) SortedRefs(axes []AxisRef) []AxisRef { return m.Refs(m.AxisList(axes).Sorted()) }
