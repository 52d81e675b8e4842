package layout

// This file defines Sharding, the compiler's form of a layout.

import (
	"slices"
	"strconv"
	"strings"

	"github.com/gospmd/gospmd/mesh"
)

// Sharding says how one tensor lies on a mesh: for each dimension the mesh
// axes that split it, major to minor. It is Shardy's TensorShardingAttr.
//
// A nil *Sharding means nothing is known yet: propagation treats it as fully
// open. Shardings are values: change a Clone, never one that is shared.
type Sharding struct {
	Mesh       *mesh.DeviceMesh
	Dims       []DimSharding
	Replicated []mesh.AxisRef // axes that must not split any dimension
	Unreduced  []mesh.AxisRef // axes over which a sum is still outstanding
}

// DimSharding is the split of one dimension.
type DimSharding struct {
	Axes     []mesh.AxisRef // major to minor
	Open     bool           // propagation may append axes
	Priority int            // 0 is the strongest; Shardy's pN
	P0       bool           // the text says p0, which means what saying nothing does
}

// Replicated returns the closed sharding of a tensor of the given rank that
// no axis splits.
func Replicated(m *mesh.DeviceMesh, rank int) *Sharding {
	return &Sharding{Mesh: m, Dims: make([]DimSharding, rank)}
}

// OpenSharding returns the sharding that says nothing: every dimension unsplit and
// open.
func OpenSharding(m *mesh.DeviceMesh, rank int) *Sharding {
	s := Replicated(m, rank)
	for i := range s.Dims {
		s.Dims[i].Open = true
	}
	return s
}

// Clone returns a deep copy; the mesh is shared. The clone of nil is nil.
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

// Equal reports whether both say the same, openness and priorities included.
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

// SameLayout reports whether both put the same data on each device: Equal but
// for openness, priorities and explicit replication.
func (s *Sharding) SameLayout(o *Sharding) bool {
	return s.Mesh.Equal(o.Mesh) &&
		slices.EqualFunc(s.Dims, o.Dims, func(a, b DimSharding) bool { return slices.Equal(a.Axes, b.Axes) }) &&
		slices.Equal(s.Unreduced, o.Unreduced)
}

// IsReplicated reports whether every device holds the whole tensor.
func (s *Sharding) IsReplicated() bool {
	return s == nil || len(s.Unreduced) == 0 && s.ShardCount() == 1
}

// DimShards returns the number of parts that dimension dim is split into.
func (s *Sharding) DimShards(dim int) int { return s.Mesh.RefsSize(s.Dims[dim].Axes) }

// ShardCount returns the number of different shards.
func (s *Sharding) ShardCount() int {
	n := 1
	for i := range s.Dims {
		n *= s.DimShards(i)
	}
	return n
}

// String returns Shardy's short form without the mesh name:
// [{"data"}, {"model", ?}p1], replicated={"x"}, unreduced={"y"}.
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
