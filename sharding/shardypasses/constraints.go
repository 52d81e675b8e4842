package shardypasses

// This file applies sharding constraints before propagation.

import (
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/sharding"
	"github.com/gospmd/gospmd/sharding/internal/sdy"
)

// applyConstraints makes closed sharding constraints act on the value that they
// constrain, which is then made in that layout at once, unless another
// constraint on it differs. What a manual computation asks of its operands
// counts as a constraint. It is Shardy's pass apply-sharding-constraints:
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
