package data_test

import (
	"fmt"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/dtypes/bfloat16"
	"github.com/gomlx/compute/dtypes/float16"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/keras/data"
)

func TestNumbers(t *testing.T) {
	for _, flat := range []any{
		[]float32{3, 0, 1}, []float64{3, 0, 1}, []int8{3, 0, 1}, []int16{3, 0, 1}, []int32{3, 0, 1}, []int64{3, 0, 1},
		[]uint8{3, 0, 1}, []uint16{3, 0, 1}, []uint32{3, 0, 1}, []uint64{3, 0, 1}, []bool{true, false, true},
		[]float16.Float16{float16.FromFloat32(3), 0, float16.FromFloat32(1)},
		[]bfloat16.BFloat16{bfloat16.FromFloat32(3), 0, bfloat16.FromFloat32(1)},
	} {
		t.Run(fmt.Sprintf("%T", flat), func(t *testing.T) {
			tensor, err := tensors.FromAnyValue(flat)
			require.NoError(t, err)
			want, isBool := []float64{3, 0, 1}, tensor.DType() == dtypes.Bool
			if isBool {
				want[0] = 1
			}
			var got []float64
			require.NoError(t, data.Numbers(tensor, func(i int, v float64) bool {
				require.Len(t, got, i)
				got = append(got, v)
				return true
			}))
			require.Equal(t, want, got)
			floats, err := data.Floats(tensor)
			if isBool {
				require.ErrorContains(t, err, "got numbers of type Bool, want floats or integers")
				return
			}
			require.NoError(t, err)
			require.Equal(t, []float32{3, 0, 1}, floats)
		})
	}
	calls := 0
	require.NoError(t, data.Numbers(tensors.FromValue([]int32{1, 2, 3}), func(int, float64) bool { calls++; return calls < 2 }))
	require.Equal(t, 2, calls, "it ends when visit wants no more")
	require.ErrorContains(t, data.Numbers(tensors.FromValue([]complex64{1}), nil), "got numbers of type Complex64, want real ones")
}
