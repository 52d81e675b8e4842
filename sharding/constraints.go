package sharding

// This file applies sharding constraints before propagation.

import (
	"slices"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
)

// ApplyConstraints gives a value the layout of its sharding constraint when the
// constraint is closed and no other one on the value differs: the value is then
// made in that layout at once and nothing has to be moved. What a manual
// computation asks of its operands counts as a constraint. It is the first half
// of Shardy's pass apply-sharding-constraints.
func ApplyConstraints(m *ir.Module) {
	for _, f := range m.Funcs {
		uses := f.Uses()
		f.Walk(func(op *ir.Op) {
			for i, v := range op.Operands {
				want := constraintOn(op, i)
				if want == nil || v.Sharding != nil || !isClosed(want) || v.Def() != nil && v.Def().Kind == ir.OpDataFlowEdge {
					continue
				}
				disagree := slices.ContainsFunc(uses[v], func(u ir.Use) bool {
					other := constraintOn(u.Op, u.Operand)
					return other != nil && !other.Equal(want)
				})
				if !disagree {
					v.Sharding = want
				}
			}
		})
	}
}

// constraintOn returns the sharding that op demands of operand i, or nil.
func constraintOn(op *ir.Op, i int) *layout.Sharding {
	switch op.Kind {
	case ir.OpShardingConstraint:
		if a, ok := op.Attrs.Get("sharding").(ir.ShardingAttr); ok {
			return a.Sharding
		}
	case ir.OpManualComputation:
		if in, ok := op.Attrs.Get("in_shardings").(ir.ShardingsAttr); ok && i < len(in) {
			return in[i]
		}
	}
	return nil
}

func isClosed(s *layout.Sharding) bool {
	return !slices.ContainsFunc(s.Dims, func(d layout.DimSharding) bool { return d.Open })
}
