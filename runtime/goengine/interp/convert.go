package interp

// This file converts between element types.

import (
	"fmt"
	"math"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/ir"
)

// runConvert converts the element type. Floats are truncated to integers; numbers out of range
// become the nearest integer, and NaN becomes 0: the specification leaves these open, and XLA does
// so. Integers wrap around. Everything but zero is true. A complex number becomes a number by its
// real part.
func runConvert(c *call) error {
	t := c.op.Results[0].Type
	if c.in[0].Type.DType == t.DType {
		c.set(0, c.in[0])
		return nil
	}
	x := widen(c.in[0])
	// A float becomes an integer of less than 8 bits directly: it saturates to the range of the
	// small type.
	wide := New(t.WithDType(wideType(t.DType)))
	f := conversions[conversion{x.Type.DType, wide.Type.DType}]
	if f == nil {
		return c.unsupportedError(x.Type.DType)
	}
	f(x, wide)
	if s := smallInt[t.DType]; s.bits > 0 && isFloat(x.Type.DType) {
		s.clamp(wide)
	}
	if x.Type.DType == dtypes.Float64 && smallFloats[t.DType] {
		roundToOdd(view[float64](x), view[float32](wide))
	}
	c.set(0, narrow(wide, t.DType))
	return nil
}

// roundToOdd rounds doubles to floats, to odd. Rounding these floats to a smaller type then gives
// the same as rounding the doubles directly.
func roundToOdd(x []float64, z []float32) {
	for i, v := range x {
		f := float32(v)
		if d := float64(f); d != v && math.Float32bits(f)&1 == 0 && !math.IsInf(d, 0) && v == v {
			toward := math.Inf(1)
			if v < d {
				toward = math.Inf(-1)
			}
			f = math.Nextafter32(f, float32(toward))
		}
		z[i] = f
	}
}

// clamp limits integers to the range of the small type. They are saturated floats in the wide type.
func (s small) clamp(t *Tensor) {
	if s.wide == dtypes.Int8 {
		limit := int8(1) << (s.bits - 1)
		for i, v := range view[int8](t) {
			t.Data[i] = byte(max(-limit, min(v, limit-1)))
		}
		return
	}
	for i, v := range t.Data {
		t.Data[i] = min(v, 1<<s.bits-1)
	}
}

type conversion struct{ from, to dtypes.DType }

var conversions = make(map[conversion]func(x, z *Tensor))

func init() {
	fromInt[int8](dtypes.Int8)
	fromInt[int16](dtypes.Int16)
	fromInt[int32](dtypes.Int32)
	fromInt[int64](dtypes.Int64)
	fromInt[uint8](dtypes.Uint8)
	fromInt[uint16](dtypes.Uint16)
	fromInt[uint32](dtypes.Uint32)
	fromInt[uint64](dtypes.Uint64)
	fromFloat(dtypes.Float32, func(v float32) float64 { return float64(v) })
	fromFloat(dtypes.Float64, func(v float64) float64 { return v })
	fromFloat(dtypes.Complex64, func(v complex64) float64 { return float64(real(v)) })
	fromFloat(dtypes.Complex128, func(v complex128) float64 { return real(v) })
	convertBy(dtypes.Complex64, dtypes.Bool, func(v complex64) bool { return v != 0 })
	convertBy(dtypes.Complex128, dtypes.Bool, func(v complex128) bool { return v != 0 })
	convertBy(dtypes.Complex64, dtypes.Complex128, func(v complex64) complex128 { return complex128(v) })
	convertBy(dtypes.Complex128, dtypes.Complex64, func(v complex128) complex64 { return complex64(v) })
	for c, f := range conversions {
		if c.from == dtypes.Uint8 { // a boolean is a byte, 0 or 1
			conversions[conversion{dtypes.Bool, c.to}] = f
		}
	}
}

