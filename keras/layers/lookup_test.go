package layers_test

// This file compares the layers of the host with Keras on TensorFlow, whose results
// benchmarks/peers/lookup_reference.py wrote.

import (
	"fmt"
	"testing"

	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/testing/tracetest"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/saving"
)

type lookupCase struct {
	Layer       string
	Serialized  map[string]any
	Adapt, Data any
	Shape       []int
	Output      []any
	Vocabulary  []any
}

func TestLookup(t *testing.T) {
	file := tracetest.ReadJSON[struct{ Cases []lookupCase }](t, "../testdata/reference/lookup.json")
	require.Equal(t, 30, len(file.Cases))
	for i, tc := range file.Cases {
		t.Run(fmt.Sprintf("%d %s", i, tc.Layer), func(t *testing.T) {
			tc.check(t, tc.Serialized, tc.Adapt)
			tc.check(t, tc.describeAgain(t), nil) // as we describe it: with the vocabulary
		})
	}
}

func (tc lookupCase) layer(t *testing.T, object map[string]any, adapt any) layers.Layer {
	l, err := saving.DeserializeLayer(object)
	require.NoError(t, err)
	if l, ok := l.(interface{ Adapt(...any) error }); ok && adapt != nil {
		require.NoError(t, l.Adapt(adapt))
	}
	return l
}

// describeAgain adapts the layer and returns its serialization. It requires the config to be that
// of the case, apart from sparse and ragged. Of what Adapt learns, such as a vocabulary, and of
// dtype it only requires that they are there.
func (tc lookupCase) describeAgain(t *testing.T) map[string]any {
	o, err := saving.SerializeLayer(tc.layer(t, tc.Serialized, tc.Adapt))
	require.NoError(t, err)
	want, got := tc.Serialized["config"].(map[string]any), o["config"].(map[string]any)
	for key := range want {
		switch key {
		case "sparse", "ragged": // tensors are dense
		case "vocabulary", "idf_weights", "vocabulary_size", "dtype":
			require.Contains(t, got, key)
		default:
			require.Equal(t, want[key], got[key], key)
		}
	}
	return o
}

func texts(v any) (out []string) {
	for _, x := range v.([]any) {
		out = append(out, x.(string))
	}
	return out
}

func (tc lookupCase) check(t *testing.T, object map[string]any, adapt any) {
	var got *tensors.Tensor
	var err error
	invert := object["config"].(map[string]any)["invert"] == true
	switch l := tc.layer(t, object, adapt).(type) {
	case *layers.StringLookupLayer:
		require.Equal(t, fmt.Sprint(tc.Vocabulary), fmt.Sprint(l.Vocabulary()))
		if invert {
			tokens, err := l.Tokens(tc.Data)
			require.NoError(t, err)
			require.Equal(t, texts(tc.Output), tokens)
			return
		}
		got, err = l.Lookup(tc.Data)
	case *layers.IntegerLookupLayer:
		require.Equal(t, fmt.Sprint(tc.Vocabulary), fmt.Sprint(l.Vocabulary()))
		if invert {
			tokens, err := l.Tokens(tc.Data)
			require.NoError(t, err)
			require.Equal(t, fmt.Sprint(tc.Output), fmt.Sprint(tokens))
			return
		}
		got, err = l.Lookup(tc.Data)
	case *layers.TextVectorizationLayer:
		require.Equal(t, texts(tc.Vocabulary), l.Vocabulary())
		got, err = l.Vectorize(texts(tc.Data))
	case *layers.HashingLayer:
		got, err = l.Hash(tc.Data)
	case *layers.HashedCrossingLayer:
		got, err = l.Cross(tc.Data.([]any)...)
	}
	require.NoError(t, err)
	require.Equal(t, tc.Shape, got.Shape().Dimensions)
	require.NoError(t, got.ConstFlatData(func(flat any) {
		for i, want := range tc.Output {
			switch flat := flat.(type) {
			case []int64:
				require.Equal(t, want, float64(flat[i]), "%v", flat)
			case []float32:
				require.InDelta(t, want, flat[i], 2e-6, "%v", flat)
			}
		}
	}))
}

