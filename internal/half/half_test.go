package half_test

import (
	"math"
	"testing"

	"github.com/gomlx/compute/dtypes/float16"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/half"
)

// Each float16 number stays itself, and numbers between two neighbours become the nearer one, or in
// the middle the even one.
func TestFromFloat32(t *testing.T) {
	for bits := range uint16(0x7c00) { // those from 0 to the largest finite one
		x := float16.FromBits(bits)
		require.Equal(t, bits, half.FromFloat32(x.Float32()).Bits())
		require.Equal(t, bits|0x8000, half.FromFloat32(-x.Float32()).Bits())
		if bits == 0x7bff {
			break
		}
		middle := (x.Float32() + float16.FromBits(bits+1).Float32()) / 2
		require.Equal(t, bits+bits&1, half.FromFloat32(middle).Bits(), "%g", middle)
		require.Equal(t, bits, half.FromFloat32(math.Nextafter32(middle, 0)).Bits(), "below %g", middle)
		require.Equal(t, bits+1, half.FromFloat32(math.Nextafter32(middle, 1e6)).Bits(), "above %g", middle)
	}
	for _, tc := range []struct {
		x    float32
		want uint16
	}{{65519.996, 0x7bff}, {65520, 0x7c00}, {float32(math.Inf(-1)), 0xfc00}, {float32(math.NaN()), 0x7e00}} {
		require.Equal(t, tc.want, half.FromFloat32(tc.x).Bits(), "%g", tc.x)
	}
}
