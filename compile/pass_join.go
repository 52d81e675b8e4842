package compile

// This file implements join, which sums over several axes at once.

import (
	"slices"

	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/mesh"
)

// joinReduces makes one sum of a sum of which nothing is used but its sum over
// other axes:
//
//	%1 = spmd.all_reduce %0 axes={"x":(1)2}
//	%2 = spmd.all_reduce %1 axes={"x":(2)2}   =>   %2 = spmd.all_reduce %0 axes={"x"}
//
// unless that sends clearly more: in steps a scalar is rounded up to fewer
// devices. The dead %1 is left to dce.
func joinReduces(u *unit) error {
	f := u.main()
	uses := f.Uses()
	f.Walk(func(op *ir.Op) {
		for {
			before := inner(op, uses)
			if before == nil {
				return
			}
			axes := slices.Concat(before.Axes("axes"), op.Axes("axes"))
			slices.SortFunc(axes, u.mesh.CompareRefs)
			joined := ir.NewOp(op.Kind, before.Operands, op.Attrs.With("axes", ir.AxesAttr(u.mesh.MergeRefs(axes))), []ir.Type{op.Result().Type})
			if cost.Sent(u.mesh, joined) > cost.Sent(u.mesh, before)+cost.Sent(u.mesh, op)+cost.Default().LaunchBytes(axes) {
				return
			}
			op.SetOperands(joined.Operands...)
			op.Attrs = joined.Attrs
		}
	})
	return nil
}

// inner returns the sum that op, a sum, is the only use of.
func inner(op *ir.Op, uses map[*ir.Value][]ir.Use) *ir.Op {
	if op.Kind != ir.OpSPMDAllReduce || len(op.Operands) != 1 {
		return nil
	}
	d := op.Operands[0].Def()
	if d == nil || d.Kind != op.Kind || len(d.Operands) != 1 || len(uses[d.Result()]) != 1 || d.Block() != op.Block() ||
		d.Reduction() != op.Reduction() || overlap(d.Axes("axes"), op.Axes("axes")) {
		return nil
	}
	return d
}

func overlap(a, b []mesh.AxisRef) bool {
	return slices.ContainsFunc(a, func(x mesh.AxisRef) bool { return slices.ContainsFunc(b, x.Overlaps) })
}
