package sharding

// This file tells dead ops, which must not decide how live values are laid
// out, and drops them.

import (
	"slices"

	"github.com/gospmd/gospmd/ir"
)

// erase takes op, which is dead, out of the graph. MLIR's driver, which Shardy
// propagates by, erases an op when its turn comes and nothing uses it then: an
// op whose uses are all dead has its turn before they are gone, and counts
// until the last of them is visited. The driver then looks again at what has
// made op's operands, unless two other ops or more still use them.
func (g *graph) erase(op *ir.Op, w *worklist) {
	for _, r := range op.Regions {
		for _, inner := range slices.Backward(r.Ops) {
			g.erase(inner, w)
		}
	}
	g.gone[g.place[op]] = true
	for _, v := range op.Operands {
		if def := v.Def(); def != nil && g.otherUsers(v, op) < 2 {
			w.push(g.place[def])
		}
	}
	for _, v := range op.Operands {
		g.uses[v]--
	}
}

// otherUsers returns the number of ops but op that use v and are not gone.
func (g *graph) otherUsers(v *ir.Value, op *ir.Op) int {
	if g.users == nil {
		g.users = make(map[*ir.Value][]*ir.Op)
		for _, user := range g.ops {
			for _, o := range user.Operands {
				if list := g.users[o]; len(list) == 0 || list[len(list)-1] != user {
					g.users[o] = append(list, user)
				}
			}
		}
	}
	n := 0
	for _, user := range g.users[v] {
		if user != op && !g.gone[g.place[user]] {
			n++
		}
	}
	return n
}

// DropDeadOps removes ops without effect whose results nobody uses.
func DropDeadOps(m *ir.Module) {
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
	kept := make([]*ir.Op, 0, len(b.Ops))
	for _, op := range slices.Backward(b.Ops) {
		if isDead(op, uses) {
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

// isDead reports whether nothing would miss op.
func isDead(op *ir.Op, uses map[*ir.Value]int) bool {
	for _, v := range op.Results {
		if uses[v] > 0 {
			return false
		}
	}
	return !hasEffect(op)
}

// hasEffect reports whether op, or an op in its regions, does more than
// compute its results.
func hasEffect(op *ir.Op) bool {
	effect := false
	op.Walk(func(inner *ir.Op) {
		info := inner.Info()
		isReturn := info.Is(ir.Terminator) && inner != op
		switch {
		case isReturn:
		case info.Is(ir.SideEffect) || info.Is(ir.Terminator) || info.Is(ir.Collective):
			effect = true
		case inner.Kind == ir.OpCustomCall:
			effect = effect || inner.Bool("has_side_effect")
		case inner.Kind == ir.OpCall ||
			inner.Kind == ir.OpShardingConstraint || inner.Kind == ir.OpDataFlowEdge || inner.Kind == ir.OpFuncDataFlowEdge:
			effect = true
		}
	})
	return effect
}
