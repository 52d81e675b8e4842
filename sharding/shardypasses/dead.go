package shardypasses

// This file tells dead ops, which must not decide how live values are laid
// out, and drops them.

import (
	"slices"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/sharding/internal/sdy"
)

// dropDeadOps removes ops without effect whose results nobody uses.
func dropDeadOps(m *ir.Module) {
	for _, f := range m.Funcs {
		uses := make(map[*ir.Value]int)
		f.Walk(func(op *ir.Op) {
			for _, v := range op.Operands {
				uses[v]++
			}
		})
		dropDead(f.Body, uses)
	}
}

// dropDead removes dead ops of b, the last first, so that what only they used
// goes as well.
func dropDead(b *ir.Block, uses map[*ir.Value]int) {
	kept := make([]*ir.Op, 0, b.Len())
	for op := range b.Backward() {
		if sdy.IsDead(op, uses) {
			op.Walk(func(inner *ir.Op) {
				for _, v := range inner.Operands {
					uses[v]--
				}
			})
			continue
		}
		for _, r := range op.Regions {
			dropDead(r, uses)
		}
		kept = append(kept, op)
	}
	slices.Reverse(kept)
	b.SetOps(kept)
}
