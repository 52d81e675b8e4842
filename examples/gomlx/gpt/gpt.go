// Package gpt learns to continue a text, by a transformer like GPT-2. Its text is invented: each
// token mostly follows from the two tokens before it.
//
// The defaults are small. GPT-2's sizes are
// -set="layers=12;heads=12;features=768;vocabulary=50257;length=1024".
//
//	file    what it holds
//	gpt.go  the model, its hyperparameters and its text
//	demo/   the command
package gpt

import (
	"math/rand/v2"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	//lint:ignore ST1001 GoMLX programs are written so
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/layers"
	"github.com/gomlx/gomlx/ml/layers/activation"
	"github.com/gomlx/gomlx/ml/layers/attention"
	"github.com/gomlx/gomlx/ml/layers/norm"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/train"
	"github.com/gomlx/gomlx/ml/train/loss"
	"github.com/gomlx/gomlx/ml/train/metric"
	"github.com/gomlx/gomlx/ml/train/optimizer"

	"github.com/gospmd/gospmd/examples/gomlx/training"
)

// Program is the example gpt: its model, data, loss and hyperparameters.
var Program = training.Program{
	Name:    "gpt",
	Store:   newStore,
	Dataset: newDataset,
	Model:   modelGraph,
	Loss:    loss.SparseCategoricalCrossEntropyLogits,
	Metric:  func() metric.Interface { return metric.NewSparseCategoricalAccuracy("Accuracy", "#acc") },
}

func newStore() *model.Store {
	store := model.NewStore()
	store.SetParams(map[string]any{
		"layers":                    4,
		"heads":                     8,
		"features":                  128,
		"vocabulary":                256,
		"length":                    64,
		"batch_size":                16,
		training.ParamSteps:         2000,
		model.ParamInitialSeed:      int64(42),
		optimizer.ParamOptimizer:    "adamw",
		optimizer.ParamLearningRate: 0.001,
		layers.ParamDropoutRate:     0.1,
	})
	return store
}

// newDataset returns an endless dataset of invented texts, which are tokens: [batch_size, length],
// two hyperparameters. Their labels are the tokens that follow, [batch_size, length, 1]. The
// backend has no effect, and there is no error.
func newDataset(_ compute.Backend, store *model.Store) (train.Dataset, error) {
	size, length := model.GetRootParamOr(store, "batch_size", 0), model.GetRootParamOr(store, "length", 0)
	words := int32(model.GetRootParamOr(store, "vocabulary", 0))
	return training.Stream{Title: "texts", Make: func(random *rand.Rand) (inputs, labels []*tensors.Tensor) {
		var tokens, next []int32
		for range size {
			text := []int32{random.Int32N(words), random.Int32N(words)}
			for len(text) <= length {
				token := (3*text[len(text)-1] + text[len(text)-2]) % words
				if random.IntN(10) == 0 {
					token = random.Int32N(words)
				}
				text = append(text, token)
			}
			tokens, next = append(tokens, text[:length]...), append(next, text[1:length+1]...)
		}
		return []*tensors.Tensor{tensors.FromFlatDataAndDimensions(tokens, size, length)},
			[]*tensors.Tensor{tensors.FromFlatDataAndDimensions(next, size, length, 1)}
	}}, nil
}

func modelGraph(scope *model.Scope, _ any, inputs []*Node) []*Node {
	param := func(name string) int { return model.GetParamOr(scope, name, 0) }
	features, heads, length := param("features"), param("heads"), inputs[0].Shape().Dimensions[1]
	positions := scope.In("positions").VariableWithShape("embeddings", shapes.Make(dtypes.Float32, length, features))
	x := layers.Embedding(scope.In("tokens"), inputs[0], dtypes.Float32, param("vocabulary"), features)
	x = Add(x, BroadcastToDims(ExpandAxes(positions.NodeValue(x.Graph()), 0), x.Shape().Dimensions...))
	x = layers.DropoutFromScope(scope.In("dropout"), x)
	for i := range param("layers") {
		block := scope.In("block%d", i)
		y := norm.LayerNorm(block.In("norm0"), x, -1).Done()
		y = attention.SelfAttention(block.In("attention"), y, heads, features/heads).WithCausalMask(true).Done()
		x = Add(x, layers.DropoutFromScope(block.In("dropout0"), y))
		y = norm.LayerNorm(block.In("norm1"), x, -1).Done()
		y = activation.GeluApproximate(layers.DenseWithBias(block.In("up"), y, 4*features))
		y = layers.DenseWithBias(block.In("down"), y, features)
		x = Add(x, layers.DropoutFromScope(block.In("dropout1"), y))
	}
	x = norm.LayerNorm(scope.In("norm"), x, -1).Done()
	return []*Node{layers.Dense(scope.In("next"), x, false, param("vocabulary"))}
}
