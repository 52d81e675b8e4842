// Package adult classifies people of a census by their income, as GoMLX's demo of the UCI Adult
// data set does: it embeds columns with categories, calibrates columns with numbers, and has a
// feed-forward network.
//
// The people are invented, in the shape of the data: eight columns with categories, six with
// numbers.
//
//	file        what it holds
//	adult.go    the model and its hyperparameters
//	people.go   the people
//	demo/       the command
package adult

import (
	"math/rand"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	//lint:ignore ST1001 GoMLX programs are written so
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/dataset"
	"github.com/gomlx/gomlx/ml/layers"
	"github.com/gomlx/gomlx/ml/layers/activation"
	"github.com/gomlx/gomlx/ml/layers/fnn"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/train"
	"github.com/gomlx/gomlx/ml/train/loss"
	"github.com/gomlx/gomlx/ml/train/metric"
	"github.com/gomlx/gomlx/ml/train/optimizer"

	"github.com/gospmd/gospmd/examples/gomlx/training"
)

// Program is the example adult: its model, data, loss and hyperparameters.
var Program = training.Program{
	Name:    "adult",
	Store:   newStore,
	Dataset: newDataset,
	Model:   modelGraph,
	Loss:    loss.BinaryCrossentropyLogits,
	Metric:  func() metric.Interface { return metric.NewMeanBinaryLogitsAccuracy("Accuracy", "#acc") },
}

func newStore() *model.Store {
	store := model.NewStore()
	store.SetParams(map[string]any{
		"people":                    32561,
		"batch_size":                128,
		"embedding":                 8,
		training.ParamSteps:         5000,
		model.ParamInitialSeed:      int64(42),
		optimizer.ParamOptimizer:    "adam",
		optimizer.ParamLearningRate: 0.001,
		activation.ParamActivation:  "relu",
		layers.ParamDropoutRate:     0.1,
		fnn.ParamNumHiddenLayers:    2,
		fnn.ParamNumHiddenNodes:     64,
	})
	return store
}

func newDataset(backend compute.Backend, store *model.Store) (train.Dataset, error) {
	categories, numbers, incomes := people(model.GetRootParamOr(store, "people", 0))
	ds, err := dataset.InMemoryFromData(backend, "people", []any{categories, numbers}, []any{incomes})
	if err != nil {
		return nil, err
	}
	return ds.WithRand(rand.New(rand.NewSource(1))).Shuffle().Infinite(true).
		BatchSize(model.GetRootParamOr(store, "batch_size", 0), true), nil
}

func modelGraph(scope *model.Scope, _ any, inputs []*Node) []*Node {
	categories, numbers := inputs[0], inputs[1]
	g := numbers.Graph()
	var features []*Node
	for i, c := range columns {
		x := Slice(categories, AxisRange(), AxisElem(i))
		features = append(features, layers.Embedding(scope.In("%s", c.name), x, dtypes.Float32, c.values, model.GetParamOr(scope, "embedding", 0)))
	}
	for i, name := range numberColumns {
		x := Slice(numbers, AxisRange(), AxisElem(i))
		features = append(features, layers.PieceWiseLinearCalibration(scope.In("%s", name), x, Const(g, quantiles), true))
	}
	return []*Node{fnn.New(scope.In("network"), Concatenate(features, -1), 1).Done()}
}
