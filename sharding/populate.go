package sharding

// This file holds the small passes around propagation that show or tidy a
// module.

import (
	"slices"

	"github.com/gospmd/gospmd/ir"
)

// PopulateRules writes the rule of every op that has one into the program, as
// the attribute sdy.sharding_rule.
func PopulateRules(m *ir.Module, conservative bool) error {
	var first error
	for _, f := range m.Funcs {
		f.Walk(func(op *ir.Op) {
			if isApplied(op) {
				return
			}
			rule, _, err := RuleOf(op, conservative)
			if err != nil && first == nil {
				first = err
			}
			if rule != nil && err == nil {
				op.Attrs = op.Attrs.With(ruleAttr, ir.Raw("#sdy.op_sharding_rule<"+rule.String()+">"))
			}
		})
	}
	return first
}

// isApplied reports whether op is all that the body of a reduce does: the text
// "reduce … applies op" has no place for attributes of op.
func isApplied(op *ir.Op) bool {
	p := op.Block().Parent()
	return p != nil && p.Kind == ir.OpReduce && len(op.Block().Ops) == 2 && len(p.Results) == 1
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
