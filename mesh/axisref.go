package mesh

// This file defines the two forms of a full mesh axis or a part of one. AxisRef holds the name of
// the axis, as texts and attributes do. SubAxis holds its number, and has the algebra of sub-axes:
// which of them overlap, start or continue each other, and how they are split and merged.

import (
	"cmp"
	"fmt"

	"github.com/gospmd/gospmd/internal/suggest"
)

// AxisRef names a mesh axis or, if Sub is set, a sub-axis of it. The sub-axis is the middle part of
// the axis seen as [Pre, Size, rest]: "x":(2)4 in Shardy's text is AxisRef{Name: "x", Sub: true,
// Pre: 2, Size: 4}.
//
// To compute with axes, use SubAxis. See AxisRefAttr and SubAxisInfoAttr in Shardy's dialect.
type AxisRef struct {
	Name string
	Sub  bool
	Pre  int // product of the parts before this one; 0 unless Sub
	Size int // size of this part; 0 unless Sub
}

// FullAxis returns a reference to the full axis with the name.
func FullAxis(name string) AxisRef { return AxisRef{Name: name} }

// SubAxisRef returns a reference to a part of the named axis. The part has the given size, and the
// product of the sizes of the parts before it is pre.
func SubAxisRef(name string, pre, size int) AxisRef {
	return AxisRef{Name: name, Sub: true, Pre: pre, Size: size}
}

// FullAxes returns references to the full axes with the names.
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

