package random

// This file turns random words into numbers on the host: the Fill methods.
//
// Each takes a destination whose element type is the dtype of the tensor
// ([]float32, []float64, []float16.Float16, []bfloat16.BFloat16), the global
// shape and the global ranges that the destination holds. A part of a tensor
// gets the numbers that the full tensor would have there.

import (
	"fmt"
	"math"
	"reflect"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/dtypes/bfloat16"
	"github.com/gomlx/compute/dtypes/float16"

	"github.com/gospmd/gospmd/internal/half"
	"github.com/gospmd/gospmd/layout"
)

// FillUniform fills dst with numbers uniform in [low, high), as jax.random.uniform makes them. dst
// is the part of a tensor of shape global that ranges select, a slice of floats as for FillNormal.
// An empty or infinite interval is an error.
func (k Key) FillUniform(dst any, global []int, ranges []layout.Range, low, high float64) error {
	if !(low < high) || math.IsInf(high-low, 0) {
		return fmt.Errorf("random: FillUniform: the interval [%g, %g) is empty or infinite: want finite low < high", low, high)
	}
	return k.fill("FillUniform", dst, global, ranges, mapping{low: low, high: high, clampLow: math.Inf(-1), clampHigh: math.Inf(1), scale: 1})
}

// FillNormal fills dst with normal numbers, as keras.random.normal makes them: jax.random.normal,
// times stddev, plus mean. dst is the part of a tensor of shape global that ranges select. It is a
// []float32, []float64, []float16.Float16 or []bfloat16.BFloat16; anything else is an error.
func (k Key) FillNormal(dst any, global []int, ranges []layout.Range, mean, stddev float64) error {
	f, ok := formatOf(dst)
	if !ok {
		return floatsOnly("FillNormal", dst)
	}
	m := mapping{low: f.aboveMinusOne(), high: 1, normal: true, clampLow: math.Inf(-1), clampHigh: math.Inf(1), scale: stddev, offset: mean}
	return k.fill("FillNormal", dst, global, ranges, m)
}

// FillTruncatedNormal fills dst with normal numbers no farther than two stddev from mean, as
// keras.random.truncated_normal makes them: stddev is the standard deviation before truncation.
// dst, global and ranges are those of FillNormal, and so are the errors.
func (k Key) FillTruncatedNormal(dst any, global []int, ranges []layout.Range, mean, stddev float64) error {
	f, ok := formatOf(dst)
	if !ok {
		return floatsOnly("FillTruncatedNormal", dst)
	}
	edge := f.truncation()
	m := mapping{low: -edge, high: edge, normal: true, clampLow: -f.belowTwo(), clampHigh: f.belowTwo(), scale: stddev, offset: mean}
	return k.fill("FillTruncatedNormal", dst, global, ranges, m)
}

// FillBernoulli sets each element of dst to true with probability p, as jax.random.bernoulli does.
// dst is the part of a tensor of shape global that ranges select. A probability outside [0, 1] is
// an error.
func (k Key) FillBernoulli(dst []bool, global []int, ranges []layout.Range, p float64) error {
	if !(p >= 0 && p <= 1) {
		return fmt.Errorf("random: FillBernoulli: got probability %g: want a number in [0, 1]", p)
	}
	runs, err := newRuns("FillBernoulli", dst, global, ranges)
	if err != nil {
		return err
	}
	limit := float32(p)
	walk(runs, k.schedule().words32, func(at int, words []uint32) {
		for i, w := range words {
			dst[at+i] = unit32(w) < limit
		}
	})
	return nil
}

// mapping describes how random words become numbers: uniform in [low, high),
// then, if normal is set, made normal, clamped, scaled and offset, in this
// order.
type mapping struct {
	low, high           float64
	normal              bool
	clampLow, clampHigh float64
	scale, offset       float64
}

func (k Key) fill(op string, dst any, global []int, ranges []layout.Range, m mapping) error {
	runs, err := newRuns(op, dst, global, ranges)
	if err != nil {
		return err
	}
	s := k.schedule()
	switch d := dst.(type) {
	case []float32:
		number := m.float32s()
		walk(runs, s.words32, func(at int, words []uint32) {
			number(d[at:at+len(words)], words)
		})
	case []float64:
		walk(runs, s.words64, func(at int, words []uint64) {
			for i, w := range words {
				d[at+i] = m.float64Of(w)
			}
		})
	case []float16.Float16:
		fillHalf(runs, s, d, float16Format, m, half.FromFloat32)
	case []bfloat16.BFloat16:
		fillHalf(runs, s, d, bfloat16Format, m, bfloat16.FromFloat32)
	default:
		return floatsOnly(op, dst)
	}
	return nil
}

