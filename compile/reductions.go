package compile

// This file implements the passes that change reductions over devices:
// merge_reduces and reduce_scatter.

import (
	"slices"
	"strings"

	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/mesh"
)

// mergeReduces merges two all_reduces of one value, by the same reduction over different axes, into
// one, if the second is the only use of the first:
//
//	%1 = spmd.all_reduce %0 axes={"x":(1)2}
//	%2 = spmd.all_reduce %1 axes={"x":(2)2}   =>   %2 = spmd.all_reduce %0 axes={"x"}
//
// It does not merge them if that costs more (cost.Machine.SendCost): the merged op sends at most as
// many bytes, but all of them over the slowest of the axes.
func mergeReduces(c *compilation) error {
	m, machine := c.mesh, c.machine()
	sendCost := func(op *ir.Op) int { return machine.SendCost(cost.Axes(m, op), cost.SentBytes(m, op), 1) }
	c.main().Walk(func(op *ir.Op) {
		for {
			inner := onlyOperandReduce(op)
			if inner == nil {
				return
			}
			axes := slices.Concat(inner.SPMDAllReduce().Axes(), op.SPMDAllReduce().Axes())
			slices.SortFunc(axes, m.CompareRefs)
			attrs := op.Attrs.With("axes", ir.AxesAttr(m.MergeRefs(axes)))
			merged := ir.NewOp(op.Kind, inner.Operands, attrs, []ir.Type{op.Result().Type})
			if sendCost(merged) > sendCost(inner)+sendCost(op) {
				return
			}
			op.SetOperand(0, inner.Operands[0])
			op.Attrs = attrs
			inner.Erase()
		}
	})
	return nil
}

// onlyOperandReduce returns the all_reduce that makes the operand of op, also an all_reduce, if the
// two can be merged, and otherwise nil.
func onlyOperandReduce(op *ir.Op) *ir.Op {
	if op.Kind != ir.OpSPMDAllReduce || len(op.Operands) != 1 {
		return nil
	}
	d := op.Operands[0].Def()
	if d == nil || d.Kind != op.Kind || len(d.Operands) != 1 || !d.Result().HasOneUse() || d.Block() != op.Block() ||
		d.Reduction() != op.Reduction() || overlap(d.SPMDAllReduce().Axes(), op.SPMDAllReduce().Axes()) {
		return nil
	}
	return d
}

func overlap(a, b []mesh.AxisRef) bool {
	return slices.ContainsFunc(a, func(x mesh.AxisRef) bool { return slices.ContainsFunc(b, x.Overlaps) })
}

// scatterReduces turns an all_reduce into a reduce_scatter, for half of the bytes, if each use
// reads only the device's own shard:
//
//	%1 = spmd.all_reduce %0 axes={"x"}             %1 = spmd.reduce_scatter %0 dim=0 axes={"x"}
//	%2 = local shard of %1 in dim 0 along x    =>  uses of %2 become %1
//
// If the shard is along only some of the axes, an all_reduce of the scattered result sums over the
// other axes. Padding between the sum and the shard moves to before the sum. Ops without uses are
// left to pass dce.
func scatterReduces(c *compilation) error {
	c.main().Walk(func(op *ir.Op) {
		if op.Kind == ir.OpSPMDAllReduce && len(op.Operands) == 1 && !c.binds(op.Result()) {
			scatterReduce(c.mesh, op)
		}
	})
	return nil
}

// shardUse is a place where the program takes the device's local shard of a reduced value, perhaps
// after padding it.
type shardUse struct {
	localShard
	pad    *ir.Op // the op that pads the value before; nil: none
	result *ir.Value
}

// scatterReduce replaces an all_reduce, reduce, and the local shards that are taken of its result
// by one reduce_scatter. It does nothing if the result has other uses; if the shards differ in
// dimension, axes or padding; if they are along axes that reduce does not sum over; if the padding
// is not 0; or if a reduce_scatter would send more bytes.
func scatterReduce(m *mesh.DeviceMesh, reduce *ir.Op) {
	uses := shardUses(m, reduce.Result(), nil)
	if len(uses) == 0 {
		return
	}
	first := uses[0]
	axes := reduce.SPMDAllReduce().Axes()
	rest := slices.DeleteFunc(slices.Clone(axes), func(a mesh.AxisRef) bool { return slices.Contains(first.axes, a) })
	if len(rest)+len(first.axes) != len(axes) {
		return // the shard is along axes that reduce does not sum over
	}
	for _, u := range uses[1:] {
		if u.dim != first.dim || !slices.Equal(u.axes, first.axes) || u.pad != first.pad {
			return
		}
	}
	var ops []*ir.Op
	add := func(op *ir.Op) *ir.Value {
		op.Loc = reduce.Loc
		ops = append(ops, op)
		return op.Result()
	}
	v := reduce.Operands[0]
	if first.pad != nil {
		zero := first.pad.Pad().PaddingValue().Def()
		if !isZero(zero) {
			return // the padding would be summed, too
		}
		value := add(ir.Cloner{}.Op(zero))
		pad := ir.Cloner{}.Op(first.pad)
		pad.SetOperands(v, value)
		v = add(pad)
	}
	common := withScatterReason(reduce.Attrs)
	attrs := append(ir.Attrs{{Name: "dim", Value: ir.Int(first.dim)}}, common.With("axes", ir.AxesAttr(first.axes))...)
	v = add(ir.NewOp(ir.OpSPMDReduceScatter, []*ir.Value{v}, attrs, []ir.Type{first.result.Type}))
	if len(rest) > 0 {
		v = add(ir.NewOp(ir.OpSPMDAllReduce, []*ir.Value{v}, common.With("axes", ir.AxesAttr(rest)), []ir.Type{v.Type}))
	}
	sent := 0
	for _, op := range ops {
		sent += cost.SentBytes(m, op)
	}
	if sent > cost.SentBytes(m, reduce) {
		return
	}
	last := reduce
	for _, op := range ops {
		op.InsertAfter(last)
		last = op
	}
	for _, u := range uses {
		u.result.ReplaceAllUsesWith(v)
	}
}

// withScatterReason returns attrs, those of a collective, with a new reason, which says why the
// reduction is scattered. The old reason named uses that it no longer has. Without a reason it
// returns attrs.
func withScatterReason(attrs ir.Attrs) ir.Attrs {
	why, ok := attrs.Get("why").(ir.String)
	if !ok {
		return attrs
	}
	reduces, _, found := strings.Cut(string(why), "; ")
	if !found {
		return attrs.With("why", ir.String("only shards of the sum are used"))
	}
	return attrs.With("why", ir.String(reduces+"; only shards of the sum are used"))
}

// shardUses returns the uses of v, or nil unless there are some and all of them are local shards,
// perhaps of v padded once. pad is the op that padded v, or nil.
func shardUses(m *mesh.DeviceMesh, v *ir.Value, pad *ir.Op) []shardUse {
	var out []shardUse
	for use := range v.Uses() {
		if shard, ok := localShardOf(m, use.Op); ok && use.Operand == 0 {
			out = append(out, shardUse{shard, pad, use.Op.Result()})
			continue
		}
		if use.Op.Kind != ir.OpPad || use.Operand != 0 || pad != nil {
			return nil
		}
		padded := shardUses(m, use.Op.Result(), use.Op)
		if padded == nil {
			return nil
		}
		out = append(out, padded...)
	}
	return out
}

// isZero reports whether op is a constant whose elements are all 0, which stays 0 in every
// reduction. It is false for nil.
func isZero(op *ir.Op) bool {
	return op != nil && op.Kind == ir.OpConstant && op.Constant().Value().IsZero()
}
