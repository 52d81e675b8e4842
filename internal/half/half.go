// Package half rounds numbers to float16: to nearest even, also to subnormal numbers, which
// float16.FromFloat32 of GoMLX makes zero.
package half

import (
	"math"

	"github.com/gomlx/compute/dtypes/float16"
)

// FromFloat32 rounds v to the nearest float16, ties to even. Numbers from 65520 on become infinity,
// and small ones subnormal; a NaN stays one.
func FromFloat32(v float32) float16.Float16 {
	b := math.Float32bits(v)
	sign, b := b>>16&0x8000, b&0x7fffffff
	switch {
	case b > 0x7f800000: // NaN
		return float16.Float16(sign | 0x7e00)
	case b >= 0x477ff000: // 65520 and above round to infinity
		return float16.Float16(sign | 0x7c00)
	// below 2⁻¹⁴: multiples of 2⁻²⁴, which the addition of ½ leaves in the low bits
	case b < 0x38800000:
		sum := math.Float32frombits(b) + 0.5
		return float16.Float16(sign | (math.Float32bits(sum) - 0x3f000000))
	}
	b += 0xfff + b>>13&1
	return float16.Float16(sign | (b>>13 - (127-15)<<10))
}
