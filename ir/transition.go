package ir

import "slices"

// SetOps replaces the ops of the block, as a pass does after it has rebuilt
// the list.
func (b *Block) SetOps(ops []*Op) {
	ops = slices.Clone(ops)
	for b.first != nil {
		b.first.Remove()
	}
	for _, op := range ops {
		if op.block != nil {
			op.Remove()
		}
		b.Append(op)
	}
}

// Uses returns, for every value, where it is used, in program order. The map
// does not follow later changes of the function.
func (f *Func) Uses() map[*Value][]Use {
	uses := make(map[*Value][]Use)
	f.Walk(func(op *Op) {
		for i, v := range op.Operands {
			uses[v] = append(uses[v], Use{op, i})
		}
	})
	return uses
}

// Replace rewrites every operand that is a key of the map by its value,
// following chains, in one walk over the function.
func (f *Func) Replace(by map[*Value]*Value) {
	if len(by) == 0 {
		return
	}
	f.Walk(func(op *Op) {
		for i, v := range op.Operands {
			w := v
			for u, ok := by[w]; ok; u, ok = by[w] {
				w = u
			}
			if w != v {
				op.SetOperand(i, w)
			}
		}
	})
}
