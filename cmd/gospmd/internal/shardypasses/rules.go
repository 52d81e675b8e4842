package shardypasses

// This file writes sharding rules into programs and takes them out again, and
// applies sharding constraints, which leaves rules.

import (
	"slices"

	"github.com/gospmd/gospmd/internal/sdy"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/sharding"
	"github.com/gospmd/gospmd/sharding/factor"
)

// populateRules writes the rule of every op that has one into the program, as
// the attribute sdy.sharding_rule. A rule whose sums are spread over a result's
// dimensions, as that of batch_norm_training, can not be written as one.
func populateRules(m *ir.Module, conservative bool) error {
	var first error
	for _, f := range m.Funcs {
		f.Walk(func(op *ir.Op) {
			// which propagation handles by itself
			if isApplied(op) || op.Kind == ir.OpPropagationBarrier {
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

// isApplied reports whether op is all that the body of a reduce does, on its arguments in their
// order: the text "reduce … applies op" has no place for attributes of op.
func isApplied(op *ir.Op) bool {
	p := op.Block().Parent()
	return p != nil && p.Kind == ir.OpReduce && op.Block().Len() == 2 && len(p.Results) == 1 && slices.Equal(op.Operands, op.Block().Args)
}

// applyConstraints makes closed sharding constraints act on the value that they constrain, which
// is then made in that layout at once, unless another constraint on it differs. The operand
// shardings of a manual computation count as constraints. It is Shardy's pass
// apply-sharding-constraints:
//
//   - a value without a sharding gets the constraint's
//   - where a value flows between blocks, the constraint moves right behind it
//     and takes its place in all other uses, so that the other sources and
//     targets of the flow stay free
//   - of a chain of constraints on a value that nothing else constrains, the
//     last takes the value's place in the uses behind it
//
// A constraint that has given a value its sharding gets the rule of its op as an
// attribute, as in Shardy.
func applyConstraints(m *ir.Module) {
	for _, op := range sdy.ApplyConstraints(m) {
		if op.Kind == ir.OpShardingConstraint {
			if rule, _, err := sharding.RuleOf(op, false); err == nil && rule != nil {
				setRule(op, rule)
			}
		}
	}
}

// dropRules removes the sharding rules that populateRules has written into the
// program, not those that users state: Shardy's pass drop-sharding-rules.
func dropRules(m *ir.Module) {
	for _, f := range m.Funcs {
		f.Walk(func(op *ir.Op) {
			if rule, _, err := sharding.RuleOf(op, false); op.Has(sdy.RuleAttr) && (err != nil || rule == nil || !rule.Custom) {
				op.Attrs = op.Attrs.Without(sdy.RuleAttr)
			}
		})
	}
}
