package compile

// This file keeps NaN in minima and maxima over devices: StableHLO's are NaN
// where an operand is, but the collectives of XLA's CPU, and NCCL's, leave it
// out. The devices compare integers of the same order instead, as many bytes.

import (
	"fmt"
	"math"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/ir"
)

// sameSize gives the float types integers of their size, with the largest one.
var sameSize = map[dtypes.DType]struct {
	dtype   dtypes.DType
	largest any // a slice of one
	least   any
}{
	dtypes.Float64:  {dtypes.Int64, []int64{math.MaxInt64}, []int64{math.MinInt64}},
	dtypes.Float32:  {dtypes.Int32, []int32{math.MaxInt32}, []int32{math.MinInt32}},
	dtypes.Float16:  {dtypes.Int16, []int16{math.MaxInt16}, []int16{math.MinInt16}},
	dtypes.BFloat16: {dtypes.Int16, []int16{math.MaxInt16}, []int16{math.MinInt16}},
}

// losesNaN reports whether a reduction of numbers of that type is done on
// integers.
func losesNaN(reduction ir.OpKind, dtype dtypes.DType) bool {
	_, ok := sameSize[dtype]
	return ok && (reduction == ir.OpMinimum || reduction == ir.OpMaximum)
}

// ordered returns x as integers in the same order. The bits of a float that is
// not negative are such; those of a negative one with all but the sign turned
// round. NaN becomes what wins the reduction.
func (e *expander) ordered(x *ir.Value, reduction ir.OpKind) *ir.Value {
	to := sameSize[x.Type.DType]
	winner := to.least
	if reduction == ir.OpMaximum {
		winner = to.largest
	}
	nan := e.compare("NE", x, x)
	bits := e.add(ir.OpBitcastConvert, nil, ir.Tensor(to.dtype, x.Type.Dims...), x)
	return e.choose(nan, e.integer(bits.Type, winner), e.turned(bits, to.largest))
}

// unordered undoes ordered; the winners are the bits of NaNs.
func (e *expander) unordered(bits *ir.Value, t ir.Type) *ir.Value {
	return e.add(ir.OpBitcastConvert, nil, t, e.turned(bits, sameSize[t.DType].largest))
}

// turned turns round all bits but the sign of negative numbers.
func (e *expander) turned(bits *ir.Value, mask any) *ir.Value {
	other := e.add(ir.OpXor, nil, bits.Type, bits, e.integer(bits.Type, mask))
	zero := e.broadcast(e.number(bits.Type.DType, 0), bits.Type)
	return e.choose(e.compare("LT", bits, zero), other, bits)
}

// integer returns a tensor of the one number in flat.
func (e *expander) integer(t ir.Type, flat any) *ir.Value {
	d, err := ir.DenseFromFlat(ir.Tensor(t.DType), flat)
	if err != nil {
		panic(fmt.Sprint("BUG: ", err))
	}
	return e.broadcast(e.add(ir.OpConstant, ir.Attrs{{Name: "value", Value: d}}, d.Type), t)
}

func (e *expander) broadcast(x *ir.Value, t ir.Type) *ir.Value {
	return e.add(ir.OpBroadcastInDim, ir.Attrs{{Name: "broadcast_dimensions", Value: ir.Ints{}}}, t, x)
}

func (e *expander) compare(direction string, x, y *ir.Value) *ir.Value {
	return e.add(ir.OpCompare, ir.Attrs{{Name: "comparison_direction", Value: ir.Enum(direction)}}, ir.Tensor(dtypes.Bool, x.Type.Dims...), x, y)
}

func (e *expander) choose(pred, x, y *ir.Value) *ir.Value {
	return e.add(ir.OpSelect, nil, x.Type, pred, x, y)
}
