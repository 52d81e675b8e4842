package partition

// This file goes between the layouts of an op's tensors and the axes that
// split its factors.

import (
	"slices"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/sharding"
)

// assignment says which axes split each factor of an op.
type assignment [][]mesh.AxisRef

// clone returns a copy whose lists can be changed.
func (a assignment) clone() assignment { return slices.Clone(a) }

// equal reports whether a and b split alike.
func (a assignment) equal(b assignment) bool { return slices.EqualFunc(a, b, slices.Equal) }

// project returns the axes that s gives the factors of one of the op's
// tensors. Axes that no factor can take are left out.
func (p *partitioner) project(r *sharding.Rule, m sharding.TensorMapping, s *spec) assignment {
	out := make(assignment, len(r.Factors))
	for d, factors := range m {
		rest := s.axes(d)
		for i, f := range factors {
			last := i == len(factors)-1
			if last && i == 0 {
				out[f] = rest
				break
			}
			var taken []mesh.AxisRef
			taken, rest = p.take(rest, r.Factors[f].Size)
			out[f] = taken
			if p.mesh.RefsSize(taken) != r.Factors[f].Size {
				break // a minor factor may be split only when the major one is split up
			}
		}
	}
	return out
}

// take cuts axes where their product reaches size, splitting an axis in two if
// need be: the first part divides size.
func (p *partitioner) take(axes []mesh.AxisRef, size int) (taken, rest []mesh.AxisRef) {
	for i, a := range axes {
		n := p.mesh.RefSize(a)
		if size%n == 0 {
			size /= n
			continue
		}
		taken = slices.Clone(axes[:i])
		if size > 1 && n%size == 0 {
			first, second := p.cutAxis(a, size)
			return append(taken, first), append([]mesh.AxisRef{second}, axes[i+1:]...)
		}
		return taken, axes[i:]
	}
	return axes, nil
}

// cutAxis splits a in a major part of the given size and the rest.
func (p *partitioner) cutAxis(a mesh.AxisRef, size int) (major, minor mesh.AxisRef) {
	pre, n := 1, p.mesh.RefSize(a)
	if a.Sub {
		pre = a.Pre
	}
	return mesh.SubAxisRef(a.Name, pre, size), mesh.SubAxisRef(a.Name, pre*size, n/size)
}

// merge adds to a what b has for factors that a does not split, as far as the
// axes are free.
func (a assignment) merge(b assignment) assignment {
	out := a.clone()
	for f, axes := range b {
		if len(out[f]) > 0 {
			continue
		}
		n := 0
		for n < len(axes) && !out.uses(axes[n]) {
			n++
		}
		out[f] = axes[:n]
	}
	return out
}

// uses reports whether a part of the axis splits a factor.
func (a assignment) uses(axis mesh.AxisRef) bool {
	return slices.ContainsFunc(a, func(axes []mesh.AxisRef) bool {
		return slices.ContainsFunc(axes, axis.Overlaps)
	})
}

// fit cuts a to what can be done: factors that may be split, and shards that
// come out even where a dimension has several factors.
func (p *partitioner) fit(r *sharding.Rule, a assignment, may func(f int) bool) assignment {
	out := a.clone()
	for f, axes := range out {
		if len(axes) > 0 && !may(f) {
			out[f] = nil
		}
	}
	several := false
	for _, ms := range [][]sharding.TensorMapping{r.Operands, r.Results} {
		for _, m := range ms {
			for _, factors := range m {
				if len(factors) < 2 {
					continue
				}
				several = true
				for _, f := range factors {
					out[f] = p.even(out[f], r.Factors[f].Size)
				}
			}
		}
	}
	if !several {
		return out
	}
	// A minor factor may be split only when the major ones are split up. One
	// round for each factor, since cutting one may touch another tensor.
	for range out {
		for _, ms := range [][]sharding.TensorMapping{r.Operands, r.Results} {
			for _, m := range ms {
				for _, factors := range m {
					up := true
					for _, f := range factors {
						if !up {
							out[f] = nil
						}
						up = up && p.mesh.RefsSize(out[f]) == r.Factors[f].Size
					}
				}
			}
		}
	}
	return out
}

// even returns the longest prefix of axes whose product divides size.
func (p *partitioner) even(axes []mesh.AxisRef, size int) []mesh.AxisRef {
	for n := len(axes); n > 0; n-- {
		if size%p.mesh.RefsSize(axes[:n]) == 0 {
			return axes[:n]
		}
	}
	return nil
}

// layoutOf returns the layout of a tensor with the mapping m under a.
func (p *partitioner) layoutOf(m sharding.TensorMapping, a assignment, unreduced []mesh.AxisRef, reduce ir.OpKind) *spec {
	axes := make([][]mesh.AxisRef, len(m))
	for d, factors := range m {
		if len(factors) == 1 {
			axes[d] = a[factors[0]]
			continue
		}
		for _, f := range factors {
			axes[d] = append(axes[d], a[f]...)
		}
	}
	return p.spec(axes, unreduced, reduce)
}
