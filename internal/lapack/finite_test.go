package lapack_test

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/lapack"
)

// For numbers that are not finite, iterations might not end. So all results must be NaN, and info
// nonzero, for all routines that iterate.
func TestNotFinite(t *testing.T) {
	attrs := map[string]int64{"mode": 'V', "uplo": 'L', "sort": 'N', "compute_left": 'V', "compute_right": 'V'}
	buffer := func(dtype dtypes.DType, dims ...int) lapack.Buffer {
		n := dtype.Size()
		for _, d := range dims {
			n *= d
		}
		return lapack.Buffer{DType: dtype, Dims: dims, Data: make([]byte, n)}
	}
	f, c, i := dtypes.Float64, dtypes.Complex128, dtypes.Int32
	square := func(d dtypes.DType) lapack.Buffer { return buffer(d, 2, 2) }
	vector := func(d dtypes.DType) lapack.Buffer { return buffer(d, 2) }
	info := buffer(i)
	for target, out := range map[string][]lapack.Buffer{
		"lapack_dsyevd_ffi": {square(f), vector(f), info},
		"lapack_zheevd_ffi": {square(c), vector(f), info},
		"lapack_dgesdd_ffi": {square(f), vector(f), square(f), square(f), info},
		"lapack_zgesdd_ffi": {square(c), vector(f), square(c), square(c), info},
		"lapack_dgesvd_ffi": {square(f), vector(f), square(f), square(f), info},
		"lapack_zgesvd_ffi": {square(c), vector(f), square(c), square(c), info},
		"lapack_dgeev_ffi":  {vector(f), vector(f), square(c), square(c), info},
		"lapack_zgeev_ffi":  {vector(c), square(c), square(c), info},
		"lapack_dgees_ffi":  {square(f), square(f), vector(f), vector(f), buffer(i), info},
		"lapack_zgees_ffi":  {square(c), square(c), vector(c), buffer(i), info},
	} {
		for _, bad := range []float64{math.NaN(), math.Inf(1)} {
			r, ok := lapack.Find(target)
			require.True(t, ok, target)
			a := square(r.DType)
			binary.LittleEndian.PutUint64(a.Data, math.Float64bits(bad))
			clear(out[len(out)-1].Data)
			require.NoError(t, r.Run(attrs, []lapack.Buffer{a}, out), target)
			for _, b := range out {
				if b.DType != i {
					for at := 0; at < len(b.Data); at += 8 {
						require.True(t, math.IsNaN(math.Float64frombits(binary.LittleEndian.Uint64(b.Data[at:]))), target)
					}
				}
			}
			require.EqualValues(t, 1, binary.LittleEndian.Uint32(out[len(out)-1].Data), target)
		}
	}
}
