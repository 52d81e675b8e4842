package keras_test

// This file tests models whose inputs are texts: their lookups run on the host.

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/testing/longtest"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/random"
)

var (
	reviews = []string{"The fox, the dog!", "a dog", "one bird", "the fox", "dog and fox", "nothing here"}
	colors  = []string{"red", "green", "red", "blue", "green", "red"}
	labels  = []float32{1, 0, 0, 1, 1, 0}
)

// lookups returns the layers of these tests, adapted: a vectorization of reviews to 4 indices, and
// a lookup of colors as one-hot rows of 4 numbers.
func lookups(t *testing.T) (*layers.TextVectorizationLayer, *layers.StringLookupLayer) {
	t.Helper()
	words, color := layers.TextVectorization(layers.OutputSequenceLength(4), layers.Name("words")), layers.StringLookup(layers.LookupMode("one_hot"), layers.Name("colors"))
	require.NoError(t, words.Adapt(reviews))
	require.NoError(t, color.Adapt(colors))
	return words, color
}

// rest applies the layers behind the lookups to words, which has 4 indices a sample, and color,
// which is one-hot: an embedding and a mean of the words, and a dense layer for both. It returns
// the output.
func rest(words, color *layers.Tensor) *layers.Tensor {
	x := words.Apply(layers.Embedding(12, 3, layers.Name("embed"), layers.MaskZero())).Apply(layers.GlobalAveragePooling1D())
	return layers.Apply(layers.Concatenate(), x, color).Apply(layers.Dense(1, layers.Name("out"), layers.Activation("sigmoid")))
}

// A model of texts must compute, in training and prediction, what the model of numbers computes
// that begins behind its lookups.
func TestModelOfTexts(t *testing.T) {
	for _, mesh := range longtest.Pick([]string{"data=3,model=2"}, []string{"", "data=2,model=4", "data=3,model=2"}) {
		t.Run(mesh, func(t *testing.T) {
			onMesh(t, mesh, func(client keras.CompileOption) {
				compile := []keras.CompileOption{keras.Optimizer("adam"), keras.Loss("binary_crossentropy"), client, quiet}
				run := []keras.RunOption{keras.Epochs(2), keras.BatchSize(6), keras.Verbose(0), keras.ShuffleSeed(5)}
				words, color := lookups(t)
				numbers, err := words.Vectorize(reviews)
				require.NoError(t, err)
				hot, err := color.Lookup(colors)
				require.NoError(t, err)
				behind, ahead := keras.Input([]int{4}, layers.DType(dtypes.Int64)), keras.Input([]int{4})
				plain, err := keras.NewModel(keras.Tensors(behind, ahead), keras.Tensors(rest(behind, ahead)))
				require.NoError(t, err)
				require.NoError(t, plain.Compile(compile...))

				text, tone := keras.Input([]int{1}, layers.DType(layers.String), layers.Name("text")), keras.Input([]int{1}, layers.DType(layers.String), layers.Name("tone"))
				m, err := keras.NewModel(keras.Tensors(text, tone), keras.Tensors(rest(text.Apply(words), tone.Apply(color))))
				require.NoError(t, err)
				require.NoError(t, m.Compile(compile...))
				weights, err := plain.Weights(t.Context())
				require.NoError(t, err)
				var start []any
				for _, w := range weights {
					start = append(start, w)
				}
				require.NoError(t, m.SetWeights(t.Context(), start...))

				want, err := plain.Fit(t.Context(), []any{numbers, hot}, labels, append(run, keras.ValidationData([]any{numbers, hot}, labels))...)
				require.NoError(t, err)
				got, err := m.Fit(t.Context(), []any{reviews, colors}, labels, append(run, keras.ValidationData(map[string]any{"tone": colors, "text": reviews}, labels))...)
				require.NoError(t, err)
				require.Equal(t, want, got)
				wanted, err := plain.Predict(t.Context(), []any{numbers, hot}, keras.Verbose(0))
				require.NoError(t, err)
				ds := data.FromTensorSlices(map[string]any{"tone": colors, "text": reviews}, nil).Batch(4)
				predicted, err := m.Predict(t.Context(), ds, keras.Verbose(0))
				require.NoError(t, err)
				require.InDeltaSlice(t, tensors.MustCopyFlatData[float32](wanted[0]), tensors.MustCopyFlatData[float32](predicted[0]), 1e-6)
				_, err = m.TrainOnBatch(t.Context(), []any{reviews, colors}, labels)
				require.NoError(t, err)
			})
		})
	}
}

