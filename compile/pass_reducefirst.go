package compile

// This file implements the pass reduce_first, which reduces on each device before it reduces over
// devices.

import (
	"slices"

	"github.com/gospmd/gospmd/ir"
)

// reduceFirst exchanges a reduction over devices and a reduction of the same kind over dimensions
// that reads its result:
//
//	%1 = spmd.reduce_scatter %0 dim=0 axes={"x"}        %1 = reduce sum of %0 along [1]
//	%2 = reduce sum of %1 along [1]                 =>  %2 = spmd.reduce_scatter %1 dim=0 axes={"x"}
//
// The devices then send the smaller value, and %0 need not be in memory. If a table's rows are
// sharded, the sum of a bag of embeddings is such a reduction, because each device knows some of the
// rows that an example names. The reduction over dimensions must start from the neutral value (pass
// inits), and a scattered dimension must stay.
func reduceFirst(c *compilation) error {
	c.main().Walk(func(op *ir.Op) {
		if over := reducedOver(op); over != nil && !c.binds(over.Result()) {
			exchangeReductions(over, op)
		}
	})
	return nil
}

// reducedOver returns the all_reduce or reduce_scatter whose result op alone reads, if op is a
// reduction over dimensions of the same kind, and otherwise nil.
func reducedOver(op *ir.Op) *ir.Op {
	kind, ok := ir.ReductionOf(op)
	if op.Kind != ir.OpReduce || !ok || len(op.Results) != 1 {
		return nil
	}
	over := op.Operands[0].Def()
	if over == nil || over.Kind != ir.OpSPMDAllReduce && over.Kind != ir.OpSPMDReduceScatter || len(over.Operands) != 1 ||
		over.Reduction() != kind || over.Block() != op.Block() || !over.Result().HasOneUse() {
		return nil
	}
	if over.Kind == ir.OpSPMDReduceScatter && slices.Contains(op.Reduce().Dimensions(), over.SPMDReduceScatter().Dim()) {
		return nil
	}
	return over
}

// exchangeReductions replaces op, which reduces the result of over, by a reduction of the operand
// of over, and a copy of over that reduces that.
func exchangeReductions(over, op *ir.Op) {
	reduced := op.Reduce().Dimensions()
	from := over.Operands[0]
	var dims []int
	for d, n := range from.Type.Dims {
		if !slices.Contains(reduced, d) {
			dims = append(dims, n)
		}
	}
	local := ir.Cloner{}.Op(op)
	local.SetOperand(0, from)
	local.Result().Type = op.Result().Type.WithDims(dims)
	local.InsertBefore(op)
	attrs := over.Attrs
	if over.Kind == ir.OpSPMDReduceScatter {
		dim := over.SPMDReduceScatter().Dim()
		for _, d := range reduced {
			if d < over.SPMDReduceScatter().Dim() {
				dim--
			}
		}
		attrs = attrs.With("dim", ir.Int(dim))
	}
	last := ir.NewOp(over.Kind, []*ir.Value{local.Result()}, attrs, []ir.Type{op.Result().Type})
	last.Loc = over.Loc
	last.InsertBefore(op)
	op.ReplaceWith(last.Result())
	over.Erase()
}