func floatsOnly(op string, dst any) error {
	return fmt.Errorf("random: %s: cannot fill a %T: want []float32, []float64, []float16.Float16 or []bfloat16.BFloat16", op, dst)
}

// unit32 returns a number in [0, 1), a multiple of 2⁻²³, made of the upper 23 bits of word.
func unit32(word uint32) float32 { return math.Float32frombits(word>>9|0x3f800000) - 1 }

// unit64 returns a number in [0, 1), a multiple of 2⁻⁵², made of the upper 52 bits of word.
func unit64(word uint64) float64 { return math.Float64frombits(word>>12|0x3ff<<52) - 1 }

// float32s returns the function that turns words into numbers.
//
// The product in the uniform number is exact before low is added, as in the
// fused multiply-add of JAX's compiled code.
func (m mapping) float32s() func(dst []float32, words []uint32) {
	low, high := float32(m.low), float32(m.high)
	low64, width64 := float64(low), float64(high-low)
	uniform := func(word uint32) float32 {
		return max(low, float32(float64(unit32(word))*width64+low64))
	}
	if !m.normal {
		return func(dst []float32, words []uint32) {
			for i, w := range words {
				dst[i] = uniform(w)
			}
		}
	}
	clampLow, clampHigh := float32(m.clampLow), float32(m.clampHigh)
	scale, offset := float32(m.scale), float32(m.offset)
	return func(dst []float32, words []uint32) {
		for i, w := range words {
			z := min(max(math.Sqrt2*erfinv32(uniform(w)), clampLow), clampHigh)
			dst[i] = float32(z*scale) + offset
		}
	}
}

func (m mapping) float64Of(word uint64) float64 {
	u := max(m.low, math.FMA(unit64(word), m.high-m.low, m.low))
	if !m.normal {
		return u
	}
	z := min(max(math.Sqrt2*erfinv64(u), m.clampLow), m.clampHigh)
	return float64(z*m.scale) + m.offset
}

// fillHalf fills dst with 16-bit numbers of format f, made as m says of the words that s gives for
// the elements r. from rounds a float32 to a T. Like XLA it computes every operation with 32 bits
// and rounds the result to 16.
func fillHalf[T interface{ Float32() float32 }](r *runs, s *schedule, dst []T, f format, m mapping, from func(float32) T) {
	round := func(x float32) float32 { return from(x).Float32() }
	low, high := round(float32(m.low)), round(float32(m.high))
	width, sqrt2 := round(high-low), round(math.Sqrt2)
	clampLow, clampHigh := float32(m.clampLow), float32(m.clampHigh)
	scale, offset := round(float32(m.scale)), round(float32(m.offset))
	walk(r, s.words32, func(at int, words []uint32) {
		for i, w := range words {
			fraction := w & (1<<f.wordBits - 1) >> (f.wordBits - f.mantissa)
			unit := float32(fraction) / float32(int(1)<<f.mantissa)
			x := max(low, round(round(unit*width)+low))
			if m.normal {
				x = min(max(round(sqrt2*round(erfinv32(x))), clampLow), clampHigh)
				x = round(round(x*scale) + offset)
			}
			dst[at+i] = from(x)
		}
	})
}

