package layout

// This file defines Sharding, the layout that the compiler works with: its text, its validity, what
// each device holds of a sharded tensor, and the pairs of devices that exchange shards in a
// permutation.
//
// If a dimension of size d has n shards, each device holds ⌈d/n⌉ elements: shard i covers the
// indices [i·⌈d/n⌉, (i+1)·⌈d/n⌉). Indices from d on are padding. So all devices have the same local
// shape, as an SPMD program needs; only the number of real elements differs.

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gospmd/gospmd/mesh"
)

// Sharding says how one tensor is sharded on a mesh. For each dimension it lists the mesh axes that
// shard it, major to minor. It is Shardy's TensorShardingAttr.
//
// A nil *Sharding means that nothing is known yet: propagation treats it as fully open. Several
// values may share one Sharding, so change only a Clone of it.
type Sharding struct {
	Mesh       *mesh.DeviceMesh
	Dims       []DimSharding
	Replicated []mesh.AxisRef // axes that must not shard any dimension
	Unreduced  []mesh.AxisRef // axes over which the tensor is still to be reduced
}

// DimSharding is the sharding of one dimension: the axes that split it, and what propagation may
// change.
type DimSharding struct {
	Axes     []mesh.AxisRef // major to minor
	Open     bool           // propagation may append axes
	Priority int            // 0 is the highest; Shardy's pN
	P0       bool           // the text of the sharding has p0, which means the same as no priority
}

// Replicated returns the closed sharding of a tensor of the given rank whose dimensions no axis
// shards.
func Replicated(m *mesh.DeviceMesh, rank int) *Sharding {
	return &Sharding{Mesh: m, Dims: make([]DimSharding, rank)}
}

// OpenSharding returns the sharding on m of a tensor with that rank without any constraint: every
// dimension is unsharded and open.
func OpenSharding(m *mesh.DeviceMesh, rank int) *Sharding {
	s := Replicated(m, rank)
	for i := range s.Dims {
		s.Dims[i].Open = true
	}
	return s
}

// Clone returns a deep copy, except for the mesh, which is shared. The clone of nil is nil.
func (s *Sharding) Clone() *Sharding {
	if s == nil {
		return nil
	}
	c := &Sharding{
		Mesh:       s.Mesh,
		Dims:       slices.Clone(s.Dims),
		Replicated: slices.Clone(s.Replicated),
		Unreduced:  slices.Clone(s.Unreduced),
	}
	for i := range c.Dims {
		c.Dims[i].Axes = slices.Clone(c.Dims[i].Axes)
	}
	return c
}

// Equal reports whether s and o are equal in everything, also in open dimensions and priorities.
// nil is equal to nil only.
func (s *Sharding) Equal(o *Sharding) bool {
	if s == nil || o == nil {
		return s == o
	}
	return s.Mesh.Equal(o.Mesh) &&
		slices.EqualFunc(s.Dims, o.Dims, func(a, b DimSharding) bool {
			return a.Open == b.Open && a.Priority == b.Priority && a.P0 == b.P0 && slices.Equal(a.Axes, b.Axes)
		}) &&
		slices.Equal(s.Replicated, o.Replicated) && slices.Equal(s.Unreduced, o.Unreduced)
}

// SameLayout reports whether s and o put the same data on each device. It is Equal, except that it
// does not compare open dimensions, priorities and replicated axes. Neither may be nil.
func (s *Sharding) SameLayout(o *Sharding) bool {
	return s.Mesh.Equal(o.Mesh) &&
		slices.EqualFunc(s.Dims, o.Dims, func(a, b DimSharding) bool { return slices.Equal(a.Axes, b.Axes) }) &&
		slices.Equal(s.Unreduced, o.Unreduced)
}

// IsReplicated reports whether every device holds the full tensor, reduced. A nil s is replicated.
func (s *Sharding) IsReplicated() bool {
	return s == nil || len(s.Unreduced) == 0 && s.ShardCount() == 1
}

// DimShards returns the number of shards of dimension dim.
func (s *Sharding) DimShards(dim int) int { return s.Mesh.RefsSize(s.Dims[dim].Axes) }

// ShardCount returns the number of different shards of the tensor: the product of DimShards.
// Unreduced axes do not count.
func (s *Sharding) ShardCount() int {
	n := 1
	for i := range s.Dims {
		n *= s.DimShards(i)
	}
	return n
}

