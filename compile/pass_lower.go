package compile

// This file implements lower, which leaves only Shardy ops that XLA takes.

import (
	"fmt"
	"slices"

	"github.com/gospmd/gospmd/ir"
)

// lowering says what becomes of a kind of op, on one device and on several.
type lowering struct {
	kind      ir.OpKind
	one, many func(op *ir.Op) (*ir.Op, error) // the op that takes its place; nil: its operand
}

// lowerings lists the ops that XLA's import of Shardy does not take (or not
// after layouts are final). What is not listed stays.
var lowerings = []lowering{
	{ir.OpShardingConstraint, drop, keep},
	{ir.OpReshard, drop, constrain},
	{ir.OpPropagationBarrier, drop, constrain},
	{ir.OpDataFlowEdge, drop, drop},
	{ir.OpFuncDataFlowEdge, drop, drop},
	{ir.OpShardingGroup, drop, drop},
	{ir.OpSdyConstant, constant, constant},
	{ir.OpSdyAllGather, drop, explicit},
	{ir.OpSdyAllSlice, drop, explicit},
	{ir.OpSdyAllReduce, drop, explicit},
	{ir.OpSdyAllToAll, drop, explicit},
	{ir.OpSdyCollectivePermute, drop, explicit},
	{ir.OpSdyReduceScatter, drop, explicit},
}

// lowerXLA applies the lowerings:
//
//	%1 = sdy.reshard %0 [{"x"}]    =>    %1 = sdy.sharding_constraint %0 [{"x"}]
func lowerXLA(u *unit) error {
	by := map[*ir.Value]*ir.Value{}
	if err := lowerBlock(u, u.main().Body, by); err != nil {
		return err
	}
	u.main().Replace(by)
	return nil
}

func lowerBlock(u *unit, b *ir.Block, by map[*ir.Value]*ir.Value) error {
	out := make([]*ir.Op, 0, b.Len())
	for op := range b.Ops() {
		for _, r := range op.Regions {
			if err := lowerBlock(u, r, by); err != nil {
				return err
			}
		}
		if op.Kind == ir.OpManualComputation && u.oneDevice() {
			// Local shapes are the global ones: the body can stand as it is.
			in := &inliner{m: u.m, by: by}
			ops, err := in.splice(op, op.Regions[0], nil, nil)
			if err != nil {
				return err
			}
			out = append(out, ops...)
			continue
		}
		i := slices.IndexFunc(lowerings, func(l lowering) bool { return l.kind == op.Kind })
		if i < 0 {
			out = append(out, op)
			continue
		}
		do := lowerings[i].many
		if u.oneDevice() {
			do = lowerings[i].one
		}
		to, err := do(op)
		switch {
		case err != nil:
			return err
		case to != nil:
			out = append(out, to)
			if to != op {
				by[op.Result()] = to.Result()
			}
		case len(op.Results) == 1:
			by[op.Result()] = op.Operands[0]
		}
	}
	b.SetOps(out)
	return nil
}

func drop(*ir.Op) (*ir.Op, error) { return nil, nil }

func keep(op *ir.Op) (*ir.Op, error) { return op, nil }

// constrain makes a sharding_constraint of an op that has a layout.
func constrain(op *ir.Op) (*ir.Op, error) {
	s := op.Result().Sharding
	if sa, ok := op.Attrs.Get("sharding").(ir.ShardingAttr); ok {
		s = sa.Sharding
	}
	if s == nil {
		return nil, nil
	}
	return rebuilt(op, ir.OpShardingConstraint, ir.Attrs{{Name: "sharding", Value: ir.ShardingAttr{Sharding: s}}}), nil
}

func constant(op *ir.Op) (*ir.Op, error) { return rebuilt(op, ir.OpConstant, op.Attrs), nil }

func explicit(op *ir.Op) (*ir.Op, error) {
	return nil, fmt.Errorf("%s at %s: XLA's partitioner inserts the collectives itself; pin layouts by sdy.sharding_constraint instead", op.FullName(), op.Loc)
}

// rebuilt returns an op of another kind with op's operands and result.
func rebuilt(op *ir.Op, kind ir.OpKind, attrs ir.Attrs) *ir.Op {
	out := ir.NewOp(kind, op.Operands, attrs, []ir.Type{op.Result().Type})
	out.Loc = op.Loc
	out.Result().Sharding = op.Result().Sharding
	return out
}
