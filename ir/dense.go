package ir

// This file makes and reads Dense, the tensor literal.

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/gomlx/compute/dtypes"
)

// ElementBytes returns the bytes that one element takes in a Dense. Booleans and integers of less
// than 8 bits take one byte. It is 0 for the dtype of a token, and for one that ir does not know.
func ElementBytes(d dtypes.DType) int {
	c, _ := codecOf(d)
	return c.elemSize()
}

// MemoryBytes returns the bytes that a tensor takes in memory if its elements are stored as in a
// Dense; 0 for a token.
func (t Type) MemoryBytes() int {
	if t.IsToken() {
		return 0
	}
	return t.Size() * ElementBytes(t.DType)
}

// bitWidth returns the bits of an element; a boolean has 1, and a complex number those of both
// parts.
func bitWidth(d dtypes.DType) int {
	c, _ := codecOf(d)
	if c.complex {
		return 2 * c.bits
	}
	return c.bits
}

// Scalar returns the literal of a scalar, its value converted to dtype as
// Splat does.
func Scalar(dtype dtypes.DType, value float64) *Dense { return Splat(Tensor(dtype), value) }

// Splat returns the literal of type t whose elements are all equal to value, converted to the
// element type. For floats it is rounded to nearest even. For integers its fraction is cut off, and
// it is clamped to the range of the type. For booleans it is true unless it is zero. For complex
// numbers it becomes the real part. Splat panics if t is a token.
func Splat(t Type, value float64) *Dense {
	c, ok := codecOf(t.DType)
	if !ok {
		panic(fmt.Sprintf("BUG: literal of type %s", t))
	}
	d := &Dense{Type: t, Splat: true, Data: c.store(nil, c.fromFloat64(value))}
	if c.complex {
		d.Data = c.store(d.Data, c.fromFloat64(0))
	}
	return d
}

// fromFloat64 returns the bits of v in the element type or, for complex numbers, in that of their
// parts. Floats are rounded to nearest even. Integers are cut off towards zero and limited to the
// range of the type; booleans are v != 0.
func (c elemCodec) fromFloat64(v float64) uint64 {
	switch c.kind {
	case elemFloat:
		if math.IsNaN(v) {
			return c.float.nan()
		}
		return c.float.encode(v)
	case elemBool:
		if v != 0 {
			return 1
		}
		return 0
	case elemInt:
		limit := math.Ldexp(1, c.bits-1)
		if v >= limit {
			return 1<<(c.bits-1) - 1
		}
		return uint64(int64(max(v, -limit)))
	default:
		if limit := math.Ldexp(1, c.bits); v >= limit {
			return c.ones()
		}
		return uint64(max(v, 0))
	}
}

// toFloat64 returns the number that has the given bits.
func (c elemCodec) toFloat64(bits uint64) float64 {
	switch c.kind {
	case elemFloat:
		return c.float.decode(bits)
	case elemInt:
		return float64(c.toInt64(bits))
	default:
		return float64(bits)
	}
}

// toInt64 returns the integer or boolean that has the given bits.
func (c elemCodec) toInt64(bits uint64) int64 {
	if c.kind == elemInt {
		unused := 64 - c.bits
		return int64(bits<<unused) >> unused
	}
	return int64(bits)
}

// ones returns the bits of an element with all bits set.
func (c elemCodec) ones() uint64 { return 1<<(c.bits-1)<<1 - 1 }

// lowestBits returns the bits of the least number of the type: -∞ if the type has it.
func (c elemCodec) lowestBits() uint64 {
	switch {
	case c.kind == elemInt:
		return ^uint64(0) << (c.bits - 1) // extends the sign to the unused upper bits
	case c.kind != elemFloat, c.float.special == fnu:
		return 0
	case c.float.special == ieee:
		return c.float.sign() | c.float.inf()
	default:
		return c.float.sign() | c.float.maxFinite()
	}
}

// highestBits returns the bits of the greatest number of the type: +∞ if the type has it.
func (c elemCodec) highestBits() uint64 {
	switch {
	case c.kind == elemInt:
		return 1<<(c.bits-1) - 1
	case c.kind != elemFloat:
		return c.ones()
	case c.float.special == ieee:
		return c.float.inf()
	default:
		return c.float.maxFinite()
	}
}

