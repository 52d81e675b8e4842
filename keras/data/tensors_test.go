package data_test

import (
	"testing"

	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/keras/data"
)

// FromFlat, Slice, Reshape and Gather return the tensors that NumPy returns, as copies: also with a
// negative index, a size of -1 and with no samples.
func TestHostTensors(t *testing.T) {
	flat := make([]float32, 12)
	for i := range flat {
		flat[i] = float32(i)
	}
	x, err := data.FromFlat(flat, 4, -1)
	require.NoError(t, err)
	require.Equal(t, []int{4, 3}, x.Shape().Dimensions)
	flat[0] = 99 // x is a copy

	for _, tc := range []struct {
		name string
		of   func() (*tensors.Tensor, error)
		dims []int
		want []float32
	}{
		{"slice", func() (*tensors.Tensor, error) { return data.Slice(x, 1, 3) }, []int{2, 3}, []float32{3, 4, 5, 6, 7, 8}},
		{"slice from the end", func() (*tensors.Tensor, error) { return data.Slice(x, -1, 4) }, []int{1, 3}, []float32{9, 10, 11}},
		{"slice of none", func() (*tensors.Tensor, error) { return data.Slice(x, 2, 2) }, []int{0, 3}, []float32{}},
		{"reshape", func() (*tensors.Tensor, error) { return data.Reshape(x, 2, 2, -1) }, []int{2, 2, 3}, []float32{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}},
		{"gather", func() (*tensors.Tensor, error) { return data.Gather(x, []int{3, 0, 3}) }, []int{3, 3}, []float32{9, 10, 11, 0, 1, 2, 9, 10, 11}},
		{"gather of none", func() (*tensors.Tensor, error) { return data.Gather(x, nil) }, []int{0, 3}, []float32{}},
	} {
		got, err := tc.of()
		require.NoError(t, err, tc.name)
		require.Equal(t, tc.dims, got.Shape().Dimensions, tc.name)
		values, err := data.Floats(got)
		require.NoError(t, err, tc.name)
		require.Equal(t, tc.want, values, tc.name)
	}
}

func TestHostTensorErrors(t *testing.T) {
	x, err := data.FromFlat([]int32{1, 2, 3, 4, 5, 6}, 2, 3)
	require.NoError(t, err)
	scalar, err := data.Tensor(int32(3))
	require.NoError(t, err)
	for _, tc := range []struct {
		err  func() error
		want string
	}{
		{func() error { _, err := data.FromFlat([]int32{1, 2, 3}, 2, -1); return err }, "got 3 elements for the shape [2 -1]"},
		{func() error { _, err := data.FromFlat([]int32{1, 2, 3}, -1, -1); return err }, "at most one -1"},
		{func() error { _, err := data.FromFlat([]int32{}, 0, -1); return err }, "got 0 elements for the shape [0 -1]"},
		{func() error { _, err := data.FromFlat([]int32{}, 1<<40, 1<<40); return err }, "it is too large"},
		{func() error { _, err := data.Reshape(x, 4); return err }, "got 6 elements for the shape [4]"},
		{func() error { _, err := data.Slice(x, 1, 3); return err }, "got the samples 1 to 3 of a tensor of shape [2 3]"},
		{func() error { _, err := data.Slice(x, 1, 0); return err }, "the first not above the last"},
		{func() error { _, err := data.Slice(scalar, 0, 0); return err }, "got a scalar to slice"},
		{func() error { _, err := data.Gather(x, []int{2}); return err }, "got the index 2 for a tensor of shape [2 3]: want 0 to 1"},
		{func() error { _, err := data.Gather(scalar, nil); return err }, "got a scalar"},
	} {
		require.ErrorContains(t, tc.err(), tc.want)
	}
}
