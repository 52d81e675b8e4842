package sharding

// This file defines the rules of ops whose dimensions correspond one to one: element-wise ops, ops
// that differ from these in a few dimensions, and StableHLO's collectives in a program of global
// shapes.

import (
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/sharding/factor"
)

// pointwiseRule is the rule of element-wise ops: all tensors have the same dimensions, which pass
// through. Scalar operands, such as those of clamp and select, have no factors. It is nil for an op
// without results.
func pointwiseRule(op *ir.Op, _ bool) *factor.Rule {
	if len(op.Results) == 0 {
		return nil
	}
	return newRule(op).addPointwise(op.Results[0].Type.Dims, nil).build()
}

// barrierRule is the rule of propagation_barrier: that of an identity. The attribute
// allowed_direction limits the direction of propagation, not the factors.
func barrierRule(op *ir.Op, _ bool) *factor.Rule { return pointwiseRule(op, false) }

// reverseRule is the rule of reverse. The reversed dimensions have Permutation factors, because the
// first shard moves to the last device, and the others pass through.
func reverseRule(op *ir.Op, _ bool) *factor.Rule {
	reversed := make(map[int]bool)
	for _, d := range op.Ints("dimensions") {
		reversed[d] = true
	}
	return newRule(op).addPointwise(op.Results[0].Type.Dims, func(d int) factor.Kind {
		if reversed[d] {
			return factor.Permutation
		}
		return factor.PassThrough
	}).build()
}

// bitcastRule is the rule of bitcast_convert: dimensions pass through. If the width of elements
// changes, one side has one more dimension, the minor-most one, which holds the parts of an element
// and must be replicated.
func bitcastRule(op *ir.Op, _ bool) *factor.Rule {
	in, out := op.Operands[0].Type, op.Results[0].Type
	common := in.Dims[:min(in.Rank(), out.Rank())]
	b := newRule(op).addPointwise(common, nil)
	switch n := len(common); {
	case in.Rank() > n:
		b.factor([]int{n}, []int{noDim}, in.Dims[n], factor.NeedReplication)
	case out.Rank() > n:
		b.factor([]int{noDim}, []int{n}, out.Dims[n], factor.NeedReplication)
	}
	return b.build()
}

// rngBitGeneratorRule is the rule of rng_bit_generator: every device needs the full state. The
// generated bits may have any sharding.
func rngBitGeneratorRule(op *ir.Op, _ bool) *factor.Rule {
	b := newRule(op)
	for d, size := range op.Operands[0].Type.Dims {
		b.factor([]int{d}, []int{d, noDim}, size, factor.NeedReplication).Blocked = true
	}
	for d, size := range op.Results[1].Type.Dims {
		b.factor(nil, []int{noDim, d}, size, factor.PassThrough)
	}
	return b.build()
}

// allGatherRule is the rule of all_gather: all dimensions pass through except the gathered one,
// which has different factors in the operand and in the result.
func allGatherRule(op *ir.Op, _ bool) *factor.Rule {
	return changedDimsRule(op, op.Int("all_gather_dim"))
}

// reduceScatterRule is the rule of reduce_scatter: all dimensions pass through except the scattered
// one, which has different factors in the operand and in the result.
func reduceScatterRule(op *ir.Op, _ bool) *factor.Rule {
	return changedDimsRule(op, op.Int("scatter_dimension"))
}

// allToAllRule is the rule of all_to_all: all dimensions pass through except the split and the
// joined one, which have different factors in operand and result.
func allToAllRule(op *ir.Op, _ bool) *factor.Rule {
	split, concat := op.Int("split_dimension"), op.Int("concat_dimension")
	if split == concat {
		return changedDimsRule(op, split)
	}
	return changedDimsRule(op, split, concat)
}

// changedDimsRule returns the rule in which all dimensions pass through except the changed ones.
// These have one factor in the operands and another one in the results, and must be replicated.
func changedDimsRule(op *ir.Op, changed ...int) *factor.Rule {
	b := newRule(op)
	in, out := op.Operands[0].Type.Dims, op.Results[0].Type.Dims
	isChanged := make([]bool, len(in))
	for _, d := range changed {
		isChanged[d] = true
	}
	for d, size := range in {
		if !isChanged[d] {
			b.addToAll(d, size, factor.PassThrough)
		}
	}
	for _, d := range changed {
		b.factor(b.operandDim(d), nil, in[d], factor.NeedReplication)
		b.factor(nil, b.resultDim(d), out[d], factor.NeedReplication)
	}
	return b.build()
}
