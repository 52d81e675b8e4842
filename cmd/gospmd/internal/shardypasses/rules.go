package shardypasses

// This file adds sharding rules to programs and removes them. It also applies sharding constraints,
// which adds rules.

import (
	"slices"

	"github.com/gospmd/gospmd/internal/sdy"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/sharding"
	"github.com/gospmd/gospmd/sharding/factor"
)

// populateRules adds the rule of every op that has one, as the attribute sdy.sharding_rule;
// conservative chooses the rules for conservative propagation. It omits a rule that sums over a
// dimension of a result, such as that of batch_norm_training: such a rule is not valid as an
// attribute. It returns the first error of a rule that an op states, after all others are added.
func populateRules(m *ir.Module, conservative bool) error {
	var first error
	for _, f := range m.Funcs {
		f.Walk(func(op *ir.Op) {
			// propagation handles these without a rule
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

// sumsIntoResults reports whether a result of the rule has a Reduction factor.
func sumsIntoResults(r *factor.Rule) bool {
	return slices.ContainsFunc(r.Results, func(m factor.TensorMapping) bool {
		return slices.ContainsFunc(slices.Concat(m...), func(f int) bool { return r.Factors[f].Kind == factor.Reduction })
	})
}

// setRule makes rule an attribute of op.
func setRule(op *ir.Op, rule *factor.Rule) {
	op.Attrs = op.Attrs.With(sdy.RuleAttr, ir.Raw("#sdy.op_sharding_rule<"+rule.String()+">"))
}

// isApplied reports whether op is the whole body of a reduce, on its arguments in their order: the
// text "reduce … applies op" cannot show attributes of op.
func isApplied(op *ir.Op) bool {
	p := op.Block().Parent()
	return p != nil && p.Kind == ir.OpReduce && op.Block().Len() == 2 && len(p.Results) == 1 && slices.Equal(op.Operands, op.Block().Args)
}

// applyConstraints applies closed sharding constraints to the values that they constrain, so that a
// value is computed in that sharding. It does not do so if another constraint on the value differs.
// The operand shardings of a manual computation count as constraints. It is Shardy's pass
// apply-sharding-constraints:
//
//   - a value without a sharding gets the sharding of the constraint
//   - if a value flows between blocks, the constraint moves right after it and replaces it in all
//     other uses. So the other sources and targets of the flow stay free
//   - in a chain of constraints on a value without other constraints, the last one replaces the
//     value in the uses after it
//
// A constraint that gives a value its sharding gets the rule of its op as an attribute, as in
// Shardy.
func applyConstraints(m *ir.Module) {
	for _, op := range sdy.ApplyConstraints(m) {
		if op.Kind == ir.OpShardingConstraint {
			if rule, _, err := sharding.RuleOf(op, false); err == nil && rule != nil {
				setRule(op, rule)
			}
		}
	}
}

// dropRules removes the sharding rules that populateRules has added. It keeps those that users
// state. It is Shardy's pass drop-sharding-rules.
func dropRules(m *ir.Module) {
	for _, f := range m.Funcs {
		f.Walk(func(op *ir.Op) {
			if rule, _, err := sharding.RuleOf(op, false); op.Has(sdy.RuleAttr) && (err != nil || rule == nil || !rule.Custom) {
				op.Attrs = op.Attrs.Without(sdy.RuleAttr)
			}
		})
	}
}
