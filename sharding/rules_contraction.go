package sharding

// This file defines the rules of ops that reduce over dimensions or windows:
// matrix products, convolution, reductions, batch normalization, reduce_window
// and select_and_scatter.

import (
	"slices"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/sharding/factor"
)

// dotGeneralRule is the rule of dot_general. Its factors are the batch dimensions, the other ones
// of lhs, the other ones of rhs, and the contracted ones, in this order. The result has all except
// the contracted ones.
func dotGeneralRule(op *ir.Op, _ bool) *factor.Rule {
	return dotRuleOf(op, op.DotGeneral().DotDimensionNumbers())
}

// dotRule is the rule of stablehlo.dot, the predecessor of dot_general, whose operands are vectors
// or matrices: the last dimension of the left one is contracted with the first of the right one.
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

// convolutionRule is the rule of convolution. Its factors are: batch group; batch; for each spatial
// dimension the windows and the positions within a window; feature group; input feature; output
// feature.
//
// A spatial dimension of the input consists of a factor for the number of windows and one for the
// positions within a window; the larger of the two is the major one. Sharding the windows needs
// halo exchanges (Permutation). Sharding the positions within a window gives partial sums
// (Reduction). Conservative rules do not shard spatial dimensions.
func convolutionRule(op *ir.Op, conservative bool) *factor.Rule {
	b := newRule(op)
	c := op.Convolution().DimensionNumbers()
	in, kernel, out := op.Operands[0].Type.Dims, op.Operands[1].Type.Dims, op.Results[0].Type.Dims

	if n := op.Int("batch_group_count"); n > 1 {
		b.factor([]int{c.InputBatch, c.KernelOutputFeature}, []int{c.OutputFeature}, n, factor.PassThrough)
	}
	b.factor([]int{c.InputBatch, noDim}, []int{c.OutputBatch}, out[c.OutputBatch], factor.PassThrough)

	for i, d := range c.InputSpatial {
		if conservative {
			break
		}
		k, o := c.KernelSpatial[i], c.OutputSpatial[i]
		rest := in[d]
		take := func(size int, operands, results []int, kind factor.Kind) {
			if size = min(size, rest); size > 1 {
				b.factor(operands, results, size, kind)
				rest /= size
			}
		}
		windows := func() { take(out[o], []int{d, noDim}, []int{o}, factor.Permutation) }
		positions := func() { take(kernel[k], []int{d, k}, nil, factor.Reduction) }
		if out[o] >= kernel[k] {
			windows()
			positions()
		} else {
			positions()
			windows()
		}
	}

	groups := op.Int("feature_group_count")
	if groups > 1 {
		b.factor([]int{c.InputFeature, c.KernelOutputFeature}, []int{c.OutputFeature}, groups, factor.PassThrough)
	}
	b.factor([]int{c.InputFeature, c.KernelInputFeature}, nil, kernel[c.KernelInputFeature], factor.Reduction)
	if perGroup := out[c.OutputFeature] / max(1, groups*op.Int("batch_group_count")); perGroup > 1 {
		b.factor([]int{noDim, c.KernelOutputFeature}, []int{c.OutputFeature}, perGroup, factor.PassThrough)
	}
	return b.build()
}

// reduceRule is the rule of reduce. The kept dimensions have PassThrough factors, and the reduced
// ones Reduction factors. The second half of the operands, the initial values, are scalars.
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

// batchNormInferenceRule is the rule of batch_norm_inference: all dimensions of the operand pass
// through; the scale, the offset, the mean and the variance have only the feature dimension.
func batchNormInferenceRule(op *ir.Op, _ bool) *factor.Rule {
	return batchNorm(op, factor.PassThrough)
}

// batchNormTrainingRule is the rule of batch_norm_training and batch_norm_grad: that of
// batchNormInferenceRule, but the statistics among the results are sums over all other dimensions.
func batchNormTrainingRule(op *ir.Op, _ bool) *factor.Rule {
	return batchNorm(op, factor.Reduction)
}

// batchNorm returns the rule of a batch normalization: the vectors have only the feature dimension,
// which passes through. The other dimensions of the operand have factors of the given kind.
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

// isTrivialWindow reports whether a window along dimension d has only one element, and stride and
// dilations are 1 and there is no padding.
func isTrivialWindow(op *ir.Op, d int) bool {
	one := func(name string) bool {
		return op.Info().Attr(name) == nil || op.Ints(name)[d] == 1
	}
	pad := op.Matrix("padding")[d]
	return one("window_dimensions") && one("window_strides") && one("base_dilations") && one("window_dilations") &&
		!slices.ContainsFunc(pad, func(p int) bool { return p != 0 })
}

// reduceWindowRule is the rule of reduce_window: dimensions pass through. Along a dimension with
// windows that are not trivial (isTrivialWindow), devices need the borders of their neighbours'
// shards (Permutation); if conservative is true, nothing propagates along it.
func reduceWindowRule(op *ir.Op, conservative bool) *factor.Rule {
	b := newRule(op)
	for d, size := range op.Results[0].Type.Dims {
		f := b.addToAll(d, size, factor.PassThrough)
		if !isTrivialWindow(op, d) {
			f.Kind, f.Blocked = factor.Permutation, conservative
		}
	}
	return b.build()
}

// selectAndScatterRule is the rule of select_and_scatter: reduceWindowRule for the operand and the
// result. In a dimension with windows that are not trivial, the source, which has one element for
// each window, has its own factor. If conservative is true, nothing propagates along such a
// dimension.
func selectAndScatterRule(op *ir.Op, conservative bool) *factor.Rule {
	b := newRule(op)
	source := op.Operands[1].Type.Dims
	for d, size := range op.Results[0].Type.Dims {
		if isTrivialWindow(op, d) {
			b.factor([]int{d, d}, []int{d}, size, factor.PassThrough)
			continue
		}
		b.factor([]int{noDim, d}, nil, source[d], factor.NeedReplication).Blocked = conservative
		b.factor([]int{d, noDim}, []int{d}, size, factor.Permutation).Blocked = conservative
	}
	return b.build()
}
