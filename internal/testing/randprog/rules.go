package randprog

// This file makes the sharding rules that programs state: true ones for custom calls, and arbitrary
// ones for other ops. Arbitrary rules influence the layouts of neighbouring ops, but change no
// numbers.

import (
	"slices"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/sharding/factor"
)

// ruleAttr returns the attribute for rule r.
func ruleAttr(r *factor.Rule) ir.NamedAttr {
	return ir.NamedAttr{Name: "sdy.sharding_rule", Value: ir.Raw("#sdy.op_sharding_rule<" + r.String() + ">")}
}

// stateRules makes half of the programs state a rule for half of their ops that have operands.
// Shardy reads no rule of an op without operands.
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

// anyRule returns an arbitrary rule for the types of op. A dimension has the factor of another
// tensor's dimension of the same size, a new factor, or two factors. Sometimes the size of a factor
// differs from its dimensions.
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

// factorOf returns the index in r of a factor of the given size that m, the mapping of a tensor,
// does not have yet. Mostly it is one that r has, otherwise a new one, which it adds to r.
func (g *generator) factorOf(r *factor.Rule, m factor.TensorMapping, size int) int {
	for f := range r.Factors {
		if r.Factors[f].Size == size && m.DimOf(f) < 0 && g.rng.IntN(4) > 0 {
			return f
		}
	}
	r.Factors = append(r.Factors, factor.Factor{Size: size})
	return len(r.Factors) - 1
}

// elementRule returns a true rule for an element-wise op on the given dimensions. A dimension has
// factors that operand and result share, or separate factors on each side, as in a matrix
// decomposition.
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
