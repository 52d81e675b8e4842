package shardypasses

// This file inserts explicit reshards that a program must have so that its shardings are well
// defined. Package compile handles all others.

import (
	"slices"

	"github.com/gospmd/gospmd/internal/sdy"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
)

// insertReshards makes data movement explicit if it does not follow from the shardings alone:
// Shardy's pass insert-explicit-reshards, in the restricted form of the propagation pipeline. It
// inserts
//
//   - an all-reduce if the user of an unreduced value needs it reduced, and a collective in the
//     opposite direction
//   - reshards before a call whose function has other shardings for its parameters
//   - reshards around a concatenate whose operands and result have different shardings
//   - a reshard after a matrix product whose result is sharded by the axes of the contracted
//     dimension, so that the product itself can be sharded by more axes
//
// All shardings must be closed.
func insertReshards(m *ir.Module) error {
	for _, f := range m.Funcs {
		r := &resharder{m: m, fn: f}
		var ops []*ir.Op
		var list func(b *ir.Block)
		list = func(b *ir.Block) { // ops in regions come before the op that has the region
			for op := range b.Ops() {
				if !op.Info().Is(ir.ScalarBody) {
					for _, inner := range op.Regions {
						list(inner)
					}
				}
				ops = append(ops, op)
			}
		}
		list(f.Body)
		for _, op := range ops {
			repeatShardings(op)
		}
		for _, op := range ops {
			if err := r.op(op); err != nil {
				return err
			}
		}
		if end := f.Body.Terminator(); end != nil && end.Kind == ir.OpFuncReturn {
			for i := range end.Operands {
				r.reshardToTarget(end, i, f.Results[i].Sharding, builderBefore(end), false)
			}
		}
	}
	return nil
}

// repeatShardings sets Value.Sharding of those results of op that have none to the shardings in an
// attribute of op. In a parsed program only the attribute has them.
func repeatShardings(op *ir.Op) {
	for i, v := range op.Results {
		if v.Sharding != nil || v.Type.IsToken() {
			continue
		}
		if out, ok := op.Attrs.Get("out_shardings").(ir.ShardingsAttr); ok && i < len(out) {
			v.Sharding = out[i]
		} else {
			v.Sharding = sdy.OpSharding(op)
		}
	}
}

// resharder inserts the reshards of one function.
type resharder struct {
	m  *ir.Module
	fn *ir.Func
}

// builderBefore returns a builder right before the anchor.
func builderBefore(anchor *ir.Op) *ir.Builder { return new(ir.Builder).Before(anchor) }

// builderAfter returns a builder right after the value.
func builderAfter(v *ir.Value) *ir.Builder { return new(ir.Builder).AfterValue(v) }

func (r *resharder) op(op *ir.Op) error {
	switch {
	case op.Info().Is(ir.Terminator):
		return nil
	case sdy.IsDataFlowOwner(op.Kind):
		r.dataFlow(op)
		return nil
	case op.Kind == ir.OpCall:
		r.call(op)
		return nil
	case op.Kind == ir.OpReshard && r.makeUnreduced(op, 0, op.Result().Sharding, builderBefore(op)):
		op.ReplaceWith(op.Operands[0])
		return nil
	}
	if len(op.Results) > 0 {
		for i := range op.Operands {
			r.reduce(op, i, op.Results[0].Sharding, builderBefore(op))
		}
	}
	return r.reshardByRule(op)
}

// dataFlow reshards the values that flow into the results and the arguments of op.
func (r *resharder) dataFlow(op *ir.Op) {
	for i, v := range op.Results {
		s := v.Sharding
		if sdy.OwnsArgs(op.Kind) {
			s = sdy.OwnerSharding(v)
		}
		for _, u := range r.sources(op, i) {
			r.reshardToTarget(u.Op, u.Operand, s, builderAfter(u.Op.Operands[u.Operand]), false)
		}
	}
	if sdy.OwnsArgs(op.Kind) {
		in, _ := op.Attrs.Get("in_shardings").(ir.ShardingsAttr)
		for i, s := range in {
			r.reshardToTarget(op, i, s, builderAfter(op.Operands[i]), false)
		}
	}
}

// sources returns the operands, as uses, that flow into result i of op: those of a loop's start and
// body, of a barrier, or of the regions' ends.
func (r *resharder) sources(op *ir.Op, i int) []ir.Use {
	switch op.Kind {
	case ir.OpWhile:
		return []ir.Use{{Op: op, Operand: i}, {Op: op.Regions[1].Terminator(), Operand: i}}
	case ir.OpOptimizationBarrier:
		return []ir.Use{{Op: op, Operand: i}}
	}
	var out []ir.Use
	for _, b := range op.Regions {
		out = append(out, ir.Use{Op: b.Terminator(), Operand: i})
	}
	return out
}

// call reshards the operands of the call op to the shardings of the function's parameters; if these
// have none, operands that are sharded are replicated. A function that the module lacks changes
// nothing.
func (r *resharder) call(op *ir.Op) {
	callee := sdy.Callee(r.m, op)
	if callee == nil {
		return
	}
	want := paramShardings(callee)
	if want == nil {
		if s := shardingsOf(op.Operands); s != nil {
			want = replicateLike(s)
		}
	}
	for i, s := range want {
		r.reshardToTarget(op, i, s, builderAfter(op.Operands[i]), true)
	}
}

