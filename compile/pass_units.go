package compile

// This file implements unit_dimensions, which leaves dimensions of size 1 out of reduce_scatters.

import (
	"slices"

	"github.com/gospmd/gospmd/ir"
)

// unitDimensions replaces the operands of a reduce_scatter that have dimensions of size 1. Each gets
// a reduce_scatter of its other dimensions:
//
//	%1 = spmd.reduce_scatter %0 dim=2 : 1x1x128x256    =>    %a = reshape %0 : 128x256
//	                                                         %b = spmd.reduce_scatter %a dim=0 : 128x256
//	                                                         %1 = reshape %b : 1x1x32x256
//
// libtpu refuses some of them otherwise: "AllReduceScatterFusion not implemented for 2nd-minor
// compaction". Gradients of kernels of 1x1 convolutions have dimensions of size 1.
func unitDimensions(f *ir.Func) {
	f.Walk(func(op *ir.Op) {
		if op.Kind != ir.OpSPMDReduceScatter {
			return
		}
		results := make([]*ir.Value, len(op.Operands))
		var others []int
		for i, v := range op.Operands {
			if slices.Contains(v.Type.Dims, 1) {
				results[i] = scatterWithoutUnits(op, i)
			} else {
				others = append(others, i)
			}
		}
		if len(others) == len(op.Operands) {
			return
		}
		if len(others) > 0 {
			operands, types := make([]*ir.Value, len(others)), make([]ir.Type, len(others))
			for k, i := range others {
				operands[k], types[k] = op.Operands[i], op.Results[i].Type
			}
			rest := ir.NewOp(op.Kind, operands, op.Attrs, types)
			rest.Loc = op.Loc
			rest.InsertBefore(op)
			for k, i := range others {
				results[i] = rest.Results[k]
			}
		}
		op.ReplaceWith(results...)
	})
}

// scatterWithoutUnits returns result i of op, a reduce_scatter, by one of the dimensions of its
// operand that are larger than 1.
func scatterWithoutUnits(op *ir.Op, i int) *ir.Value {
	v, t, scatter := op.Operands[i], op.Results[i].Type, op.SPMDReduceScatter()
	dim, from, to := 0, []int(nil), []int(nil)
	for d, size := range v.Type.Dims {
		if size == 1 {
			continue
		}
		if d < scatter.Dim() {
			dim++
		}
		from, to = append(from, size), append(to, t.Dims[d])
	}
	b := (&ir.Builder{Loc: op.Loc}).Before(op)
	part := ir.NewOp(op.Kind, []*ir.Value{b.Reshape(v, v.Type.WithDims(from))}, op.Attrs.With("dim", ir.Int(dim)), []ir.Type{t.WithDims(to)})
	return b.Reshape(b.Insert(part).Result(), t)
}
