package utils_test

// This file compares with Keras: benchmarks/peers/utils_reference.py writes the testdata.

import (
	"context"
	"encoding/json"
	"math"
	"os"
	"testing"

	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/keras/utils"
)

// array is a float32 array in the reference file, with its elements in row-major order.
type array struct {
	Shape  []int     `json:"shape"`
	Values []float32 `json:"values"`
}

// requireArray requires that got has the shape and the elements of want, and that err is nil.
func requireArray(t *testing.T, want array, got *tensors.Tensor, err error) {
	t.Helper()
	require.NoError(t, err)
	require.Equal(t, want.Shape, got.Shape().Dimensions)
	values, err := data.Floats(got)
	require.NoError(t, err)
	require.InDeltaSlice(t, want.Values, values, 1e-6)
}

// nested returns the float32 tensor of v, a number or nested lists of numbers as JSON has them.
func nested(t *testing.T, v any) *tensors.Tensor {
	var dims []int
	var flat []float32
	for x := v; ; {
		list, ok := x.([]any)
		if !ok {
			break
		}
		dims, x = append(dims, len(list)), list[0]
	}
	var walk func(v any)
	walk = func(v any) {
		if list, ok := v.([]any); ok {
			for _, x := range list {
				walk(x)
			}
			return
		}
		flat = append(flat, float32(v.(float64)))
	}
	walk(v)
	x, err := data.FromFlat(flat, dims...)
	require.NoError(t, err)
	return x
}

func TestAgainstKeras(t *testing.T) {
	var reference struct {
		ToCategorical []struct {
			array
			X          any `json:"x"`
			NumClasses int `json:"num_classes"`
		} `json:"to_categorical"`
		Normalize []struct {
			array
			X     any `json:"x"`
			Axis  int `json:"axis"`
			Order any `json:"order"`
		} `json:"normalize"`
		PadSequences []struct {
			array
			MaxLen     int     `json:"maxlen"`
			Padding    string  `json:"padding"`
			Truncating string  `json:"truncating"`
			Value      float64 `json:"value"`
		} `json:"pad_sequences"`
	}
	text, err := os.ReadFile("testdata/reference.json")
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &reference))
	require.Len(t, reference.ToCategorical, 5)
	for _, c := range reference.ToCategorical {
		got, err := utils.ToCategorical(nested(t, c.X), c.NumClasses)
		requireArray(t, c.array, got, err)
	}
	require.Len(t, reference.Normalize, 10)
	for _, c := range reference.Normalize {
		order, ok := c.Order.(float64)
		if !ok {
			order = map[string]float64{"inf": math.Inf(1), "-inf": math.Inf(-1)}[c.Order.(string)]
		}
		got, err := utils.Normalize(nested(t, c.X), utils.Axis(c.Axis), utils.Order(order))
		requireArray(t, c.array, got, err)
	}
	require.Len(t, reference.PadSequences, 32)
	for _, c := range reference.PadSequences {
		opts := []utils.Option{utils.Padding(c.Padding), utils.Truncating(c.Truncating), utils.Value(c.Value)}
		if c.MaxLen >= 0 {
			opts = append(opts, utils.MaxLen(c.MaxLen))
		}
		got, err := utils.PadSequences([][]int{{1, 2, 3}, {}, {4}, {5, 6, 7, 8, 9}}, opts...)
		requireArray(t, c.array, got, err)
		require.Equal(t, "Int32", got.DType().String())
	}
}

