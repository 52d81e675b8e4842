package sharding

// This file projects shardings of dimensions onto the factors of a rule, and
// back.

import (
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
)

// factorSharding is what one tensor says of one factor.
type factorSharding struct {
	present   bool   // the tensor has the factor
	axes      []axis // major to minor
	overflow  []axis // what follows in the same dimension but can not be told apart
	closed    bool   // nothing may be appended
	minorMost bool   // the last factor of its dimension: it may be split unevenly
}

// tensorProjection is one tensor seen through the rule's factors.
type tensorProjection struct {
	factors []factorSharding // by factor
	// excluded are the replicated and the unreduced axes.
	excluded []axis
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
			tp.excluded = append(toAxes(m, s.Replicated), toAxes(m, s.Unreduced)...)
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
			projectDim(tp.factors, factors, rule.Factors, toAxes(m, s.Dims[d].Axes), !s.Dims[d].Open)
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
func projectDim(out []factorSharding, factors []int, sizes []Factor, axes []axis, closed bool) {
	var rest *axis // what is left of a split axis
	// next takes the next axis, unless left, the size still to be made up, is 1
	// and the axis would split it.
	next := func(left int) (a axis, ok bool) {
		switch {
		case rest != nil:
			a = *rest
		case len(axes) > 0:
			a = axes[0]
		default:
			return axis{}, false
		}
		if left == 1 && a.size > 1 {
			return axis{}, false
		}
		if rest != nil {
			rest = nil
		} else {
			axes = axes[1:]
		}
		return a, true
	}
	overflown := false
	for i, f := range factors {
		fs := &out[f]
		fs.closed = closed || overflown
		if overflown {
			continue
		}
		last := i == len(factors)-1
		left := sizes[f].Size
		if last {
			left = 0 // a multiple of everything
		}
		for a, ok := next(left); ok; a, ok = next(left) {
			if left%a.size == 0 {
				fs.axes = append(fs.axes, a)
				left /= a.size
				continue
			}
			g := gcd(left, a.size)
			if g == 1 {
				overflown = true
				fs.overflow = append([]axis{a}, axes...)
				break
			}
			fs.axes = append(fs.axes, axis{a.dim, a.pre, g})
			rest = &axis{a.dim, a.pre * g, a.size / g}
			left /= g
		}
	}
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
		var axes []axis
		closed := false
		for _, f := range factors {
			fs := &tp.factors[f]
			axes = appendMerged(axes, fs.axes...)
			axes = appendMerged(axes, fs.overflow...)
			closed = closed || fs.closed
			// A minor factor's part of the dimension is contiguous only when
			// the major factor is fully split.
			if len(fs.overflow) > 0 || sizeOf(fs.axes)%max(1, p.rule.Factors[f].Size) != 0 {
				break
			}
		}
		s.Dims[d] = layout.DimSharding{Axes: toRefs(p.mesh, axes), Open: !closed}
	}
	return s
}
