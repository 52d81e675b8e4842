package data_test

import (
	"context"
	"iter"
	"path/filepath"
	"testing"

	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/keras/data"
)

func textsIn(t *testing.T, x *tensors.Tensor) []string {
	t.Helper()
	got, err := data.Texts(x)
	require.NoError(t, err)
	return got
}

func TestTexts(t *testing.T) {
	x, err := data.Tensor([][]string{{"a", ""}, {"äöü", "dog"}, {"x", "y"}})
	require.NoError(t, err)
	require.True(t, data.IsText(x))
	require.Equal(t, []int{3, 2}, data.Dims(x))
	require.Equal(t, []string{"a", "", "äöü", "dog", "x", "y"}, textsIn(t, x))

	part, err := data.Slice(x, -2, 2)
	require.NoError(t, err)
	require.Equal(t, []string{"äöü", "dog"}, textsIn(t, part))
	part, err = data.Gather(x, []int{2, 0})
	require.NoError(t, err)
	require.Equal(t, []string{"x", "y", "a", ""}, textsIn(t, part))
	flat, err := data.Reshape(x, -1)
	require.NoError(t, err)
	require.Equal(t, []int{6}, data.Dims(flat))
	require.Equal(t, textsIn(t, x), textsIn(t, flat))

	one, err := data.Tensor("alone")
	require.NoError(t, err)
	require.Empty(t, data.Dims(one))
	require.Equal(t, []string{"alone"}, textsIn(t, one))

	_, err = data.Tensor([][]string{{"a"}, {"b", "c"}})
	require.EqualError(t, err, "got slices of texts of lengths 1 and 2: want equal lengths")
	_, err = data.FromTexts([]string{"a\x00"})
	require.ErrorContains(t, err, "text 0 ends with a zero byte")
	_, err = data.Texts(tensors.FromValue([]uint8{1, 2}))
	require.ErrorContains(t, err, "want texts")
	_, err = data.Slice(one, 0, 1)
	require.ErrorContains(t, err, "got a scalar to slice")
}

// Texts pass through all stages and through Cache's files, also texts of different lengths from a
// generator.
func TestTextsInPipelines(t *testing.T) {
	words := []string{"one", "two", "three", "four", "fünf", "six", "seven"}
	file := filepath.Join(t.TempDir(), "words")
	var samples iter.Seq2[data.Batch, error] = func(yield func(data.Batch, error) bool) {
		for _, w := range words {
			x, err := data.Tensor(w)
			if !yield(data.Batch{X: []*tensors.Tensor{x}}, err) {
				return
			}
		}
	}
	for name, p := range map[string]*data.Pipeline{
		"slices":    data.FromTensorSlices(words, []int{0, 1, 2, 3, 4, 5, 6}),
		"generator": data.FromGenerator(samples),
		"rows":      data.FromTensorSlices([][]string{{"one"}, {"two"}, {"three"}, {"four"}, {"fünf"}, {"six"}, {"seven"}}, nil),
		"written":   data.FromTensorSlices(words, nil).Cache(file),
		"read":      data.FromTensorSlices(words, nil).Cache(file),
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for b, err := range p.Batch(3).Prefetch(1).Batches(context.Background()) {
				require.NoError(t, err)
				require.Equal(t, b.Size(), data.Dims(b.X[0])[0])
				got = append(got, textsIn(t, b.X[0])...)
			}
			require.Equal(t, words, got)
		})
	}
}
