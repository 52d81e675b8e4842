package randprog

// This file makes sharding rules that programs state, true ones of custom calls and any of other
// ops: those steer the layouts of the op's neighbours, and change no number.

import (
	"slices"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/sharding/factor"
)

// ruleAttr returns the attribute that states r.
func ruleAttr(r *factor.Rule) ir.NamedAttr {
	return ir.NamedAttr{Name: "sdy.sharding_rule", Value: ir.Raw("#sdy.op_sharding_rule<" + r.String() + ">")}
}

// stateRules lets half of the programs state a rule for half of their ops, of those with
// operands: Shardy reads no rule without.
func (g *generator) stateRules() {
	if g.rng.IntN(2) == 0 {
		return
	}
	g.f.Walk(func(op *ir.Op) {
		if len(op.Operands) == 0 || op.Info().Is(ir.Terminator) || op.Kind == ir.OpCustomCall || op.Kind == ir.OpShardingConstraint || g.loose != nil && makers[op.Kind].make == nil {
			return
		}
		if r := g.anyRule(op); g.rng.IntN(2) == 0 && len(r.Factors) > 0 {
			op.Attrs = append(slices.Clip(op.Attrs), ruleAttr(r))
		}
	})
}

// anyRule returns a rule that fits the types of op: a dimension has the factor of
// another tensor's dimension of its size, one of its own, or two. Now and then a factor
// has another size than its dimensions.
func (g *generator) anyRule(op *ir.Op) *factor.Rule {
	r := &factor.Rule{}
	for i, v := range slices.Concat(op.Operands, op.Results) {
		m := factor.TensorMapping{}
		for _, size := range v.Type.Dims {
			if size > 2 && size%2 == 0 && g.rng.IntN(4) == 0 {
				m = append(m, nil)
				for _, part := range []int{size / 2, 2} {
					m[len(m)-1] = append(m[len(m)-1], g.factorOf(r, m, part))
				}
				continue
			}
			m = append(m, []int{g.factorOf(r, m, size)})
		}
		if i < len(op.Operands) {
			r.Operands = append(r.Operands, m)
		} else {
			r.Results = append(r.Results, m)
		}
	}
	for f := range r.Factors {
		inResult := slices.ContainsFunc(r.Results, func(m factor.TensorMapping) bool { return m.DimOf(f) >= 0 })
		switch n := g.rng.IntN(8); {
		case n == 0:
			r.Factors[f].Kind = factor.NeedReplication
		case n == 1:
			r.Factors[f].Kind = factor.Permutation
		case n < 5 && !inResult:
			r.Factors[f].Kind = factor.Reduction
		}
		r.Factors[f].Blocked = g.rng.IntN(8) == 0
		if g.rng.IntN(64) == 0 {
			r.Factors[f].Size += 1 + g.rng.IntN(3)
		}
	}
	return r
}

// factorOf returns a factor of a size that m, the mapping of a tensor, lacks: mostly one
// that r has, else a new one.
func (g *generator) factorOf(r *factor.Rule, m factor.TensorMapping, size int) int {
	for f := range r.Factors {
		if r.Factors[f].Size == size && m.DimOf(f) < 0 && g.rng.IntN(4) > 0 {
			return f
		}
	}
	r.Factors = append(r.Factors, factor.Factor{Size: size})
	return len(r.Factors) - 1
}

// elementRule returns a rule that is true of an element-wise op on those dimensions:
// each has factors that operand and result share, or some of each side alone, as those
// of a matrix decomposition.
func (g *generator) elementRule(dims []int) *factor.Rule {
	r := &factor.Rule{Operands: []factor.TensorMapping{nil}, Results: []factor.TensorMapping{nil}, Custom: true}
	add := func(size int) []int {
		f := factor.Factor{Size: size, Blocked: g.rng.IntN(8) == 0}
		if g.rng.IntN(6) == 0 {
			f.Kind = factor.NeedReplication
		}
		r.Factors = append(r.Factors, f)
		return []int{len(r.Factors) - 1}
	}
	for _, size := range dims {
		var in, out []int
		switch n := g.rng.IntN(4); {
		case n == 0:
			in, out = add(size), add(size)
		case n == 1 && size%2 == 0 && size > 2:
			in = append(add(size/2), add(2)...)
			out = in
		default:
			in = add(size)
			out = in
		}
		r.Operands[0], r.Results[0] = append(r.Operands[0], in), append(r.Results[0], out)
	}
	return r
}
