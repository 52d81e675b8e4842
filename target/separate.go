package target

// This file splits collectives of several values into one collective for each value. Small values
// that are gathered stay together.

import "github.com/gospmd/gospmd/ir"

// small is the largest number of bytes that a device contributes to a gather together with other
// values. A larger value gets its own gather: libtpu makes such a gather asynchronous, but not one
// of several values.
const small = 16 << 10

// separate returns a copy of m in which each collective has one operand: one op for each operand.
// Small operands of a gather that have the element type of its first operand share one op.
func separate(m *ir.Module) *ir.Module {
	m = m.Clone()
	for _, f := range m.Funcs {
		f.Walk(func(op *ir.Op) {
			if !op.Info().Is(ir.Collective|ir.OnMesh) || len(op.Operands) == 1 {
				return
			}
			results := make([]*ir.Value, len(op.Operands))
			var together []int
			for i, v := range op.Operands {
				if op.Kind == ir.OpSPMDAllGather && v.Type.DType == op.Operands[0].Type.DType && v.Type.MemoryBytes() <= small {
					together = append(together, i)
					continue
				}
				one := ir.NewOp(op.Kind, []*ir.Value{v}, op.Attrs, []ir.Type{op.Results[i].Type})
				one.Loc = op.Loc
				one.InsertBefore(op)
				results[i] = one.Result()
			}
			if len(together) > 0 {
				gatherTogether(op, together, results)
			}
			op.ReplaceWith(results...)
		})
	}
	return m
}

// gatherTogether sets the results of the given operands of op, an all_gather. It gathers them as
// one vector,
//
//	%v = concatenate (reshape %0), (reshape %1)
//	%w = spmd.all_gather %v dim=0
//
// whose parts are the elements of %0 and %1 in memory order. libtpu would split a gather with
// several operands into one for each operand.
func gatherTogether(op *ir.Op, operands []int, results []*ir.Value) {
	var b ir.Builder
	b.Before(op).Loc = op.Loc
	gather := op.SPMDAllGather()
	vectors := make([]*ir.Value, len(operands))
	for k, i := range operands {
		v := op.Operands[i]
		vectors[k] = b.Reshape(v, ir.Tensor(v.Type.DType, v.Type.Size()))
	}
	all := b.Concatenate(vectors, 0)
	size := all.Type.Size()
	n := 1
	if first := op.Operands[operands[0]].Type; first.Size() > 0 {
		n = op.Results[operands[0]].Type.Size() / first.Size()
	}
	all = b.SPMDAllGather([]*ir.Value{all}, 0, gather.Axes(), []ir.Type{all.Type.WithDims([]int{n * size})}).Result()
	rows := b.Reshape(all, all.Type.WithDims([]int{n, size}))
	at := 0
	for k, i := range operands {
		end := at + vectors[k].Type.Size()
		own := b.Slice(rows, []int{0, at}, []int{n, end}, []int{1, 1})
		results[i] = concatenate(&b, b.Reshape(own, ir.Tensor(own.Type.DType, n*(end-at))), n, gather.Dim(), op.Operands[i].Type, op.Results[i].Type)
		at = end
	}
}
