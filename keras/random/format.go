package random

// This file describes the floating-point formats, where they matter to random
// numbers.

import (
	"math"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/dtypes/bfloat16"
	"github.com/gomlx/compute/dtypes/float16"
)

// format is a floating-point format.
type format struct {
	dtype    dtypes.DType
	wordBits int // random bits drawn for a number: JAX takes 8 where they suffice
	mantissa int // of which so many are used
	round    func(float64) float64
}

var (
	float32Format  = format{dtypes.Float32, 32, 23, func(x float64) float64 { return float64(float32(x)) }}
	float64Format  = format{dtypes.Float64, 64, 52, func(x float64) float64 { return x }}
	float16Format  = format{dtypes.Float16, 16, 10, func(x float64) float64 { return float16.FromFloat64(x).Float64() }}
	bfloat16Format = format{dtypes.BFloat16, 8, 7, func(x float64) float64 { return bfloat16.FromFloat64(x).Float64() }}
)

// formats lists them in the order in which messages name them.
var formats = []format{float32Format, float64Format, float16Format, bfloat16Format}

// formatOf returns the format of the elements of a slice.
func formatOf(dst any) (format, bool) {
	switch dst.(type) {
	case []float32:
		return float32Format, true
	case []float64:
		return float64Format, true
	case []float16.Float16:
		return float16Format, true
	case []bfloat16.BFloat16:
		return bfloat16Format, true
	}
	return format{}, false
}

// formatOfDType returns the format of a dtype.
func formatOfDType(dtype dtypes.DType) (format, bool) {
	for _, f := range formats {
		if f.dtype == dtype {
			return f, true
		}
	}
	return format{}, false
}

// aboveMinusOne returns the smallest number above -1: the lower end of the
// uniform numbers that become normal ones, for erf⁻¹(-1) is -∞.
func (f format) aboveMinusOne() float64 { return -(1 - math.Ldexp(1, -f.mantissa-1)) }

// oneBits returns the bit pattern of 1.
func (f format) oneBits() uint64 {
	exponentBits := f.dtype.Bits() - 1 - f.mantissa
	return (1<<(exponentBits-1) - 1) << f.mantissa
}

// belowTwo returns the largest number below 2.
func (f format) belowTwo() float64 { return 2 - math.Ldexp(1, -f.mantissa) }

// truncation returns erf(2/√2), each step rounded to the format: the uniform
// numbers that become normal ones within two standard deviations lie within it.
func (f format) truncation() float64 { return f.round(math.Erf(f.round(2 / f.round(math.Sqrt2)))) }
