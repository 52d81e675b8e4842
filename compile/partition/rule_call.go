package partition

// This file partitions custom calls.

import (
	"slices"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/sharding"
	"github.com/gospmd/gospmd/sharding/factor"
)

// elementCalls are the targets that treat every element alike.
var elementCalls = []string{
	"annotate_device_placement", "LayoutConstraint", "mhlo.erf", "MoveToDevice", "MoveToHost", "X64Combine", "X64SplitHigh", "X64SplitLow",
}

// lastDimCalls are the targets that want the last dimension whole.
var lastDimCalls = []string{"mhlo.topk"}

// customCall: a call that is known, or that states its sharding rule, runs on
// shards; of another one nothing is known.
var customCall = &factorRule{
	factors: func(op *ir.Op) *factor.Rule {
		target := op.CustomCall().CallTargetName()
		if !op.Has("sdy.sharding_rule") && !slices.Contains(elementCalls, target) && !slices.Contains(lastDimCalls, target) {
			return nil
		}
		rule, _, err := sharding.RuleOf(op, false)
		if err != nil {
			return nil
		}
		return rule
	},
}
