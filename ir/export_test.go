package ir

// This file lets tests break the links that the mutation API maintains, so that Verify finds
// errors.

// SetBlock sets the block that op is in, without inserting op there.
func SetBlock(op *Op, b *Block) { op.block = b }

// SetNext makes next the op after op.
func SetNext(op, next *Op) { op.next = next }

// SetPrev makes prev the op before op.
func SetPrev(op, prev *Op) { op.prev = prev }

// ClearUses empties the list of the uses of v.
func ClearUses(v *Value) { v.first, v.last = nil, nil }

// CutUses ends the list of the uses of v after the first one.
func CutUses(v *Value) { v.first.next = nil }
