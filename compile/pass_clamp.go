package compile

// This file implements clamp, which brings indices into range.

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
func clampIndices(u *unit) error {
	return eachBlock(u.main().Body, clampBlock)
}

func clampBlock(b *ir.Block) error {
	c := &clamper{}
	for op := range b.Ops() {
		c.Before(op).Loc = op.Loc
		switch op.Kind {
		case ir.OpDynamicSlice:
			for d, size := range op.Ints("slice_sizes") {
				op.SetOperand(1+d, c.clamp(op.Operands[1+d], []int{op.Operands[0].Type.Dims[d] - size}, -1))
			}
		case ir.OpDynamicUpdateSlice:
			for d, size := range op.Operands[1].Type.Dims {
				op.SetOperand(2+d, c.clamp(op.Operands[2+d], []int{op.Operands[0].Type.Dims[d] - size}, -1))
			}
		case ir.OpGather:
			dims, sizes := op.Gather().DimensionNumbers(), op.Ints("slice_sizes")
			high := make([]int, len(dims.StartIndexMap))
			for i, d := range dims.StartIndexMap {
				high[i] = op.Operands[0].Type.Dims[d] - sizes[d]
			}
			op.SetOperand(1, c.widen(c.clamp(op.Operands[1], high, dims.IndexVectorDim)))
		}
	}
	return nil
}

// clamper inserts the ops that clamp.
type clamper struct{ ir.Builder }

// clamp returns index between 0 and high, of which each entry is for one
// position along dimension d of index; where there is no such dimension, the
// only entry is for all.
func (c *clamper) clamp(index *ir.Value, high []int, d int) *ir.Value {
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
	if l := literal(index); l != nil && slices.IndexFunc(l.Int64s(), func(i int64) bool { return i < 0 || i > int64(slices.Min(high)) }) < 0 {
		return index
	}
	low := c.literal(ir.Scalar(t.DType, 0))
	var top *ir.Value
	if slices.Min(high) == slices.Max(high) {
		top = c.literal(ir.Scalar(t.DType, float64(high[0])))
	} else {
		d64 := ir.Tensor(dtypes.Int64, len(high))
		list, err := ir.DenseFromFlat(d64, high)
		if err != nil {
			panic("BUG: " + err.Error())
		}
		row := c.Typed(ir.OpConvert, nil, []ir.Type{ir.Tensor(t.DType, len(high))}, c.literal(list)).Result()
		top = c.Typed(ir.OpBroadcastInDim, ir.Attrs{{Name: "broadcast_dimensions", Value: ir.Ints{d}}}, []ir.Type{t}, row).Result()
		low = c.Typed(ir.OpBroadcastInDim, ir.Attrs{{Name: "broadcast_dimensions", Value: ir.Ints{}}}, []ir.Type{t}, low).Result()
	}
	return c.Typed(ir.OpClamp, nil, []ir.Type{t}, low, index, top).Result()
}

// widen makes 32 bits of fewer.
func (c *clamper) widen(index *ir.Value) *ir.Value {
	if index.Type.DType.Bits() >= 32 {
		return index
	}
	return c.Typed(ir.OpConvert, nil, []ir.Type{index.Type.WithDType(dtypes.Int32)}, index).Result()
}

func (c *clamper) literal(d *ir.Dense) *ir.Value {
	return c.Typed(ir.OpConstant, ir.Attrs{{Name: "value", Value: d}}, []ir.Type{d.Type}).Result()
}

// smallIntegers holds the largest numbers of integer types that a dimension's
// size may exceed.
var smallIntegers = map[dtypes.DType]int{
	dtypes.Int8: math.MaxInt8, dtypes.Uint8: math.MaxUint8, dtypes.Int16: math.MaxInt16, dtypes.Uint16: math.MaxUint16,
	dtypes.Int32: math.MaxInt32, dtypes.Uint32: math.MaxUint32,
}
