package compile

// This file implements reduce_scatter, which sums for a device only what it
// keeps.

import (
	"slices"

	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/mesh"
)

// scatterReduces makes an all_reduce of which every use cuts out the device's
// own shard a reduce_scatter, for half of the bytes:
//
//	%1 = spmd.all_reduce %0 axes={"x"}           %1 = spmd.reduce_scatter %0 dim=0 axes={"x"}
//	%2 = own shard of %1 in dim 0 along x    =>  uses of %2 become %1
//
// Where the shard is along some of the axes, the sum over the others stays an
// all_reduce of what is left. Padding before the cut goes before the sum. What
// is no longer used is left to dce.
func scatterReduces(u *unit) error {
	f := u.main()
	s := &scatterer{mesh: u.mesh, uses: f.Uses(), by: map[*ir.Value]*ir.Value{}}
	s.block(f.Body)
	f.Replace(s.by)
	return nil
}

type scatterer struct {
	mesh *mesh.DeviceMesh
	uses map[*ir.Value][]ir.Use
	by   map[*ir.Value]*ir.Value
}

func (s *scatterer) block(b *ir.Block) {
	ops := make([]*ir.Op, 0, b.Len())
	for op := range b.Ops() {
		for _, r := range op.Regions {
			s.block(r)
		}
		ops = append(ops, op)
		if op.Kind == ir.OpSPMDAllReduce && len(op.Operands) == 1 {
			ops = append(ops, s.scatter(op)...)
		}
	}
	b.SetOps(ops)
}

// cut is a shard of a reduced value: padded, it may be, before it was cut out.
type cut struct {
	ownShard
	pad    *ir.Op // nil: none
	result *ir.Value
}

// scatter returns the ops that make the cuts of reduce's result without it.
func (s *scatterer) scatter(reduce *ir.Op) []*ir.Op {
	cuts := s.cuts(reduce.Result(), nil)
	if len(cuts) == 0 {
		return nil
	}
	first := cuts[0]
	rest := slices.DeleteFunc(slices.Clone(reduce.Axes("axes")), func(a mesh.AxisRef) bool { return slices.Contains(first.axes, a) })
	if len(rest)+len(first.axes) != len(reduce.Axes("axes")) {
		return nil // the cut is along axes that are not summed over
	}
	for _, c := range cuts[1:] {
		if c.dim != first.dim || !slices.Equal(c.axes, first.axes) || c.pad != first.pad {
			return nil
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
		zero := first.pad.Operands[1].Def()
		if !isZero(zero) {
			return nil // the sum of padding would be another padding
		}
		value := add(ir.Cloner{}.Op(zero))
		pad := ir.Cloner{}.Op(first.pad)
		pad.SetOperands(v, value)
		v = add(pad)
	}
	attrs := reduce.Attrs.With("axes", ir.AxesAttr(first.axes))
	v = add(ir.NewOp(ir.OpSPMDReduceScatter, []*ir.Value{v}, append(ir.Attrs{{Name: "dim", Value: ir.Int(first.dim)}}, attrs...), []ir.Type{first.result.Type}))
	if len(rest) > 0 {
		v = add(ir.NewOp(ir.OpSPMDAllReduce, []*ir.Value{v}, reduce.Attrs.With("axes", ir.AxesAttr(rest)), []ir.Type{v.Type}))
	}
	before, after := cost.Sent(s.mesh, reduce), 0
	for _, op := range ops {
		after += cost.Sent(s.mesh, op)
	}
	if after > before {
		return nil
	}
	for _, c := range cuts {
		s.by[c.result] = v
	}
	return ops
}

// cuts returns the uses of v, nil unless all of them are cuts. pad is the op
// by which v was padded before.
func (s *scatterer) cuts(v *ir.Value, pad *ir.Op) []cut {
	var out []cut
	for _, use := range s.uses[v] {
		if own, ok := ownShardOf(s.mesh, use.Op); ok && use.Operand == 0 {
			out = append(out, cut{own, pad, use.Op.Result()})
			continue
		}
		if use.Op.Kind != ir.OpPad || use.Operand != 0 || pad != nil {
			return nil
		}
		padded := s.cuts(use.Op.Result(), use.Op)
		if padded == nil {
			return nil
		}
		out = append(out, padded...)
	}
	return out
}

// isZero reports whether op is the constant 0, which every reduction keeps.
func isZero(op *ir.Op) bool {
	if op == nil || op.Kind != ir.OpConstant {
		return false
	}
	for _, b := range op.Literal().Data {
		if b != 0 {
			return false
		}
	}
	return true
}
