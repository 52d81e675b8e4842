// Package cifar classifies small images by convolutions, as GoMLX's demo of CIFAR-10 does. The
// images are invented, in the shape of the real data: 32x32 pixels, ten classes.
//
//	file       what it holds
//	cifar.go   the model and its hyperparameters
//	images.go  the images
//	demo/      the command
package cifar

import (
	"math/rand"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	//lint:ignore ST1001 GoMLX programs are written so
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/dataset"
	"github.com/gomlx/gomlx/ml/layers"
	"github.com/gomlx/gomlx/ml/layers/activation"
	"github.com/gomlx/gomlx/ml/layers/norm"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/train"
	"github.com/gomlx/gomlx/ml/train/loss"
	"github.com/gomlx/gomlx/ml/train/metric"
	"github.com/gomlx/gomlx/ml/train/optimizer"

	"github.com/gospmd/gospmd/examples/gomlx/training"
)

// Program is the example cifar: its model, data, loss and hyperparameters.
var Program = training.Program{
	Name:    "cifar",
	Store:   newStore,
	Dataset: newDataset,
	Model:   modelGraph,
	Loss:    loss.SparseCategoricalCrossEntropyLogits,
	Metric:  func() metric.Interface { return metric.NewSparseCategoricalAccuracy("Accuracy", "#acc") },
}

func newStore() *model.Store {
	store := model.NewStore()
	store.SetParams(map[string]any{
		"images":                    10000,
		"batch_size":                64,
		"filters":                   32,
		"hidden":                    128,
		"dtype":                     "float32",
		training.ParamSteps:         3000,
		model.ParamInitialSeed:      int64(42),
		optimizer.ParamOptimizer:    "adam",
		optimizer.ParamLearningRate: 0.001,
		optimizer.ParamAdamEpsilon:  1e-7,
		activation.ParamActivation:  "relu",
		layers.ParamDropoutRate:     0.3,
	})
	return store
}

func newDataset(backend compute.Backend, store *model.Store) (train.Dataset, error) {
	pixels, classes := images(model.GetRootParamOr(store, "images", 0))
	ds, err := dataset.InMemoryFromData(backend, "images", []any{pixels}, []any{classes})
	if err != nil {
		return nil, err
	}
	return ds.WithRand(rand.New(rand.NewSource(1))).Shuffle().Infinite(true).
		BatchSize(model.GetRootParamOr(store, "batch_size", 0), true), nil
}

// modelGraph is the model: it returns the logits of the classes, [batch, 10], for a batch of
// images. It has three blocks of two convolutions. Each block has half the height and width, and
// twice the filters, of the block before.
func modelGraph(scope *model.Scope, _ any, inputs []*Node) []*Node {
	dtype, err := dtypes.DTypeString(model.GetParamOr(scope, "dtype", ""))
	if err != nil {
		panic(err)
	}
	x := ConvertDType(inputs[0], dtype)
	filters := model.GetParamOr(scope, "filters", 0)
	for block := range 3 {
		for i := range 2 {
			layer := scope.In("block%d_conv%d", block, i)
			x = layers.Convolution(layer, x).Channels(filters << block).KernelSize(3).PadSame().Done()
			x = norm.BatchNorm(layer.In("norm"), activation.ApplyFromScope(layer, x), -1).Done()
		}
		x = layers.DropoutFromScope(scope.In("block%d_dropout", block), MaxPool(x).Window(2).Done())
	}
	x = Reshape(x, x.Shape().Dimensions[0], -1)
	x = activation.ApplyFromScope(scope, layers.DenseWithBias(scope.In("hidden"), x, model.GetParamOr(scope, "hidden", 0)))
	return []*Node{layers.DenseWithBias(scope.In("classes"), layers.DropoutFromScope(scope.In("dropout"), x), numClasses)}
}
