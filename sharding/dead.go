package sharding

// This file tells dead ops, which must not decide how live values are laid
// out, and drops them.

import (
	"slices"

	"github.com/gospmd/gospmd/ir"
)

// deadOps are the ops of a module that nothing needs. MLIR's driver, which
// Shardy propagates by, erases an op when its turn comes and nothing uses it
// then: an op whose uses are all dead has its turn before they are gone, and
// counts until the last of them is visited. So it is here.
type deadOps struct {
	gone   map[*ir.Op]bool
	erased []erasure // in program order
	next   int
}

// erasure says that op goes when the op at the given place in the program has
// its turn.
type erasure struct {
	at int
	op *ir.Op
}

// findDead finds the dead ops of m; place is the position of each op.
func findDead(m *ir.Module, place map[*ir.Op]int) *deadOps {
	d := &deadOps{gone: make(map[*ir.Op]bool)}
	for _, f := range m.Funcs {
		uses := f.Uses()
		at := make(map[*ir.Op]int)
		var visit func(b *ir.Block)
		visit = func(b *ir.Block) {
			for _, op := range slices.Backward(b.Ops) {
				when, dead := place[op], !hasEffect(op)
				for _, v := range op.Results {
					for _, u := range uses[v] {
						w, ok := at[u.Op]
						when, dead = max(when, w), dead && ok
					}
				}
				if dead {
					op.Walk(func(inner *ir.Op) {
						if _, ok := at[inner]; !ok {
							at[inner] = when
							d.erased = append(d.erased, erasure{when, inner})
						}
					})
					continue
				}
				for _, r := range op.Regions {
					visit(r)
				}
			}
		}
		visit(f.Body)
	}
	slices.SortStableFunc(d.erased, func(a, b erasure) int { return a.at - b.at })
	return d
}

// visit is told that the op at the given place has its turn: ops go, and with
// them the uses that they make of values.
func (d *deadOps) visit(place int, uses map[*ir.Value]int) {
	for d.next < len(d.erased) && d.erased[d.next].at <= place {
		op := d.erased[d.next].op
		d.gone[op] = true
		for _, v := range op.Operands {
			uses[v]--
		}
		d.next++
	}
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
	if hasEffect(op) {
		return false
	}
	for _, v := range op.Results {
		if uses[v] > 0 {
			return false
		}
	}
	return true
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