// TestShuffle requires that Shuffle has the same order for all arrays, and another order for
// another seed, and loses no sample.
func TestShuffle(t *testing.T) {
	x, y := make([][]float32, 50), make([]int32, 50)
	for i := range x {
		x[i], y[i] = []float32{float32(i), 1}, int32(i)
	}
	out, err := utils.Shuffle(7, x, y)
	require.NoError(t, err)
	again, err := utils.Shuffle(7, x, y)
	require.NoError(t, err)
	other, err := utils.Shuffle(8, x, y)
	require.NoError(t, err)
	first, second := floats(t, out[0]), floats(t, out[1])
	require.Equal(t, second, floats(t, again[1]))
	require.NotEqual(t, second, floats(t, other[1]))
	for i, v := range second {
		require.Equal(t, v, first[2*i])
	}
	whole, err := data.Floats(must(data.Tensor(y)))
	require.NoError(t, err)
	require.ElementsMatch(t, whole, second)
	_, err = utils.Shuffle(1, x, y[:3])
	require.ErrorContains(t, err, "array 1 has shape [3]: want all arrays to have the same number of samples")
}

func must(t *tensors.Tensor, err error) *tensors.Tensor {
	if err != nil {
		panic(err)
	}
	return t
}

func floats(t *testing.T, x *tensors.Tensor) []float32 {
	t.Helper()
	v, err := data.Floats(x)
	require.NoError(t, err)
	return v
}

// batchesOf returns the numbers of the first input and of the first label of each batch, as flat
// slices. y is nil for a dataset without labels.
func batchesOf(t *testing.T, p *data.Pipeline) (x, y [][]float32) {
	t.Helper()
	for b, err := range p.Batches(context.Background()) {
		require.NoError(t, err)
		x = append(x, floats(t, b.X[0]))
		if len(b.Y) > 0 {
			y = append(y, floats(t, b.Y[0]))
		}
	}
	return x, y
}

// The first two cases follow the examples 1 and 2 in Keras' documentation of
// timeseries_dataset_from_array. The first has one element more than there, and so one more window.
// The third case takes a shuffled part of the array.
func TestTimeseriesDatasetFromArray(t *testing.T) {
	array := make([]float32, 100)
	for i := range array {
		array[i] = float32(i)
	}
	p, err := utils.TimeseriesDatasetFromArray(array, nil, 10, utils.SamplingRate(2), utils.SequenceStride(3), utils.BatchSize(4))
	require.NoError(t, err)
	x, _ := batchesOf(t, p)
	require.Len(t, x, 7)       // 28 windows: 0, 3, … 81
	require.Len(t, x[0], 4*10) // First sequence: 0 2 4 … 18, second: 3 5 … 21
	require.Equal(t, []float32{0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21}, x[0][:20])
	require.Equal(t, float32(81+18), x[6][39])

	// the target is the element after the window
	p, err = utils.TimeseriesDatasetFromArray(array[:90], array[10:], 10)
	require.NoError(t, err)
	x, y := batchesOf(t, p)
	require.Len(t, x, 1)
	require.Len(t, y[0], 81)
	require.Equal(t, array[:10], x[0][:10])
	require.Equal(t, float32(10), y[0][0])
	require.Equal(t, float32(90), y[0][80])

	p, err = utils.TimeseriesDatasetFromArray(array, array, 3, utils.StartIndex(20), utils.EndIndex(25), utils.Shuffled(), utils.Seed(3))
	require.NoError(t, err)
	x, y = batchesOf(t, p)
	require.ElementsMatch(t, []float32{20, 21, 22}, y[0])
	for i, v := range y[0] {
		require.Equal(t, []float32{v, v + 1, v + 2}, x[0][3*i:3*i+3])
	}
}