func convertBy[X, Z any](from, to dtypes.DType, f func(v X) Z) {
	conversions[conversion{from, to}] = func(x, z *Tensor) {
		out := view[Z](z)
		for i, v := range view[X](x) {
			out[i] = f(v)
		}
	}
}

func fromInt[X integer](from dtypes.DType) {
	convertBy(from, dtypes.Bool, func(v X) bool { return v != 0 })
	convertBy(from, dtypes.Int8, func(v X) int8 { return int8(v) })
	convertBy(from, dtypes.Int16, func(v X) int16 { return int16(v) })
	convertBy(from, dtypes.Int32, func(v X) int32 { return int32(v) })
	convertBy(from, dtypes.Int64, func(v X) int64 { return int64(v) })
	convertBy(from, dtypes.Uint8, func(v X) uint8 { return uint8(v) })
	convertBy(from, dtypes.Uint16, func(v X) uint16 { return uint16(v) })
	convertBy(from, dtypes.Uint32, func(v X) uint32 { return uint32(v) })
	convertBy(from, dtypes.Uint64, func(v X) uint64 { return uint64(v) })
	convertBy(from, dtypes.Float32, func(v X) float32 { return float32(v) })
	convertBy(from, dtypes.Float64, func(v X) float64 { return float64(v) })
	convertBy(from, dtypes.Complex64, func(v X) complex64 { return complex(float32(v), 0) })
	convertBy(from, dtypes.Complex128, func(v X) complex128 { return complex(float64(v), 0) })
}

// fromFloat registers the conversions of elements of the float or complex type from to every other
// type. value returns an element as a float64; of a complex number, the real part.
func fromFloat[X float | complx](from dtypes.DType, value func(v X) float64) {
	convertBy(from, dtypes.Bool, func(v X) bool { return value(v) != 0 })
	convertBy(from, dtypes.Int8, func(v X) int8 { return saturate[int8](value(v)) })
	convertBy(from, dtypes.Int16, func(v X) int16 { return saturate[int16](value(v)) })
	convertBy(from, dtypes.Int32, func(v X) int32 { return saturate[int32](value(v)) })
	convertBy(from, dtypes.Int64, func(v X) int64 { return saturate[int64](value(v)) })
	convertBy(from, dtypes.Uint8, func(v X) uint8 { return saturate[uint8](value(v)) })
	convertBy(from, dtypes.Uint16, func(v X) uint16 { return saturate[uint16](value(v)) })
	convertBy(from, dtypes.Uint32, func(v X) uint32 { return saturate[uint32](value(v)) })
	convertBy(from, dtypes.Uint64, func(v X) uint64 { return saturate[uint64](value(v)) })
	convertBy(from, dtypes.Float32, func(v X) float32 { return float32(value(v)) })
	convertBy(from, dtypes.Float64, func(v X) float64 { return value(v) })
	convertBy(from, dtypes.Complex64, func(v X) complex64 { return complex(float32(value(v)), 0) })
	convertBy(from, dtypes.Complex128, func(v X) complex128 { return complex(value(v), 0) })
}

// saturate returns v truncated to an integer, and limited to the range of T; 0 for NaN.
func saturate[T integer](v float64) T {
	width := bitsOf[T]()
	low, high := 0.0, math.Ldexp(1, width)
	if isSigned[T]() {
		high = math.Ldexp(1, width-1)
		low = -high
	}
	switch {
	case v != v:
		return 0
	case v <= low:
		if isSigned[T]() {
			return T(1) << (width - 1)
		}
		return 0
	case v >= high:
		if isSigned[T]() {
			return ^(T(1) << (width - 1))
		}
		return ^T(0)
	case v < 0:
		return T(int64(v))
	case v >= math.Ldexp(1, 63):
		return T(uint64(v))
	}
	return T(int64(v))
}

