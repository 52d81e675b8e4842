package random

// This file turns random words into numbers on the host: the Fill functions.
//
// Each takes a destination whose element type is the dtype of the tensor
// ([]float32, []float64, []float16.Float16, []bfloat16.BFloat16), the global
// shape and the global ranges that the destination holds. A part of a tensor
// gets the numbers that the whole would have there.

import (
	"fmt"
	"math"

	"github.com/gomlx/compute/dtypes/bfloat16"
	"github.com/gomlx/compute/dtypes/float16"

	"github.com/gospmd/gospmd/layout"
)

// FillUniform fills dst with numbers uniform in [low, high), as
// jax.random.uniform makes them.
func (k Key) FillUniform(dst any, global []int, ranges []layout.Range, low, high float64) error {
	if !(low < high) || math.IsInf(high-low, 0) {
		return fmt.Errorf("random: FillUniform: the interval [%g, %g) is empty or infinite: want finite low < high", low, high)
	}
	return k.fill("FillUniform", dst, global, ranges, mapping{low: low, high: high, clampLow: math.Inf(-1), clampHigh: math.Inf(1), scale: 1})
}

// FillNormal fills dst with normal numbers, as keras.random.normal makes them:
// jax.random.normal, times stddev, plus mean.
func (k Key) FillNormal(dst any, global []int, ranges []layout.Range, mean, stddev float64) error {
	f, ok := formatOf(dst)
	if !ok {
		return floatsOnly("FillNormal", dst)
	}
	m := mapping{low: f.aboveMinusOne(), high: 1, normal: true, clampLow: math.Inf(-1), clampHigh: math.Inf(1), scale: stddev, offset: mean}
	return k.fill("FillNormal", dst, global, ranges, m)
}

// FillTruncatedNormal fills dst with normal numbers no farther than two stddev
// from mean, as keras.random.truncated_normal makes them.
func (k Key) FillTruncatedNormal(dst any, global []int, ranges []layout.Range, mean, stddev float64) error {
	f, ok := formatOf(dst)
	if !ok {
		return floatsOnly("FillTruncatedNormal", dst)
	}
	edge := f.truncation()
	m := mapping{low: -edge, high: edge, normal: true, clampLow: -f.belowTwo(), clampHigh: f.belowTwo(), scale: stddev, offset: mean}
	return k.fill("FillTruncatedNormal", dst, global, ranges, m)
}

// FillBernoulli sets each element with probability p, as jax.random.bernoulli
// does.
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

// mapping says how a uniform number becomes the one wanted: uniform in [low,
// high), made normal, clamped, scaled and offset, in this order.
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
		fillHalf(runs, s, d, float16Format, m, float16.FromFloat32)
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

// unit32 returns a number in [0, 1) with 23 random bits.
func unit32(word uint32) float32 { return math.Float32frombits(word>>9|0x3f800000) - 1 }

// unit64 returns a number in [0, 1) with 52 random bits.
func unit64(word uint64) float64 { return math.Float64frombits(word>>12|0x3ff<<52) - 1 }

// float32s returns the function that turns words into numbers.
//
// The product in the uniform number is kept exact before low is added, as the
// fused multiply-add does that JAX's compiled code uses.
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

// fillHalf makes 16-bit numbers: every operation is done with 32 bits and
// rounded to 16, as XLA does it.
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
