package sharding

// This file defines the rules of matrix products.

import (
	"slices"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/sharding/factor"
)

// dotGeneralRule has the factors in the order batch, free left, free right,
// contracted, which is that of the result's dimensions and then the sum's.
func dotGeneralRule(op *ir.Op, _ bool) *factor.Rule {
	return dotRuleOf(op, op.DotGeneral().DotDimensionNumbers())
}

// dotRule is dotGeneralRule for the older stablehlo.dot, whose operands are
// vectors or matrices.
func dotRule(op *ir.Op, _ bool) *factor.Rule {
	return dotRuleOf(op, &ir.DotDims{
		LHSContracting: []int{op.Operands[0].Type.Rank() - 1},
		RHSContracting: []int{0},
	})
}

func dotRuleOf(op *ir.Op, d *ir.DotDims) *factor.Rule {
	b := newRule(op)
	lhs, rhs := op.Operands[0].Type.Dims, op.Operands[1].Type.Dims
	out := 0
	add := func(l, r, size int) {
		b.factor([]int{l, r}, []int{out}, size, factor.PassThrough)
		out++
	}
	for i, l := range d.LHSBatch {
		add(l, d.RHSBatch[i], lhs[l])
	}
	for l, size := range lhs {
		if !slices.Contains(d.LHSBatch, l) && !slices.Contains(d.LHSContracting, l) {
			add(l, noDim, size)
		}
	}
	for r, size := range rhs {
		if !slices.Contains(d.RHSBatch, r) && !slices.Contains(d.RHSContracting, r) {
			add(noDim, r, size)
		}
	}
	for i, l := range d.LHSContracting {
		b.factor([]int{l, d.RHSContracting[i]}, nil, lhs[l], factor.Reduction)
	}
	return b.build()
}
