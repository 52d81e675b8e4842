package sharding

// This file edits the lists of ops of blocks: insertions and removals are
// collected and made in one go.

import "github.com/gospmd/gospmd/ir"

// edits are the changes to make. Ops that are put in may be anchors of further
// ones.
type edits struct {
	at     map[*ir.Block][]*ir.Op // at the start of a block, in order
	before map[*ir.Op][]*ir.Op    // in order
	after  map[*ir.Op][]*ir.Op    // the last one put in stands first
	drop   map[*ir.Op]bool
	moved  map[*ir.Op]bool // away from where they stand, to where they are put
}

func newEdits() *edits {
	return &edits{make(map[*ir.Block][]*ir.Op), make(map[*ir.Op][]*ir.Op), make(map[*ir.Op][]*ir.Op), make(map[*ir.Op]bool), make(map[*ir.Op]bool)}
}

// putBefore puts op right before the anchor.
func (e *edits) putBefore(anchor, op *ir.Op) { e.before[anchor] = append(e.before[anchor], op) }

// putAfter puts op right after the anchor.
func (e *edits) putAfter(anchor, op *ir.Op) {
	e.after[anchor] = append([]*ir.Op{op}, e.after[anchor]...)
}

// putAfterValue puts op right after the op that makes v, or at the start of
// the block that v is an argument of.
func (e *edits) putAfterValue(v *ir.Value, op *ir.Op) {
	if v.IsArg() {
		e.at[v.Block()] = append([]*ir.Op{op}, e.at[v.Block()]...)
		return
	}
	e.putAfter(v.Def(), op)
}

// apply makes the changes in f.
func (e *edits) apply(f *ir.Func) {
	if len(e.at)+len(e.before)+len(e.after)+len(e.drop) > 0 {
		e.block(f.Body)
	}
}

func (e *edits) block(b *ir.Block) {
	var ops []*ir.Op
	var put func(op *ir.Op)
	put = func(op *ir.Op) {
		for _, o := range e.before[op] {
			put(o)
		}
		if !e.drop[op] {
			ops = append(ops, op)
			for _, r := range op.Regions {
				e.block(r)
			}
		}
		for _, o := range e.after[op] {
			put(o)
		}
	}
	for _, op := range e.at[b] {
		put(op)
	}
	for _, op := range b.Ops {
		if !e.moved[op] {
			put(op)
		}
	}
	b.SetOps(ops)
}

// replaceUses makes every use of v, but those by the excepted op, one of w.
func replaceUses(f *ir.Func, v, w *ir.Value, except *ir.Op) {
	f.Walk(func(op *ir.Op) {
		if op == except {
			return
		}
		for i, o := range op.Operands {
			if o == v {
				op.Operands[i] = w
			}
		}
	})
}
