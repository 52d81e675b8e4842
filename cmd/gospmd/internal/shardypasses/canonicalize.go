package shardypasses

// This file implements what MLIR's pass canonicalize does with Shardy's dialect: it hoists
// constants, and removes dead ops and collectives that cancel each other.

import (
	"slices"

	"github.com/gospmd/gospmd/internal/sdy"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/ir/transform"
)

// canonicalize moves constants to the start of their function, each once, and removes collectives
// that undo each other: what MLIR's pass canonicalize does with Shardy's ops.
func canonicalize(m *ir.Module) {
	hoistConstants(m)
	cancelCollectives(m)
}

// hoistConstants moves constants (stablehlo.constant) to the start of their function, or of the
// computation around them that sees no values from outside, and merges those of equal value. Of
// equal constants the first one stays, with its sharding. MLIR's canonicalize does this first.
//
// Constants that are at the start already stay in place. The others are put before them, the last
// one first. Constants in scalar bodies, such as those of reductions, stay in place, because these
// bodies see no values from outside here. MLIR's would be moved, too.
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

// hoistInto moves the constants of b and of the regions in it to the start of b, each constant
// once: of equal ones the first stays. Those that begin b already stay in place. In an isolated
// region it does the same on its own, to the start of that region. Constants in scalar bodies, such
// as those of reductions, stay in place.
func hoistInto(b *ir.Block) {
	first := make(map[string]*ir.Value)
	start := true // all ops so far are constants
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

// cancelCollectives replaces collectives of Shardy's dialect that cancel the one before them, or
// that do nothing, and then removes dead ops. MLIR's canonicalize does this with Shardy's patterns
// for collectives; it never treats a collective itself as dead.
//
//	all_reduce {x} of replicated_to_unreduced {x} of v  =>  v
//	all_reduce {x} of sharded_to_unreduced [{x}] of v   =>  all_gather [{x}] of v
//	all_slice [{x}] of all_gather [{x}] of v            =>  v
func cancelCollectives(m *ir.Module) {
	for _, f := range m.Funcs {
		f.Walk(func(op *ir.Op) {
			if v := cancel(op); v != nil {
				op.ReplaceWith(v)
			}
		})
	}
	dropDeadOps(m)
}

// cancel simplifies op if it is one of Shardy's collectives: one that uses no axes, or that an
// earlier collective undoes or combines with. It returns the value that replaces op's result; nil
// if op stays, perhaps changed into another collective.
func cancel(op *ir.Op) *ir.Value {
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

// collectiveAxes returns all axes that a collective works on, in the order of their names, or nil
// if there are none.
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

// dropDeadOps removes ops that have no effect and whose results have no uses.
func dropDeadOps(m *ir.Module) {
	for _, f := range m.Funcs {
		transform.EliminateDeadOps(f, transform.DeadOps{HasEffect: sdy.HasEffect})
	}
}