// CheckRef returns an error unless a is a full axis of m or a proper sub-axis of one: a sub-axis
// has at least 2 devices and fewer than the axis, and its borders divide the size of the axis.
func (m *DeviceMesh) CheckRef(a AxisRef) error {
	full := m.AxisSize(a.Name)
	switch {
	case full == 0:
		names := m.AxisNames()
		return fmt.Errorf("unknown axis %q%s: the mesh %s has axes %s",
			a.Name, suggest.DidYouMean(a.Name, names), m, suggest.Quote(names))
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

// Overlaps reports whether a and b have a part of an axis in common. See SubAxis.Overlaps. A full
// axis overlaps all of its parts.
func (a AxisRef) Overlaps(b AxisRef) bool {
	return a.Name == b.Name && (!a.Sub || !b.Sub || a.part().Overlaps(b.part()))
}

// Contains reports whether b is a or is within the borders of a.
func (a AxisRef) Contains(b AxisRef) bool {
	return a.Name == b.Name && (!a.Sub || b.Sub && a.part().Contains(b.part()))
}

// part returns the sub-axis with axis number 0, to compare it with other parts of the same axis. A
// SubAxis with its real number would need the mesh.
func (a AxisRef) part() SubAxis { return SubAxis{Pre: a.Pre, Size: a.Size} }

// CompareRefs orders axes as the mesh does, and the sub-axes of one axis major first, after the
// full axis. It returns -1, 0 or 1, as cmp.Compare does. Shardy wants replicated and unreduced axes
// in this order.
func (m *DeviceMesh) CompareRefs(a, b AxisRef) int {
	return cmp.Or(cmp.Compare(m.AxisIndex(a.Name), m.AxisIndex(b.Name)), cmp.Compare(a.Pre, b.Pre), cmp.Compare(a.Size, b.Size))
}

// MergeRefs returns a new list, in which a sub-axis and one that continues it right after it are
// one: x:(1)2 and x:(2)4 become x:(1)8. If the merged part is the full axis, it becomes a reference
// to the full axis. The order stays.
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

// isFollowedBy reports whether b is the part of the axis right after a.
func (a AxisRef) isFollowedBy(b AxisRef) bool {
	return a.Sub && b.Sub && a.Name == b.Name && a.part().IsFollowedBy(b.part())
}

// IsMerged reports whether MergeRefs would leave axes as they are.
func (m *DeviceMesh) IsMerged(axes []AxisRef) bool {
	for i := 1; i < len(axes); i++ {
		if axes[i-1].isFollowedBy(axes[i]) {
			return false
		}
	}
	return true
}

// SubAxis is a mesh axis or a part of one. It is the middle part of the axis with the number Axis,
// seen as [Pre, Size, rest]. A full axis has Pre 1 and the size of the axis; only a full axis can
// have size 1. So equal axes are equal values, and comparing two of them needs no mesh.
//
// SubAxis is the form to compute with. AxisRef is the form with a name, for texts and attributes;
// DeviceMesh.SubAxis and DeviceMesh.Ref convert between them.
//
// The operations are those of AxisRefAttr in Shardy's dialect.
type SubAxis struct{ Axis, Pre, Size int }

// End returns the product of the sizes of all parts up to the end of a. It is the Pre of the part
// that follows a.
func (a SubAxis) End() int { return a.Pre * a.Size }

// Compare orders sub-axes as the mesh does: by axis, then major first. Of two that start at the
// same border, the shorter one is first. It returns -1, 0 or 1, as cmp.Compare does.
func (a SubAxis) Compare(b SubAxis) int {
	return cmp.Or(cmp.Compare(a.Axis, b.Axis), cmp.Compare(a.Pre, b.Pre), cmp.Compare(a.Size, b.Size))
}

// Overlaps reports whether a and b have a part of an axis in common. Two sub-axes whose borders do
// not divide each other, such as (1)2 and (3)2, count as overlapping, because no mesh shape has
// both as parts. An axis of size 1 overlaps itself.
func (a SubAxis) Overlaps(b SubAxis) bool {
	if a.Axis != b.Axis {
		return false
	}
	if a.Pre > b.Pre {
		a, b = b, a
	}
	return a == b || b.Pre < a.End() || b.Pre%a.End() != 0
}

// Contains reports whether b is within the borders of a.
func (a SubAxis) Contains(b SubAxis) bool {
	return a.Axis == b.Axis && a.Pre <= b.Pre && b.End() <= a.End()
}

// IsPrefixOf reports whether b starts with a: b is a, or a followed by a minor part.
func (a SubAxis) IsPrefixOf(b SubAxis) bool {
	return a.Axis == b.Axis && a.Pre == b.Pre && b.Size%a.Size == 0
}

// CommonPrefix returns the longest common prefix of a and b. It is a or b itself; ok is false if
// neither is a prefix of the other.
func (a SubAxis) CommonPrefix(b SubAxis) (prefix SubAxis, ok bool) {
	switch {
	case a.IsPrefixOf(b):
		return a, true
	case b.IsPrefixOf(a):
		return b, true
	}
	return SubAxis{}, false
}

// PrefixWithout returns the longest prefix of a that does not overlap b; ok is false if there is
// none. There is none if the borders of a and b do not divide each other, as those of (1)4 and
// (2)3.
func (a SubAxis) PrefixWithout(b SubAxis) (prefix SubAxis, ok bool) {
	if !a.Overlaps(b) {
		return a, true
	}
	end, far := min(a.End(), b.End()), max(a.End(), b.End())
	if a.Pre >= b.Pre || b.Pre%a.Pre != 0 || end%b.Pre != 0 || far%end != 0 {
		return SubAxis{}, false
	}
	return a.Prefix(b.Pre / a.Pre), true
}

// PrefixWithoutAny returns the longest prefix of a that overlaps no axis of the list; ok is false
// if there is none.
func (a SubAxis) PrefixWithoutAny(list AxisList) (prefix SubAxis, ok bool) {
	for _, b := range list {
		if a, ok = a.PrefixWithout(b); !ok {
			return SubAxis{}, false
		}
	}
	return a, true
}

// SuffixWithout returns the part of a that follows b. ok is false if a and b do not overlap, or if
// b does not end at a border within a.
func (a SubAxis) SuffixWithout(b SubAxis) (suffix SubAxis, ok bool) {
	end := b.End()
	if !a.Overlaps(b) || end >= a.End() || a.End()%end != 0 || end%a.Pre != 0 {
		return SubAxis{}, false
	}
	return SubAxis{a.Axis, end, a.End() / end}, true
}

// Prefix returns the major part of a that has the given size, which must divide the size of a.
func (a SubAxis) Prefix(size int) SubAxis { return SubAxis{a.Axis, a.Pre, size} }

// PrefixDividing returns the longest prefix of a whose size divides n; ok is false if there is
// none.
func (a SubAxis) PrefixDividing(n int) (prefix SubAxis, ok bool) {
	size := a.Size
	for n != 0 {
		size, n = n, size%n
	}
	return a.Prefix(size), size > 1 || a.Size == 1
}

// Split divides a into a major part of the given size and the rest. The size must divide the size
// of a.
func (a SubAxis) Split(size int) (major, minor SubAxis) {
	return a.Prefix(size), SubAxis{a.Axis, a.Pre * size, a.Size / size}
}

// IsFollowedBy reports whether b is the part of the axis right after a.
func (a SubAxis) IsFollowedBy(b SubAxis) bool { return a.Axis == b.Axis && a.End() == b.Pre }

// Primes divides a into sub-axes of prime size, the smallest first. It returns nil for an axis of
// size 1.
func (a SubAxis) Primes() AxisList {
	var out AxisList
	for p := 2; a.Size > 1; {
		if a.Size%p != 0 {
			p++
			continue
		}
		var prime SubAxis
		prime, a = a.Split(p)
		out = append(out, prime)
	}
	return out
}

// AllPrimes returns every sub-axis of a that has a prime size, also those that overlap: for an axis
// of size 6 these are (1)2, (1)3, (2)3 and (3)2.
func (a SubAxis) AllPrimes() AxisList {
	var out AxisList
	for start := 1; start < a.Size; start++ {
		if a.Size%start != 0 {
			continue
		}
		last := 0
		_, rest := a.Split(start)
		for _, p := range rest.Primes() {
			if p.Size != last {
				out = append(out, SubAxis{a.Axis, rest.Pre, p.Size})
			}
			last = p.Size
		}
	}
	return out
}
