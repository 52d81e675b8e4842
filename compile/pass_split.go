package compile

// This file implements split, which gives each use of a constant its own copy.

import (
	"slices"

	"github.com/gospmd/gospmd/ir"
)

// split gives each op its own copy of the constant expressions that it uses:
//
//	%c = constant                   %c = constant
//	%1 = add %0, %c             =>  %1 = add %0, %c
//	%3 = add %2, %c                 %c2 = constant
//	                                %3 = add %2, %c2
//
// Otherwise a layout would propagate through %c between %0 and %2, although these are unrelated. A
// constant expression is a constant, an iota, or the result of an op without regions that reads
// only constant expressions. A broadcast scalar, such as a learning rate, counts as one too, but
// not the values computed from it. Three kinds of values stay shared: scalars, because they have no
// dimensions to shard; large tables, because copies would make the program's text too long; and all
// values once there are maxSplitGrowth times as many copies as ops. XLA merges the copies again.
func split(f *ir.Func) {
	s := &splitter{copy: map[*ir.Value]bool{}, constant: map[*ir.Value]bool{}, last: map[*ir.Value]*ir.Value{}}
	s.left = minSplits
	f.Walk(func(*ir.Op) { s.left += maxSplitGrowth })
	s.block(f.Body)
	for _, op := range slices.Backward(s.originals) {
		if op.Result().HasUses() {
			continue
		}
		if last := s.last[op.Result()]; last != nil {
			last.Origins = last.Origins.Add(op.Result().Origins...)
		}
		op.Erase()
	}
}

// maxSplitBytes is the size of the largest literal that is copied. There are at most maxSplitGrowth
// copies for each op of the program, or minSplits copies if that is more.
const (
	maxSplitBytes  = 64 << 10
	maxSplitGrowth = 2
	minSplits      = 1000
)

type splitter struct {
	left int // number of ops that may still be copied
	// values of constant expressions; each op that uses one gets a copy of its own
	copy      map[*ir.Value]bool
	constant  map[*ir.Value]bool      // values that depend only on constants, except scalars
	originals []*ir.Op                // the ops that compute constant expressions, in program order
	last      map[*ir.Value]*ir.Value // the latest copy of each value
}

// block puts a copy of each constant expression of b, and of the blocks in its ops, before each of
// its users, as long as s.left allows more copies.
func (s *splitter) block(b *ir.Block) {
	for op := range b.Ops() {
		if constant := s.isConstant(op); constant || isSpreadScalar(op) {
			s.copy[op.Result()] = true
			s.constant[op.Result()] = constant
			s.originals = append(s.originals, op)
			continue
		}
		for _, r := range op.Regions {
			s.block(r)
		}
		if s.left <= 0 {
			continue
		}
		copies := ir.Cloner{}
		for i, v := range op.Operands {
			op.SetOperand(i, s.copyForUser(v, op, copies))
		}
	}
}

// copyForUser returns what user reads instead of v: v itself, or, for a constant expression, a copy
// of it with all ops before it, which is inserted before user. copies holds the copies that user
// has so far.
func (s *splitter) copyForUser(v *ir.Value, user *ir.Op, copies ir.Cloner) *ir.Value {
	if !s.copy[v] {
		return v
	}
	if w, ok := copies[v]; ok {
		return w
	}
	for _, w := range v.Def().Operands {
		s.copyForUser(w, user, copies)
	}
	op := copies.Op(v.Def())
	op.InsertBefore(user)
	s.left--
	s.share(v, op.Result())
	return op.Result()
}

// share divides the origins of v among its copies; w is a new copy. If cse merged several values
// into v, each copy stands for one of them, and the last copy for all that are left.
func (s *splitter) share(v, w *ir.Value) {
	s.last[v] = w
	if len(v.Origins) > 1 {
		w.Origins, v.Origins = v.Origins[:1:1], v.Origins[1:]
	}
}

// isConstant reports whether op is part of a constant expression: a small or splat constant, an
// iota, or a repeatable op whose operands are constant or scalar constants. Its one result is no
// scalar and has no sharding.
func (s *splitter) isConstant(op *ir.Op) bool {
	if len(op.Results) != 1 || op.Result().Type.Rank() == 0 || op.Result().Sharding != nil {
		return false
	}
	switch op.Kind {
	case ir.OpConstant:
		d := op.Literal()
		return d.Splat || len(d.Data) <= maxSplitBytes
	case ir.OpIota:
		return true
	case ir.OpShardingConstraint:
		return false
	}
	if len(op.Operands) == 0 || !isRepeatable(op) {
		return false
	}
	for _, v := range op.Operands {
		scalar := v.Type.Rank() == 0 && v.Def() != nil && v.Def().Kind == ir.OpConstant
		if !s.constant[v] && !scalar {
			return false
		}
	}
	return true
}

// isSpreadScalar reports whether op broadcasts a scalar.
func isSpreadScalar(op *ir.Op) bool {
	return op.Kind == ir.OpBroadcastInDim && op.Operands[0].Type.Rank() == 0 && op.Result().Type.Rank() > 0 && op.Result().Sharding == nil
}
