package sdy

// This file edits the lists of ops of blocks: insertions and removals are
// collected and made in one go.

import "github.com/gospmd/gospmd/ir"

// Edits are the changes to make. Ops that are put in may be anchors of further
// ones.
type Edits struct {
	At     map[*ir.Block][]*ir.Op // at the start of a block, in order
	Before map[*ir.Op][]*ir.Op    // in order
	After  map[*ir.Op][]*ir.Op    // the last one put in stands first
	Drop   map[*ir.Op]bool
	Moved  map[*ir.Op]bool // away from where they stand, to where they are put
}

func NewEdits() *Edits {
	return &Edits{make(map[*ir.Block][]*ir.Op), make(map[*ir.Op][]*ir.Op), make(map[*ir.Op][]*ir.Op), make(map[*ir.Op]bool), make(map[*ir.Op]bool)}
}

// PutBefore puts op right before the anchor.
func (e *Edits) PutBefore(anchor, op *ir.Op) { e.Before[anchor] = append(e.Before[anchor], op) }

// PutAfter puts op right after the anchor.
func (e *Edits) PutAfter(anchor, op *ir.Op) {
	e.After[anchor] = append([]*ir.Op{op}, e.After[anchor]...)
}

// PutAfterValue puts op right after the op that makes v, or at the start of
// the block that v is an argument of.
func (e *Edits) PutAfterValue(v *ir.Value, op *ir.Op) {
	if v.IsArg() {
		e.At[v.Block()] = append([]*ir.Op{op}, e.At[v.Block()]...)
		return
	}
	e.PutAfter(v.Def(), op)
}

// apply makes the changes in f.
func (e *Edits) Apply(f *ir.Func) {
	if len(e.At)+len(e.Before)+len(e.After)+len(e.Drop) > 0 {
		e.block(f.Body)
	}
}

func (e *Edits) block(b *ir.Block) {
	var ops []*ir.Op
	var put func(op *ir.Op)
	put = func(op *ir.Op) {
		for _, o := range e.Before[op] {
			put(o)
		}
		if !e.Drop[op] {
			ops = append(ops, op)
			for _, r := range op.Regions {
				e.block(r)
			}
		}
		for _, o := range e.After[op] {
			put(o)
		}
	}
	for _, op := range e.At[b] {
		put(op)
	}
	for op := range b.Ops() {
		if !e.Moved[op] {
			put(op)
		}
	}
	b.SetOps(ops)
}

// ReplaceUses makes every use of v, but those by the excepted op, one of w.
func ReplaceUses(f *ir.Func, v, w *ir.Value, except *ir.Op) {
	f.Walk(func(op *ir.Op) {
		if op == except {
			return
		}
		for i, o := range op.Operands {
			if o == v {
				op.SetOperand(i, w)
			}
		}
	})
}
