package compile

// This file implements clamp, which clamps indices: XLA on CPUs gets indices out of range wrong.

import (
	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/ir/transform"
)

// clampIndices makes explicit how dynamic_slice, dynamic_update_slice and gather clamp indices that
// are out of range:
//
//	%1 = dynamic_slice %0, %i, sizes = [2]        %c = clamp 0, %i, 6
//	(%0 has 8 elements)                       =>  %1 = dynamic_slice %0, %c, sizes = [2]
//
// XLA on CPUs merges a slice of a slice into one by adding the indices, without clamping the first
// ones. Its partitioner does not clamp the indices of an update of shards. Both silently give wrong
// numbers. The partitioner aborts if a gather from shards has indices of 8 or 16 bits, so these get
// 32 bits. Constants in range stay as they are.
func clampIndices(f *ir.Func) {
	b := &ir.Builder{}
	f.Walk(func(op *ir.Op) {
		b.Before(op).Loc = op.Loc
		switch op.Kind {
		case ir.OpDynamicSlice:
			s := op.DynamicSlice()
			for d, size := range s.SliceSizes() {
				op.SetOperand(1+d, transform.ClampIndex(b, s.StartIndices()[d], []int{s.Operand().Type.Dims[d] - size}, -1))
			}
		case ir.OpDynamicUpdateSlice:
			s := op.DynamicUpdateSlice()
			for d, size := range s.Update().Type.Dims {
				op.SetOperand(2+d, transform.ClampIndex(b, s.StartIndices()[d], []int{s.Operand().Type.Dims[d] - size}, -1))
			}
		case ir.OpGather:
			g := op.Gather()
			dims, sizes := g.DimensionNumbers(), g.SliceSizes()
			high := make([]int, len(dims.StartIndexMap))
			for i, d := range dims.StartIndexMap {
				high[i] = g.Operand().Type.Dims[d] - sizes[d]
			}
			index := transform.ClampIndex(b, g.StartIndices(), high, dims.IndexVectorDim)
			if index.Type.DType.Bits() < 32 {
				index = b.Convert(index, index.Type.WithDType(dtypes.Int32))
			}
			op.SetOperand(1, index)
		}
	})
}
