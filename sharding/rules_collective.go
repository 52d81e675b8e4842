package sharding

// This file defines the rules of StableHLO's collectives in a program of
// global shapes. Their groups are given by hand, so the dimensions that they
// change must be whole.

import (
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/sharding/factor"
)

// allGatherRule: the gathered dimension has another size on each side.
func allGatherRule(op *ir.Op, _ bool) *factor.Rule {
	return changedDimsRule(op, op.Int("all_gather_dim"))
}

// reduceScatterRule: as allGatherRule.
func reduceScatterRule(op *ir.Op, _ bool) *factor.Rule {
	return changedDimsRule(op, op.Int("scatter_dimension"))
}

// allToAllRule: both the split and the joined dimension change.
func allToAllRule(op *ir.Op, _ bool) *factor.Rule {
	split, concat := op.Int("split_dimension"), op.Int("concat_dimension")
	if split == concat {
		return changedDimsRule(op, split)
	}
	return changedDimsRule(op, split, concat)
}

// changedDimsRule lets all dimensions pass but the given ones, which get two
// factors: the operands' and the results'.
func changedDimsRule(op *ir.Op, changed ...int) *factor.Rule {
	b := newRule(op)
	in, out := op.Operands[0].Type.Dims, op.Results[0].Type.Dims
	isChanged := make([]bool, len(in))
	for _, d := range changed {
		isChanged[d] = true
	}
	for d, size := range in {
		if !isChanged[d] {
			b.everywhere(d, size, factor.PassThrough)
		}
	}
	for _, d := range changed {
		b.factor(b.operandDim(d), nil, in[d], factor.NeedReplication)
		b.factor(nil, b.resultDim(d), out[d], factor.NeedReplication)
	}
	return b.build()
}
