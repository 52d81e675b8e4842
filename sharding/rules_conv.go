package sharding

// This file defines the rule of convolution.

import (
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/sharding/factor"
)

// convolutionRule has the factors batch group, batch, for each spatial
// dimension the windows and the positions within one, feature group, input
// feature, output feature.
//
// A spatial dimension of the input is cut into the number of windows times
// what is left; the larger one is the major factor. Splitting the windows
// means exchanging halos (a permutation), splitting the positions within a
// window means a sum. Conservative rules leave the spatial dimensions alone.
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
