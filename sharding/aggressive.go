package sharding

// This file defines the aggressive step.

import (
	"cmp"
	"slices"

	"github.com/gospmd/gospmd/mesh"
)

// aggressiveStep computes the axes that each factor wants as the basic step
// does, but lets every tensor take what it can of them: a tensor that objects
// holds up no other.
//
// Where factors want the same axis in one tensor, the factor whose axes come
// from the larger tensor goes first; then, for element-wise ops, the one that
// splits more; then the earlier tensor's; then the earlier factor.
//
// Results come before operands. Of what an operand of an element-wise op could
// take it takes only what the result has: to move shardings sideways from
// operand to operand while the result refuses them would buy nothing.
func aggressiveStep(p *projection, dirs []direction, o *stepOptions) []bool {
	changed := make([]bool, len(p.tensors))
	wanted := make([]mesh.AxisList, len(p.rule.Factors))
	var order []wish
	for f := range wanted {
		wanted[f] = p.commonAxes(f, dirs[f])
		if len(wanted[f]) == 0 {
			continue
		}
		w := wish{factor: f, source: p.source(f, wanted[f], o.sizes)}
		if w.source >= 0 {
			w.size = o.sizes[w.source]
		}
		if o.elementwise {
			w.shards = wanted[f].Size()
		}
		order = append(order, w)
	}
	if len(order) == 0 {
		return changed
	}
	slices.SortFunc(order, wish.compare)

	for t := p.operands; t < len(p.tensors); t++ {
		changed[t] = p.grant(t, order, wanted, o, nil)
	}
	var results []tensorProjection
	if o.elementwise {
		results = p.tensors[p.operands:]
	}
	for t := range p.operands {
		changed[t] = p.grant(t, order, wanted, o, results)
	}
	return changed
}

// wish is a factor that wants axes, with what decides its turn.
type wish struct {
	factor int
	source int // the tensor that the axes come from
	size   int // of the source
	shards int // how many parts the axes make; element-wise ops only
}

func (w wish) compare(o wish) int {
	return cmp.Or(
		cmp.Compare(o.size, w.size),
		cmp.Compare(o.shards, w.shards),
		cmp.Compare(w.source, o.source),
		cmp.Compare(w.factor, o.factor))
}

// grant extends the factors of tensor t, in order, by as much of the wanted
// axes as t allows and, where results are given, they have, and reports whether
// anything changed. What a result has of an axis is no cut that conservative
// propagation would refuse.
func (p *projection) grant(t int, order []wish, wanted []mesh.AxisList, o *stepOptions, results []tensorProjection) bool {
	changed := false
	for _, w := range order {
		f := w.factor
		fs := &p.tensors[t].factors[f]
		if !fs.present {
			continue
		}
		axes := p.truncate(wanted[f], o.conservative, func(a mesh.SubAxis, before int) (mesh.SubAxis, bool) {
			return p.fitsFactor(t, f, a, before)
		})
		if !fs.axes.IsStrictPrefixOf(axes) {
			continue
		}
		axes = p.truncate(axes, o.conservative, func(a mesh.SubAxis, _ int) (mesh.SubAxis, bool) {
			return p.withoutOtherFactors(t, f, a)
		})
		for i := range results {
			if r := &results[i].factors[f]; r.present && r.axes.IsStrictPrefixOf(axes) {
				axes = r.axes
			}
		}
		if fs.axes.IsStrictPrefixOf(axes) {
			fs.axes = axes
			changed = true
		}
	}
	return changed
}
