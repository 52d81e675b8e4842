package ir

// This file defines Block, an ordered list of ops. It can tell which of two ops is first.

import (
	"fmt"
	"iter"
	"slices"
)

// Block is a list of ops with arguments: the body of a Func or of a region. Every region has
// exactly one block. The ops are a doubly linked list, so inserting, moving and erasing an op takes
// constant time.
type Block struct {
	Args []*Value

	parent      *Op // the op whose region this is; nil for the body of a Func
	first, last *Op
	len         int
	ordered     bool // the ops' order numbers increase along the list
}

// NewBlock returns an empty block with arguments of the given types.
func NewBlock(args ...Type) *Block {
	b := &Block{}
	for _, t := range args {
		b.AddArg(t)
	}
	return b
}

// AddArg appends an argument of type t to the block, and returns it.
func (b *Block) AddArg(t Type) *Value {
	v := &Value{Type: t, block: b, index: len(b.Args)}
	b.Args = append(b.Args, v)
	return v
}

// Parent returns the op whose region this block is, or nil for the body of a
// function.
func (b *Block) Parent() *Op { return b.parent }

// Len returns the number of ops.
func (b *Block) Len() int { return b.len }

// First returns the first op, or nil in an empty block.
func (b *Block) First() *Op { return b.first }

// Terminator returns the last op, or nil in an empty block. In a verified function the last op is
// the terminator of the block.
func (b *Block) Terminator() *Op { return b.last }

// Ops yields the ops in order. The loop may change the block: erase or move the current op, or
// insert ops. It does not visit ops that are inserted right after the current one. It may also
// erase other ops, but it must not erase both the current op and the next one.
func (b *Block) Ops() iter.Seq[*Op] {
	return func(yield func(*Op) bool) {
		for op := b.first; op != nil; {
			next := op.next
			if !yield(op) {
				return
			}
			if next != nil && next.block != b {
				if op.block != b {
					panic("BUG: a loop over the ops of a block has removed the current op and the next one")
				}
				next = op.next
			}
			op = next
		}
	}
}

// Backward yields the ops from the last to the first. The loop may change the block in the ways
// that a loop over Ops may.
func (b *Block) Backward() iter.Seq[*Op] {
	return func(yield func(*Op) bool) {
		for op := b.last; op != nil; {
			prev := op.prev
			if !yield(op) {
				return
			}
			if prev != nil && prev.block != b {
				if op.block != b {
					panic("BUG: a loop over the ops of a block has removed the current op and the one before")
				}
				prev = op.prev
			}
			op = prev
		}
	}
}

// Body yields the ops in order, without the last one, the terminator. The loop may change the block
// in the ways that a loop over Ops may.
func (b *Block) Body() iter.Seq[*Op] {
	return func(yield func(*Op) bool) {
		for op := range b.Ops() {
			if op == b.last || !yield(op) {
				return
			}
		}
	}
}

// Walk calls visit for every op of the block and of the regions in it. It visits an op before the
// ops of its regions. visit may change the block in the ways that a loop over Ops may.
func (b *Block) Walk(visit func(*Op)) {
	for op := range b.Ops() {
		op.Walk(visit)
	}
}

// ComputesLike reports whether b and o, regions that use no values from outside, compute the same,
// op by op. It returns false if an op in them has regions.
func (b *Block) ComputesLike(o *Block) bool {
	sameType := func(v, w *Value) bool { return v.Type.Equal(w.Type) }
	if b.Len() != o.Len() || !slices.EqualFunc(b.Args, o.Args, sameType) {
		return false
	}
	twin := make(map[*Value]*Value, len(b.Args)+b.Len())
	pair := func(vs, ws []*Value) {
		for i, v := range vs {
			twin[v] = ws[i]
		}
	}
	pair(b.Args, o.Args)
	for x, y := b.first, o.first; x != nil; x, y = x.next, y.next {
		if x.Kind != y.Kind || len(x.Regions) > 0 || len(y.Regions) > 0 || !x.Attrs.Equal(y.Attrs) ||
			!slices.EqualFunc(x.Operands, y.Operands, func(v, w *Value) bool { return twin[v] == w }) || !slices.EqualFunc(x.Results, y.Results, sameType) {
			return false
		}
		pair(x.Results, y.Results)
	}
	return true
}

// Append inserts op at the end. It must not be in a block.
func (b *Block) Append(op *Op) { b.insert(op, nil) }

// Prepend inserts op at the start. It must not be in a block.
func (b *Block) Prepend(op *Op) { b.insert(op, b.first) }

// SpliceBefore moves all ops of b, in their order, to the place right before the op at, which is in
// another block.
func (b *Block) SpliceBefore(at *Op) {
	for op := range b.Ops() {
		op.MoveBefore(at)
	}
}

// insert puts op, which must be in no block, before next, or at the end if next is nil. It adds the
// operands of op to the uses of their values.
func (b *Block) insert(op, next *Op) {
	if op.block != nil {
		panic(fmt.Sprintf("BUG: %s is inserted, but stands in a block: move it instead", op.FullName()))
	}
	b.link(op, next)
	op.linkOperands()
}

// link puts op into the list before next, or at the end if next is nil.
func (b *Block) link(op, next *Op) {
	prev := b.last
	if next != nil {
		if next.block != b {
			panic(fmt.Sprintf("BUG: insertion point %s does not stand in the block", next.FullName()))
		}
		prev = next.prev
	}
	op.block, op.prev, op.next = b, prev, next
	if prev != nil {
		prev.next = op
	} else {
		b.first = op
	}
	if next != nil {
		next.prev = op
	} else {
		b.last = op
	}
	b.len++
	b.number(op)
}

// unlink takes op out of the list.
func (b *Block) unlink(op *Op) {
	if op.prev != nil {
		op.prev.next = op.next
	} else {
		b.first = op.next
	}
	if op.next != nil {
		op.next.prev = op.prev
	} else {
		b.last = op.prev
	}
	b.len--
	op.block, op.prev, op.next = nil, nil, nil
}

// orderStride is the distance between the order numbers of neighbours: after a
// renumbering about 30 ops fit between any two.
const orderStride = 1 << 30

// number gives op, which was just linked, an order number between those of its neighbours. If there
// is no number between them, the block counts as not ordered.
func (b *Block) number(op *Op) {
	switch {
	case b.len == 1:
		op.order, b.ordered = 0, true
	case !b.ordered:
	case op.next == nil:
		op.order = op.prev.order + orderStride
	case op.prev == nil:
		op.order = op.next.order - orderStride
	default:
		op.order = op.prev.order + (op.next.order-op.prev.order)/2
		b.ordered = op.order > op.prev.order
	}
}

// renumber gives all ops of the list new order numbers.
func (b *Block) renumber() {
	var order int64
	for op := b.first; op != nil; op = op.next {
		op.order = order
		order += orderStride
	}
	b.ordered = true
}
