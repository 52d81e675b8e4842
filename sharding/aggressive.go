package sharding

// This file defines the aggressive step of propagation along the factors of one op. It extends each
// tensor independently of the others.

import (
	"cmp"
	"slices"

	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/sharding/factor"
)

// aggressiveStep extends the factors of the tensors in p, and returns for each tensor whether it
// has changed. It computes the axes that each factor can get, as the basic step does, but lets
// every tensor take as many of them as it can. A conflict in one tensor does not affect the other
// tensors.
//
// If several factors of a tensor want the same axis, the factor whose axes come from the larger
// tensor goes first. Ties are broken by the number of shards (only for element-wise ops), then by
// the order of the tensors that the axes come from, then by the order of the factors.
//
// Results are extended before operands. An operand of an element-wise op takes only axes that the
// result has: to propagate other axes from operand to operand would save no communication.
func aggressiveStep(p *factor.Projection, dirs []direction, o *stepOptions) []bool {
	changed := make([]bool, len(p.Tensors))
	wanted := make([]mesh.AxisList, len(p.Rule.Factors))
	var order []request
	for f := range wanted {
		wanted[f] = commonAxes(p, f, dirs[f])
		if len(wanted[f]) == 0 {
			continue
		}
		w := request{factor: f, source: source(p, f, wanted[f], o.sizes)}
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
	slices.SortFunc(order, request.compare)

	for t := len(p.Rule.Operands); t < len(p.Tensors); t++ {
		changed[t] = grant(p, t, order, wanted, o, nil)
	}
	var results []factor.Tensor
	if o.elementwise {
		results = p.Results()
	}
	for t := range len(p.Rule.Operands) {
		changed[t] = grant(p, t, order, wanted, o, results)
	}
	return changed
}

// request says that a factor of an op wants the axes of one of the op's tensors. Its fields decide
// the order in which requests are granted.
type request struct {
	factor int
	source int // the tensor that the axes come from, or -1
	size   int // the size of that tensor
	shards int // the number of shards that the axes make; set for element-wise ops only
}

func (r request) compare(o request) int {
	return cmp.Or(
		cmp.Compare(o.size, r.size),
		cmp.Compare(o.shards, r.shards),
		cmp.Compare(r.source, o.source),
		cmp.Compare(r.factor, o.factor))
}

// grant extends the factors of tensor t in p by the wanted axes, a list for each factor, as far as
// t allows. order says which factors want axes, the first to be served first. If results are given,
// t takes no more axes than these have. It reports whether anything changed. If o is conservative,
// t takes no parts of axes, except those that a result has.
func grant(p *factor.Projection, t int, order []request, wanted []mesh.AxisList, o *stepOptions, results []factor.Tensor) bool {
	changed := false
	for _, w := range order {
		f := w.factor
		fs := &p.Tensors[t].Factors[f]
		if !fs.Present {
			continue
		}
		axes := truncate(p, wanted[f], o.conservative, func(a mesh.SubAxis, before int) (mesh.SubAxis, bool) {
			return fitsFactor(p, t, f, a, before)
		})
		if !fs.Axes.IsStrictPrefixOf(axes) {
			continue
		}
		axes = truncate(p, axes, o.conservative, func(a mesh.SubAxis, _ int) (mesh.SubAxis, bool) {
			return withoutOtherFactors(p, t, f, a)
		})
		for i := range results {
			if r := &results[i].Factors[f]; r.Present && r.Axes.IsStrictPrefixOf(axes) {
				axes = r.Axes
			}
		}
		if fs.Axes.IsStrictPrefixOf(axes) {
			fs.Axes = axes
			changed = true
		}
	}
	return changed
}
