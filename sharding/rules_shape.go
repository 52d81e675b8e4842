package sharding

// This file defines the rules of ops that change the shape and nothing else:
// broadcast_in_dim, transpose and reshape.

import (
	"slices"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/sharding/factor"
)

// broadcastRule has a factor for each dimension of the result. An operand's
// dimension of size 1 that is expanded has its own.
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

// transposeRule has a factor for each dimension of the result.
func transposeRule(op *ir.Op, _ bool) *factor.Rule {
	b := newRule(op)
	perm := op.Ints("permutation")
	for d, size := range op.Results[0].Type.Dims {
		b.factor([]int{perm[d]}, []int{d}, size, factor.PassThrough)
	}
	return b.build()
}

// reshapeRule walks both shapes from the major side and cuts them into factors
// that they share as far as possible.
//
// While the products of what has been walked are equal, the next factor is the
// greatest common divisor of what is left of the two dimensions. Where that is
// 1 each side gets a factor of its own; then the side that is behind walks on
// by own factors until the products meet again. Dimensions of size 1 have
// their own factor.
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
			in.own(1)
		case out.isOne():
			out.own(1)
		case in.product < out.product:
			in.catchUp(&out)
		case in.product > out.product:
			out.catchUp(&in)
		default:
			g := gcd(in.left, out.left)
			if g == 1 {
				in.own(in.left)
				out.own(out.left)
				continue
			}
			b.factor([]int{in.dim}, []int{out.dim}, g, factor.PassThrough)
			in.take(g)
			out.take(g)
		}
	}
	return b.build()
}

// reshapeSide is the walk along one side of a reshape.
type reshapeSide struct {
	dims    []int
	dim     int // the dimension that is being walked
	left    int // what is left of it; 0 before it is started
	product int // of all that has been walked
	add     func(dim, size int)
}

// start begins the current dimension, if it is not begun; false at the end.
func (s *reshapeSide) start() bool {
	if s.left == 0 && s.dim < len(s.dims) {
		s.left = s.dims[s.dim]
	}
	return s.left > 0
}

// isOne reports whether the current dimension has size 1.
func (s *reshapeSide) isOne() bool { return s.dim < len(s.dims) && s.dims[s.dim] == 1 }

// take walks on by n, which divides what is left of the dimension.
func (s *reshapeSide) take(n int) {
	s.product *= n
	s.left /= n
	if s.left == 1 {
		s.dim, s.left = s.dim+1, 0
	}
}

// own walks on by a factor that only this side has.
func (s *reshapeSide) own(n int) {
	s.add(s.dim, n)
	s.take(n)
}

// catchUp walks on by one own factor towards the product of o.
func (s *reshapeSide) catchUp(o *reshapeSide) {
	if q := o.product / s.product; o.product%s.product == 0 && s.left%q == 0 {
		s.own(q)
		return
	}
	n := s.left
	if o.left > 0 {
		if r := n / gcd(n, o.left); r > 1 {
			n = r
		}
	}
	s.own(n)
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
