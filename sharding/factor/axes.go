package factor

// This file defines AxesPerFactor, a way to shard an op.

import (
	"slices"

	"github.com/gospmd/gospmd/mesh"
)

// AxesPerFactor lists the axes that shard each factor of an op. All tensors of the op have the same
// axes for a factor.
type AxesPerFactor []mesh.AxisList

// Clone returns a copy. Its lists may be replaced, but not changed in place.
func (a AxesPerFactor) Clone() AxesPerFactor { return slices.Clone(a) }

// Equal reports whether a and b have the same axes for every factor.
func (a AxesPerFactor) Equal(b AxesPerFactor) bool { return slices.EqualFunc(a, b, slices.Equal) }

// Overlaps reports whether the axis overlaps an axis of some factor.
func (a AxesPerFactor) Overlaps(axis mesh.SubAxis) bool {
	return slices.ContainsFunc(a, func(list mesh.AxisList) bool { return list.Overlaps(axis) })
}

// Project returns the axes that a tensor has for each factor. m is the tensor's mapping, and dim
// returns the axes of a dimension. The fit is Exact: it leaves out axes that cannot shard a factor
// evenly.
func (r *Rule) Project(m TensorMapping, dim func(d int) mesh.AxisList) AxesPerFactor {
	out := make(AxesPerFactor, len(r.Factors))
	for d, factors := range m {
		projectDim(Exact, factors, r.Factors, dim(d), func(i int, axes, _ mesh.AxisList) { out[factors[i]] = axes })
	}
	return out
}

// Unproject is the inverse of Rule.Project: it returns the axes of each dimension of a tensor with
// the mapping m. A dimension of several factors gets the axes of a up to the first factor that is
// not fully sharded.
func (r *Rule) Unproject(m TensorMapping, a AxesPerFactor) []mesh.AxisList {
	out := make([]mesh.AxisList, len(m))
	for d, factors := range m {
		if len(factors) == 1 {
			out[d] = a[factors[0]]
			continue
		}
		out[d] = unprojectDim(factors, r.Factors, func(f int) (axes, overflow mesh.AxisList) { return a[f], nil })
	}
	return out
}

// Merge returns a, with the axes of b for the factors that a does not shard. It takes the axes of
// such a factor up to the first one that another factor already uses.
func (a AxesPerFactor) Merge(b AxesPerFactor) AxesPerFactor {
	out := a.Clone()
	for f, axes := range b {
		if len(out[f]) > 0 {
			continue
		}
		n := 0
		for n < len(axes) && !out.Overlaps(axes[n]) {
			n++
		}
		out[f] = axes[:n]
	}
	return out
}

// FitTo returns a without axes that cannot be used. It drops the axes of a factor if may returns
// false for it; a nil may allows all factors. It also drops axes that have no Exact fit in some
// tensor of r: in a dimension of several factors each is sharded evenly, and a minor one only if
// the major ones are fully sharded.
func (a AxesPerFactor) FitTo(r *Rule, may func(f int) bool) AxesPerFactor {
	out := a.Clone()
	for f, axes := range out {
		if len(axes) > 0 && may != nil && !may(f) {
			out[f] = nil
		}
	}
	several := false
	for t := range r.NumTensors() {
		for _, factors := range r.Mapping(t) {
			if len(factors) < 2 {
				continue
			}
			several = true
			for _, f := range factors {
				out[f] = evenPrefix(out[f], r.Factors[f].Size)
			}
		}
	}
	if !several {
		return out
	}
	// Several rounds are needed: if a factor loses axes, it is no longer fully sharded, so that
	// minor factors in other tensors must lose theirs.
	for changed := true; changed; {
		changed = false
		for t := range r.NumTensors() {
			for _, factors := range r.Mapping(t) {
				full := true
				for _, f := range factors {
					if !full && len(out[f]) > 0 {
						out[f], changed = nil, true
					}
					full = full && out[f].Size() == r.Factors[f].Size
				}
			}
		}
	}
	return out
}

// evenPrefix returns the longest prefix of axes whose size divides size, nil if there is none.
func evenPrefix(axes mesh.AxisList, size int) mesh.AxisList {
	for n := len(axes); n > 0; n-- {
		if size%axes[:n].Size() == 0 {
			return axes[:n]
		}
	}
	return nil
}
