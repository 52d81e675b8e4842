package shardypasses

// This file writes the sharding rules into a program, to show them.

import (
	"slices"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/sharding"
	"github.com/gospmd/gospmd/sharding/factor"
	"github.com/gospmd/gospmd/sharding/internal/sdy"
)

// populateRules writes the rule of every op that has one into the program, as
// the attribute sdy.sharding_rule. A rule whose sums are spread over a result's
// dimensions, as that of batch_norm_training, can not be written as one.
func populateRules(m *ir.Module, conservative bool) error {
	var first error
	for _, f := range m.Funcs {
		f.Walk(func(op *ir.Op) {
			if isApplied(op) || op.Kind == ir.OpPropagationBarrier { // which has a way of its own through propagation
				return
			}
			rule, _, err := sharding.RuleOf(op, conservative)
			if err != nil && first == nil {
				first = err
			}
			if rule != nil && err == nil && !sumsIntoResults(rule) {
				setRule(op, rule)
			}
		})
	}
	return first
}

// sumsIntoResults reports whether a result has a dimension that is summed over.
func sumsIntoResults(r *factor.Rule) bool {
	return slices.ContainsFunc(r.Results, func(m factor.TensorMapping) bool {
		return slices.ContainsFunc(slices.Concat(m...), func(f int) bool { return r.Factors[f].Kind == factor.Reduction })
	})
}

// setRule makes rule an attribute of op.
func setRule(op *ir.Op, rule *factor.Rule) {
	op.Attrs = op.Attrs.With(sdy.RuleAttr, ir.Raw("#sdy.op_sharding_rule<"+rule.String()+">"))
}

// isApplied reports whether op is all that the body of a reduce does: the text
// "reduce … applies op" has no place for attributes of op.
func isApplied(op *ir.Op) bool {
	p := op.Block().Parent()
	return p != nil && p.Kind == ir.OpReduce && op.Block().Len() == 2 && len(p.Results) == 1
}