// A Sequential that begins with a lookup is built by its first batch. It can also be a layer of
// another model.
func TestSequentialOfTexts(t *testing.T) {
	onMesh(t, "", func(client keras.CompileOption) {
		words, _ := lookups(t)
		m, err := keras.NewSequential(words, layers.Embedding(12, 2), layers.Flatten(), layers.Dense(1))
		require.NoError(t, err)
		require.NoError(t, m.Compile(keras.Loss("mse"), client, quiet))
		h, err := m.Fit(t.Context(), reviews, labels, keras.Verbose(0), keras.Epochs(2), keras.ValidationSplit(.5))
		require.NoError(t, err)
		require.Less(t, h.Logs["loss"][1], h.Logs["loss"][0])
		var text bytes.Buffer
		require.NoError(t, m.Summary(&text))
		require.Contains(t, text.String(), "words (TextVectorization)  (None, 4)")
		want, err := m.Predict(t.Context(), reviews, keras.Verbose(0))
		require.NoError(t, err)

		x := keras.Input([]int{}, layers.DType(layers.String))
		number := keras.Input([]int{1})
		outer, err := keras.NewModel(keras.Tensors(number, x), keras.Tensors(layers.Apply(layers.Add(), m.Apply(x), number)))
		require.NoError(t, err)
		require.NoError(t, outer.Compile(client, quiet))
		column, err := data.FromTexts(reviews, -1, 1)
		require.NoError(t, err)
		got, err := outer.Predict(t.Context(), []any{make([]float32, 6), column}, keras.Verbose(0))
		require.NoError(t, err)
		require.Equal(t, tensors.MustCopyFlatData[float32](want[0]), tensors.MustCopyFlatData[float32](got[0]))
	})
}

// Each Fit of a model with a lookup, on a pipeline, continues where the Fit before it left the
// pipeline, as without lookups.
func TestTextsLeavePipelinesPosition(t *testing.T) {
	onMesh(t, "", func(client keras.CompileOption) {
		words, _ := lookups(t)
		m, err := keras.NewSequential(words, layers.Embedding(12, 2), layers.Flatten(), layers.Dense(1))
		require.NoError(t, err)
		require.NoError(t, m.Compile(keras.Loss("mse"), client, quiet))
		ds := data.FromTensorSlices(reviews, labels).Shuffle(6, data.Seed(1)).Batch(2)
		for epoch := range 2 {
			_, err = m.Fit(t.Context(), ds, nil, keras.Verbose(0))
			require.NoError(t, err)
			require.Equal(t, [2]int{epoch + 1, 0}, [2]int{ds.Position().Epoch, ds.Position().Batch})
		}
		_, err = m.Fit(t.Context(), ds, nil, keras.Verbose(0), keras.StepsPerEpoch(2))
		require.NoError(t, err)
		require.Equal(t, 3, ds.Position().Epoch)
	})
}

// WithTraining must call layers that run on the host, a lookup and a model of texts, like others.
func TestWithTrainingOfTexts(t *testing.T) {
	words, _ := lookups(t)
	text := keras.Input([]int{1}, layers.DType(layers.String))
	x := text.Apply(layers.WithTraining(words, false))
	require.NoError(t, x.Err())
	inner := model(t, text, text.Apply(words).Apply(layers.Embedding(12, 2)))
	outer := keras.Input([]int{1}, layers.DType(layers.String))
	y := outer.Apply(layers.WithTraining(inner.AsLayer(), false)).Apply(layers.Flatten())
	require.NoError(t, y.Err())
	m := model(t, outer, y)
	require.NoError(t, m.Compile(goEngine(t)))
	_, err := m.Predict(t.Context(), reviews, keras.Verbose(0))
	require.NoError(t, err)
}

// unplaced is a dataset without a position: it hides the methods of data.Positioned of the dataset
// that it wraps.
type unplaced struct{ data.Dataset }

// positionOf is a callback that stores the error of saving the training's position: nil if the
// dataset has one.
type positionOf struct {
	keras.BaseCallback
	err error
}

func (p *positionOf) OnTrainBegin(_ context.Context, m *keras.Model) error {
	p.err = m.Training().Positioned()
	return nil
}

// Lookups and ClassWeight do not give a position to a dataset without one. With ClassWeight,
// ShuffleSeed still determines the order of texts.
func TestTextsKeepOrderAndPosition(t *testing.T) {
	onMesh(t, "", func(client keras.CompileOption) {
		fit := func(x, y any, opts ...keras.RunOption) (*keras.History, error) {
			layers.ClearSession()
			random.SetRandomSeed(3)
			words, _ := lookups(t)
			m, err := keras.NewSequential(words, layers.Embedding(12, 2), layers.Flatten(), layers.Dense(1))
			require.NoError(t, err)
			require.NoError(t, m.Compile(keras.Loss("mse"), client, quiet))
			return m.Fit(t.Context(), x, y, append(opts, keras.Verbose(0))...)
		}
		weights := keras.ClassWeight(map[int]float64{1: 2})
		for _, opts := range [][]keras.RunOption{nil, {weights}} {
			at := &positionOf{}
			_, err := fit(unplaced{data.FromTensorSlices(reviews, labels).Batch(2)}, nil, append(opts, keras.Callbacks(at))...)
			require.NoError(t, err)
			require.ErrorContains(t, at.err, "the dataset, a keras_test.unplaced, keeps no position")
			_, err = fit(data.FromTensorSlices(reviews, labels).Batch(2), nil, append(opts, keras.Callbacks(at))...)
			require.NoError(t, err)
			require.NoError(t, at.err)
		}
		orders := make(map[string]bool)
		for seed := range uint64(4) {
			h, err := fit(reviews, labels, weights, keras.BatchSize(1), keras.ShuffleSeed(seed))
			require.NoError(t, err)
			orders[fmt.Sprint(h.Logs["loss"])] = true
		}
		require.Greater(t, len(orders), 1, "seeds give other orders")
	})
}

