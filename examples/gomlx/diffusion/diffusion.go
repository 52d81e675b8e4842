// Package diffusion learns to remove noise from images, as GoMLX's demo of diffusion does with
// flowers: a U-Net gets an image with noise and the amount of noise, and predicts the noise.
//
// The images are invented: a flower is a rose curve in a colour.
//
//	file          what it holds
//	diffusion.go  the training and its hyperparameters
//	unet.go       the U-Net
//	flowers.go    the flowers
//	demo/         the command
package diffusion

import (
	"math"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/shapes"
	//lint:ignore ST1001 GoMLX programs are written so
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/layers/activation"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/train"
	"github.com/gomlx/gomlx/ml/train/optimizer"

	"github.com/gospmd/gospmd/examples/gomlx/training"
)

// Program is the example diffusion: its model, data, loss and hyperparameters.
var Program = training.Program{
	Name:  "diffusion",
	Store: newStore,
	Dataset: func(_ compute.Backend, store *model.Store) (train.Dataset, error) {
		return newDataset(store), nil
	},
	Model: modelGraph,
	Loss:  noiseLoss,
}

func newStore() *model.Store {
	store := model.NewStore()
	store.SetParams(map[string]any{
		"image_size":                64,
		"batch_size":                16,
		"channels":                  16,
		"depth":                     3,
		"embedding":                 32,
		training.ParamSteps:         2000,
		model.ParamInitialSeed:      int64(42),
		optimizer.ParamOptimizer:    "adamw",
		optimizer.ParamLearningRate: 0.001,
		activation.ParamActivation:  "swish",
	})
	return store
}

// modelGraph adds noise to inputs[0], the images, for each a random amount. It returns the
// network's prediction of the noise, and the noise.
func modelGraph(scope *model.Scope, _ any, inputs []*Node) []*Node {
	images := inputs[0]
	g, dtype, n := images.Graph(), images.DType(), images.Shape().Dimensions[0]
	noise := scope.RandomNormal(g, images.Shape())
	times := scope.RandomUniform(g, shapes.Make(dtype, n, 1, 1, 1))
	angles := MulScalar(times, math.Pi/2) // the amounts of signal and noise are on a circle
	noisy := Add(Mul(images, Cos(angles)), Mul(noise, Sin(angles)))
	return []*Node{uNet(scope.In("unet"), noisy, times), noise}
}

// noiseLoss returns the mean squared error of the noise that the model predicts. predictions are
// those of modelGraph: the prediction and the noise. There are no labels.
func noiseLoss(_, predictions []*Node) *Node {
	return ReduceAllMean(Square(Sub(predictions[0], predictions[1])))
}
