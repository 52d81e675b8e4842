package target

// This file implements reductions that keep NaN, for emit. In StableHLO a minimum or maximum is NaN
// if an operand is. But the collectives of XLA on CPUs, of NCCL and of Gloo ignore NaN. So the
// devices compare integers instead, which have the same order and the same number of bytes.

import (
	"fmt"
	"math"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/ir"
)

// sameSize maps each float type to the integer type of the same size, with the largest and the
// least number of that type.
var sameSize = map[dtypes.DType]struct {
	dtype   dtypes.DType
	largest any // a slice of one element
	least   any
}{
	dtypes.Float64:  {dtypes.Int64, []int64{math.MaxInt64}, []int64{math.MinInt64}},
	dtypes.Float32:  {dtypes.Int32, []int32{math.MaxInt32}, []int32{math.MinInt32}},
	dtypes.Float16:  {dtypes.Int16, []int16{math.MaxInt16}, []int16{math.MinInt16}},
	dtypes.BFloat16: {dtypes.Int16, []int16{math.MaxInt16}, []int16{math.MinInt16}},
}

// losesNaN reports whether XLA may lose NaN in a reduction of elements of dtype, so that it must be
// done on integers. It may lose NaN in the minimum and the maximum of floats that have an entry in
// sameSize.
func losesNaN(reduction ir.OpKind, dtype dtypes.DType) bool {
	_, ok := sameSize[dtype]
	return ok && (reduction == ir.OpMinimum || reduction == ir.OpMaximum)
}

// encodeOrdered returns x as integers in the same order. The bit patterns of non-negative floats
// are ordered like the floats themselves. For negative floats, the same holds after all bits except
// the sign are flipped. NaN becomes the integer that wins the reduction.
func (e *emitter) encodeOrdered(x *ir.Value, reduction ir.OpKind) *ir.Value {
	to := sameSize[x.Type.DType]
	winner := to.least
	if reduction == ir.OpMaximum {
		winner = to.largest
	}
	nan := e.Compare(x, x, "NE")
	bits := e.BitcastConvert(x, x.Type.WithDType(to.dtype))
	return e.Select(nan, e.integer(bits.Type, winner), e.flip(bits, to.largest))
}

// decodeOrdered undoes encodeOrdered: it returns bits as floats of type dtype. The integers that
// stand for NaN become NaN.
func (e *emitter) decodeOrdered(bits *ir.Value, dtype dtypes.DType) *ir.Value {
	return e.BitcastConvert(e.flip(bits, sameSize[dtype].largest), bits.Type.WithDType(dtype))
}

// flip returns bits with the bits of mask, all except the sign, flipped in negative numbers.
func (e *emitter) flip(bits *ir.Value, mask any) *ir.Value {
	other := e.Xor(bits, e.integer(bits.Type, mask))
	zero := e.BroadcastInDim(e.number(bits.Type.DType, 0), []int{}, bits.Type)
	return e.Select(e.Compare(bits, zero, "LT"), other, bits)
}

// integer returns a tensor of type t whose elements are all the one number in the slice flat.
func (e *emitter) integer(t ir.Type, flat any) *ir.Value {
	d, err := ir.DenseFromFlat(ir.Tensor(t.DType), flat)
	if err != nil {
		panic(fmt.Sprint("BUG: ", err))
	}
	return e.BroadcastInDim(e.Constant(d), []int{}, t)
}
