// Feature_space is the example "Structured data classification with FeatureSpace": the model takes
// the raw table of numbers, categories and texts. The model itself normalizes, discretizes, looks
// up, hashes and crosses the columns. The lookups run on the host.
//
//	go run ./examples/guides/feature_space [-mesh 2x4]
package main

import (
	"context"

	"github.com/gomlx/gomlx/core/tensors"

	"github.com/gospmd/gospmd/examples/guides/internal/guide"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/keras/featurespace"
	"github.com/gospmd/gospmd/keras/layers"
)

const samples = 48

func main() { guide.Main(program) }

// head is the trained part of the model. It takes the encoded features.
var head *keras.Model

var program = &guide.Guide{
	Name: "feature_space", Batch: 12, Epochs: 3, Model: model, Data: dataset, Predict: predict,
	Parts:  func(*keras.Model) []*keras.Model { return []*keras.Model{head} },
	Layout: map[string][]string{".*hidden/kernel": {"", "model"}},
}

var features = map[string]featurespace.Feature{
	// Categories that are integers.
	"sex": featurespace.IntegerCategorical(layers.OOVIndices(0)),
	"cp":  featurespace.IntegerCategorical(layers.OOVIndices(0)),
	"ca":  featurespace.IntegerCategorical(layers.OOVIndices(0)),
	// Categories that are texts.
	"thal": featurespace.StringCategorical(layers.OOVIndices(0)),
	// Numbers: one to discretize, the others to normalize.
	"age":      featurespace.FloatDiscretized(layers.NumBins(10)),
	"trestbps": featurespace.FloatNormalized(),
	"chol":     featurespace.FloatNormalized(),
}

// table returns that many rows, at most 48, of a table of invented data: for each column a slice by
// its name. The rows are the same in each call.
func table(rows int) map[string]any {
	numbers := func(seed int, from, to float32) []float32 {
		out := guide.Fractions(samples, seed)
		for i, x := range out {
			out[i] = from + x*(to-from)
		}
		return out[:rows]
	}
	var thal []string
	for _, c := range guide.Classes(rows, 4, 3) {
		thal = append(thal, []string{"fixed", "normal", "reversible"}[c])
	}
	return map[string]any{
		"sex": guide.Classes(rows, 1, 2), "cp": guide.Classes(rows, 2, 5), "ca": guide.Classes(rows, 3, 4), "thal": thal,
		"age": numbers(5, 29, 77), "trestbps": numbers(6, 94, 200), "chol": numbers(7, 126, 564),
	}
}

// dataset returns, as x, the batches of raw rows and their classes; y is nil, because the batches
// contain the labels.
func dataset() (x, y any, err error) {
	return data.FromTensorSlices(table(samples), guide.Classes(samples, 8, 2)).Batch(12), nil, nil
}

func model() (*keras.Model, error) {
	space := keras.Must(featurespace.New(features, featurespace.CrossingDim(16), featurespace.Crosses([]string{"sex", "age"}, []string{"thal", "ca"})))
	if err := space.Adapt(table(samples)); err != nil {
		return nil, err
	}
	head = keras.Must(keras.NewSequential(
		layers.Dense(32, layers.Activation("relu"), layers.Name("hidden")), layers.Dropout(0), layers.Dense(1, layers.Activation("sigmoid"), layers.Name("ill"))))
	m := keras.Must(keras.Functional(space.Inputs(), head.Apply(keras.Must(space.EncodedFeatures()))))
	return m, m.Compile(keras.Optimizer("adam"), keras.Loss("binary_crossentropy"), keras.Metrics("accuracy"))
}

// predict returns the model's predictions for the first six raw rows.
func predict(ctx context.Context, r *guide.Run) ([]*tensors.Tensor, error) {
	return r.Model.Predict(ctx, table(6), keras.Verbose(0))
}
