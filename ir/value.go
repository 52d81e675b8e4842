package ir

// This file defines Value and the list of its uses.

import (
	"iter"
	"slices"

	"github.com/gospmd/gospmd/layout"
)

// Value is the result of an op or an argument of a block.
type Value struct {
	Type     Type
	Sharding *layout.Sharding // nil: not known
	Name     string           // name of a function's parameter; for other values usually empty
	Origins  Origins          // the values of the marked module that it computes; see MarkOrigins

	def   *Op
	block *Block // set for an argument only
	index int

	first, last *operandSlot // the uses, in the order in which they were added
}

// Def returns the op that v is a result of, or nil for a block argument.
func (v *Value) Def() *Op { return v.def }

// IsArg reports whether v is a block argument.
func (v *Value) IsArg() bool { return v.def == nil }

// Block returns the block that v is an argument of or is defined in; nil if its op is in no block.
func (v *Value) Block() *Block {
	if v.def != nil {
		return v.def.block
	}
	return v.block
}

// Index returns the position of v among the results of its op, or among the arguments of its block.
func (v *Value) Index() int { return v.index }

// Use is one operand of an op: a place where a value is used. A use counts only while its op is in
// a block: inserting the op adds the use, and Remove and Erase remove it. So an op that was made
// and never inserted needs no cleaning up. But to drop a block that has ops, erase the ops.
type Use struct {
	Op      *Op
	Operand int
}

// Uses yields the uses of v in the order in which they were added. This is program order, unless
// ops were inserted, moved or replaced. The loop may change or erase the op of the current use, and
// may add uses. It may remove other uses, but it panics if the current one is gone with the next
// one and the next one of another op.
func (v *Value) Uses() iter.Seq[Use] {
	return func(yield func(Use) bool) {
		for s := v.first; s != nil; {
			next := s.next
			other := next // the next use by another op
			for other != nil && other.op == s.op {
				other = other.next
			}
			if !yield(Use{s.op, s.index}) {
				return
			}
			switch {
			case next == nil || next.value == v:
			case other == nil || other.value == v:
				next = other
			case s.value == v:
				next = s.next
			default:
				panic("BUG: a loop over the uses of a value has removed the current use and those after it")
			}
			s = next
		}
	}
}

// HasUses reports whether v is used.
func (v *Value) HasUses() bool { return v.first != nil }

// HasOneUse reports whether v is used exactly once.
func (v *Value) HasOneUse() bool { return v.first != nil && v.first == v.last }

// NumUses returns the number of uses. It takes time in proportion to the number; HasUses and
// HasOneUse take constant time.
func (v *Value) NumUses() int {
	n := 0
	for s := v.first; s != nil; s = s.next {
		n++
	}
	return n
}

// FirstUse returns the op that uses v first in program order, also inside regions; nil if v has no
// uses.
func (v *Value) FirstUse() *Op {
	var first *Op // in the block of v: an op that uses v, or has a region that does
	for s := v.first; s != nil; s = s.next {
		op := s.op.In(v.Block())
		if first == nil || op.IsBefore(first) {
			first = op
		}
	}
	var found *Op
	if first != nil {
		first.Walk(func(op *Op) {
			if found == nil && slices.Contains(op.Operands, v) {
				found = op
			}
		})
	}
	return found
}

// ReplaceAllUsesWith replaces v by w in all uses of v, and adds the origins of v to those of w.
func (v *Value) ReplaceAllUsesWith(w *Value) {
	if v == w {
		return
	}
	w.Origins = w.Origins.Add(v.Origins...)
	for s := v.first; s != nil; s = v.first {
		s.op.SetOperand(s.index, w)
	}
}

// ReplaceUsesIf replaces v by w in each use that cond returns true for. The origins of w do not
// change.
func (v *Value) ReplaceUsesIf(w *Value, cond func(Use) bool) {
	if v == w {
		return
	}
	for u := range v.Uses() {
		if cond(u) {
			u.Op.SetOperand(u.Operand, w)
		}
	}
}

// operandSlot is the place of one operand of an op. The slots of a value's uses form a doubly
// linked list.
type operandSlot struct {
	value      *Value // the value whose list has the slot; nil: none has
	op         *Op
	index      int
	prev, next *operandSlot
}

// link appends the slot to the uses of v.
func (s *operandSlot) link(v *Value) {
	if v == nil { // Verify reports a nil operand
		return
	}
	s.value, s.prev, s.next = v, v.last, nil
	if v.last != nil {
		v.last.next = s
	} else {
		v.first = s
	}
	v.last = s
}

// unlink removes the slot from the list of its value's uses, and clears it. A slot without a value
// stays.
func (s *operandSlot) unlink() {
	v := s.value
	if v == nil {
		return
	}
	if s.prev != nil {
		s.prev.next = s.next
	} else {
		v.first = s.next
	}
	if s.next != nil {
		s.next.prev = s.prev
	} else {
		v.last = s.prev
	}
	s.value, s.prev, s.next = nil, nil, nil
}

// linkOperands adds the operands of op, which was just inserted, to the uses of their values.
func (op *Op) linkOperands() {
	n := len(op.Operands)
	switch {
	case n <= len(op.slotRoom):
		op.slots = op.slotRoom[:n]
	case cap(op.slots) >= n:
		op.slots = op.slots[:n]
	default:
		op.slots = make([]operandSlot, n)
	}
	for i, v := range op.Operands {
		s := &op.slots[i]
		s.op, s.index = op, i
		s.link(v)
	}
}

// unlinkOperands removes the operands of op from the uses of their values.
func (op *Op) unlinkOperands() {
	for i := range op.slots {
		op.slots[i].unlink()
	}
}
