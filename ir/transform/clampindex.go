package transform

// This file clamps indices to a range.

import (
	"math"
	"slices"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/ir"
)

// ClampIndex returns index clamped to the range from 0 to high. Each element of high is the limit
// for one position along dimension d of index. If index has no such dimension, high has one
// element, which is the limit for all. A limit that the type of index does not have is replaced by
// the largest value of the type. An index without elements, and a constant that not even the lowest
// limit changes, are returned as they are.
func ClampIndex(b *ir.Builder, index *ir.Value, high []int, d int) *ir.Value {
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
	if def := index.Def(); def != nil && def.Kind == ir.OpConstant && !slices.ContainsFunc(def.Literal().Int64s(), func(i int64) bool { return i < 0 || i > int64(slices.Min(high)) }) {
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

// smallIntegers holds, for integer types that are too small for some dimension sizes, their largest
// values.
var smallIntegers = map[dtypes.DType]int{
	dtypes.Int8: math.MaxInt8, dtypes.Uint8: math.MaxUint8, dtypes.Int16: math.MaxInt16, dtypes.Uint16: math.MaxUint16,
	dtypes.Int32: math.MaxInt32, dtypes.Uint32: math.MaxUint32,
}