func TestSplitDataset(t *testing.T) {
	values := make([]float32, 10)
	for i := range values {
		values[i] = float32(i)
	}
	split := func(left, right float64, opts ...utils.Option) (a, b []float32) {
		first, second, err := utils.SplitDataset(data.FromTensorSlices(values, nil), left, right, opts...)
		require.NoError(t, err)
		x, _ := batchesOf(t, first.Batch(100))
		y, _ := batchesOf(t, second.Batch(100))
		return x[0], y[0]
	}
	a, b := split(.8, 0)
	require.Equal(t, values[:8], a)
	require.Equal(t, values[8:], b)
	a, b = split(0, 3)
	require.Equal(t, values[:7], a)
	require.Equal(t, values[7:], b)
	a, b = split(2, .5)
	require.Equal(t, values[:2], a)
	require.Equal(t, values[2:7], b)
	for range 3 { // without a seed, too, no sample is in both parts
		a, b = split(.5, 0, utils.Shuffled())
		require.ElementsMatch(t, values, append(a, b...))
	}
	a, _ = split(.5, 0, utils.Shuffled(), utils.Seed(1))
	again, _ := split(.5, 0, utils.Shuffled(), utils.Seed(1))
	require.Equal(t, a, again)
	require.NotEqual(t, values[:5], a)
}

// TestPaddingIsRounded pads float32 with a number that float32 does not have exactly.
func TestPaddingIsRounded(t *testing.T) {
	x, err := utils.PadSequences([][]float32{{1}, {2, 3}}, utils.Value(0.1))
	require.NoError(t, err)
	require.Equal(t, [][]float32{{0.1, 1}, {2, 3}}, x.Value())
}

func TestErrors(t *testing.T) {
	array := []float32{1, 2, 3}
	series := func(targets any, length int, opts ...utils.Option) error {
		_, err := utils.TimeseriesDatasetFromArray(array, targets, length, opts...)
		return err
	}
	split := func(ds *data.Pipeline, left, right float64) error {
		_, _, err := utils.SplitDataset(ds, left, right)
		return err
	}
	of := data.FromTensorSlices(array, nil)
	categorical := func(x any, n int) error { _, err := utils.ToCategorical(x, n); return err }
	normalize := func(x any, opts ...utils.Option) error { _, err := utils.Normalize(x, opts...); return err }
	pad := func(opts ...utils.Option) error {
		_, err := utils.PadSequences([][]int{{1 << 40}}, opts...)
		return err
	}
	for _, tc := range []struct {
		err  error
		want string
	}{
		{categorical([]float32{1, .5}, 0), "element 1 is not a class: want whole numbers from 0 on"},
		{categorical([]int32{1, 7}, 5), "element 1 is not a class: want whole numbers from 0 to 4"},
		{categorical([]int32{-1}, 5), "element 0 is not a class"},
		{categorical(must(data.FromFlat([]int32{})), 0), "got no elements to count the classes of"},
		{categorical([]int32{1, 2}, math.MaxInt32), "too many for a tensor"},
		{categorical("x", 0), "got texts, want numbers"},
		{normalize(array, utils.Axis(1)), "got the axis 1 of a tensor of shape [3]: want one from -1 to 0"},
		{normalize(array, utils.Order(-1)), "got the order -1"},
		{normalize(array, utils.MaxLen(1)), "takes no option MaxLen: it takes Axis, Order"},
		{pad(), "got 1099511627776, which int32 has not"},
		{pad(utils.Padding("left")), `got "left" as the side`},
		{pad(utils.Value(.5)), "got 0.5, which int has not"},
		{pad(utils.Value(math.NaN())), "got NaN, which int has not"},
		{series(nil, 0), "got the sequence length 0"},
		{series(nil, 4), "3 elements have no window of 4 elements"},
		{series(must(data.FromFlat([]float32{})), 2), "have no window"},
		{series(nil, 1, utils.SamplingRate(0)), "want at least 1"},
		{series(nil, 1, utils.EndIndex(9)), "got the elements from 0 to 9 of 3"},
		{split(of, 0, 0), "got no size"},
		{split(of, 2, 2), "2 and 2 elements: there are 3"},
		{split(of, 1.5, 0), "want shares between 0 and 1, or whole numbers of at most 3"},
		{split(of, .1, 0), "leave a part empty"},
		{split(of.Repeat(), .5, 0), "the number of elements of FromTensorSlices.Repeat is not known"},
	} {
		require.ErrorContains(t, tc.err, tc.want)
	}
}
