package random

// This file makes random integers on the host, and holds the plan for them
// that both faces follow.

import (
	"fmt"
	"math"
	"reflect"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/layout"
)

// FillRandInt fills dst, a slice of integers, with numbers uniform in [low,
// high), as jax.random.randint makes them: two random words per number, so
// that the remainder by high-low is hardly biased.
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

// word returns the word of 32 or 64 bits of the element with that global index.
func (s *schedule) word(bits int, index uint64) uint64 {
	a, b := s.block(uint32(index>>32), uint32(index))
	if bits == 32 {
		return uint64(a ^ b)
	}
	return uint64(a)<<32 | uint64(b)
}

// randIntPlan says how two words become one integer: with all arithmetic
// modulo 2^bits, ((higher mod span)·multiplier + lower mod span) mod span + low,
// where multiplier is 2^bits mod span. A span of 0 stands for 2^bits.
type randIntPlan struct {
	bits             int // 32 or 64: narrower integers are drawn as 32 bits
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

// remainder is x mod span; a span of 0, standing for 2^bits, changes nothing.
func remainder(x, span uint64) uint64 {
	if span == 0 {
		return x
	}
	return x % span
}

// of returns the integer that two words make, modulo 2^bits.
func (p randIntPlan) of(higher, lower uint64) uint64 {
	mask := uint64(math.MaxUint64) >> (64 - p.bits)
	offset := (remainder(higher, p.span)*p.multiplier + remainder(lower, p.span)) & mask
	return remainder(offset, p.span) + uint64(p.low)
}
