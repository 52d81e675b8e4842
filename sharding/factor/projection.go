package factor

// This file defines Projection, the shardings of an op's tensors seen through
// the factors of its rule, and the two directions between the axes of a
// dimension and those of its factors.

import (
	"slices"

	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
)

// Sharding is what one tensor says of one factor.
type Sharding struct {
	Present   bool // the tensor has the factor
	Axes      mesh.AxisList
	Overflow  mesh.AxisList // what follows in the same dimension but cannot be told apart
	Closed    bool          // nothing may be appended
	MinorMost bool          // the last factor of its dimension: it may be sharded unevenly
}

// Tensor is the projection of one tensor.
type Tensor struct {
	Factors  []Sharding    // by factor
	Excluded mesh.AxisList // axes that may not shard it: the replicated and the unreduced ones
}

// Projection is the projection of an op's operands and results.
type Projection struct {
	Rule    *Rule
	Mesh    *mesh.DeviceMesh
	Tensors []Tensor // operands, then results

	room []Sharding // of all tensors
}

// Operands returns the projections of the operands.
func (p *Projection) Operands() []Tensor { return p.Tensors[:len(p.Rule.Operands)] }

// Results returns the projections of the results.
func (p *Projection) Results() []Tensor { return p.Tensors[len(p.Rule.Operands):] }

// Project returns the projection of shardings on m, operands' before results'.
// A nil sharding is open in all dimensions; one on another mesh, the empty one,
// says only which dimensions are closed.
func Project(rule *Rule, m *mesh.DeviceMesh, shardings []*layout.Sharding) *Projection {
	p := new(Projection)
	p.Set(rule, m, shardings)
	return p
}

// Set makes p what Project returns, in the memory that it has.
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

// Unproject returns the sharding of tensor t after its factors have changed;
// old is what it was.
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

// Fit says what becomes of an axis that does not fit the factor it falls on.
type Fit uint8

const (
	// WithOverflow is for propagation, which must not lose an axis: a factor takes
	// the part of the axis that divides it, and all that follows in the dimension
	// overflows: it stays with that factor as a block, and the minor factors have
	// nothing. The last factor takes all that is left, whether that divides it or
	// not.
	WithOverflow Fit = iota
	// Exact is for choosing axes that can be sharded by: where a dimension has
	// several factors, each takes only axes that divide it, and a minor one only
	// where the major ones are fully sharded. Other axes are left out. The only
	// factor of a dimension takes all axes, evenly or not.
	Exact
)

// projectDim deals out the axes of one dimension to its factors, major first,
// and calls visit for each factor by its place in the dimension. A factor takes
// axes until they make up its size; an axis is split where only a part of it is
// needed.
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

// take cuts a list where its product reaches size, or before the first axis that
// does not divide what is left of size. It splits that axis if a part of it
// divides what is left, and, for an exact fit, makes it up.
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

// unprojectDim returns the axes of a dimension of the given factors, neighbouring
// parts merged. It stops at the first factor that is not fully sharded: only
// within a full shard of the major factors is a part of a minor one contiguous.
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
