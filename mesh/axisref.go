package mesh

// This file defines AxisRef, a whole mesh axis or a sub-axis of one, and how
// two of them relate.

import (
	"cmp"
	"fmt"

	"github.com/gospmd/gospmd/internal/suggest"
)

// AxisRef names a mesh axis or, when Sub is set, a sub-axis of it: the axis
// seen as [Pre, Size, rest], of which the middle part is meant. "x":(2)4 in
// Shardy's text is AxisRef{Name: "x", Sub: true, Pre: 2, Size: 4}.
//
// See AxisRefAttr and SubAxisInfoAttr in Shardy's dialect.
type AxisRef struct {
	Name string
	Sub  bool
	Pre  int // product of the parts before this one; 0 unless Sub
	Size int // size of this part; 0 unless Sub
}

// FullAxis refers to the whole axis of that name.
func FullAxis(name string) AxisRef { return AxisRef{Name: name} }

// SubAxis refers to a part of the named axis: the one of the given size after
// parts of product pre.
func SubAxis(name string, pre, size int) AxisRef {
	return AxisRef{Name: name, Sub: true, Pre: pre, Size: size}
}

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

// CheckRef returns an error unless a names an axis of m or a proper sub-axis:
// at least 2 devices, fewer than the axis, borders that divide it.
func (m *DeviceMesh) CheckRef(a AxisRef) error {
	whole := m.AxisSize(a.Name)
	switch {
	case whole == 0:
		names := m.AxisNames()
		return fmt.Errorf("unknown axis %q%s: the mesh %s has axes %s",
			a.Name, suggest.DidYouMean(a.Name, names), m, suggest.Quoted(names))
	case !a.Sub:
		return nil
	case a.Pre < 1 || a.Size < 2:
		return fmt.Errorf("sub-axis %s: got pre-size %d and size %d, want a pre-size of at least 1 and a size of at least 2", a, a.Pre, a.Size)
	case a.Size == whole:
		return fmt.Errorf("sub-axis %s is the whole axis: write %s", a, a.Name)
	case whole%a.Pre != 0 || whole/a.Pre%a.Size != 0:
		return fmt.Errorf("sub-axis %s does not divide axis %q of size %d: pre-size times size must be a divisor of it", a, a.Name, whole)
	}
	return nil
}

// Overlaps reports whether the coordinates along a and b share a part.
// Sub-axes whose borders do not divide each other, such as x:(1)2 and x:(3)2,
// cannot be told apart on one device and count as overlapping.
func (a AxisRef) Overlaps(b AxisRef) bool {
	if a.Name != b.Name {
		return false
	}
	if !a.Sub || !b.Sub {
		return true
	}
	if a.Pre > b.Pre {
		a, b = b, a
	}
	return b.Pre < a.Pre*a.Size || b.Pre%(a.Pre*a.Size) != 0
}

// Contains reports whether b is a or a part of it.
func (a AxisRef) Contains(b AxisRef) bool {
	if a.Name != b.Name || a.Sub && !b.Sub {
		return false
	}
	return !a.Sub || a.Pre <= b.Pre && b.Pre*b.Size <= a.Pre*a.Size
}

// CompareRefs orders axes as the mesh does, sub-axes of one axis major first:
// the order that Shardy wants of replicated and unreduced axes.
func (m *DeviceMesh) CompareRefs(a, b AxisRef) int {
	return cmp.Or(cmp.Compare(m.AxisIndex(a.Name), m.AxisIndex(b.Name)), cmp.Compare(a.Pre, b.Pre), cmp.Compare(a.Size, b.Size))
}

// MergeRefs joins neighbours that continue each other, x:(1)2 and x:(2)4 to
// x:(1)8, and a sub-axis that has become the whole axis to the axis.
func (m *DeviceMesh) MergeRefs(axes []AxisRef) []AxisRef {
	out := make([]AxisRef, 0, len(axes))
	for _, a := range axes {
		if n := len(out) - 1; n >= 0 && out[n].continuedBy(a) {
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

// continuedBy reports whether b is the part right after a.
func (a AxisRef) continuedBy(b AxisRef) bool {
	return a.Sub && b.Sub && a.Name == b.Name && a.Pre*a.Size == b.Pre
}

// IsMerged reports whether MergeRefs would change nothing.
func (m *DeviceMesh) IsMerged(axes []AxisRef) bool {
	for i := 1; i < len(axes); i++ {
		if axes[i-1].continuedBy(axes[i]) {
			return false
		}
	}
	return true
}
