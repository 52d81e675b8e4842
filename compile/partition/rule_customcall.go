package partition

// This file partitions custom calls: by the rules that they state, and by the rules of known
// targets.

import (
	"slices"

	"github.com/gospmd/gospmd/internal/lapack"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/sharding"
	"github.com/gospmd/gospmd/sharding/factor"
)

// elementCalls are the targets of custom calls that are element-wise, so that each dimension may be
// sharded.
var elementCalls = []string{
	"annotate_device_placement", "LayoutConstraint", "mhlo.erf", "MoveToDevice", "MoveToHost", "X64Combine", "X64SplitHigh", "X64SplitLow",
}

// lastDimCalls are the targets that need the last dimension unsharded.
var lastDimCalls = []string{"mhlo.topk"}

// customCall runs a custom call on shards if its target is known, or if it states a sharding rule.
// Nothing is known of other calls. A device computes the part of the results that belongs to its
// operands, so a factor may only be sharded if an operand and every result have it. JAX gives the
// results of a matrix decomposition factors that no operand has.
var customCall = &factorRule{
	factors: func(op *ir.Op) *factor.Rule {
		target := op.CustomCall().CallTargetName()
		if !op.Has(sharding.RuleAttr) && !slices.Contains(elementCalls, target) && !slices.Contains(lastDimCalls, target) && !lapack.Is(target) {
			return nil
		}
		rule, _, err := sharding.RuleOf(op, false)
		if err != nil || rule == nil || !isOfSizes(rule, op) {
			return nil
		}
		return rule
	},
	may: func(op *ir.Op, r *factor.Rule, f, _ int) bool {
		return appears(r.Operands, f) && !slices.ContainsFunc(r.Results, func(m factor.TensorMapping) bool { return m.DimOf(f) < 0 })
	},
}

// isOfSizes reports whether, in each dimension of op's operands and results, the product of the
// factors' sizes is the size of the dimension. Parts of factors are then parts of the dimension.
func isOfSizes(r *factor.Rule, op *ir.Op) bool {
	for i, v := range slices.Concat(op.Operands, op.Results) {
		for d, factors := range r.Mapping(i) {
			size := 1
			for _, f := range factors {
				size *= r.Factors[f].Size
			}
			if size != v.Type.Dims[d] {
				return false
			}
		}
	}
	return true
}