// runReducePrecision rounds floats to fewer bits of exponent and mantissa, to nearest even. Numbers
// that are out of the range of the exponent become infinity or zero.
func runReducePrecision(c *call) error {
	exponent, mantissa := c.op.ReducePrecision().ExponentBits(), c.op.ReducePrecision().MantissaBits()
	x := widen(c.in[0])
	out := New(x.Type)
	switch x.Type.DType {
	case dtypes.Float32:
		in, z := view[uint32](x), view[uint32](out)
		for i, v := range in {
			z[i] = uint32(reducePrecision(uint64(v), 23, 8, exponent, mantissa))
		}
	case dtypes.Float64:
		in, z := view[uint64](x), view[uint64](out)
		for i, v := range in {
			z[i] = reducePrecision(v, 52, 11, exponent, mantissa)
		}
	default:
		return c.unsupportedError(x.Type.DType)
	}
	c.set(0, narrow(out, c.op.Results[0].Type.DType))
	return nil
}

// reducePrecision returns the bits v of a float, which has m bits of mantissa and e bits of
// exponent, rounded to the given numbers of such bits. Too large a number becomes an infinity, too
// small a one 0. NaN stays as it is.
func reducePrecision(v uint64, m, e, exponent, mantissa int) uint64 {
	sign := v & (1 << (m + e))
	abs := v &^ sign
	infinity := (uint64(1)<<e - 1) << m
	if abs > infinity { // NaN
		return v
	}
	if drop := m - mantissa; drop > 0 {
		half := uint64(1)<<(drop-1) - 1
		abs += half + abs>>drop&1
		abs &^= 1<<drop - 1
	}
	if exponent < e {
		bias := uint64(1)<<(e-1) - 1
		reduced := uint64(1)<<(exponent-1) - 1
		if exp := abs >> m; exp > bias+reduced {
			abs = infinity
		} else if exp <= bias-reduced {
			abs = 0
		}
	}
	return sign | abs
}

// runBitcast reinterprets the bits of elements: several small elements become a large one, least
// significant first, or a large one becomes several small ones. Bits that do not fill the result
// are an error.
func runBitcast(c *call) error {
	from, to := c.in[0].Type, c.op.Results[0].Type
	packed, err := pack(c.in[0])
	if err != nil {
		return err
	}
	out := c.newRaw(0)
	if s := smallInt[to.DType]; s.bits > 0 {
		per := 8 / s.bits
		for i := range out.Data {
			out.Data[i] = packed[i/per] >> (i % per * s.bits)
		}
		s.wrap(out)
		return nil
	}
	if len(packed) != len(out.Data) {
		return fmt.Errorf("the bits of %s do not fill %s", from, to)
	}
	copy(out.Data, packed)
	return nil
}

// pack returns the elements of t in packed bits: elements of less than 8 bits share bytes, the
// first in the lowest bits; others are returned as they are. If the packed elements do not fill the
// last byte, it returns an error.
func pack(t *Tensor) ([]byte, error) {
	s := smallInt[t.Type.DType]
	if s.bits == 0 {
		return t.Data, nil
	}
	per := 8 / s.bits
	if len(t.Data)%per != 0 {
		return nil, fmt.Errorf("the bits of %s do not fill whole bytes", t.Type)
	}
	out := make([]byte, len(t.Data)/per)
	for i, v := range t.Data {
		out[i/per] |= v & (1<<s.bits - 1) << (i % per * s.bits)
	}
	return out, nil
}

// convertTo returns t with its elements converted to type d, as the op convert does; t itself if
// they have that type. Types that cannot be converted are an error.
func convertTo(t *Tensor, d dtypes.DType) (*Tensor, error) {
	if t.Type.DType == d {
		return t, nil
	}
	op := ir.NewOp(ir.OpConvert, nil, nil, []ir.Type{t.Type.WithDType(d)})
	c := &call{op: op, in: []*Tensor{t}, out: make([]*Tensor, 1)}
	err := runConvert(c)
	return c.out[0], err
}
