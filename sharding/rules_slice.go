package sharding

// This file defines the rules of ops that cut and join along dimensions.

import (
	"slices"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/sharding/factor"
)

// sliceRule: a dimension that is cut keeps its split, at the price of moving
// what lies on the wrong device.
func sliceRule(op *ir.Op, conservative bool) *factor.Rule { return resizeRule(op, conservative) }

// padRule: as for a slice; the padding value is a scalar.
func padRule(op *ir.Op, conservative bool) *factor.Rule { return resizeRule(op, conservative) }

// resizeRule relates a tensor to one of the same rank whose dimensions of
// another size are permutations, of the operand's size.
func resizeRule(op *ir.Op, conservative bool) *factor.Rule {
	b := newRule(op)
	out := op.Results[0].Type.Dims
	for d, size := range op.Operands[0].Type.Dims {
		f := b.everywhere(d, size, factor.PassThrough)
		if out[d] != size {
			f.Kind, f.Blocked = factor.Permutation, conservative
		}
	}
	return b.build()
}

// dynamicSliceRule: where the slice lies is not known, so a dimension that is
// cut must be whole.
func dynamicSliceRule(op *ir.Op, _ bool) *factor.Rule {
	b := newRule(op)
	out := op.Results[0].Type.Dims
	for d, size := range op.Operands[0].Type.Dims {
		f := b.factor([]int{d}, []int{d}, size, factor.PassThrough)
		if out[d] != size {
			f.Kind, f.Blocked = factor.NeedReplication, true
		}
	}
	return b.build()
}

// dynamicUpdateSliceRule: the result is split as the operand; an update that
// covers a dimension only in part has that dimension to itself, and must have
// it whole unless all indices are known.
func dynamicUpdateSliceRule(op *ir.Op, _ bool) *factor.Rule {
	kind := factor.NeedReplication
	if !slices.ContainsFunc(op.Operands[2:], func(v *ir.Value) bool { return !isConstant(v) }) {
		kind = factor.PassThrough
	}
	b := newRule(op)
	update := op.Operands[1].Type.Dims
	for d, size := range op.Operands[0].Type.Dims {
		if update[d] == size {
			b.factor([]int{d, d}, []int{d}, size, factor.PassThrough)
			continue
		}
		b.factor([]int{d, noDim}, []int{d}, size, factor.PassThrough)
		b.factor([]int{noDim, d}, nil, update[d], kind)
	}
	return b.build()
}

func isConstant(v *ir.Value) bool {
	return v.Def() != nil && (v.Def().Kind == ir.OpConstant || v.Def().Kind == ir.OpSdyConstant)
}

// concatenateRule: the joined dimension must be whole, unless the operands are
// cut out of something that could stay where it is.
func concatenateRule(op *ir.Op, conservative bool) *factor.Rule {
	joined := op.Int("dimension")
	kind := factor.NeedReplication
	if joinsSlices(op) {
		kind = factor.Permutation
	}
	b := newRule(op)
	for d, size := range op.Results[0].Type.Dims {
		switch {
		case d != joined:
			b.everywhere(d, size, factor.PassThrough)
		case !conservative:
			b.everywhere(d, size, kind)
		}
	}
	return b.build()
}

// joinsSlices reports whether all operands are slices, or all are slices of
// one tensor or that tensor itself.
func joinsSlices(op *ir.Op) bool {
	all, some, oneSource := true, false, true
	var source *ir.Value
	for _, v := range op.Operands {
		from := v
		if def := v.Def(); def != nil && def.Kind == ir.OpSlice {
			from, some = def.Operands[0], true
		} else {
			all = false
		}
		if source == nil {
			source = from
		}
		oneSource = oneSource && from == source
	}
	return all || some && oneSource
}
