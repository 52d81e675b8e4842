package interp

// This file generates random bits: it encrypts counters by Threefry-2x32 or Philox-4x32. The order
// of the results is XLA's, so that a state gives the same bits on every engine.
//
// See Salmon et al., Parallel Random Numbers: As Easy as 1, 2, 3 (2011).

import (
	"fmt"
	"math"
	"math/bits"
	"slices"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/internal/rowmajor"
)

// threefry returns the block of Threefry-2x32, with 20 rounds, of the counter x0, x1 under the key
// k0, k1.
func threefry(k0, k1, x0, x1 uint32) (uint32, uint32) {
	rotations := [2][4]int{{13, 15, 26, 6}, {17, 29, 16, 24}}
	keys := [3]uint32{k0, k1, k0 ^ k1 ^ 0x1bd11bda}
	x0, x1 = x0+k0, x1+k1
	for round := range 5 {
		for _, r := range rotations[round%2] {
			x0 += x1
			x1 = bits.RotateLeft32(x1, r) ^ x0
		}
		x0 += keys[(round+1)%3]
		x1 += keys[(round+2)%3] + uint32(round) + 1
	}
	return x0, x1
}

// philox returns the block of Philox-4x32, with 10 rounds, of the counter x under the key k.
func philox(k [2]uint32, x [4]uint32) [4]uint32 {
	for range 10 {
		h0, l0 := bits.Mul32(0xd2511f53, x[0])
		h1, l1 := bits.Mul32(0xcd9e8d57, x[2])
		x = [4]uint32{h1 ^ x[1] ^ k[0], l1, h0 ^ x[3] ^ k[1], l0}
		k[0] += 0x9e3779b9
		k[1] += 0xbb67ae85
	}
	return x
}

// runRngBitGenerator generates bits from a state, which consists of a key and a counter in 64-bit
// words. The new state has the counter after the last one used. A state of another size than 16
// bytes, or 24 for PHILOX, is an error.
func runRngBitGenerator(c *call) error {
	state, out := c.in[0], c.newRaw(1)
	if len(state.Data) != 16 && len(state.Data) != 24 {
		return fmt.Errorf("its state %s has %d bytes, want 16, or 24 for PHILOX", state.Type, len(state.Data))
	}
	next := &Tensor{state.Type, append(Alloc(len(state.Data))[:0], state.Data...)}
	words := view[uint64](next)
	generate := philoxBits
	if c.op.RngBitGenerator().RngAlgorithm() == "THREE_FRY" {
		generate = threefryBits
	}
	size := out.elem()
	if size > 8 {
		return c.unsupportedError(out.Type.DType)
	}
	if size == 8 {
		copy(view[uint64](out), generate(words, out.Type.Dims, true))
	} else {
		for i, v := range generate(words, out.Type.Dims, false) {
			switch size {
			case 4:
				view[uint32](out)[i] = uint32(v)
			case 2:
				view[uint16](out)[i] = uint16(v)
			default:
				out.Data[i] = byte(v)
			}
		}
	}
	if s := smallInt[out.Type.DType]; s.bits > 0 {
		s.wrap(out)
	}
	c.set(0, next)
	return nil
}

// threefryBits returns random elements of 32 bits, or of 64 if wide, for dimensions dims, and
// advances the counter in state[1]. state[0] is the key. One counter gives one element of 64 bits,
// or two of 32. These two are adjacent along the first dimension of even size, or else along the
// longest dimension.
func threefryBits(state []uint64, dims []int, wide bool) []uint64 {
	k0, k1 := uint32(state[0]), uint32(state[0]>>32)
	size := 1
	for _, d := range dims {
		size *= d
	}
	out := make([]uint64, size)
	next := func() (uint32, uint32) {
		x := state[1]
		state[1]++
		return threefry(k0, k1, uint32(x), uint32(x>>32))
	}
	if wide {
		for i := range out {
			a, b := next()
			out[i] = uint64(a) | uint64(b)<<32
		}
		return out
	}
	if len(dims) == 0 {
		a, _ := next()
		out[0] = uint64(a)
		return out
	}
	split := slices.IndexFunc(dims, func(d int) bool { return d%2 == 0 })
	if split < 0 {
		split = slices.Index(dims, slices.Max(dims))
	}
	half := slices.Clone(dims)
	half[split] = (dims[split] + 1) / 2
	own := rowmajor.Strides(dims, 1)
	rowmajor.Each(half, func(index []int) {
		a, b := next()
		at := rowmajor.Offset(index, own) + index[split]*own[split]
		out[at] = uint64(a)
		if 2*index[split]+1 < dims[split] {
			out[at+own[split]] = uint64(b)
		}
	})
	return out
}

// philoxBits returns random elements of 32 bits, or of 64 if wide, for dimensions dims, and
// advances the counter in state. state[0] is the key; the counter is state[1] and, as its high
// half, state[2]. In a state of two words the key is also the high half. One counter gives four
// elements of 32 bits, or two of 64, one after the other.
func philoxBits(state []uint64, dims []int, wide bool) []uint64 {
	key := [2]uint32{uint32(state[0]), uint32(state[0] >> 32)}
	size := 1
	for _, d := range dims {
		size *= d
	}
	low, high := state[1], state[0] // a state of two words: the key is also the high half of the counter
	if len(state) > 2 {
		high = state[2]
	}
	var out []uint64
	for len(out) < size {
		x := philox(key, [4]uint32{uint32(low), uint32(low >> 32), uint32(high), uint32(high >> 32)})
		if wide {
			out = append(out, uint64(x[0])|uint64(x[1])<<32, uint64(x[2])|uint64(x[3])<<32)
		} else {
			out = append(out, uint64(x[0]), uint64(x[1]), uint64(x[2]), uint64(x[3]))
		}
		var carry uint64
		low, carry = bits.Add64(low, 1, 0)
		high += carry
	}
	state[1] = low
	if len(state) > 2 {
		state[2] = high
	}
	return out[:size]
}

// runRng draws random numbers: from operand 0 up to operand 1 if the distribution is UNIFORM, and
// if it is NORMAL with these as mean and standard deviation. They follow by Threefry from the
// number of the run, the op's place in the program and the index of the element, so they are the
// same on every device. The specification does not prescribe the numbers.
func runRng(c *call) error {
	t := c.op.Results[0].Type
	a, err := convertTo(c.in[0], dtypes.Float64)
	if err != nil {
		return err
	}
	b, err := convertTo(c.in[1], dtypes.Float64)
	if err != nil {
		return err
	}
	low, high := view[float64](a)[0], view[float64](b)[0]
	out := New(t.WithDType(dtypes.Float64))
	normal := c.op.Rng().RngDistribution() == "NORMAL"
	for i := range view[float64](out) {
		x, y := threefry(uint32(c.f.state.Number), uint32(c.step.Out[0]), uint32(i), uint32(i>>32))
		u := float64(uint64(x)<<21^uint64(y)>>11) / (1 << 53) // in [0, 1)
		if normal {
			u = low + high*math.Sqrt2*math.Erfinv(2*u-1+0x1p-53)
		} else {
			u = low + (high-low)*u
			if isInt := !isFloat(t.DType); isInt {
				u = math.Floor(u)
			} else if u >= high && high > low {
				u = math.Nextafter(high, low)
			}
		}
		view[float64](out)[i] = u
	}
	result, err := convertTo(out, t.DType)
	c.set(0, result)
	return err
}
