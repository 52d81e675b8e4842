package sharding

// This file builds rules factor by factor.

import (
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/sharding/factor"
)

// noDim marks a tensor that a factor does not appear in.
const noDim = -1

// ruleBuilder collects the factors of one op's rule. Factors are named in the
// order in which they are added.
type ruleBuilder struct {
	op   *ir.Op
	rule *factor.Rule
}

func newRule(op *ir.Op) *ruleBuilder {
	b := &ruleBuilder{op: op, rule: &factor.Rule{
		Operands: make([]factor.TensorMapping, len(op.Operands)),
		Results:  make([]factor.TensorMapping, len(op.Results)),
	}}
	for i, v := range op.Operands {
		b.rule.Operands[i] = make(factor.TensorMapping, v.Type.Rank())
	}
	for i, v := range op.Results {
		b.rule.Results[i] = make(factor.TensorMapping, v.Type.Rank())
	}
	return b
}

// factor adds a factor of the given size. operands and results hold, for each
// tensor, the dimension that the factor is the next minor part of, or noDim;
// tensors beyond the lists do not have the factor. One that no tensor has is
// left out.
func (b *ruleBuilder) factor(operands, results []int, size int, kind factor.Kind) *factor.Factor {
	f := len(b.rule.Factors)
	used := false
	add := func(ms []factor.TensorMapping, dims []int) {
		for t, d := range dims {
			// A factor of size 1 adds nothing to a dimension that has factors.
			if d != noDim && (size != 1 || len(ms[t][d]) == 0) {
				ms[t][d] = append(ms[t][d], f)
				used = true
			}
		}
	}
	add(b.rule.Operands, operands)
	add(b.rule.Results, results)
	if !used {
		return new(factor.Factor)
	}
	b.rule.Factors = append(b.rule.Factors, factor.Factor{Size: size, Kind: kind})
	return &b.rule.Factors[f]
}

// operandDim returns operands for factor: dim of every operand that has any
// dimensions.
func (b *ruleBuilder) operandDim(dim int) []int { return dimOf(b.op.Operands, dim) }

// resultDim is operandDim for results.
func (b *ruleBuilder) resultDim(dim int) []int { return dimOf(b.op.Results, dim) }

func dimOf(values []*ir.Value, dim int) []int {
	out := make([]int, len(values))
	for i, v := range values {
		out[i] = dim
		if v.Type.Rank() == 0 {
			out[i] = noDim
		}
	}
	return out
}

// everywhere adds a factor that is dimension dim of all tensors but scalars.
func (b *ruleBuilder) everywhere(dim, size int, kind factor.Kind) *factor.Factor {
	return b.factor(b.operandDim(dim), b.resultDim(dim), size, kind)
}

// pointwise adds a factor for each of dims, the dimensions of every tensor
// that is not a scalar. kindOf may be nil: all pass through.
func (b *ruleBuilder) pointwise(dims []int, kindOf func(dim int) factor.Kind) *ruleBuilder {
	for d, size := range dims {
		kind := factor.PassThrough
		if kindOf != nil {
			kind = kindOf(d)
		}
		b.everywhere(d, size, kind)
	}
	return b
}

// build completes the rule: every dimension without a factor gets one of size
// 1, which nothing can be propagated along.
func (b *ruleBuilder) build() *factor.Rule {
	for _, ms := range [][]factor.TensorMapping{b.rule.Operands, b.rule.Results} {
		for _, m := range ms {
			for d := range m {
				if len(m[d]) == 0 {
					m[d] = []int{len(b.rule.Factors)}
					b.rule.Factors = append(b.rule.Factors, factor.Factor{Size: 1})
				}
			}
		}
	}
	return b.rule
}
