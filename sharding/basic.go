package sharding

// This file defines the basic step of propagation along the factors of one op. It propagates only
// axes that all tensors agree on. The file also has what the basic and the aggressive step share.

import (
	"slices"

	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/sharding/factor"
)

// direction is a set of the directions in which shardings may be propagated along a factor: from
// operands to results (forward), from results to operands (backward), both, or none (stay).
type direction uint8

const (
	stay     direction = 0
	forward  direction = 1
	backward direction = 2
	both     direction = forward | backward
)

// factorStep propagates along the factors of the projection p, which it changes. dirs has the
// directions of each factor. The result says for each tensor of p whether it has changed.
type factorStep func(p *factor.Projection, dirs []direction, o *stepOptions) (changed []bool)

// stepKind says whether a factorStep takes the axes that all tensors agree on (basic), or decides
// between different axes (aggressive).
type stepKind int

const (
	basicKind stepKind = iota
	aggressiveKind
)

var factorSteps = [...]factorStep{basicKind: basicStep, aggressiveKind: aggressiveStep}

// stepOptions are what a factorStep needs to know of the op and of the strategy besides the
// projection.
type stepOptions struct {
	conservative bool
	elementwise  bool  // the op is element-wise
	sizes        []int // for each tensor, the product of its factors' sizes
}

// basicStep is the factorStep of the strategy Basic: it extends all tensors in p, and returns for
// each whether it has changed. For each factor it takes the axes that the tensors agree on in the
// directions dirs, and that no tensor refuses. If o is conservative, it takes no parts of axes.
func basicStep(p *factor.Projection, dirs []direction, o *stepOptions) []bool {
	changed := make([]bool, len(p.Tensors))
	for f := range p.Rule.Factors {
		axes := commonAxes(p, f, dirs[f])
		if len(axes) == 0 {
			continue
		}
		for t := range p.Tensors {
			axes = truncate(p, axes, o.conservative, func(a mesh.SubAxis, before int) (mesh.SubAxis, bool) {
				a, ok := withoutOtherFactors(p, t, f, a)
				if !ok {
					return a, false
				}
				return fitsFactor(p, t, f, a, before)
			})
		}
		for t := range p.Tensors {
			if fs := &p.Tensors[t].Factors[f]; fs.Present && fs.Axes.IsStrictPrefixOf(axes) {
				fs.Axes = axes
				changed[t] = true
			}
		}
	}
	return changed
}

// commonAxes returns the longest list of axes for factor f that the tensors of p agree on. Two
// tensors agree if the axes of one are a prefix of those of the other. Where they conflict, the
// list ends. With dir forward the results can shorten the list but not extend it, and with backward
// the operands. The list is nil for stay.
func commonAxes(p *factor.Projection, f int, dir direction) mesh.AxisList {
	if dir == stay {
		return nil
	}
	first, second := p.Operands(), p.Results()
	if dir == backward {
		first, second = second, first
	}
	var axes mesh.AxisList
	extend := true
	merge := func(tensors []factor.Tensor) {
		for t := range tensors {
			fs := &tensors[t].Factors[f]
			switch {
			case !fs.Present || fs.Axes.IsPrefixOf(axes):
			case axes.IsPrefixOf(fs.Axes):
				if extend {
					axes = fs.Axes
				}
			default:
				axes, extend = axes.CommonPrefix(fs.Axes), false
			}
		}
	}
	merge(first)
	extend = extend && dir == both
	merge(second)
	return axes
}

// truncate returns the longest beginning of axes that keep allows. It calls keep for one axis after
// the other, with the number of shards that the axes before it make, and ends at the first that
// keep does not return unchanged. If keep has shortened that axis (true), the shortened axis is the
// last of the result. If keep refuses it (false), the axis is left out. If conservative is true, a
// result of keep that is only a part of an axis of the mesh counts as refused.
func truncate(p *factor.Projection, axes mesh.AxisList, conservative bool, keep func(a mesh.SubAxis, before int) (mesh.SubAxis, bool)) mesh.AxisList {
	before := 1
	for i, a := range axes {
		k, ok := keep(a, before)
		if conservative && k.Size != p.Mesh.Axes()[k.Axis].Size {
			ok = false
		}
		if ok && k == a {
			before *= a.Size
			continue
		}
		out := slices.Clone(axes[:i])
		if ok {
			out = append(out, k)
		}
		return out
	}
	return axes
}

// withoutOtherFactors returns the longest prefix of a, an axis or a part of one, that tensor t of p
// uses for no factor except f, neither as an axis nor as overflow. The second result is false if
// there is none.
func withoutOtherFactors(p *factor.Projection, t, f int, a mesh.SubAxis) (mesh.SubAxis, bool) {
	ok := true
	for i := range p.Tensors[t].Factors {
		if i == f {
			continue
		}
		fs := &p.Tensors[t].Factors[i]
		if a, ok = a.PrefixWithoutAny(fs.Axes); !ok {
			return a, false
		}
		if a, ok = a.PrefixWithoutAny(fs.Overflow); !ok {
			return a, false
		}
	}
	return a, true
}

// fitsFactor returns the longest prefix of a that tensor t may be sharded by along factor f, after
// axes that make the number of shards before. The prefix has no axis that is excluded for t:
// replicated, unreduced or manual. If the factor is closed or has overflow axes, the prefix has
// only axes that the factor has. If the factor is not the minor-most of its dimension, the shards
// divide its size. The second result is false if there is no prefix. A tensor without the factor
// may have all of a.
func fitsFactor(p *factor.Projection, t, f int, a mesh.SubAxis, before int) (mesh.SubAxis, bool) {
	tp := &p.Tensors[t]
	fs := &tp.Factors[f]
	if !fs.Present {
		return a, true
	}
	a, ok := a.PrefixWithoutAny(tp.Excluded)
	if !ok {
		return a, false
	}
	for _, has := range fs.Axes {
		if has.Contains(a) {
			return a, true
		}
	}
	if fs.Closed || len(fs.Overflow) > 0 {
		for _, has := range fs.Axes {
			if has.IsPrefixOf(a) {
				return has, true
			}
		}
		return a, false
	}
	if fs.MinorMost {
		return a, true
	}
	size := p.Rule.Factors[f].Size
	if size%before != 0 {
		return a, false
	}
	return a.PrefixDividing(size / before)
}

// source returns the number of the tensor of p that the axes of factor f came from. Of the tensors
// whose axes for f begin with these, that is the largest one, and the first of equal ones. sizes
// has the size of each tensor. It returns -1 if there is none.
func source(p *factor.Projection, f int, axes mesh.AxisList, sizes []int) int {
	best := -1
	for t := range p.Tensors {
		fs := &p.Tensors[t].Factors[f]
		if fs.Present && axes.IsPrefixOf(fs.Axes) && (best < 0 || sizes[t] > sizes[best]) {
			best = t
		}
	}
	return best
}
