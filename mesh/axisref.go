package mesh

// This file defines AxisRef, a full mesh axis or a part of one by name, as
// texts and attributes have it.

import (
	"cmp"
	"fmt"

	"github.com/gospmd/gospmd/internal/suggest"
)

// AxisRef names a mesh axis or, when Sub is set, a sub-axis of it: the axis
// seen as [Pre, Size, rest], of which the middle part is meant. "x":(2)4 in
// Shardy's text is AxisRef{Name: "x", Sub: true, Pre: 2, Size: 4}.
//
// SubAxis is the form to compute with. See AxisRefAttr and SubAxisInfoAttr in
// Shardy's dialect.
type AxisRef struct {
	Name string
	Sub  bool
	Pre  int // product of the parts before this one; 0 unless Sub
	Size int // size of this part; 0 unless Sub
}

// FullAxis refers to the full axis of that name.
func FullAxis(name string) AxisRef { return AxisRef{Name: name} }

// SubAxisRef refers to a part of the named axis: the one of the given size after
// parts of product pre.
func SubAxisRef(name string, pre, size int) AxisRef {
	return AxisRef{Name: name, Sub: true, Pre: pre, Size: size}
}

// FullAxes refers to full axes.
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

// CheckRef returns an error unless a names an axis of m or a proper sub-axis:
// at least 2 devices, fewer than the axis, borders that divide it.
func (m *DeviceMesh) CheckRef(a AxisRef) error {
	full := m.AxisSize(a.Name)
	switch {
	case full == 0:
		names := m.AxisNames()
		return fmt.Errorf("unknown axis %q%s: the mesh %s has axes %s",
			a.Name, suggest.DidYouMean(a.Name, names), m, suggest.Quoted(names))
	case !a.Sub:
		return nil
	case a.Pre < 1 || a.Size < 2:
		return fmt.Errorf("sub-axis %s: got pre-size %d and size %d, want a pre-size of at least 1 and a size of at least 2", a, a.Pre, a.Size)
	case a.Size == full:
		return fmt.Errorf("sub-axis %s is the full axis: write %s", a, a.Name)
	case full%a.Pre != 0 || full/a.Pre%a.Size != 0:
		return fmt.Errorf("sub-axis %s does not divide axis %q of size %d: pre-size times size must be a divisor of it", a, a.Name, full)
	}
	return nil
}

// Overlaps reports whether the coordinates along a and b share a part, as
// SubAxis.Overlaps does. A full axis overlaps all of its parts.
func (a AxisRef) Overlaps(b AxisRef) bool {
	return a.Name == b.Name && (!a.Sub || !b.Sub || a.part().Overlaps(b.part()))
}

// Contains reports whether b is a or is within the borders of it.
func (a AxisRef) Contains(b AxisRef) bool {
	return a.Name == b.Name && (!a.Sub || b.Sub && a.part().Contains(b.part()))
}

// part returns a sub-axis without its name, to compare with others of the same
// axis. It needs no mesh, as the number and the size of an axis would.
func (a AxisRef) part() SubAxis { return SubAxis{Pre: a.Pre, Size: a.Size} }

// CompareRefs orders axes as the mesh does, sub-axes of one axis major first:
// the order that Shardy wants of replicated and unreduced axes.
func (m *DeviceMesh) CompareRefs(a, b AxisRef) int {
	return cmp.Or(cmp.Compare(m.AxisIndex(a.Name), m.AxisIndex(b.Name)), cmp.Compare(a.Pre, b.Pre), cmp.Compare(a.Size, b.Size))
}

// MergeRefs merges neighbours that follow each other, x:(1)2 and x:(2)4 to
// x:(1)8, and writes a part that has become the full axis as the axis.
func (m *DeviceMesh) MergeRefs(axes []AxisRef) []AxisRef {
	out := make([]AxisRef, 0, len(axes))
	for _, a := range axes {
		if n := len(out) - 1; n >= 0 && out[n].isFollowedBy(a) {
			out[n].Size *= a.Size
			if out[n].Size == m.AxisSize(a.Name) {
				out[n] = FullAxis(a.Name)
			}
			continue
		}
		out = append(out, a)
	}
	return out
}

// isFollowedBy reports whether b is the part right after a.
func (a AxisRef) isFollowedBy(b AxisRef) bool {
	return a.Sub && b.Sub && a.Name == b.Name && a.part().IsFollowedBy(b.part())
}

// IsMerged reports whether MergeRefs would change nothing.
func (m *DeviceMesh) IsMerged(axes []AxisRef) bool {
	for i := 1; i < len(axes); i++ {
		if axes[i-1].isFollowedBy(axes[i]) {
			return false
		}
	}
	return true
}