// reshardToTarget makes operand i of op have the same unreduced axes as target. If full is true, it
// also reshards the operand to target; nil is replicated. at inserts the new ops.
func (r *resharder) reshardToTarget(op *ir.Op, i int, target *layout.Sharding, at *ir.Builder, full bool) {
	r.reduce(op, i, target, at)
	r.makeUnreduced(op, i, target, at)
	v := op.Operands[i]
	if !full || areEquivalent(v.Sharding, target) {
		return
	}
	if target == nil {
		target = layout.Replicated(v.Sharding.Mesh, v.Type.Rank())
	}
	reshard := sdy.NewConstraint(ir.OpReshard, v, target)
	at.Insert(reshard)
	op.SetOperand(i, reshard.Result())
}

// reduce inserts, by at, an all_reduce of operand i of op, over the axes that the operand is
// unreduced over and target is not. op then reads the sum. A nil target has no unreduced axes.
func (r *resharder) reduce(op *ir.Op, i int, target *layout.Sharding, at *ir.Builder) {
	v := op.Operands[i]
	s := v.Sharding
	if s == nil || len(s.Unreduced) == 0 {
		return
	}
	over := s.Unreduced
	if target != nil {
		over = axesWithout(s.Mesh, s.Unreduced, target.Unreduced)
	}
	if len(over) == 0 {
		return
	}
	out := s.Clone()
	out.Unreduced = axesWithout(s.Mesh, s.Unreduced, over)
	sum := newCollective(ir.OpSdyAllReduce, v, out, ir.NamedAttr{Name: "reduction_axes", Value: ir.AxesAttr(over)})
	at.Insert(sum)
	op.SetOperand(i, sum.Result())
}

// makeUnreduced makes operand i of op unreduced over the axes that are unreduced in target only, by
// ops that at inserts. If such an axis shards the operand, its shards become summands. If the
// operand is replicated over it, all devices except one hold zeros. It reports whether it changed
// anything: a nil target, and one on another mesh, change nothing.
func (r *resharder) makeUnreduced(op *ir.Op, i int, target *layout.Sharding, at *ir.Builder) bool {
	v := op.Operands[i]
	s := v.Sharding
	if s == nil || target == nil || !s.Mesh.Equal(target.Mesh) {
		return false
	}
	dm := s.Mesh
	more := axesWithout(dm, target.Unreduced, s.Unreduced)
	if len(more) == 0 {
		return false
	}
	// An axis that is the end of a dimension's axes becomes unreduced directly. Any other
	// difference needs a reshard first.
	var fromSplit []mesh.AxisRef
	perDim := make(ir.AxesPerDimAttr, len(s.Dims))
	inner := target.Clone()
	inner.Replicated, inner.Unreduced = s.Replicated, s.Unreduced
	reshard := false
	for d := range s.Dims {
		have, want := dm.AxisList(s.Dims[d].Axes), dm.AxisList(target.Dims[d].Axes)
		switch {
		case want.IsStrictPrefixOf(have):
			rest := dm.Refs(have.TrimPrefix(want))
			if len(axesWithout(dm, rest, more)) == 0 {
				perDim[d] = rest
				fromSplit = append(fromSplit, rest...)
				inner.Dims[d] = s.Dims[d]
				continue
			}
			reshard = true
		case !want.IsPrefixOf(have) && !have.IsPrefixOf(want):
			reshard = true
		}
	}
	if reshard {
		op := sdy.NewConstraint(ir.OpReshard, v, inner)
		at.Insert(op)
		v = op.Result()
	}
	if fresh := axesWithout(dm, more, fromSplit); len(fresh) > 0 {
		out := inner.Clone()
		out.Replicated = target.Replicated
		out.Unreduced = dm.SortedRefs(append(slices.Clone(s.Unreduced), fresh...))
		op := newCollective(ir.OpSdyReplicatedToUnreduced, v, out, ir.NamedAttr{Name: "axes", Value: ir.AxesAttr(fresh)})
		at.Insert(op)
		v = op.Result()
	}
	if len(fromSplit) > 0 {
		op := newCollective(ir.OpSdyShardedToUnreduced, v, target, ir.NamedAttr{Name: "axes", Value: perDim})
		at.Insert(op)
		v = op.Result()
	}
	op.SetOperand(i, v)
	return true
}

// newCollective returns an op of Shardy's dialect, not inserted yet, that changes the sharding of v
// to out. attr is its first attribute, which has the axes.
func newCollective(kind ir.OpKind, v *ir.Value, out *layout.Sharding, attr ir.NamedAttr) *ir.Op {
	attrs := ir.Attrs{attr, {Name: "out_sharding", Value: ir.ShardingAttr{Sharding: out}}}
	op := ir.NewOp(kind, []*ir.Value{v}, attrs, []ir.Type{v.Type})
	op.Result().Sharding = out
	if v.Def() != nil {
		op.Loc = v.Def().Loc
	}
	return op
}

// axesWithout returns the axes of a without the parts that an axis of b covers, in the order of the
// mesh.
func axesWithout(dm *mesh.DeviceMesh, a, b []mesh.AxisRef) []mesh.AxisRef {
	return dm.Refs(dm.AxisList(a).Without(dm.AxisList(b)))
}
