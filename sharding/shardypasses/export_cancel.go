package shardypasses

// This file removes collectives that undo each other.

import (
	"slices"

	"github.com/gospmd/gospmd/ir"
)

// cancelCollectives replaces collectives of Shardy's dialect that undo the one
// before them, or do nothing, and drops ops that are dead then: what MLIR's
// canonicalize does with Shardy's patterns for collectives. Collectives
// themselves are never dead to it.
//
//	all_reduce {x} of replicated_to_unreduced {x} of v  =>  v
//	all_reduce {x} of sharded_to_unreduced [{x}] of v   =>  all_gather [{x}] of v
//	all_slice [{x}] of all_gather [{x}] of v            =>  v
func cancelCollectives(m *ir.Module) {
	for _, f := range m.Funcs {
		f.Walk(func(op *ir.Op) {
			if v := cancelled(op); v != nil {
				op.ReplaceWith(v)
			}
		})
	}
	dropDeadOps(m)
}

// cancelled returns the value that stands for op's result, or nil. It may turn
// op into another one.
func cancelled(op *ir.Op) *ir.Value {
	switch op.Kind {
	case ir.OpSdyAllReduce, ir.OpSdyAllGather, ir.OpSdyAllSlice, ir.OpSdyReduceScatter:
	default:
		return nil
	}
	v := op.Operands[0]
	if collectiveAxes(op) == nil {
		return v
	}
	d := v.Def()
	if d == nil {
		return nil
	}
	same := slices.Equal(collectiveAxes(op), collectiveAxes(d))
	switch {
	case op.Kind == ir.OpSdyAllReduce && d.Kind == ir.OpSdyReplicatedToUnreduced && same:
		return d.Operands[0]
	case op.Kind == ir.OpSdyAllSlice && d.Kind == ir.OpSdyAllGather && attrKey(op.Attrs[0].Value) == attrKey(d.Attrs[0].Value):
		return d.Operands[0]
	case op.Kind == ir.OpSdyAllReduce && d.Kind == ir.OpSdyShardedToUnreduced && same:
		op.Kind = ir.OpSdyAllGather
		op.SetOperand(0, d.Operands[0])
		op.Attrs = ir.Attrs{{Name: "gathering_axes", Value: d.Attrs.Get("axes")}, {Name: "out_sharding", Value: op.Attrs.Get("out_sharding")}}
	}
	return nil
}

// collectiveAxes returns all axes that a collective works on, in the order of
// their names; nil if there are none.
func collectiveAxes(op *ir.Op) []string {
	var out []string
	for _, na := range op.Attrs {
		switch a := na.Value.(type) {
		case ir.AxesAttr:
			for _, x := range a {
				out = append(out, x.String())
			}
		case ir.AxesPerDimAttr:
			for _, axes := range a {
				for _, x := range axes {
					out = append(out, x.String())
				}
			}
		}
	}
	slices.Sort(out)
	return out
}
