package sharding

// This file projects shardings of dimensions onto the factors of a rule, and
// back.

import (
	"slices"

	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
)

// factorSharding is what one tensor says of one factor.
type factorSharding struct {
	present   bool          // the tensor has the factor
	axes      mesh.AxisList // major to minor
	overflow  mesh.AxisList // what follows in the same dimension but can not be told apart
	closed    bool          // nothing may be appended
	minorMost bool          // the last factor of its dimension: it may be split unevenly
}

// tensorProjection is one tensor seen through the rule's factors.
type tensorProjection struct {
	factors []factorSharding // by factor
	// excluded are the replicated and the unreduced axes.
	excluded mesh.AxisList
}

// projection is an op's operands and results seen through its rule.
type projection struct {
	rule     *Rule
	mesh     *mesh.DeviceMesh
	tensors  []tensorProjection // operands, then results
	operands int                // how many of them are operands
}

// mapping returns the rule's mapping of tensor t.
func (p *projection) mapping(t int) TensorMapping {
	if t < p.operands {
		return p.rule.Operands[t]
	}
	return p.rule.Results[t-p.operands]
}

// project builds the projection of the shardings, operands' before results'.
// A nil sharding is open in all dimensions.
func project(rule *Rule, m *mesh.DeviceMesh, shardings []*layout.Sharding) *projection {
	p := &projection{rule: rule, mesh: m, tensors: make([]tensorProjection, len(shardings)), operands: len(rule.Operands)}
	all := make([]factorSharding, len(shardings)*len(rule.Factors))
	for t, s := range shardings {
		tp := &p.tensors[t]
		tp.factors, all = all[:len(rule.Factors)], all[len(rule.Factors):]
		if s != nil && s.Mesh == m {
			tp.excluded = append(m.AxisList(s.Replicated), m.AxisList(s.Unreduced)...)
		}
		for d, factors := range p.mapping(t) {
			for i, f := range factors {
				tp.factors[f] = factorSharding{present: true, minorMost: i == len(factors)-1}
			}
			if s == nil {
				continue
			}
			if s.Mesh != m { // the empty mesh, which says only what is closed
				for _, f := range factors {
					tp.factors[f].closed = !s.Dims[d].Open
				}
				continue
			}
			projectDim(tp.factors, factors, rule.Factors, m.AxisList(s.Dims[d].Axes), !s.Dims[d].Open)
		}
	}
	return p
}

// projectDim deals out the axes of one dimension to its factors, major first.
//
// A factor takes axes until they make up its size, splitting an axis of which
// only a part fits; the last takes all that is left. Where what is left of a
// factor has no divisor in common with the next axis, the rest overflows: it
// stays with that factor as a block, and the minor factors are closed.
func projectDim(out []factorSharding, factors []int, sizes []Factor, axes mesh.AxisList, closed bool) {
	last := len(factors) - 1
	for i, f := range factors {
		fs := &out[f]
		fs.closed = closed
		if i == last {
			fs.axes = axes
			return
		}
		var left int
		fs.axes, axes, left = takeAxes(axes, sizes[f].Size)
		if left != 1 && len(axes) > 0 {
			fs.overflow, axes, closed = axes, nil, true
		}
	}
}

// takeAxes cuts a list before the first axis that does not divide what is left of
// size; of that one it takes the part that does.
func takeAxes(list mesh.AxisList, size int) (taken, rest mesh.AxisList, left int) {
	for i, a := range list {
		if size%a.Size == 0 {
			size /= a.Size
			continue
		}
		g := gcd(size, a.Size)
		if g == 1 {
			return list[:i:i], list[i:], size
		}
		major, minor := a.Split(g)
		return append(slices.Clone(list[:i]), major), append(mesh.AxisList{minor}, list[i+1:]...), size / g
	}
	return list, nil, size
}

// unproject returns the sharding of tensor t after its factors have changed;
// old is what it was.
func (p *projection) unproject(t int, old *layout.Sharding) *layout.Sharding {
	tp := &p.tensors[t]
	m := p.mapping(t)
	s := &layout.Sharding{Mesh: p.mesh, Dims: make([]layout.DimSharding, len(m))}
	if old != nil && old.Mesh == p.mesh {
		s.Replicated, s.Unreduced = old.Replicated, old.Unreduced
	}
	for d, factors := range m {
		var axes mesh.AxisList
		closed := false
		for _, f := range factors {
			fs := &tp.factors[f]
			axes = axes.AppendMerged(fs.axes...)
			axes = axes.AppendMerged(fs.overflow...)
			closed = closed || fs.closed
			// A minor factor's part of the dimension is contiguous only when
			// the major factor is fully split.
			if len(fs.overflow) > 0 || fs.axes.Size()%max(1, p.rule.Factors[f].Size) != 0 {
				break
			}
		}
		s.Dims[d] = layout.DimSharding{Axes: p.mesh.Refs(axes), Open: !closed}
	}
	return s
}
