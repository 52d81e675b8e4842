package sharding

// This file defines the rules of ops whose dimensions correspond one to one:
// element-wise ops, and those that differ only in what a split dimension needs.

import (
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/sharding/factor"
)

// pointwiseRule: all tensors have the same dimensions, which pass through.
// Scalars among the operands, as clamp and select allow, take no part.
func pointwiseRule(op *ir.Op, _ bool) *factor.Rule {
	if len(op.Results) == 0 {
		return nil
	}
	return newRule(op).pointwise(op.Results[0].Type.Dims, nil).build()
}

// barrierRule: as an identity; the direction is a matter of the op's
// allowed_direction, not of its factors.
func barrierRule(op *ir.Op, _ bool) *factor.Rule { return pointwiseRule(op, false) }

// reverseRule: a reversed dimension sends the first part to the last device.
func reverseRule(op *ir.Op, _ bool) *factor.Rule {
	reversed := make(map[int]bool)
	for _, d := range op.Ints("dimensions") {
		reversed[d] = true
	}
	return newRule(op).pointwise(op.Results[0].Type.Dims, func(d int) factor.Kind {
		if reversed[d] {
			return factor.Permutation
		}
		return factor.PassThrough
	}).build()
}

// bitcastRule: when the width of elements changes, one side has one more minor
// dimension, which holds the parts of an element.
func bitcastRule(op *ir.Op, _ bool) *factor.Rule {
	in, out := op.Operands[0].Type, op.Results[0].Type
	common := in.Dims[:min(in.Rank(), out.Rank())]
	b := newRule(op).pointwise(common, nil)
	switch n := len(common); {
	case in.Rank() > n:
		b.factor([]int{n}, []int{noDim}, in.Dims[n], factor.NeedReplication)
	case out.Rank() > n:
		b.factor([]int{noDim}, []int{n}, out.Dims[n], factor.NeedReplication)
	}
	return b.build()
}

// sortRule: the dimension that is sorted must be whole. When there is no other
// to split, nothing is propagated along it either.
func sortRule(op *ir.Op, _ bool) *factor.Rule {
	dims := op.Operands[0].Type.Dims
	sorted := len(dims) - 1
	if op.Has("dimension") {
		sorted = (op.Int("dimension") + len(dims)) % max(1, len(dims))
	}
	return wholeDimRule(op, dims, sorted, !hasOtherDim(dims, sorted))
}

// topKRule: as a sort of the last dimension whose result is cut.
func topKRule(op *ir.Op, _ bool) *factor.Rule {
	dims := op.Operands[0].Type.Dims
	return wholeDimRule(op, dims, len(dims)-1, true)
}

// wholeDimRule lets all dimensions pass but one, which must be whole.
func wholeDimRule(op *ir.Op, dims []int, whole int, blocked bool) *factor.Rule {
	b := newRule(op).pointwise(dims, func(d int) factor.Kind {
		if d == whole {
			return factor.NeedReplication
		}
		return factor.PassThrough
	})
	if blocked && whole < len(dims) {
		b.rule.Factors[whole].Blocked = true
	}
	return b.build()
}

// hasOtherDim reports whether a dimension other than d has more than one
// element.
func hasOtherDim(dims []int, d int) bool {
	for i, size := range dims {
		if i != d && size > 1 {
			return true
		}
	}
	return false
}

// rngBitGeneratorRule: every device needs the whole state; the bits may be
// split at will.
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
