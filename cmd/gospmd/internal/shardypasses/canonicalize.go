package shardypasses

// This file implements what MLIR's pass canonicalize does with programs of
// Shardy's dialect: constants are hoisted, collectives that undo each other and
// dead ops are removed.

import (
	"slices"

	"github.com/gospmd/gospmd/internal/sdy"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/ir/transform"
)

// canonicalize is what MLIR's pass of that name does with Shardy's ops.
func canonicalize(m *ir.Module) {
	hoistConstants(m)
	cancelCollectives(m)
}

// hoistConstants keeps one of the stablehlo.constants of equal value of each
// function and of each computation that sees no values from outside, wherever
// its regions hold them, and has it stand at the start. The first one stays,
// with its layout. It is what MLIR's canonicalize does before all else.
//
// Constants that stand at the start already stay where they are; of the others
// the last comes first. Those in the bodies of reductions and the like, which
// see no values from outside here, stay as they are; MLIR's would move, too.
//
//	%1 = add %0, %0             %1 = constant 2
//	%2 = constant 1             %2 = constant 1
//	%3 = constant 2         =>  %3 = add %0, %0
//	case { %4 = constant 1 …    case { … of %2
func hoistConstants(m *ir.Module) {
	for _, f := range m.Funcs {
		hoistInto(f.Body)
	}
}

// hoistInto hoists the constants of b and of its regions to its start.
func hoistInto(b *ir.Block) {
	first := make(map[string]*ir.Value)
	start := true // nothing but constants so far
	var visit func(op *ir.Op)
	visit = func(op *ir.Op) {
		if op.Kind != ir.OpConstant {
			start = false
			if op.Info().Is(ir.ScalarBody) {
				return
			}
			for _, r := range op.Regions {
				if op.Info().Is(ir.Isolated) {
					hoistInto(r)
					continue
				}
				for inner := range r.Ops() {
					visit(inner)
				}
			}
			return
		}
		key := attrKey(op.Attrs.Get("value"))
		if v := first[key]; v != nil {
			op.ReplaceWith(v)
			return
		}
		first[key] = op.Result()
		if !start {
			op.MoveBefore(b.First())
		}
	}
	for op := range b.Ops() {
		visit(op)
	}
}

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

// dropDeadOps removes ops without effect whose results nobody uses.
func dropDeadOps(m *ir.Module) {
	for _, f := range m.Funcs {
		transform.EliminateDeadOps(f, transform.DeadOps{HasEffect: sdy.HasEffect})
	}
}
