package factor

// This file defines Projection: the shardings of an op's tensors in terms of the factors of its
// rule. It converts the axes of a dimension to axes of its factors, and back.

import (
	"slices"

	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
)

// Sharding is the sharding of one factor in one tensor.
type Sharding struct {
	Present   bool // the tensor has the factor
	Axes      mesh.AxisList
	Overflow  mesh.AxisList // the axes that follow in the same dimension and cannot be assigned to a factor
	Closed    bool          // propagation may not append axes
	MinorMost bool          // the last factor of its dimension, which may be sharded unevenly
}

// Tensor is the projection of one tensor: the sharding of each factor in it.
type Tensor struct {
	Factors  []Sharding    // indexed by factor
	Excluded mesh.AxisList // axes that may not shard the tensor: its replicated and unreduced ones
}

// Projection holds the projections of all operands and results of an op.
type Projection struct {
	Rule    *Rule
	Mesh    *mesh.DeviceMesh
	Tensors []Tensor // the operands, then the results

	room []Sharding // memory for Factors of all tensors
}

// Operands returns the projections of the operands.
func (p *Projection) Operands() []Tensor { return p.Tensors[:len(p.Rule.Operands)] }

// Results returns the projections of the results.
func (p *Projection) Results() []Tensor { return p.Tensors[len(p.Rule.Operands):] }

// Project returns the projection of the shardings, those of the operands and then of the results,
// onto the factors of rule. A nil sharding is open in all dimensions. A sharding must be on m
// itself, or on a mesh without axes: then it only says which dimensions are closed.
func Project(rule *Rule, m *mesh.DeviceMesh, shardings []*layout.Sharding) *Projection {
	p := new(Projection)
	p.Set(rule, m, shardings)
	return p
}

// Set makes p the projection that Project returns for the same arguments, and reuses its memory.
func (p *Projection) Set(rule *Rule, m *mesh.DeviceMesh, shardings []*layout.Sharding) {
	n := len(shardings) * len(rule.Factors)
	p.Rule, p.Mesh = rule, m
	p.Tensors = slices.Grow(p.Tensors[:0], len(shardings))[:len(shardings)]
	p.room = slices.Grow(p.room[:0], n)[:n]
	clear(p.room)
	all := p.room
	for t, s := range shardings {
		tensor := &p.Tensors[t]
		tensor.Factors, all = all[:len(rule.Factors):len(rule.Factors)], all[len(rule.Factors):]
		tensor.Excluded = nil
		if s != nil && s.Mesh == m {
			tensor.Excluded = append(m.AxisList(s.Replicated), m.AxisList(s.Unreduced)...)
		}
		for d, factors := range rule.Mapping(t) {
			var axes mesh.AxisList
			closed := false
			if s != nil {
				closed = !s.Dims[d].Open
				if s.Mesh == m {
					axes = m.AxisList(s.Dims[d].Axes)
				}
			}
			projectDim(WithOverflow, factors, rule.Factors, axes, func(i int, axes, overflow mesh.AxisList) {
				tensor.Factors[factors[i]] = Sharding{
					Present: true, Axes: axes, Overflow: overflow, Closed: closed, MinorMost: i == len(factors)-1,
				}
				closed = closed || len(overflow) > 0
			})
		}
	}
}

// Unproject returns the sharding of tensor t that follows from its factors. old is the sharding
// before, which gives the replicated and unreduced axes; if it is nil or on another mesh, there are
// none.
func (p *Projection) Unproject(t int, old *layout.Sharding) *layout.Sharding {
	tensor, m := &p.Tensors[t], p.Rule.Mapping(t)
	s := &layout.Sharding{Mesh: p.Mesh, Dims: make([]layout.DimSharding, len(m))}
	if old != nil && old.Mesh == p.Mesh {
		s.Replicated, s.Unreduced = old.Replicated, old.Unreduced
	}
	for d, factors := range m {
		closed := false
		axes := unprojectDim(factors, p.Rule.Factors, func(f int) (axes, overflow mesh.AxisList) {
			fs := &tensor.Factors[f]
			closed = closed || fs.Closed
			return fs.Axes, fs.Overflow
		})
		s.Dims[d] = layout.DimSharding{Axes: p.Mesh.Refs(axes), Open: !closed}
	}
	return s
}

// Fit says what happens to an axis that does not fit its factor.
type Fit uint8

const (
	// WithOverflow is for propagation, which must not lose axes. A factor takes the part of the
	// axis that divides it. All that follows in the dimension becomes the overflow of this factor,
	// and the minor factors get no axes. The last factor takes all remaining axes, even if they do
	// not divide it.
	WithOverflow Fit = iota
	// Exact is for choosing axes to shard by. In a dimension of several factors, a factor takes
	// only axes that divide it, and only if the factors before it are fully sharded. Other axes are
	// left out. The only factor of a dimension takes all axes, even if they do not divide it.
	Exact
)

// projectDim distributes the axes of one dimension among its factors, major first. factors are
// their numbers, and sizes has all factors of the rule. It calls visit for each, with its position
// in the dimension, its axes and its overflow. A factor takes axes until their product is its size;
// if it needs only a part of an axis, the axis is split. Axes that do not fit are the overflow if
// fit is WithOverflow, and are dropped otherwise. The last factor may take all that remain (see
// Fit).
func projectDim(fit Fit, factors []int, sizes []Factor, axes mesh.AxisList, visit func(i int, axes, overflow mesh.AxisList)) {
	last := len(factors) - 1
	for i, f := range factors {
		if i == last && (fit == WithOverflow || i == 0) {
			visit(i, axes, nil)
			return
		}
		taken, rest, left := take(fit, axes, sizes[f].Size)
		var overflow mesh.AxisList
		if left != 1 && len(rest) > 0 {
			if fit == WithOverflow {
				overflow = rest
			}
			rest = nil
		}
		visit(i, taken, overflow)
		axes = rest
	}
}

// take divides a list into the axes that a factor of the given size takes, and the rest. It stops
// when the product of the axes is size, or at an axis that does not divide what is left of size. If
// a prefix of that axis divides it, it splits the axis; with an Exact fit it does so only if the
// prefix is all that is left. The third result is the part of size that no axis covers.
func take(fit Fit, list mesh.AxisList, size int) (taken, rest mesh.AxisList, left int) {
	for i, a := range list {
		if size%a.Size == 0 {
			size /= a.Size
			continue
		}
		part, ok := a.PrefixDividing(size)
		if !ok || fit == Exact && part.Size != size {
			return list[:i:i], list[i:], size
		}
		_, minor := a.Split(part.Size)
		return append(slices.Clone(list[:i]), part), append(mesh.AxisList{minor}, list[i+1:]...), size / part.Size
	}
	return list, nil, size
}

// unprojectDim returns the axes of a dimension that consists of the given factors, with
// neighbouring sub-axes merged. sizes has all factors of the rule, and of returns the axes and the
// overflow of one. It stops after the first factor that is not fully sharded or has overflow: the
// axes of minor factors would not make contiguous shards.
func unprojectDim(factors []int, sizes []Factor, of func(f int) (axes, overflow mesh.AxisList)) mesh.AxisList {
	var out mesh.AxisList
	for _, f := range factors {
		axes, overflow := of(f)
		out = out.AppendMerged(axes...).AppendMerged(overflow...)
		if len(overflow) > 0 || axes.Size()%max(1, sizes[f].Size) != 0 {
			break
		}
	}
	return out
}
