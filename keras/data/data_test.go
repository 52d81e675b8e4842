package data_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/dtypes/bfloat16"
	"github.com/gomlx/compute/dtypes/float16"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/keras/data"
)

func Example() {
	x, _ := data.Tensor([][]float64{{1, 2}, {3, 4}, {5, 6}})
	ds, _ := data.FromSlices([]*tensors.Tensor{x}, nil, nil, 2, nil)
	for batch, err := range ds.Batches(context.Background()) {
		fmt.Println(batch.X[0].Value(), err)
	}
	// Output:
	// [[1 2] [3 4]] <nil>
	// [[5 6]] <nil>
}

func ints(n, width int) *tensors.Tensor {
	flat := make([]int32, n*width)
	for i := range flat {
		flat[i] = int32(i / width)
	}
	return tensors.FromFlatDataAndDimensions(flat, n, width)
}

func TestFromSlicesShuffle(t *testing.T) {
	x, y, seed := ints(7, 2), ints(7, 1), uint64(1)
	ds, err := data.FromSlices([]*tensors.Tensor{x}, []*tensors.Tensor{y}, nil, 3, &seed)
	require.NoError(t, err)
	require.Equal(t, 3, ds.Cardinality())
	var orders [2][]int32
	for epoch := range orders {
		for b, err := range ds.Batches(t.Context()) {
			require.NoError(t, err)
			xs, ys := tensors.MustCopyFlatData[int32](b.X[0]), tensors.MustCopyFlatData[int32](b.Y[0])
			require.Len(t, ys, b.Size())
			for i, y := range ys {
				require.Equal(t, []int32{y, y}, xs[2*i:2*i+2], "samples of x and y stay together")
			}
			orders[epoch] = append(orders[epoch], ys...)
		}
		sorted := slices.Sorted(slices.Values(orders[epoch]))
		require.Equal(t, []int32{0, 1, 2, 3, 4, 5, 6}, sorted, "every sample once")
	}
	require.NotEqual(t, orders[0], orders[1], "each epoch has its own order")
}

func TestFromSlicesErrors(t *testing.T) {
	three, four := ints(3, 1), ints(4, 1)
	for _, tc := range []struct {
		name    string
		x, y    []*tensors.Tensor
		batch   int
		wantErr string
	}{
		{"batch of 0", []*tensors.Tensor{three}, nil, 0, "got batch size 0, want a positive number"},
		{"no data", nil, nil, 2, "got no input data"},
		{"different sizes", []*tensors.Tensor{three}, []*tensors.Tensor{four}, 2, "labels 0 has 4 samples, input 0 has 3"},
		{"scalar", []*tensors.Tensor{tensors.FromScalar(int32(1))}, nil, 2, "input 0 is a scalar"},
		{"empty", []*tensors.Tensor{tensors.FromFlatDataAndDimensions([]float32{}, 0, 2)}, nil, 2, "the data has no samples"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := data.FromSlices(tc.x, tc.y, nil, tc.batch, nil)
			require.ErrorContains(t, err, tc.wantErr)
		})
	}
}

func TestTensorCasts(t *testing.T) {
	for _, tc := range []struct {
		name string
		in   any
		want any
	}{
		{"float64 becomes float32", []float64{0.1}, []float32{0.1}},
		{"float16 becomes float32", []float16.Float16{float16.FromFloat32(1.5)}, []float32{1.5}},
		{"bfloat16 becomes float32", []bfloat16.BFloat16{bfloat16.FromFloat32(-2)}, []float32{-2}},
		{"float32 stays", []float32{0.1}, []float32{0.1}},
		{"uint8 stays", [][]uint8{{1, 2}}, [][]uint8{{1, 2}}},
		{"bool stays", []bool{true}, []bool{true}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, err := data.Tensor(tc.in)
			require.NoError(t, err)
			require.Equal(t, tc.want, got.Value())
		})
	}
	_, err := data.Tensor([][]float32{{1, 2}, {3}})
	require.ErrorContains(t, err, "slices of equal lengths")
	_, err = data.Tensor(struct{}{})
	require.ErrorContains(t, err, "cannot make a tensor of a struct")
}

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
	require.Equal(t, 2, calls, "it ends when visit returns false")
	require.ErrorContains(t, data.Numbers(tensors.FromValue([]complex64{1}), nil), "got numbers of type Complex64, want real ones")
}
