package ir_test

// This file tests making and reading tensor literals.

import (
	"math"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/dtypes/bfloat16"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/ir"
)

func TestScalar(t *testing.T) {
	for _, tc := range []struct {
		name  string
		dtype dtypes.DType
		value float64
		data  []byte
		back  float64
	}{
		{"f32", dtypes.Float32, 1.5, []byte{0, 0, 0xc0, 0x3f}, 1.5},
		{"f64", dtypes.Float64, -2, []byte{0, 0, 0, 0, 0, 0, 0, 0xc0}, -2},
		{"bf16 rounds to even", dtypes.BFloat16, 1 + 1.0/256, []byte{0x80, 0x3f}, 1},
		{"f16", dtypes.Float16, 65504, []byte{0xff, 0x7b}, 65504},
		{"f16 infinity", dtypes.Float16, math.Inf(-1), []byte{0, 0xfc}, math.Inf(-1)},
		{"f8", dtypes.F8E4M3FN, 1e9, []byte{0x7f}, math.NaN()},
		{"nan", dtypes.Float32, math.NaN(), []byte{0, 0, 0xc0, 0x7f}, math.NaN()},
		{"bf16 nan", dtypes.BFloat16, math.NaN(), []byte{0xc0, 0x7f}, math.NaN()},
		{"bool", dtypes.Bool, 3, []byte{1}, 1},
		{"i8 bounded", dtypes.Int8, 1000, []byte{127}, 127},
		{"i8 bounded below", dtypes.Int8, -1000, []byte{0x80}, -128},
		{"i32 cut off", dtypes.Int32, -1.9, []byte{0xff, 0xff, 0xff, 0xff}, -1},
		{"i64 bounded", dtypes.Int64, 1e30, []byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f}, math.MaxInt64},
		{"u8 bounded", dtypes.Uint8, -3, []byte{0}, 0},
		{"u32", dtypes.Uint32, 1 << 31, []byte{0, 0, 0, 0x80}, 1 << 31},
		{"u64 bounded", dtypes.Uint64, 1e30, []byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}, math.MaxUint64},
		{"i4", dtypes.Int4, -8, []byte{0xf8}, -8},
	} {
		t.Run(tc.name, func(t *testing.T) {
			d := ir.Scalar(tc.dtype, tc.value)
			require.Equal(t, tc.data, d.Data)
			require.Len(t, d.Data, ir.ElementBytes(tc.dtype))
			if math.IsNaN(tc.back) {
				require.True(t, math.IsNaN(d.Float64s()[0]))
				return
			}
			require.Equal(t, []float64{tc.back}, d.Float64s())
			v, ok := d.SplatValue()
			require.True(t, ok)
			require.Equal(t, tc.back, v)
		})
	}
	require.Equal(t, []byte{0, 0, 0x80, 0x3f, 0, 0, 0, 0}, ir.Scalar(dtypes.Complex64, 1).Data)
}

func TestDenseFromFlat(t *testing.T) {
	for _, tc := range []struct {
		name    string
		typ     ir.Type
		flat    any
		want    []float64
		wantErr string
	}{
		{name: "f32", typ: ir.Tensor(dtypes.Float32, 2, 2), flat: []float32{1, 2, 3, 4.5}, want: []float64{1, 2, 3, 4.5}},
		{name: "bf16", typ: ir.Tensor(dtypes.BFloat16, 2), flat: []bfloat16.BFloat16{bfloat16.FromFloat32(1), bfloat16.FromFloat32(-2)}, want: []float64{1, -2}},
		{name: "int", typ: ir.Tensor(dtypes.Int64, 2), flat: []int{-1, 7}, want: []float64{-1, 7}},
		{name: "bool", typ: ir.Tensor(dtypes.Bool, 3), flat: []bool{true, false, true}, want: []float64{1, 0, 1}},
		{name: "empty", typ: ir.Tensor(dtypes.Float32, 0, 2), flat: []float32{}, want: []float64{}},
		{name: "too few", typ: ir.Tensor(dtypes.Float32, 3), flat: []float32{1}, wantErr: "value of type tensor<3xf32> has 4 bytes of data, want 12 (given as []float32)"},
		{name: "no numbers", typ: ir.Tensor(dtypes.Float32, 1), flat: []string{"1"}, wantErr: "elements are a []string, want a slice of numbers"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			d, err := ir.DenseFromFlat(tc.typ, tc.flat)
			if tc.wantErr != "" {
				require.ErrorContains(t, err, tc.wantErr)
				return
			}
			require.NoError(t, err)
			require.Equal(t, tc.want, d.Float64s())
		})
	}
}

func TestDenseReaders(t *testing.T) {
	splat := ir.Splat(ir.Tensor(dtypes.Int32, 3), 7)
	require.Equal(t, []int64{7, 7, 7}, splat.Int64s())
	floats, err := ir.DenseFromFlat(ir.Tensor(dtypes.Float32, 3), []float32{-1.5, 2.9, 2.9})
	require.NoError(t, err)
	require.Equal(t, []int64{-1, 2, 2}, floats.Int64s())
	_, ok := floats.SplatValue()
	require.False(t, ok)
	same, err := ir.DenseFromFlat(ir.Tensor(dtypes.Float32, 3), []float32{4, 4, 4})
	require.NoError(t, err)
	v, ok := same.SplatValue()
	require.True(t, ok)
	require.Equal(t, 4.0, v)
	_, ok = ir.Splat(ir.Tensor(dtypes.Float32, 0), 1).SplatValue()
	require.False(t, ok)
}