// String returns Shardy's short form without the mesh name: [{"data"}, {"model", ?}p1],
// replicated={"x"}, unreduced={"y"}. For nil it returns [?].
func (s *Sharding) String() string {
	if s == nil {
		return "[?]"
	}
	var b strings.Builder
	b.WriteByte('[')
	for i, d := range s.Dims {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(d.String())
	}
	b.WriteByte(']')
	writeAxes := func(label string, axes []mesh.AxisRef) {
		if len(axes) > 0 {
			b.WriteString(", " + label + "={" + AxesText(axes) + "}")
		}
	}
	writeAxes("replicated", s.Replicated)
	writeAxes("unreduced", s.Unreduced)
	return b.String()
}

// String returns Shardy's text: {"data", ?}p1.
func (d DimSharding) String() string {
	t := AxesText(d.Axes)
	if d.Open {
		if t != "" {
			t += ", "
		}
		t += "?"
	}
	t = "{" + t + "}"
	if d.Priority > 0 || d.P0 {
		t += "p" + strconv.Itoa(d.Priority)
	}
	return t
}

// AxesText returns the axes in Shardy's text: "x", "y":(1)2.
func AxesText(axes []mesh.AxisRef) string {
	parts := make([]string, len(axes))
	for i, a := range axes {
		parts[i] = strconv.Quote(a.Name) + strings.TrimPrefix(a.String(), a.Name)
	}
	return strings.Join(parts, ", ")
}

// Validate returns everything that is wrong with s as the sharding of a tensor of the given rank. A
// nil s is valid for any rank. The rules are those of Shardy's verifier for TensorShardingAttr:
//
//   - there are as many dimension shardings as dimensions
//   - every axis is an axis of the mesh or a proper sub-axis of one
//   - no axis is used twice, and no two axes overlap, in dimensions, replicated axes and unreduced
//     axes together
//   - no two neighbouring axes could be written as one
//   - replicated and unreduced axes are in the order of the mesh
//   - a priority is not negative, and a closed dimension without axes has none
func (s *Sharding) Validate(rank int) error {
	if s == nil {
		return nil
	}
	v := validation{mesh: s.Mesh}
	if len(s.Dims) != rank {
		v.violation("it is for %d dimensions, the tensor has %d: give one dimension sharding for each", len(s.Dims), rank)
	}
	for i, d := range s.Dims {
		place := fmt.Sprintf("dim %d", i)
		v.axes(place, d.Axes)
		if d.Priority < 0 {
			v.violation("%s: priority %d is negative: 0 is the strongest", place, d.Priority)
		}
		if (d.Priority > 0 || d.P0) && len(d.Axes) == 0 && !d.Open {
			v.violation("%s: priority %d means nothing for a closed dimension without axes: leave it out", place, d.Priority)
		}
	}
	for _, l := range []struct {
		place string
		axes  []mesh.AxisRef
	}{{"replicated", s.Replicated}, {"unreduced", s.Unreduced}} {
		v.axes(l.place, l.axes)
		if !slices.IsSortedFunc(l.axes, s.Mesh.CompareRefs) {
			v.violation("%s: the axes %s must stand in the order of the mesh", l.place, AxesText(l.axes))
		}
	}
	if len(v.errs) == 0 {
		return nil
	}
	return fmt.Errorf("sharding %s on the mesh %s: %w", s, s.Mesh, errors.Join(v.errs...))
}

// validation collects the violations of these rules, and the axes that were checked so far.
type validation struct {
	mesh *mesh.DeviceMesh
	seen []placedAxis
	errs []error
}

type placedAxis struct {
	place string
	axis  mesh.AxisRef
}

func (v *validation) violation(format string, args ...any) {
	v.errs = append(v.errs, fmt.Errorf(format, args...))
}

// axes checks one list of axes: each axis itself, whether it overlaps an axis that was checked
// before, and that neighbouring sub-axes are merged. place names the list in the violations, which
// it records.
func (v *validation) axes(place string, axes []mesh.AxisRef) {
	for _, a := range axes {
		if err := v.mesh.CheckRef(a); err != nil {
			v.violation("%s: %w", place, err)
			continue
		}
		for _, other := range v.seen {
			switch {
			case a == other.axis:
				v.violation("%s: axis %s is used already by %s: an axis may be used once", place, AxesText([]mesh.AxisRef{a}), other.place)
			case a.Overlaps(other.axis):
				v.violation("%s: axis %s overlaps %s of %s: a part of an axis may be used once", place,
					AxesText([]mesh.AxisRef{a}), AxesText([]mesh.AxisRef{other.axis}), other.place)
			}
		}
		v.seen = append(v.seen, placedAxis{place, a})
	}
	if !v.mesh.IsMerged(axes) {
		v.violation("%s: %s: neighbouring sub-axes must be written as one, %s", place, AxesText(axes), AxesText(v.mesh.MergeRefs(axes)))
	}
}

