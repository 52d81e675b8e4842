package compile

// This file reads and writes elements of constants.

import (
	"bytes"
	"encoding/binary"
	"math"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/dtypes/bfloat16"
	"github.com/gomlx/compute/dtypes/float16"

	"github.com/gospmd/gospmd/ir"
)

// class is a class of element types.
type class int

const (
	opaque class = iota // types that are not folded: complex, 8-bit floats, packed integers
	boolean
	signed
	unsigned
	floating
)

// number describes an element type: its class, its size in bits and, for floats, the bits of the
// significand, the smallest normal number and the largest exponent.
type number struct {
	class       class
	bits        int
	significand int
	minNormal   float64
	maxExponent int
}

// numbers describes the element types whose constants can be folded. Constants of other types stay.
var numbers = map[dtypes.DType]number{
	dtypes.Bool:     {class: boolean, bits: 8},
	dtypes.Int8:     {class: signed, bits: 8},
	dtypes.Int16:    {class: signed, bits: 16},
	dtypes.Int32:    {class: signed, bits: 32},
	dtypes.Int64:    {class: signed, bits: 64},
	dtypes.Uint8:    {class: unsigned, bits: 8},
	dtypes.Uint16:   {class: unsigned, bits: 16},
	dtypes.Uint32:   {class: unsigned, bits: 32},
	dtypes.Uint64:   {class: unsigned, bits: 64},
	dtypes.Float16:  {class: floating, bits: 16, significand: 11, minNormal: 0x1p-14, maxExponent: 15},
	dtypes.BFloat16: {class: floating, bits: 16, significand: 8, minNormal: 0x1p-126, maxExponent: 127},
	dtypes.Float32:  {class: floating, bits: 32, significand: 24, minNormal: 0x1p-126, maxExponent: 127},
	dtypes.Float64:  {class: floating, bits: 64, significand: 53, minNormal: 0x1p-1022, maxExponent: 1023},
}

// numberOf returns the description of d; its class is opaque if there is none.
func numberOf(d dtypes.DType) number { return numbers[d] }

// holds reports whether n represents every value of o. It is false between floats and integers, for
// opaque types, and if both are booleans. If it is true, a conversion from o to n and then to a
// third type is the same as a conversion from o to that type.
func (n number) holds(o number) bool {
	switch {
	case n.class == opaque || o.class == opaque:
		return false
	case o.class == boolean:
		return n.class != boolean
	case n.class == floating && o.class == floating:
		return n.significand >= o.significand && n.maxExponent >= o.maxExponent && n.minNormal <= o.minNormal
	case n.class == o.class:
		return n.bits >= o.bits
	case n.class == signed && o.class == unsigned:
		return n.bits > o.bits
	}
	return false
}

// wrap returns i modulo 2^bits, in the range of the type.
func (n number) wrap(i int64) int64 {
	switch n.class {
	case boolean:
		return i & 1
	case signed:
		return i << (64 - n.bits) >> (64 - n.bits)
	default:
		return int64(uint64(i) << (64 - n.bits) >> (64 - n.bits))
	}
}

// element is one element of a constant. i holds integers and booleans (for uint64, the bits), and f
// holds floats.
type element struct {
	i int64
	f float64
}

// get returns element k of data, counted in elements of the type n. Its class must not be opaque.
func (n number) get(data []byte, k int) element {
	var raw uint64
	for b := n.bits/8 - 1; b >= 0; b-- {
		raw = raw<<8 | uint64(data[k*n.bits/8+b])
	}
	if n.class != floating {
		return element{i: n.wrap(int64(raw))}
	}
	switch {
	case n.bits == 64:
		return element{f: math.Float64frombits(raw)}
	case n.bits == 32:
		return element{f: float64(math.Float32frombits(uint32(raw)))}
	case n.significand == 8:
		return element{f: float64(bfloat16.FromBits(uint16(raw)).Float32())}
	default:
		return element{f: float64(float16.FromBits(uint16(raw)).Float32())}
	}
}

// append returns data with e, of the type n, appended. It returns nil and false if a 16-bit float
// cannot hold e exactly, so that results do not depend on how such floats are rounded.
func (n number) append(data []byte, e element) ([]byte, bool) {
	raw := uint64(e.i)
	if n.class == floating {
		switch {
		case n.bits == 64:
			raw = math.Float64bits(e.f)
		case n.bits == 32:
			raw = uint64(math.Float32bits(float32(e.f)))
		case n.significand == 8:
			raw = uint64(bfloat16.FromFloat32(float32(e.f)))
		default:
			raw = uint64(float16.FromFloat32(float32(e.f)))
		}
	}
	start := len(data)
	data = binary.LittleEndian.AppendUint64(data, raw)[:start+n.bits/8]
	if n.class == floating && n.bits == 16 && !sameFloat(n.get(data[start:], 0).f, e.f) {
		return nil, false
	}
	return data, true
}

// uniformElement returns the element that all elements of d are equal to, bit for bit; the second
// result is false if they differ, if there are none, or if the type cannot be folded.
func uniformElement(d *ir.Dense) (element, bool) {
	n := numberOf(d.Type.DType)
	if n.class == opaque || len(d.Data) == 0 || !isUniform(d) {
		return element{}, false
	}
	return n.get(d.Data, 0), true
}

// isUniform reports whether all elements of d have the same bits: true for a splat, and otherwise
// false if there are no elements.
func isUniform(d *ir.Dense) bool {
	if d.IsSplat() {
		return true
	}
	if d.Type.Size() == 0 || len(d.Data)%d.Type.Size() != 0 {
		return false
	}
	size := len(d.Data) / d.Type.Size()
	return bytes.Equal(d.Data[size:], d.Data[:len(d.Data)-size])
}

var (
	negativeZero = math.Copysign(0, -1)
	notAFloat    = math.NaN() // sameFloat finds it equal to no float
)

// sameFloat reports whether a and b are equal and have the same sign. NaN is the same as no number.
func sameFloat(a, b float64) bool { return a == b && math.Signbit(a) == math.Signbit(b) }
