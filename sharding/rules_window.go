package sharding

// This file defines the rules of reduce_window and select_and_scatter.

import (
	"slices"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/sharding/factor"
)

// isTrivialWindow reports whether the windows along dimension d are the
// elements themselves.
func isTrivialWindow(op *ir.Op, d int) bool {
	one := func(name string) bool {
		return op.Info().Attr(name) == nil || op.Ints(name)[d] == 1
	}
	pad := op.Matrix("padding")[d]
	return one("window_dimensions") && one("window_strides") && one("base_dilations") && one("window_dilations") &&
		!slices.ContainsFunc(pad, func(p int) bool { return p != 0 })
}

// reduceWindowRule: a dimension with real windows needs its neighbours' border.
func reduceWindowRule(op *ir.Op, conservative bool) *factor.Rule {
	b := newRule(op)
	for d, size := range op.Results[0].Type.Dims {
		f := b.everywhere(d, size, factor.PassThrough)
		if !isTrivialWindow(op, d) {
			f.Kind, f.Blocked = factor.Permutation, conservative
		}
	}
	return b.build()
}

// selectAndScatterRule: as reduceWindowRule between operand and result; the
// source, which has an element for each window, has such dimensions to itself.
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