// FillRandInt fills dst, a slice of integers of a fixed size, with numbers uniform in [low, high),
// as jax.random.randint makes them. dst is the part of a tensor of shape global that ranges select.
// It takes two random words for a number, which keeps the bias of the remainder by high-low small.
// An interval that is empty or not within the type, and other slices, are errors.
func (k Key) FillRandInt(dst any, global []int, ranges []layout.Range, low, high int64) error {
	t := reflect.TypeOf(dst)
	if t == nil || t.Kind() != reflect.Slice {
		return fmt.Errorf("random: FillRandInt: cannot fill a %T: want a slice of integers of a fixed size", dst)
	}
	p, err := planRandInt(dtypes.FromGoType(t.Elem()), low, high)
	if err != nil {
		return err
	}
	runs, err := newRuns("FillRandInt", dst, global, ranges)
	if err != nil {
		return err
	}
	switch d := dst.(type) {
	case []int8:
		fillRandInt(runs, k, d, p)
	case []int16:
		fillRandInt(runs, k, d, p)
	case []int32:
		fillRandInt(runs, k, d, p)
	case []int64:
		fillRandInt(runs, k, d, p)
	case []uint8:
		fillRandInt(runs, k, d, p)
	case []uint16:
		fillRandInt(runs, k, d, p)
	case []uint32:
		fillRandInt(runs, k, d, p)
	case []uint64:
		fillRandInt(runs, k, d, p)
	default:
		return fmt.Errorf("random: FillRandInt: cannot fill a %T: want a slice of integers of a fixed size", dst)
	}
	return nil
}

func fillRandInt[T int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64](r *runs, k Key, dst []T, p randIntPlan) {
	keys := k.Split(2)
	higher, lower := keys[0].schedule(), keys[1].schedule()
	walk(r, func(words [][2]uint64, index uint64) {
		for i := range words {
			words[i] = [2]uint64{higher.word(p.bits, index), lower.word(p.bits, index)}
			index++
		}
	}, func(at int, words [][2]uint64) {
		for i, w := range words {
			dst[at+i] = T(p.of(w[0], w[1]))
		}
	})
}

// word returns the random word of 32 or 64 bits of the element with the given global index.
func (s *schedule) word(bits int, index uint64) uint64 {
	a, b := s.block(uint32(index>>32), uint32(index))
	if bits == 32 {
		return uint64(a ^ b)
	}
	return uint64(a)<<32 | uint64(b)
}

// randIntPlan holds the constants that turn two words into one integer, on the host and in traced
// functions: ((higher mod span)·multiplier + lower mod span) mod span + low, all modulo 2^bits,
// where multiplier is 2^bits mod span. A span of 0 stands for 2^bits.
type randIntPlan struct {
	bits             int // 32 or 64: narrower integers are computed with 32 bits
	low              int64
	span, multiplier uint64
}

func planRandInt(dtype dtypes.DType, low, high int64) (randIntPlan, error) {
	if !dtype.IsInt() || dtype.Bits() < 8 {
		return randIntPlan{}, fmt.Errorf("random: RandInt: cannot make integers of dtype %s: want an integer dtype of 8 to 64 bits", dtype)
	}
	least, most := int64(math.MinInt64)>>(64-dtype.Bits()), int64(math.MaxInt64)>>(64-dtype.Bits())
	if dtype.IsUnsigned() {
		least, most = 0, int64(min(uint64(math.MaxUint64)>>(64-dtype.Bits()), math.MaxInt64))
	}
	if low >= high {
		return randIntPlan{}, fmt.Errorf("random: RandInt: the interval [%d, %d) is empty: want low < high", low, high)
	}
	if low < least || high-1 > most {
		return randIntPlan{}, fmt.Errorf("random: RandInt: the interval [%d, %d) does not fit dtype %s: want numbers from %d to %d",
			low, high, dtype, least, most)
	}
	p := randIntPlan{bits: max(32, dtype.Bits()), low: low, span: uint64(high) - uint64(low)}
	mask := uint64(math.MaxUint64) >> (64 - p.bits)
	p.span &= mask
	root := uint64(1) << (p.bits / 2)
	p.multiplier = remainder(root, p.span)
	p.multiplier = remainder(p.multiplier*p.multiplier&mask, p.span)
	return p, nil
}

// remainder is x mod span; for a span of 0, which stands for 2^bits, it is x.
func remainder(x, span uint64) uint64 {
	if span == 0 {
		return x
	}
	return x % span
}

// of returns the random integer in the range of p that is made of two random words, by arithmetic
// modulo 2^bits as JAX does it.
func (p randIntPlan) of(higher, lower uint64) uint64 {
	mask := uint64(math.MaxUint64) >> (64 - p.bits)
	offset := (remainder(higher, p.span)*p.multiplier + remainder(lower, p.span)) & mask
	return remainder(offset, p.span) + uint64(p.low)
}