func TestLookupErrors(t *testing.T) {
	_, err := layers.StringLookup().Lookup([]string{"a"})
	require.EqualError(t, err, "layer StringLookup: Lookup: it has no vocabulary: give the option Vocabulary, or call Adapt")
	small := layers.StringLookup(layers.Vocabulary([]string{"a"}), layers.OOVIndices(0))
	_, err = small.Lookup([][]string{{"a"}, {"b"}})
	require.ErrorContains(t, err, "the token b is not in the vocabulary, and OOVIndices is 0")
	_, err = small.Lookup([][]string{{"a"}, {"a", "a"}})
	require.ErrorContains(t, err, "want equal rows")
	_, err = small.Lookup([]float32{1})
	require.ErrorContains(t, err, "got a []float32, want a slice of strings, or of slices of them")
	require.ErrorContains(t, small.SetVocabulary([]string{"a", "a"}, nil), "the token a is there twice")
	require.ErrorContains(t, small.SetVocabulary(nil, nil), "want at least one")
	_, err = layers.HashedCrossing(5).Cross([]string{"a"}, []int{1, 2})
	require.ErrorContains(t, err, "column 1: got 2 values, the first column has 1")
	for _, tc := range []struct {
		name string
		l    layers.Layer
		want string
	}{
		{"invert", layers.StringLookup(layers.Invert(true), layers.LookupMode("count")), `got LookupMode "count" with Invert`},
		{"padding", layers.StringLookup(layers.PadToMaxTokens()), "wants MaxTokens"},
		{"size", layers.StringLookup(layers.MaxTokens(2), layers.Vocabulary([]string{"a", "b"})), "MaxTokens is 2"},
		{"weights", layers.StringLookup(layers.Vocabulary([]string{"a"}), layers.LookupMode("tf_idf")), "got 0 IDFWeights for 1 tokens"},
		{"mask", layers.IntegerLookup(layers.Vocabulary([]int64{1, 0}), layers.MaskToken(0)), "is not at the start"},
		{"salt", layers.IntegerLookup(layers.Salt(3)), "farmhash"},
		{"texts for numbers", layers.IntegerLookup(layers.Vocabulary([]string{"a"})), "want a slice of int64s"},
		{"length", layers.TextVectorization(layers.OutputSequenceLength(3), layers.LookupMode("count")), "OutputSequenceLength"},
		{"bins", layers.Hashing(0), "want a positive number"},
	} {
		t.Run(tc.name, func(t *testing.T) { require.ErrorContains(t, layers.ConstructionError(tc.l), tc.want) })
	}
}

// Lookups and hashes of integers that no float64 holds must not round them.
func TestLargeIntegers(t *testing.T) {
	const n = int64(1)<<53 + 1
	l := layers.IntegerLookup(layers.Vocabulary([]int64{n - 1, n}))
	for _, values := range []any{[]int64{n}, []int{int(n)}, tensors.FromValue([]int64{n}), tensors.FromValue([]uint64{uint64(n)})} {
		out, err := l.Lookup(values)
		require.NoError(t, err)
		require.Equal(t, []int64{2}, out.Value())
		out, err = layers.Hashing(1 << 30).Hash(values)
		require.NoError(t, err)
		want, err := layers.Hashing(1 << 30).Hash([]string{fmt.Sprint(n)})
		require.NoError(t, err)
		require.Equal(t, want.Value(), out.Value())
		out, err = layers.HashedCrossing(1<<30).Cross(values, []string{"a"})
		require.NoError(t, err)
		want, err = layers.HashedCrossing(1<<30).Cross([]int64{n}, []string{"a"})
		require.NoError(t, err)
		require.Equal(t, want.Value(), out.Value())
	}
}

// TestMelWithoutLength makes a MelSpectrogram from a config without the length of its transform.
// The error must say so.
func TestMelWithoutLength(t *testing.T) {
	l, _, err := layers.FromConfig("MelSpectrogram", map[string]any{"fft_length": nil})
	if err == nil {
		err = layers.ConstructionError(l)
	}
	require.ErrorContains(t, err, "FFTLength: got none")
}
