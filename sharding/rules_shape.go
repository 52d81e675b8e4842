package sharding

// This file defines the rules of ops that change the shape of a tensor, or slice and join tensors:
// broadcast_in_dim, transpose, reshape, slices, pad and concatenate.

import (
	"slices"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/sharding/factor"
)

// broadcastRule is the rule of broadcast_in_dim. It has a factor for each dimension of the result.
// A dimension of the operand that is expanded from size 1 has a factor of its own.
func broadcastRule(op *ir.Op, _ bool) *factor.Rule {
	b := newRule(op)
	in := op.Operands[0].Type.Dims
	from := op.Ints("broadcast_dimensions")
	for d, size := range op.Results[0].Type.Dims {
		i := slices.Index(from, d)
		if i >= 0 && in[i] != size {
			b.factor([]int{i}, nil, in[i], factor.PassThrough)
			i = noDim
		}
		b.factor([]int{i}, []int{d}, size, factor.PassThrough)
	}
	return b.build()
}

// transposeRule is the rule of transpose. It has a factor for each dimension of the result, which
// the operand has at the place before the permutation.
func transposeRule(op *ir.Op, _ bool) *factor.Rule {
	b := newRule(op)
	perm := op.Ints("permutation")
	for d, size := range op.Results[0].Type.Dims {
		b.factor([]int{perm[d]}, []int{d}, size, factor.PassThrough)
	}
	return b.build()
}

// reshapeRule is the rule of reshape. It walks through both shapes from the major side, and divides
// them into factors that they share as far as possible. It returns nil for tensors without
// elements.
//
// As long as the products of the parts walked so far are equal, the next factor is the greatest
// common divisor of the rests of the two current dimensions. If that is 1, each side gets a factor
// of its own; then the side with the smaller product continues with factors of its own until the
// products are equal again. Dimensions of size 1 have a factor of their own.
func reshapeRule(op *ir.Op, _ bool) *factor.Rule {
	if op.Operands[0].Type.Size() == 0 {
		return nil
	}
	b := newRule(op)
	in := reshapeSide{dims: op.Operands[0].Type.Dims, product: 1, add: func(d, size int) {
		b.factor([]int{d}, nil, size, factor.PassThrough)
	}}
	out := reshapeSide{dims: op.Results[0].Type.Dims, product: 1, add: func(d, size int) {
		b.factor(nil, []int{d}, size, factor.PassThrough)
	}}
	for in.start() != out.start() || in.left > 0 {
		switch {
		case in.isOne():
			in.takeOwn(1)
		case out.isOne():
			out.takeOwn(1)
		case in.product < out.product:
			in.catchUp(&out)
		case in.product > out.product:
			out.catchUp(&in)
		default:
			g := gcd(in.left, out.left)
			if g == 1 {
				in.takeOwn(in.left)
				out.takeOwn(out.left)
				continue
			}
			b.factor([]int{in.dim}, []int{out.dim}, g, factor.PassThrough)
			in.take(g)
			out.take(g)
		}
	}
	return b.build()
}

// reshapeSide is the state of a walk through the dimensions of the operand or of the result of a
// reshape, which finds their common factors.
type reshapeSide struct {
	dims    []int
	dim     int // the current dimension
	left    int // the rest of the current dimension; 0 before it is started
	product int // the product of all parts walked so far
	add     func(dim, size int)
}

// start starts the current dimension, unless it is started already. It returns false if all
// dimensions are walked through.
func (s *reshapeSide) start() bool {
	if s.left == 0 && s.dim < len(s.dims) {
		s.left = s.dims[s.dim]
	}
	return s.left > 0
}

// isOne reports whether the current dimension has size 1.
func (s *reshapeSide) isOne() bool { return s.dim < len(s.dims) && s.dims[s.dim] == 1 }

// take advances by the factor n, which must divide the rest of the current dimension.
func (s *reshapeSide) take(n int) {
	s.product *= n
	s.left /= n
	if s.left == 1 {
		s.dim, s.left = s.dim+1, 0
	}
}

// takeOwn advances by the factor n, which only this side of the reshape has.
func (s *reshapeSide) takeOwn(n int) {
	s.add(s.dim, n)
	s.take(n)
}

// catchUp advances by one factor that only this side has, towards the product of o, the other side.
func (s *reshapeSide) catchUp(o *reshapeSide) {
	if q := o.product / s.product; o.product%s.product == 0 && s.left%q == 0 {
		s.takeOwn(q)
		return
	}
	n := s.left
	if o.left > 0 {
		if r := n / gcd(n, o.left); r > 1 {
			n = r
		}
	}
	s.takeOwn(n)
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// sliceRule is the rule of slice: all dimensions pass through, but a sliced one is a Permutation.
// Conservative rules do not propagate along it. Elements move to the devices whose shards they
// belong to.
func sliceRule(op *ir.Op, conservative bool) *factor.Rule { return resizeRule(op, conservative) }

// padRule is the rule of pad, which is like sliceRule: a padded dimension is a Permutation. The
// padding value is a scalar.
func padRule(op *ir.Op, conservative bool) *factor.Rule { return resizeRule(op, conservative) }

// resizeRule returns the rule of an op whose operand and result have the same rank. A dimension
// whose size changes has a Permutation factor of the operand's size. If conservative is true,
// nothing propagates along it. The others pass through.
func resizeRule(op *ir.Op, conservative bool) *factor.Rule {
	b := newRule(op)
	out := op.Results[0].Type.Dims
	for d, size := range op.Operands[0].Type.Dims {
		f := b.addToAll(d, size, factor.PassThrough)
		if out[d] != size {
			f.Kind, f.Blocked = factor.Permutation, conservative
		}
	}
	return b.build()
}

// dynamicSliceRule is the rule of dynamic_slice: the start of the slice is not known, so a sliced
// dimension must be replicated, and nothing propagates along it. The others pass through.
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

// dynamicUpdateSliceRule is the rule of dynamic_update_slice: the result has the sharding of the
// operand. A dimension that the update covers in full is common to all three. One that it covers
// only in part has a factor of its own in the update, which must be replicated unless all indices
// are constant.
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

// concatenateRule is the rule of concatenate: the concatenated dimension must be replicated, or is
// a Permutation if the operands are slices whose elements could stay on their devices. Conservative
// rules do not shard it. The others pass through.
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
			b.addToAll(d, size, factor.PassThrough)
		case !conservative:
			b.addToAll(d, size, kind)
		}
	}
	return b.build()
}

// joinsSlices reports whether all operands are slices, or at least one is a slice and the others
// are its source or slices of it.
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
