package layers_test

import (
	"testing"

	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/keras/layers"
)

type adaptive interface {
	layers.Layer
	Adapt(batches ...any) error
}

// Normalization, Discretization and other layers that adapt to a dataset get the state that they
// get from the whole array, whatever the size of the dataset's batches: 1, 4 or all. The same holds
// for a tensor. Adapting must leave the dataset's position at its start.
func TestAdaptToDatasets(t *testing.T) {
	var numbers [][]float32
	var ids []int64
	for i := range 400 {
		numbers = append(numbers, []float32{float32(i*i%97) / 7, float32(i % 13)})
		ids = append(ids, int64(i*i%23))
	}
	texts := []string{"The fox!", "a dog", "a dog and a fox", "", "the end", "one more dog"}
	for name, tc := range map[string]struct {
		make func() adaptive
		data any
		of   func(l adaptive) any
	}{
		"Normalization": {func() adaptive { return layers.Normalization() }, numbers, func(l adaptive) any {
			require.NoError(t, layers.Input([]int{2}).Apply(l).Err())
			var out []any
			for _, v := range l.Variables() {
				value, err := v.Value(t.Context())
				require.NoError(t, err)
				out = append(out, value)
			}
			return out
		}},
		"Discretization":    {func() adaptive { return layers.Discretization(layers.NumBins(6)) }, numbers, config(t)},
		"StringLookup":      {func() adaptive { return layers.StringLookup(layers.LookupMode("tf_idf")) }, texts, config(t)},
		"IntegerLookup":     {func() adaptive { return layers.IntegerLookup(layers.MaxTokens(9)) }, ids, config(t)},
		"TextVectorization": {func() adaptive { return layers.TextVectorization(layers.LookupMode("tf_idf"), layers.NGrams(2)) }, texts, config(t)},
	} {
		t.Run(name, func(t *testing.T) {
			whole := tc.make()
			require.NoError(t, whole.Adapt(tc.data))
			want := tc.of(whole)
			for _, size := range []int{1, 4, 1000} {
				l, ds := tc.make(), data.FromTensorSlices(tc.data, nil).Batch(size)
				require.NoError(t, l.Adapt(ds))
				require.Equal(t, want, tc.of(l))
				require.Equal(t, data.Position{}, ds.Position())
			}
			x, err := data.Tensor(tc.data)
			require.NoError(t, err)
			l := tc.make()
			require.NoError(t, l.Adapt(x))
			require.Equal(t, want, tc.of(l))
		})
	}
}

func config(t *testing.T) func(l adaptive) any {
	return func(l adaptive) any {
		c, err := l.(layers.Configured).Config()
		require.NoError(t, err)
		return c
	}
}

func TestAdaptErrors(t *testing.T) {
	words := layers.TextVectorization()
	require.ErrorContains(t, words.Adapt(data.FromTensorSlices([]any{[]string{"a"}, []string{"b"}}, nil).Batch(1)), "layer TextVectorization: Adapt: batch 0: batch 0 of the dataset: it has 2 inputs, want the one that the layer takes: pick it by Map")
	require.ErrorContains(t, words.Adapt(data.FromTensorSlices([]string{"a"}, nil).Repeat().Batch(1)), "the dataset has no end: give it one by Take")
	require.ErrorContains(t, words.Adapt(data.FromTensorSlices([]string{"a"}, nil)), "add a Batch")
	require.ErrorContains(t, layers.Normalization().Adapt([]string{"a"}), "want a *tensors.Tensor, a slice of numbers or a data.Dataset")
	require.ErrorContains(t, layers.IntegerLookup().Adapt(data.FromTensorSlices([]string{"a"}, nil).Batch(1)), "got texts, want integers")
}

// TestOnBatch runs lookups as a stage of a dataset, by OnBatch, for samples and for batches. They
// must change all inputs, or only those that are named, and a layer of several inputs must get all
// of them. Another number of inputs, and a name that the batch lacks, must be errors.
func TestOnBatch(t *testing.T) {
	words := layers.TextVectorization(layers.OutputSequenceLength(2), layers.Vocabulary([]string{"a", "b"}))
	color := layers.StringLookup(layers.Vocabulary([]string{"red"}), layers.LookupMode("one_hot"))
	first := func(p *data.Pipeline) []*tensors.Tensor {
		for b, err := range p.Batches(t.Context()) {
			require.NoError(t, err)
			return b.X
		}
		return nil
	}
	texts := data.FromTensorSlices([]string{"b a c", "c"}, nil)
	want := [][]int64{{3, 2}, {1, 0}}
	require.Equal(t, want, first(texts.Batch(2).Map(layers.OnBatch(words)))[0].Value())
	require.Equal(t, want, first(texts.Map(layers.OnBatch(words)).Batch(2))[0].Value())
	named := data.FromTensorSlices(map[string]any{"n": []int64{5, 6}, "color": []string{"red", "blue"}, "other": []string{"red", "red"}}, nil)
	xs := first(named.Batch(2).Map(layers.OnBatch(color, "color", "other")))
	require.Equal(t, [][]float32{{0, 1}, {1, 0}}, xs[0].Value())
	require.Equal(t, []int64{5, 6}, xs[1].Value())
	require.Equal(t, [][]float32{{0, 1}, {0, 1}}, xs[2].Value())
	crossed := layers.HashedCrossing(5, layers.Name("crossed"))
	pairs := data.FromTensorSlices([]any{[]string{"a", "b"}, []int64{1, 2}}, nil).Batch(2)
	bins, err := crossed.Cross([]string{"a", "b"}, []int64{1, 2})
	require.NoError(t, err)
	require.Equal(t, bins.Value(), first(pairs.Map(layers.OnBatch(crossed)))[0].Value())

	for _, err := range pairs.Map(layers.OnBatch(words)).Batches(t.Context()) {
		require.ErrorContains(t, err, "Map: batch 0: layer text_vectorization: got 2 inputs, want one")
	}
	for _, err := range named.Batch(1).Map(layers.OnBatch(color, "colour")).Batches(t.Context()) {
		require.ErrorContains(t, err, `there is no input "colour"`)
	}
}
