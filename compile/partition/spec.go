package partition

// This file defines spec, a layout of the per-device program, and its
// interning.

import (
	"encoding/binary"
	"slices"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
)

// spec is a layout on the partitioner's mesh. Equal layouts are the same
// *spec, so they are compared as pointers.
type spec struct {
	*layout.Sharding
	// reduce is how the partial results over the Unreduced axes are joined;
	// OpUnregistered where there are none.
	reduce ir.OpKind
}

// spec returns the layout whose dimension d is split by axes[d] and that is
// outstanding over the unreduced axes.
func (p *partitioner) spec(axes [][]mesh.AxisRef, unreduced []mesh.AxisRef, reduce ir.OpKind) *spec {
	if len(unreduced) == 0 {
		reduce = ir.OpUnregistered
	}
	// Most are asked for in the same words again.
	if old, ok := p.asked[string(p.specKey(axes, unreduced, reduce))]; ok {
		return old
	}
	words := string(p.key)
	out := p.intern(axes, unreduced, reduce)
	p.asked[words] = out
	return out
}

// specKey writes a layout to p.key.
func (p *partitioner) specKey(axes [][]mesh.AxisRef, unreduced []mesh.AxisRef, reduce ir.OpKind) []byte {
	p.key = appendAxes(append(p.key[:0], byte(reduce>>8), byte(reduce)), unreduced)
	for _, list := range axes {
		p.key = appendAxes(p.key, list)
	}
	return p.key
}

// intern is spec by a layout's normal form: neighbouring parts of an axis are one.
func (p *partitioner) intern(axes [][]mesh.AxisRef, unreduced []mesh.AxisRef, reduce ir.OpKind) *spec {
	s := &layout.Sharding{Mesh: p.mesh, Dims: make([]layout.DimSharding, len(axes))}
	for d := range axes {
		s.Dims[d].Axes = p.mesh.MergeRefs(axes[d])
	}
	unreduced = slices.Clone(unreduced)
	slices.SortFunc(unreduced, p.mesh.CompareRefs)
	s.Unreduced = p.mesh.MergeRefs(unreduced)
	out := &spec{s, reduce}
	key := string(p.specKey(out.dimAxes(), s.Unreduced, reduce))
	if old, ok := p.specs[key]; ok {
		return old
	}
	p.specs[key] = out
	return out
}

// appendAxes appends axes to a key.
func appendAxes(key []byte, axes []mesh.AxisRef) []byte {
	for _, a := range axes {
		key = append(append(key, a.Name...), 0)
		if a.Sub {
			key = binary.AppendUvarint(binary.AppendUvarint(append(key, 1), uint64(a.Pre)), uint64(a.Size))
		}
	}
	return append(key, 2)
}

// replicated returns the layout of a tensor that no axis splits.
func (p *partitioner) replicated(rank int) *spec {
	return p.spec(make([][]mesh.AxisRef, rank), nil, ir.OpUnregistered)
}

// reduced returns s with nothing outstanding.
func (p *partitioner) reduced(s *spec) *spec {
	if len(s.Unreduced) == 0 {
		return s
	}
	return p.spec(s.dimAxes(), nil, ir.OpUnregistered)
}

// dimAxes returns the axes of each dimension.
func (s *spec) dimAxes() [][]mesh.AxisRef {
	out := make([][]mesh.AxisRef, len(s.Dims))
	for d := range s.Dims {
		out[d] = s.Dims[d].Axes
	}
	return out
}

// axes returns the axes that split dimension d.
func (s *spec) axes(d int) []mesh.AxisRef { return s.Dims[d].Axes }

// isPartial reports whether s is outstanding over some axes.
func (s *spec) isPartial() bool { return len(s.Unreduced) > 0 }

// local returns what each device holds of a dimension of the given size.
func (s *spec) local(d, size int) int {
	n := s.DimShards(d)
	return (size + n - 1) / n
}

// isUneven reports whether a device holds padding in dimension d of that size.
func (s *spec) isUneven(d, size int) bool { return size%s.DimShards(d) != 0 }
