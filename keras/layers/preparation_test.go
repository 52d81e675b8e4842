package layers_test

// This file tests the layers that prepare data and have no gradient, and Adapt, with numbers
// of Keras 3.15.

import (
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/testing/tracetest"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/saving"
)

// called applies l, a layer without variables, to x, a Go slice whose first dimension is the batch,
// and returns the only result.
func called(t *testing.T, l layers.Layer, x any) *tensors.Tensor {
	t.Helper()
	in, err := tensors.FromAnyValue(x)
	require.NoError(t, err)
	require.NoError(t, layers.Input(in.Shape().Dimensions[1:], layers.DType(in.DType())).Apply(l).Err())
	return tracetest.Run(t, func(nodes []*graph.Node) []*graph.Node { return l.Call(&layers.Context{}, nodes) }, in)[0]
}

func TestCategoryEncoding(t *testing.T) {
	x := [][]int32{{0, 1, 1}, {3, 5, -1}}
	require.Equal(t, [][]float32{{1, 1, 0, 0}, {0, 0, 0, 1}}, called(t, layers.CategoryEncoding(4), x).Value())
	require.Equal(t, [][]float32{{1, 2, 0, 0}, {0, 0, 0, 1}}, called(t, layers.CategoryEncoding(4, layers.Encoding("count")), x).Value())
	require.Equal(t, [][][]float32{{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 1, 0, 0}}, {{0, 0, 0, 1}, {0, 0, 0, 0}, {0, 0, 0, 0}}},
		called(t, layers.CategoryEncoding(4, layers.Encoding("one_hot")), x).Value())
	require.ErrorContains(t, layers.Input([]int{3}).Apply(layers.CategoryEncoding(4, layers.Encoding("int"))).Err(), "multi_hot")
}

func TestDiscretization(t *testing.T) {
	x := [][]float32{{-1.5, 1, 3.4, 0.5}, {0, 3, 1.3, 0}}
	bins := layers.BinBoundaries(0, 1, 2)
	require.Equal(t, [][]int32{{0, 2, 3, 1}, {1, 3, 2, 1}}, called(t, layers.Discretization(bins), x).Value())
	require.Equal(t, [][]float32{{1, 1, 1, 1}, {0, 2, 1, 1}}, called(t, layers.Discretization(bins, layers.BinEncoding("count")), x).Value())

	l := layers.Discretization(layers.NumBins(4))
	require.ErrorContains(t, layers.Input([]int{4}).Apply(layers.Discretization(layers.NumBins(4))).Err(), "Adapt")
	require.NoError(t, l.Adapt(x))
	o, err := saving.SerializeLayer(l)
	require.NoError(t, err)
	require.InDeltaSlice(t, []float64{0, 0.5, 1.3}, o["config"].(map[string]any)["bin_boundaries"], 1e-6)
	again, err := saving.DeserializeLayer(o)
	require.NoError(t, err)
	require.Equal(t, called(t, l, x).Value(), called(t, again, x).Value())

	values := make([]float32, 60)
	for i := range values {
		values[i] = float32(i*37%101) / 10
	}
	l = layers.Discretization(layers.NumBins(4), layers.SummaryError(0.1))
	require.NoError(t, l.Adapt(values[:40], values[40:]))
	config, err := l.Config()
	require.NoError(t, err)
	require.InDeltaSlice(t, []float64{2.4, 4.9, 7.5}, config["bin_boundaries"], 1e-5)
}

func TestAdaptNormalization(t *testing.T) {
	a, b := [][]float32{{0.5, -1.2, 3.3}, {0.25, 0.8, -0.75}}, [][]float32{{1.5, 2.2, -3.3}, {0.125, 0.4, 0.5}, {2, 1, 7}}
	values := func(l *layers.NormalizationLayer) (out [][]float32) {
		for _, v := range l.Variables()[:2] {
			flat, err := v.Value(t.Context())
			require.NoError(t, err)
			out = append(out, flat.([]float32))
		}
		return out
	}
	for _, applied := range []bool{false, true} {
		l, all := layers.Normalization(), layers.Normalization(layers.NoAxis())
		in := layers.Input([]int{3})
		apply := func() {
			require.NoError(t, in.Apply(l).Err())
			require.NoError(t, in.Apply(all).Err())
		}
		if applied {
			apply()
		}
		require.NoError(t, l.Adapt(a, b))
		require.NoError(t, all.Adapt(a, b))
		if !applied {
			apply()
		}
		require.InDeltaSlice(t, []float32{0.875, 0.64, 1.35}, values(l)[0], 1e-6)
		require.InDeltaSlice(t, []float32{0.55, 1.2064, 12.496}, values(l)[1], 2e-6)
		require.InDelta(t, 0.955, values(all)[0][0], 1e-6)
		require.InDelta(t, 4.838017, values(all)[1][0], 1e-6)
		require.ErrorContains(t, l.Adapt([][]float32{{1, 2}}), "want the sizes [3]")
	}
	require.ErrorContains(t, layers.Normalization(layers.Mean(1), layers.Variance(1)).Adapt(a), "Mean")
	require.ErrorContains(t, layers.Input([]int{3}).Apply(layers.Normalization(layers.Mean(1))).Err(), "both")
}

// TestResizingOfIntegers resizes two uint8 images of 3 by 4 pixels to 2 by 3. It requires that the
// results are uint8, rounded to whole numbers.
func TestResizingOfIntegers(t *testing.T) {
	x := make([]uint8, 24)
	for i := range x {
		x[i] = uint8(10 * i)
	}
	in := tensors.FromFlatDataAndDimensions(x, 2, 3, 4, 1)
	out := tracetest.Run(t, func(nodes []*graph.Node) []*graph.Node { return layers.Resizing(2, 3).Call(&layers.Context{}, nodes) }, in)[0]
	require.Equal(t, dtypes.Uint8, out.DType())
	require.Equal(t, []uint8{12, 25, 38, 72, 85, 98, 132, 145, 158, 192, 205, 218}, tensors.MustCopyFlatData[uint8](out))
}

// TestResizingLimitsIntegers enlarges an int8 image by bicubic interpolation, which overshoots.
// Numbers above 127 must become 127, as in Keras.
func TestResizingLimitsIntegers(t *testing.T) {
	const n = 127
	in := tensors.FromFlatDataAndDimensions([]int8{0, n, n, 0, n, n, n, n, n, n, n, 0, 0, n, 0, 0}, 1, 4, 4, 1)
	out := tracetest.Run(t, func(nodes []*graph.Node) []*graph.Node {
		return layers.Resizing(6, 6, layers.Interpolation("bicubic")).Call(&layers.Context{}, nodes)
	}, in)[0]
	require.Equal(t, []int8{
		-17, 55, n, n, 55, -17,
		55, 91, n, n, 95, 63,
		n, n, n, n, 124, 118,
		n, n, n, n, 73, 9,
		55, 95, 124, 73, 20, -12,
		-17, 63, 118, 9, -12, 1,
	}, tensors.MustCopyFlatData[int8](out))
}
