package sharding

// This file builds rules factor by factor.

import (
	"slices"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/sharding/factor"
)

// noDim says that a tensor does not have a factor.
const noDim = -1

// ruleBuilder collects the factors of an op's rule. The name of a factor follows from its number:
// factors are numbered in the order in which they are added.
type ruleBuilder struct {
	op   *ir.Op
	rule *factor.Rule
	room []int // memory for the first factor of each dimension
}

func newRule(op *ir.Op) *ruleBuilder {
	dims := 0
	for _, values := range [][]*ir.Value{op.Operands, op.Results} {
		for _, v := range values {
			dims += v.Type.Rank()
		}
	}
	tensors, room := make([]factor.TensorMapping, len(op.Operands)+len(op.Results)), make(factor.TensorMapping, dims)
	n := len(op.Operands)
	b := &ruleBuilder{op: op, rule: &factor.Rule{Operands: tensors[:n:n], Results: tensors[n:]}, room: make([]int, dims)}
	give := func(m []factor.TensorMapping, values []*ir.Value) {
		for i, v := range values {
			rank := v.Type.Rank()
			m[i], room = room[:rank:rank], room[rank:]
		}
	}
	give(b.rule.Operands, op.Operands)
	give(b.rule.Results, op.Results)
	return b
}

// add appends factor f, of the given size, to the factors of a dimension, dim, as its most minor
// part. It does not append a factor of size 1 to a dimension that has factors. It reports whether
// it appended f.
func (b *ruleBuilder) add(dim *[]int, f, size int) bool {
	switch {
	case len(*dim) == 0 && len(b.room) > 0:
		*dim, b.room = b.room[:1:1], b.room[1:]
		(*dim)[0] = f
	case len(*dim) == 0 || size != 1:
		*dim = append(*dim, f)
	default:
		return false
	}
	return true
}

// factor adds a factor of the given size and kind to the rule, and returns it, so that the caller
// can set its other fields. operands and results hold, for each tensor, the dimension that the
// factor is appended to, or noDim. Tensors beyond the ends of these lists do not have the factor.
// If no tensor has it, the rule does not get it, and what is returned belongs to no rule. The
// pointer is valid until the next factor is added.
func (b *ruleBuilder) factor(operands, results []int, size int, kind factor.Kind) *factor.Factor {
	used := false
	add := func(ms []factor.TensorMapping, dims []int) {
		for t, d := range dims {
			used = d != noDim && b.add(&ms[t][d], len(b.rule.Factors), size) || used
		}
	}
	add(b.rule.Operands, operands)
	add(b.rule.Results, results)
	return b.finish(used, size, kind)
}

// finish adds a factor of the given size and kind to the rule if used is true, that is, if a tensor
// has it, and returns it. Otherwise it returns a factor that belongs to no rule.
func (b *ruleBuilder) finish(used bool, size int, kind factor.Kind) *factor.Factor {
	if !used {
		return new(factor.Factor)
	}
	b.rule.Factors = append(b.rule.Factors, factor.Factor{Size: size, Kind: kind})
	return &b.rule.Factors[len(b.rule.Factors)-1]
}

// operandDim returns a list with dim for every operand of the op that is no scalar, and noDim for
// scalars: the argument operands of the method factor.
func (b *ruleBuilder) operandDim(dim int) []int { return dimOf(b.op.Operands, dim) }

// resultDim returns a list with dim for every result of the op that is no scalar, and noDim for
// scalars: the argument results of the method factor.
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

// addToAll adds a factor of the given size and kind to dimension dim of all tensors except scalars,
// and returns it, as the method factor does. If all are scalars, what it returns belongs to no
// rule.
func (b *ruleBuilder) addToAll(dim, size int, kind factor.Kind) *factor.Factor {
	used := false
	for i := range b.rule.NumTensors() {
		if m := b.rule.Mapping(i); len(m) > 0 {
			used = b.add(&m[dim], len(b.rule.Factors), size) || used
		}
	}
	return b.finish(used, size, kind)
}

// addPointwise adds a factor for each dimension, and returns b. dims are the sizes of the
// dimensions, the same for every tensor except scalars. kindOf returns the kind of a factor; if it
// is nil, all are PassThrough.
func (b *ruleBuilder) addPointwise(dims []int, kindOf func(dim int) factor.Kind) *ruleBuilder {
	b.rule.Factors = slices.Grow(b.rule.Factors, len(dims))
	for d, size := range dims {
		kind := factor.PassThrough
		if kindOf != nil {
			kind = kindOf(d)
		}
		b.addToAll(d, size, kind)
	}
	return b
}

// build returns the finished rule. Every dimension without a factor gets one of size 1, which
// nothing propagates along.
func (b *ruleBuilder) build() *factor.Rule {
	for _, ms := range [][]factor.TensorMapping{b.rule.Operands, b.rule.Results} {
		for _, m := range ms {
			for d := range m {
				if len(m[d]) == 0 {
					b.add(&m[d], len(b.rule.Factors), 1)
					b.rule.Factors = append(b.rule.Factors, factor.Factor{Size: 1})
				}
			}
		}
	}
	return b.rule
}
