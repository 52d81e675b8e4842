package trace

// This file turns GGML's blocks of quantized numbers, which GGUF files hold, into floats. The
// formats are those of dequantize_row_* in ggml-quants.c of llama.cpp.

import (
	"slices"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/ir"
)

// blockFormats has, for each format, the function that emits the floats of its blocks.
var blockFormats = map[compute.GGMLQuantType]func(b blocks) *ir.Value{
	compute.GGMLQ4_0:  blocks.q4_0,
	compute.GGMLQ8_0:  blocks.q8_0,
	compute.GGMLIQ4NL: blocks.iq4nl,
	compute.GGMLQ2_K:  blocks.q2K,
	compute.GGMLQ3_K:  blocks.q3K,
	compute.GGMLQ4_K:  blocks.q4K,
	compute.GGMLQ5_K:  blocks.q5K,
	compute.GGMLQ6_K:  blocks.q6K,
}

// blocks are the bytes of blocks, [rows, blocks of a row, bytes of a block]. Values that its
// methods return begin with the same two axes.
type blocks struct {
	*emitter
	v *ir.Value
}

// fromBlocks returns the rows of GGML blocks v, uint8 [rows, bytes], as floats [rows, columns]; q
// names their format. Another type or size, and zero points, fail e and give nil.
func (e *emitter) fromBlocks(v *ir.Value, q *compute.Quantization) *ir.Value {
	format := blockFormats[q.GGMLType]
	switch size := q.GGMLType.BytesPerBlock(); {
	case e.err != nil:
		return nil
	case format == nil:
		e.failf("got GGML type %d, which package compute does not name", q.GGMLType)
	case v.Type.DType != dtypes.Uint8:
		e.failf("blocks of %s are %s, want uint8", q.GGMLType, v.Type)
	case v.Type.Dims[1]%size != 0:
		e.failf("blocks of %s are %s, want rows of a multiple of %d bytes", q.GGMLType, v.Type, size)
	case q.ZeroPoint != nil:
		e.failf("got zero points: blocks of %s hold their own", q.GGMLType)
	default:
		rows, n := v.Type.Dims[0], v.Type.Dims[1]/size
		return e.reshape(format(blocks{e, e.reshape(v, rows, n, size)}), rows, n*q.GGMLType.ValuesPerBlock())
	}
	return nil
}

// bytes returns the bytes with the numbers from, from+1, …, to-1 of each block, as a uint8 array of
// the sizes dims for each block; nil after an error.
func (b blocks) bytes(from, to int, dims ...int) *ir.Value {
	if b.err != nil {
		return nil
	}
	rows, n := b.v.Type.Dims[0], b.v.Type.Dims[1]
	v := b.slice(b.v, []int{0, 0, from}, []int{rows, n, to}, []int{1, 1, 1})
	return b.shaped(v, dims...)
}

// shaped returns v as an array of the given sizes for each block.
func (b blocks) shaped(v *ir.Value, dims ...int) *ir.Value {
	return b.reshape(v, append([]int{b.v.Type.Dims[0], b.v.Type.Dims[1]}, dims...)...)
}

// half returns the float16 that begins at byte at of each block, as a float32 with rank further
// axes of size 1.
func (b blocks) half(at, rank int) *ir.Value {
	v := b.convert(b.bitcast(b.bytes(at, at+2, 2), dtypes.Float16), dtypes.Float32)
	return b.shaped(v, slices.Repeat([]int{1}, rank)...)
}

// bits returns n bits of each of the bytes v. from has the number of the first of them, counted
// from the lowest, which may differ between bytes.
func (b blocks) bits(v *ir.Value, from *ir.Value, n int) *ir.Value {
	return b.binary(ir.OpAnd, b.binary(ir.OpShiftRightLogical, v, from), b.byte(1<<n-1))
}

func (b blocks) byte(value int) *ir.Value { return b.scalar(dtypes.Uint8, float64(value)) }

func (b blocks) float(v *ir.Value) *ir.Value { return b.convert(v, dtypes.Float32) }

// steps returns the bytes 0, step, 2·step, … along an axis of an array of the given sizes for each
// block. axis counts from the first of dims. Other axes should have size 1.
func (b blocks) steps(step, axis int, dims ...int) *ir.Value {
	t := ir.Tensor(dtypes.Uint8, append([]int{1, 1}, dims...)...)
	return b.binary(ir.OpMultiply, b.iota(t, axis+2), b.byte(step))
}

// nibbles returns the low halves of the bytes v, and then the high ones, joined along an axis,
// which counts from the first after that of the blocks.
func (b blocks) nibbles(v *ir.Value, axis int) *ir.Value {
	return b.concatenate(axis+2, b.binary(ir.OpAnd, v, b.byte(15)), b.binary(ir.OpShiftRightLogical, v, b.byte(4)))
}

// times returns the product of one or more arrays of floats, with broadcasting.
func (b blocks) times(values ...*ir.Value) *ir.Value {
	out := values[0]
	for _, v := range values[1:] {
		out = b.binary(ir.OpMultiply, out, v)
	}
	return out
}

// minus returns v, floats, minus the number n.
func (b blocks) minus(v *ir.Value, n float64) *ir.Value {
	return b.binary(ir.OpSubtract, v, b.scalar(dtypes.Float32, n))
}

// q8_0 emits the floats of the format Q8_0: a block has a float16 scale and 32 signed bytes.
func (b blocks) q8_0() *ir.Value {
	return b.times(b.float(b.bitcast(b.bytes(2, 34, 32), dtypes.Int8)), b.half(0, 1))
}

// q4_0 emits the floats of the format Q4_0: a block has a float16 scale and 32 numbers of 4 bits; 8
// is subtracted from each.
func (b blocks) q4_0() *ir.Value {
	return b.times(b.minus(b.float(b.nibbles(b.bytes(2, 18, 16), 0)), 8), b.half(0, 1))
}

