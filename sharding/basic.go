package sharding

// This file defines the two ways to propagate along the factors of one op:
// the basic one, which acts where all tensors agree, and the aggressive one,
// which acts on each tensor for itself.

import (
	"slices"

	"github.com/gospmd/gospmd/mesh"
)

// direction says which way shardings may pass an op along a factor.
type direction uint8

const (
	stay     direction = 0
	forward  direction = 1
	backward direction = 2
	both     direction = forward | backward
)

// factorStep propagates along the factors of a projection in the directions
// given for each factor, and reports which tensors changed.
type factorStep func(p *projection, dirs []direction, o *stepOptions) (changed []bool)

// way is one of the two ways.
type way int

const (
	basicWay way = iota
	aggressiveWay
)

var factorSteps = [...]factorStep{basicWay: basicStep, aggressiveWay: aggressiveStep}

// stepOptions are what a factor step must know besides the projection.
type stepOptions struct {
	conservative bool
	elementwise  bool  // the op is element-wise
	sizes        []int // of each tensor, by its factors
}

// basicStep extends every tensor by the axes on which all tensors agree and to
// which none objects, factor by factor.
func basicStep(p *projection, dirs []direction, o *stepOptions) []bool {
	changed := make([]bool, len(p.tensors))
	for f := range p.rule.Factors {
		axes := p.commonAxes(f, dirs[f])
		if len(axes) == 0 {
			continue
		}
		for t := range p.tensors {
			axes = p.truncate(axes, o.conservative, func(a mesh.SubAxis, before int) (mesh.SubAxis, bool) {
				a, ok := p.withoutOtherFactors(t, f, a)
				if !ok {
					return a, false
				}
				return p.fitsFactor(t, f, a, before)
			})
		}
		for t := range p.tensors {
			if fs := &p.tensors[t].factors[f]; fs.present && fs.axes.IsStrictPrefixOf(axes) {
				fs.axes = axes
				changed[t] = true
			}
		}
	}
	return changed
}

// commonAxes returns the longest list of axes for factor f that the tensors
// agree on. A tensor that says less agrees; at a conflict the list is cut and
// stays cut. The side that a direction points to can cut but not extend it.
func (p *projection) commonAxes(f int, dir direction) mesh.AxisList {
	if dir == stay {
		return nil
	}
	first, second := p.tensors[:p.operands], p.tensors[p.operands:]
	if dir == backward {
		first, second = second, first
	}
	var axes mesh.AxisList
	extend := true
	merge := func(tensors []tensorProjection) {
		for t := range tensors {
			fs := &tensors[t].factors[f]
			switch {
			case !fs.present || fs.axes.IsPrefixOf(axes):
			case axes.IsPrefixOf(fs.axes):
				if extend {
					axes = fs.axes
				}
			default:
				axes, extend = axes.CommonPrefix(fs.axes), false
			}
		}
	}
	merge(first)
	extend = extend && dir == both
	merge(second)
	return axes
}

// truncate keeps the axes up to the first that keep changes; of that one it
// keeps what keep returns. keep is told the number of parts that the axes
// before make. Conservative truncation takes no sub-axes.
func (p *projection) truncate(axes mesh.AxisList, conservative bool, keep func(a mesh.SubAxis, before int) (mesh.SubAxis, bool)) mesh.AxisList {
	before := 1
	for i, a := range axes {
		k, ok := keep(a, before)
		if conservative && k.Size != p.mesh.Axes()[k.Axis].Size {
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

// withoutOtherFactors returns the prefix of a that tensor t uses for no other
// factor than f.
func (p *projection) withoutOtherFactors(t, f int, a mesh.SubAxis) (mesh.SubAxis, bool) {
	ok := true
	for i := range p.tensors[t].factors {
		if i == f {
			continue
		}
		fs := &p.tensors[t].factors[i]
		if a, ok = a.PrefixWithoutAny(fs.axes); !ok {
			return a, false
		}
		if a, ok = a.PrefixWithoutAny(fs.overflow); !ok {
			return a, false
		}
	}
	return a, true
}

// fitsFactor returns the prefix of a by which tensor t may be split along
// factor f when the axes before it make the given number of parts: not a
// replicated or unreduced axis; if the factor can not be extended, only what
// it has; and unless it is the minor-most, what divides its size.
func (p *projection) fitsFactor(t, f int, a mesh.SubAxis, before int) (mesh.SubAxis, bool) {
	tp := &p.tensors[t]
	fs := &tp.factors[f]
	if !fs.present {
		return a, true
	}
	a, ok := a.PrefixWithoutAny(tp.excluded)
	if !ok {
		return a, false
	}
	for _, has := range fs.axes {
		if has.Contains(a) {
			return a, true
		}
	}
	if fs.closed || len(fs.overflow) > 0 {
		for _, has := range fs.axes {
			if has.IsPrefixOf(a) {
				return has, true
			}
		}
		return a, false
	}
	if fs.minorMost {
		return a, true
	}
	size := p.rule.Factors[f].Size
	if size%before != 0 {
		return a, false
	}
	g := gcd(size/before, a.Size)
	if g == 1 && a.Size > 1 {
		return a, false
	}
	return a.Prefix(g), true
}

// source returns the tensor that axes of factor f came from: the largest of
// those that have them all, the first of equals; -1 if none does.
func (p *projection) source(f int, axes mesh.AxisList, sizes []int) int {
	best := -1
	for t := range p.tensors {
		fs := &p.tensors[t].factors[f]
		if fs.present && axes.IsPrefixOf(fs.axes) && (best < 0 || sizes[t] > sizes[best]) {
			best = t
		}
	}
	return best
}
