package mesh

// This file defines a full mesh axis or a part of one, twice: AxisRef by
// name, as texts and attributes have it, and SubAxis by number, with its
// algebra: what parts of an axis overlap, start or continue each other, and
// how they are split and merged.

import (
	"cmp"
	"fmt"

	"github.com/gospmd/gospmd/internal/suggest"
)

// AxisRef names a mesh axis or, when Sub is set, a sub-axis of it: the middle part of the axis
// seen as [Pre, Size, rest]. "x":(2)4 in Shardy's text is AxisRef{Name: "x", Sub: true, Pre: 2,
// Size: 4}.
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

// SubAxisRef refers to a part of the named axis: the part of the given size behind parts whose
// product is pre.
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

// SubAxis is a mesh axis or a part of one, by number: the middle part of the axis numbered Axis
// seen as [Pre, Size, rest]. A full axis has Pre 1 and the size of the axis; only a full axis can
// have size 1. Equal axes are therefore equal values, and nothing has to be looked up to compare
// two of them.
//
// It is the form to compute with. AxisRef is the same by name, as texts and
// attributes have it; DeviceMesh.SubAxis and DeviceMesh.Ref convert.
//
// The operations are those of AxisRefAttr in Shardy's dialect.
type SubAxis struct{ Axis, Pre, Size int }

// End returns the product of all parts up to the end of a: the Pre of the part
// that follows it.
func (a SubAxis) End() int { return a.Pre * a.Size }

// Compare orders sub-axes as the mesh does, the parts of one axis major first
// and of those with the same start the shorter first.
func (a SubAxis) Compare(b SubAxis) int {
	return cmp.Or(cmp.Compare(a.Axis, b.Axis), cmp.Compare(a.Pre, b.Pre), cmp.Compare(a.Size, b.Size))
}

// Overlaps reports whether the coordinates along a and b share a part.
// Sub-axes whose borders do not divide each other, such as (1)2 and (3)2,
// cannot be told apart on one device and count as overlapping, and so does an
// axis of size 1 with itself.
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

// IsPrefixOf reports whether b starts with a: b is a, or a and a minor part.
func (a SubAxis) IsPrefixOf(b SubAxis) bool {
	return a.Axis == b.Axis && a.Pre == b.Pre && b.Size%a.Size == 0
}

// CommonPrefix returns the longer of a and b that is a prefix of the other; ok
// is false where neither is.
func (a SubAxis) CommonPrefix(b SubAxis) (prefix SubAxis, ok bool) {
	switch {
	case a.IsPrefixOf(b):
		return a, true
	case b.IsPrefixOf(a):
		return b, true
	}
	return SubAxis{}, false
}

// PrefixWithout returns the longest prefix of a that does not overlap b; ok is
// false where there is none. Of sub-axes whose borders do not divide each
// other, such as (1)4 and (2)3, no part is without the other.
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

// PrefixWithoutAny is PrefixWithout for all axes of a list.
func (a SubAxis) PrefixWithoutAny(list AxisList) (prefix SubAxis, ok bool) {
	for _, b := range list {
		if a, ok = a.PrefixWithout(b); !ok {
			return SubAxis{}, false
		}
	}
	return a, true
}

// SuffixWithout returns the part of a that follows b; ok is false where b does
// not end at a border within a.
func (a SubAxis) SuffixWithout(b SubAxis) (suffix SubAxis, ok bool) {
	end := b.End()
	if !a.Overlaps(b) || end >= a.End() || a.End()%end != 0 || end%a.Pre != 0 {
		return SubAxis{}, false
	}
	return SubAxis{a.Axis, end, a.End() / end}, true
}

// Prefix returns the major part of a of the given size, which must divide that
// of a.
func (a SubAxis) Prefix(size int) SubAxis { return SubAxis{a.Axis, a.Pre, size} }

// PrefixDividing returns the longest prefix of a whose size divides n; ok is
// false where there is none.
func (a SubAxis) PrefixDividing(n int) (prefix SubAxis, ok bool) {
	size := a.Size
	for n != 0 {
		size, n = n, size%n
	}
	return a.Prefix(size), size > 1 || a.Size == 1
}

// Split cuts a into a major part of the given size, which must divide that of
// a, and the rest.
func (a SubAxis) Split(size int) (major, minor SubAxis) {
	return a.Prefix(size), SubAxis{a.Axis, a.Pre * size, a.Size / size}
}

// IsFollowedBy reports whether b is the part of the axis right after a.
func (a SubAxis) IsFollowedBy(b SubAxis) bool { return a.Axis == b.Axis && a.End() == b.Pre }

// Primes cuts a into prime sub-axes: parts of prime size, the smallest first.
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

// AllPrimes returns every sub-axis of a of prime size, those that overlap
// included: of an axis of size 6 the parts (1)2, (1)3, (2)3 and (3)2.
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
