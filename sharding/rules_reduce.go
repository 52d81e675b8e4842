package sharding

// This file defines the rules of reductions and of batch normalization.

import (
	"slices"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/sharding/factor"
)

// reduceRule: the dimensions that stay pass through, the others are summed (in
// the sense of the op's body). The second half of the operands are scalars.
func reduceRule(op *ir.Op, _ bool) *factor.Rule {
	b := newRule(op)
	reduced := op.Ints("dimensions")
	out := 0
	for d, size := range op.Operands[0].Type.Dims {
		if slices.Contains(reduced, d) {
			b.factor(b.operandDim(d), nil, size, factor.Reduction)
			continue
		}
		b.factor(b.operandDim(d), b.resultDim(out), size, factor.PassThrough)
		out++
	}
	return b.build()
}

// batchNormInferenceRule: the feature dimension is that of the four vectors.
func batchNormInferenceRule(op *ir.Op, _ bool) *factor.Rule {
	return batchNorm(op, factor.PassThrough)
}

// batchNormTrainingRule: as for inference, but the statistics among the
// results are sums over all other dimensions. It fits the gradient as well.
func batchNormTrainingRule(op *ir.Op, _ bool) *factor.Rule {
	return batchNorm(op, factor.Reduction)
}

// batchNorm gives the vectors among the tensors the feature dimension only;
// the other dimensions are of the given kind.
func batchNorm(op *ir.Op, others factor.Kind) *factor.Rule {
	b := newRule(op)
	feature := op.Int("feature_index")
	dims := op.Operands[0].Type.Dims
	at := func(values []*ir.Value, d int) []int {
		out := make([]int, len(values))
		for i, v := range values {
			switch {
			case v.Type.Rank() == len(dims) && len(dims) > 1:
				out[i] = d
			case d == feature:
				out[i] = 0
			default:
				out[i] = noDim
			}
		}
		return out
	}
	for d, size := range dims {
		kind := others
		if d == feature {
			kind = factor.PassThrough
		}
		b.factor(at(op.Operands, d), at(op.Results, d), size, kind)
	}
	return b.build()
}