// LocalShape returns the shape of each device's shard, padding included. global is the tensor's
// shape. For a nil s it is global.
func (s *Sharding) LocalShape(global []int) []int {
	local := make([]int, len(global))
	for i, d := range global {
		if s == nil {
			local[i] = d
			continue
		}
		n := s.DimShards(i)
		local[i] = (d + n - 1) / n
	}
	return local
}

// Range is a half-open interval [Start, Limit) of indices of one dimension.
type Range struct{ Start, Limit int }

// Len returns the number of indices in r.
func (r Range) Len() int { return r.Limit - r.Start }

// ShardRanges returns, for each dimension, the indices that the device at position pos of the mesh
// holds, of a tensor of shape global. A range is shorter than the local shape if the shard ends in
// padding, and empty if it is all padding. For a nil s the ranges are the full dimensions.
func (s *Sharding) ShardRanges(global []int, pos int) []Range {
	ranges := make([]Range, len(global))
	for i, d := range global {
		if s == nil {
			ranges[i] = Range{0, d}
			continue
		}
		n := s.DimShards(i)
		size := (d + n - 1) / n
		start := min(d, size*s.Mesh.RefsCoordinate(pos, s.Dims[i].Axes))
		ranges[i] = Range{start, min(d, start+size)}
	}
	return ranges
}

// IsEven reports whether no device holds padding of a tensor of shape global. A nil s is even.
func (s *Sharding) IsEven(global []int) bool {
	for i, d := range global {
		if s != nil && d%s.DimShards(i) != 0 {
			return false
		}
	}
	return true
}

// PermutePairs returns the transfers that bring a tensor from one sharding to the other: a pair of
// source and target for each target, in order. Both are positions of the mesh. Each device is the
// source of one pair and the target of one.
//
// Both shardings must be on one mesh, and have the same number of shards of every dimension and,
// where they are unreduced, the same number of summands; anything else is an error. A device that
// already holds the shard that it needs is both source and target of its pair. Among the others,
// the first device that holds a shard sends it to the first device that needs it.
func PermutePairs(from, to *Sharding) ([][2]int, error) {
	if !from.Mesh.Equal(to.Mesh) {
		return nil, fmt.Errorf("layout: cannot permute from the mesh %s to the mesh %s: want one mesh", from.Mesh, to.Mesh)
	}
	if len(from.Dims) != len(to.Dims) {
		return nil, fmt.Errorf("layout: cannot permute from %s to %s: %d dimensions, want %d", from, to, len(to.Dims), len(from.Dims))
	}
	for d := range from.Dims {
		if a, b := from.DimShards(d), to.DimShards(d); a != b {
			return nil, fmt.Errorf("layout: cannot permute from %s to %s: dim %d has %d shards, then %d: want the same number", from, to, d, a, b)
		}
	}
	m := from.Mesh
	if a, b := m.RefsSize(from.Unreduced), m.RefsSize(to.Unreduced); a != b {
		return nil, fmt.Errorf("layout: cannot permute from %s to %s: %d unreduced parts, then %d: want the same number", from, to, a, b)
	}
	// The devices that hold a shard and need another one, by the number of the shard, in order.
	spare := make([][]int, from.ShardCount()*m.RefsSize(from.Unreduced))
	have, need := from.shardNumbers(), to.shardNumbers()
	for pos, shard := range have {
		if need[pos] != shard {
			spare[shard] = append(spare[shard], pos)
		}
	}
	pairs := make([][2]int, len(need))
	for pos, shard := range need {
		pairs[pos] = [2]int{pos, pos}
		if have[pos] != shard {
			pairs[pos][0], spare[shard] = spare[shard][0], spare[shard][1:]
		}
	}
	return pairs, nil
}

// shardNumbers returns, for each position of the mesh, the row-major number of the shard that it
// holds. If s is unreduced, the summand counts as a last dimension.
func (s *Sharding) shardNumbers() []int {
	var axes []mesh.AxisRef
	for _, d := range s.Dims {
		axes = append(axes, d.Axes...)
	}
	axes = append(axes, s.Unreduced...)
	out := make([]int, s.Mesh.Size())
	for pos := range out {
		out[pos] = s.Mesh.RefsCoordinate(pos, axes)
	}
	return out
}