// inCall is a layer for tests whose Call applies a lookup of texts, one of its fields.
type inCall struct {
	layers.Base
	Colors *layers.StringLookupLayer
}

func (l *inCall) Call(c *layers.Context, in []*graph.Node) []*graph.Node {
	return []*graph.Node{c.Apply(l.Colors, in[0])}
}

func TestErrorsOfTexts(t *testing.T) {
	words, color := lookups(t)
	text := func() *layers.Tensor { return keras.Input([]int{1}, layers.DType(layers.String), layers.Name("text")) }
	number := keras.Input([]int{1}, layers.Name("number"))
	for _, tc := range []struct {
		name string
		x    *layers.Tensor
		want string
	}{
		{"texts on devices", text().Apply(layers.Dense(2)), "takes numbers, got the texts text: apply a lookup to them before, such as StringLookup, TextVectorization or Hashing"},
		{"after devices", number.Apply(layers.Dense(2, layers.Name("d"))).Apply(layers.IntegerLookup(layers.Vocabulary([]int{1}))), "runs on the host, before the devices, but takes what layer d computes on them: apply it to an Input"},
		{"numbers for texts", number.Apply(words), "want one of texts: Input([]int{1}, layers.DType(layers.String))"},
		{"several texts", keras.Input([]int{2}, layers.DType(layers.String)).Apply(words), "want (None,) or (None, 1)"},
		{"not adapted", text().Apply(layers.StringLookup(layers.LookupMode("one_hot"))), "it has no vocabulary: give the option Vocabulary, or call Adapt"},
		{"no rows", keras.Input([]int{}, layers.DType(layers.String)).Apply(layers.StringLookup(layers.LookupMode("count"), layers.Vocabulary([]string{"a"}))), "want at least two dimensions"},
		{"invert", text().Apply(layers.StringLookup(layers.Invert(true), layers.Vocabulary([]string{"a"}))), "call Tokens on what Predict returns"},
		{"in a layer", number.Apply(&inCall{Colors: color}), "apply it to an Input of the model"},
		{"type", number.Apply(layers.Dense(1, layers.DType(layers.String))), "an Input may have texts"},
		{"one column", layers.Apply(layers.HashedCrossing(3), text()), "want at least two"},
	} {
		t.Run(tc.name, func(t *testing.T) { require.ErrorContains(t, tc.x.Err(), tc.want) })
	}
	require.NoError(t, text().Apply(color).Err())
	require.ErrorContains(t, color.SetVocabulary([]string{"a"}, nil), "their number cannot change")

	x := text()
	_, err := keras.NewModel(keras.Tensors(x), keras.Tensors(x))
	require.ErrorContains(t, err, "which no device returns")
	onMesh(t, "", func(client keras.CompileOption) {
		late, err := keras.NewModel(keras.Tensors(x), keras.Tensors(x.Apply(layers.StringLookup(layers.Name("late"))).Apply(layers.Embedding(3, 2))))
		require.NoError(t, err)
		require.NoError(t, late.Compile(client, quiet))
		_, err = late.Predict(t.Context(), colors, keras.Verbose(0))
		require.ErrorContains(t, err, "layer late (string_lookup): it has no vocabulary")
		_, err = late.Predict(t.Context(), labels, keras.Verbose(0))
		require.ErrorContains(t, err, "input text wants texts, such as a []string, got Float32 (6, 1)")
		plain, err := keras.NewSequential(layers.Dense(1))
		require.NoError(t, err)
		require.NoError(t, plain.Compile(client, quiet))
		_, err = plain.Predict(t.Context(), slices.Clone(colors), keras.Verbose(0))
		require.ErrorContains(t, err, "input 0 are texts, which no device takes: begin the model with a lookup")
		require.NoError(t, plain.Build([]int{1}))
		_, err = plain.Predict(t.Context(), slices.Clone(colors), keras.Verbose(0))
		require.ErrorContains(t, err, "wants float32 data, got texts: begin the model with a lookup")
	})
}