// iq4nl emits the floats of the format IQ4_NL: a block has a scale and 32 numbers of 4 bits, which
// are indices of a table.
func (b blocks) iq4nl() *ir.Value {
	index := b.convert(b.nibbles(b.bytes(2, 18, 16), 0), dtypes.Int32)
	if b.err != nil {
		return nil
	}
	return b.times(b.lookup(compute.IQ4NLLookupTable[:], index), b.half(0, 1))
}

// q2K emits the floats of the format Q2_K. A block has 16 pairs of a scale and a minimum, of 4 bits
// each; 256 numbers of 2 bits; the scales of the scales and of the minima. Byte i of 32 holds four
// numbers, 32 apart.
func (b blocks) q2K() *ir.Value {
	numbers := b.bits(b.bytes(16, 80, 2, 1, 32), b.steps(2, 1, 1, 4, 1), 2)
	pairs := b.bytes(0, 16, 16, 1)
	scale := b.times(b.half(80, 2), b.float(b.binary(ir.OpAnd, pairs, b.byte(15))))
	minimum := b.times(b.half(82, 2), b.float(b.binary(ir.OpShiftRightLogical, pairs, b.byte(4))))
	return b.binary(ir.OpSubtract, b.times(b.float(b.shaped(numbers, 16, 16)), scale), minimum)
}

// q3K emits the floats of the format Q3_K. A block has the high bits of 256 numbers of 3 bits, and
// their low bits; 16 scales of 6 bits, minus 32; the scale of the scales. A number is 4 lower if
// its high bit is not set.
func (b blocks) q3K() *ir.Value {
	high := b.bits(b.bytes(0, 32, 1, 32), b.steps(1, 0, 8, 1), 1)
	low := b.bits(b.bytes(32, 96, 2, 1, 32), b.steps(2, 1, 1, 4, 1), 2)
	number := b.binary(ir.OpOr, b.shaped(low, 16, 16), b.shaped(b.binary(ir.OpShiftLeft, high, b.byte(2)), 16, 16))
	lowScale := b.nibbles(b.bytes(96, 104, 8), 0)
	highScale := b.bits(b.bytes(104, 108, 1, 4), b.steps(2, 0, 4, 1), 2)
	scale := b.binary(ir.OpOr, b.shaped(lowScale, 16, 1), b.shaped(b.binary(ir.OpShiftLeft, highScale, b.byte(4)), 16, 1))
	return b.times(b.half(108, 2), b.minus(b.float(scale), 32), b.minus(b.float(number), 4))
}

// scalesAndMinima returns the eight scales and the eight minima, of 6 bits each, in bytes 4 to 15
// of a block of q4K or q5K. Both are float32, [8, 1] for each block. The scales are multiplied by
// the float16 that the block begins with, and the minima by the one after it.
func (b blocks) scalesAndMinima() (scale, minimum *ir.Value) {
	first, second, third := b.bytes(4, 8, 4), b.bytes(8, 12, 4), b.bytes(12, 16, 4)
	six := func(direct, low *ir.Value) *ir.Value {
		high := b.binary(ir.OpShiftLeft, b.binary(ir.OpShiftRightLogical, direct, b.byte(6)), b.byte(4))
		return b.float(b.shaped(b.concatenate(2, b.binary(ir.OpAnd, direct, b.byte(63)), b.binary(ir.OpOr, low, high)), 8, 1))
	}
	scale = six(first, b.binary(ir.OpAnd, third, b.byte(15)))
	minimum = six(second, b.binary(ir.OpShiftRightLogical, third, b.byte(4)))
	return b.times(b.half(0, 2), scale), b.times(b.half(2, 2), minimum)
}

// q4K emits the floats of the format Q4_K. A block has the scales of the scales and of the minima;
// eight scales and minima; 256 numbers of 4 bits.
func (b blocks) q4K() *ir.Value {
	scale, minimum := b.scalesAndMinima()
	numbers := b.shaped(b.nibbles(b.bytes(16, 144, 4, 1, 32), 1), 8, 32)
	return b.binary(ir.OpSubtract, b.times(b.float(numbers), scale), minimum)
}

// q5K emits the floats of the format Q5_K: a block is as that of Q4_K, with the fifth bits of all
// numbers before the others.
func (b blocks) q5K() *ir.Value {
	scale, minimum := b.scalesAndMinima()
	fifth := b.bits(b.bytes(16, 48, 1, 32), b.steps(1, 0, 8, 1), 1)
	low := b.shaped(b.nibbles(b.bytes(48, 176, 4, 1, 32), 1), 8, 32)
	numbers := b.binary(ir.OpOr, low, b.binary(ir.OpShiftLeft, fifth, b.byte(4)))
	return b.binary(ir.OpSubtract, b.times(b.float(numbers), scale), minimum)
}

// q6K emits the floats of the format Q6_K. A block has the low four bits of 256 numbers, and their
// high two bits; 16 scales of 8 bits; the scale of the scales. 32 is subtracted from the numbers.
func (b blocks) q6K() *ir.Value {
	low := b.nibbles(b.bytes(0, 128, 2, 2, 32), 1)
	high := b.bits(b.bytes(128, 192, 2, 1, 32), b.steps(2, 1, 1, 4, 1), 2)
	numbers := b.binary(ir.OpOr, low, b.binary(ir.OpShiftLeft, high, b.byte(4)))
	scale := b.float(b.bitcast(b.bytes(192, 208, 16, 1), dtypes.Int8))
	return b.times(b.half(208, 2), scale, b.minus(b.float(b.shaped(numbers, 16, 16)), 32))
}
