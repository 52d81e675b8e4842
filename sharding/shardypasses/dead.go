package shardypasses

// This file removes dead ops.

import (
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/sharding/internal/sdy"
)

// dropDeadOps removes ops without effect whose results nobody uses.
func dropDeadOps(m *ir.Module) {
	for _, f := range m.Funcs {
		dropDead(f.Body)
	}
}

// dropDead removes dead ops of b, the last first, so that what only they used
// goes as well.
func dropDead(b *ir.Block) {
	for op := range b.Backward() {
		if !op.HasUses() && !sdy.HasEffect(op) {
			op.Erase()
			continue
		}
		for _, r := range op.Regions {
			dropDead(r)
		}
	}
}
