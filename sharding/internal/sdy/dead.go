package sdy

// This file tells dead ops, which must not decide how live values are laid out.

import "github.com/gospmd/gospmd/ir"

// IsDead reports whether nothing would miss op.
func IsDead(op *ir.Op, uses map[*ir.Value]int) bool {
	for _, v := range op.Results {
		if uses[v] > 0 {
			return false
		}
	}
	return !HasEffect(op)
}

// HasEffect reports whether op, or an op in its regions, does more than
// compute its results.
func HasEffect(op *ir.Op) bool {
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