// nan returns the bits of a quiet NaN; those of the largest number if the format has no NaN.
func (f floatFormat) nan() uint64 {
	if f.special == ieee {
		return f.inf() | 1<<(f.mantissa-1)
	}
	return f.overflow()
}

// DenseFromFlat returns the literal of type t with the elements of flat in row-major order. flat is
// a slice of Go numbers or booleans of the element's size, such as []float32, []bfloat16.BFloat16
// or []bool; []int counts as i64. The data is copied. Anything that is no such slice, and another
// number of bytes than t has, are errors. The type of the numbers is not compared with that of t.
func DenseFromFlat(t Type, flat any) (*Dense, error) {
	if ints, ok := flat.([]int); ok {
		wide := make([]int64, len(ints))
		for i, v := range ints {
			wide[i] = int64(v)
		}
		flat = wide
	}
	n := binary.Size(flat)
	if n < 0 {
		return nil, fmt.Errorf("ir: literal of type %s: elements are a %T, want a slice of numbers", t, flat)
	}
	data, err := binary.Append(make([]byte, 0, n), binary.LittleEndian, flat)
	if err != nil {
		return nil, fmt.Errorf("ir: literal of type %s: %w", t, err)
	}
	d := &Dense{Type: t, Data: data}
	if err := d.check(); err != nil {
		return nil, fmt.Errorf("ir: literal: %w (given as %T)", err, flat)
	}
	return d, nil
}

// check returns an error unless the data has the length that the type needs.
func (d *Dense) check() error {
	size := ElementBytes(d.Type.DType)
	if size == 0 {
		return fmt.Errorf("value is of type %s, want a tensor", d.Type)
	}
	n := d.Type.Size()
	if d.Splat {
		n = 1
	}
	if len(d.Data) != n*size {
		return fmt.Errorf("value of type %s has %d bytes of data, want %d", d.Type, len(d.Data), n*size)
	}
	return nil
}

// each calls visit with the bits of every element in order. For a splat it does so for every
// element of the tensor. For complex numbers it passes the bits of the real parts.
func (d *Dense) each(visit func(c elemCodec, i int, bits uint64)) {
	c, _ := codecOf(d.Type.DType)
	step := c.elemSize()
	for i := range d.Type.Size() {
		at := i * step
		if d.Splat {
			at = 0
		}
		visit(c, i, c.load(d.Data[at:]))
	}
}

// Float64s returns the elements as float64; of complex numbers, the real parts. A splat is
// expanded.
func (d *Dense) Float64s() []float64 {
	out := make([]float64, d.Type.Size())
	d.each(func(c elemCodec, i int, bits uint64) { out[i] = c.toFloat64(bits) })
	return out
}

// Int64s returns the elements as int64. The fractions of floats are cut off; of complex numbers it
// takes the real parts. A splat is expanded.
func (d *Dense) Int64s() []int64 {
	out := make([]int64, d.Type.Size())
	d.each(func(c elemCodec, i int, bits uint64) {
		if c.kind == elemFloat {
			out[i] = int64(c.toFloat64(bits))
		} else {
			out[i] = c.toInt64(bits)
		}
	})
	return out
}

// IsZero reports whether all bits of all elements are zero. The bits of -0.0 are not all zero.
func (d *Dense) IsZero() bool {
	return !slices.ContainsFunc(d.Data, func(b byte) bool { return b != 0 })
}

// IsSplat reports whether one element stands for all: whether Splat is set, or there is one element.
// The text of a scalar does not tell which of the two it is, so costs must not either.
func (d *Dense) IsSplat() bool { return d.Splat || d.Type.Size() == 1 }

// SplatValue returns, as float64, the value that all elements have. ok is false if their bits
// differ, if there are none, and for complex numbers.
func (d *Dense) SplatValue() (value float64, ok bool) {
	size := ElementBytes(d.Type.DType)
	if len(d.Data) < size || d.Type.Size() == 0 {
		return 0, false
	}
	for at := size; at < len(d.Data); at += size {
		if string(d.Data[at:at+size]) != string(d.Data[:size]) {
			return 0, false
		}
	}
	c, _ := codecOf(d.Type.DType)
	return c.toFloat64(c.load(d.Data)), !c.complex
}
