package compile

// This file implements the pass clamp: indices that are out of range, which XLA on CPUs
// gets wrong.

import (
	"math"
	"slices"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/ir"
)

// clampIndices makes explicit what dynamic_slice, dynamic_update_slice and
// gather do to indices that are out of range:
//
//	%1 = dynamic_slice %0, %i, sizes = [2]        %c = clamp 0, %i, 6
//	(%0 has 8 elements)                       =>  %1 = dynamic_slice %0, %c, sizes = [2]
//
// XLA on CPUs makes one slice of a slice of a slice by adding the indices, and
// forgets that the first ones had to be clamped; its partitioner forgets it of
// an update of shards: silently wrong numbers. It aborts where a gather from
// shards has indices of 8 or 16 bits: those get 32. Constants in range stay as
// they are.
func clampIndices(f *ir.Func) {
	b := &ir.Builder{}
	f.Walk(func(op *ir.Op) {
		b.Before(op).Loc = op.Loc
		switch op.Kind {
		case ir.OpDynamicSlice:
			s := op.DynamicSlice()
			for d, size := range s.SliceSizes() {
				op.SetOperand(1+d, clamped(b, s.StartIndices()[d], []int{s.Operand().Type.Dims[d] - size}, -1))
			}
		case ir.OpDynamicUpdateSlice:
			s := op.DynamicUpdateSlice()
			for d, size := range s.Update().Type.Dims {
				op.SetOperand(2+d, clamped(b, s.StartIndices()[d], []int{s.Operand().Type.Dims[d] - size}, -1))
			}
		case ir.OpGather:
			g := op.Gather()
			dims, sizes := g.DimensionNumbers(), g.SliceSizes()
			high := make([]int, len(dims.StartIndexMap))
			for i, d := range dims.StartIndexMap {
				high[i] = g.Operand().Type.Dims[d] - sizes[d]
			}
			index := clamped(b, g.StartIndices(), high, dims.IndexVectorDim)
			if index.Type.DType.Bits() < 32 {
				index = b.Convert(index, index.Type.WithDType(dtypes.Int32))
			}
			op.SetOperand(1, index)
		}
	})
}

// clamped returns index between 0 and high, of which each entry is for one
// position along dimension d of index; where there is no such dimension, the
// only entry is for all.
func clamped(b *ir.Builder, index *ir.Value, high []int, d int) *ir.Value {
	t := index.Type
	if t.Size() == 0 {
		return index
	}
	high = slices.Clone(high)
	if limit, ok := smallIntegers[t.DType]; ok {
		for i := range high {
			high[i] = min(high[i], limit)
		}
	}
	if l := literal(index); l != nil && !slices.ContainsFunc(l.Int64s(), func(i int64) bool { return i < 0 || i > int64(slices.Min(high)) }) {
		return index
	}
	low := b.Constant(ir.Scalar(t.DType, 0))
	if slices.Min(high) == slices.Max(high) {
		return b.Clamp(low, index, b.Constant(ir.Scalar(t.DType, float64(high[0]))))
	}
	list, err := ir.DenseFromFlat(ir.Tensor(dtypes.Int64, len(high)), high)
	if err != nil {
		panic("BUG: " + err.Error())
	}
	top := b.Convert(b.Constant(list), ir.Tensor(t.DType, len(high)))
	top = b.BroadcastInDim(top, []int{d}, t)
	return b.Clamp(b.BroadcastInDim(low, []int{}, t), index, top)
}

// smallIntegers holds the largest numbers of integer types that a dimension's
// size may exceed.
var smallIntegers = map[dtypes.DType]int{
	dtypes.Int8: math.MaxInt8, dtypes.Uint8: math.MaxUint8, dtypes.Int16: math.MaxInt16, dtypes.Uint16: math.MaxUint16,
	dtypes.Int32: math.MaxInt32, dtypes.Uint32: math.MaxUint32,
}
