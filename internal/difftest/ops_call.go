package difftest

// This file makes custom calls that state their sharding rule.

import (
	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/sharding/factor"
)

// makeCustomCall calls an identity, which both engines have, or mhlo.erf, which the
// Go engine has: mostly with a rule of its own. Each dimension has factors that
// operand and result share, or some of each side alone, as those of a matrix
// decomposition.
func makeCustomCall(g *generator) *ir.Op {
	types, target, bound := allTypes, "LayoutConstraint", 8.0
	if g.rng.IntN(8) == 0 {
		types, target, bound = []dtypes.DType{dtypes.Float32, dtypes.Float64}, "mhlo.erf", inexact
	}
	attrs := ir.Attrs{{Name: "call_target_name", Value: ir.String(target)}}
	x := g.any(types, 1, 3)
	bound = max(bound, g.bound[x])
	if g.rng.IntN(4) > 0 {
		rule := ir.Raw("#sdy.op_sharding_rule<" + g.elementRule(x.Type.Dims).String() + ">")
		attrs = append(attrs, ir.NamedAttr{Name: "sdy.sharding_rule", Value: rule})
	}
	return g.typed(ir.OpCustomCall, attrs, bound, []ir.Type{x.Type}, x)
}

// elementRule returns a rule that is true of an element-wise op on those
// dimensions.
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
