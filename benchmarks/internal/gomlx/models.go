package gomlx

// This file has the models, as functions of GoMLX's layers. All except the quickstart's end with
// logits: the softmax is part of the loss.

import (
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/layers"
	"github.com/gomlx/gomlx/ml/layers/activation"
	"github.com/gomlx/gomlx/ml/layers/attention"
	"github.com/gomlx/gomlx/ml/layers/norm"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/gospmd/gospmd/benchmarks/steps"
	"github.com/gospmd/gospmd/keras/random"
)

// modelFn is a function that builds a model.
type modelFn = func(scope *model.Scope, x *graph.Node) *graph.Node

var models = map[string]modelFn{
	"quickstart": quickstart,
	"mlp":        mlp,
	"conv_net":   convNet,
	"transformer": func(scope *model.Scope, x *graph.Node) *graph.Node {
		return transformer(scope, x, steps.UsualTransformer)
	},
}

// quickstart builds the graph of the quickstart model, a perceptron with dropout, from a batch x,
// and returns the probabilities of 10 classes. Its dropout masks come from Keras' generator, so
// that losses can be compared: GoMLX's own generator draws others.
func quickstart(scope *model.Scope, x *graph.Node) *graph.Node {
	x = graph.Reshape(x, x.Shape().Dimensions[0], -1)
	x = activation.Relu(layers.Dense(scope.In("d1"), x, false, 200))
	state := scope.VariableWithValue("dropout_seed", []uint32{15, 0}).SetTrainable(false)
	key, next := random.Next(state.NodeValue(x.Graph()))
	state.SetNodeValue(next)
	x = key.Dropout(x, 0.4)
	return graph.Softmax(layers.DenseWithBias(scope.In("d2"), x, 10))
}

func mlp(scope *model.Scope, x *graph.Node) *graph.Node {
	x = activation.Relu(layers.DenseWithBias(scope.In("d1"), x, 256))
	x = activation.Relu(layers.DenseWithBias(scope.In("d2"), x, 256))
	return layers.DenseWithBias(scope.In("d3"), x, 10)
}

func convNet(scope *model.Scope, x *graph.Node) *graph.Node {
	for i, filters := range []int{32, 64} {
		x = activation.Relu(layers.Convolution(scope.In("c%d", i+1), x).Channels(filters).KernelSize(3).NoPadding().Done())
		x = graph.MaxPool(x).Window(2).Done()
	}
	return layers.DenseWithBias(scope.In("d1"), graph.Reshape(x, x.Shape().Dimensions[0], -1), 10)
}

func transformer(scope *model.Scope, x *graph.Node, s steps.Transformer) *graph.Node {
	normalize := func(name string, x *graph.Node) *graph.Node {
		return norm.LayerNorm(scope.In("%s", name), x, -1).Done()
	}
	x = layers.Embedding(scope.In("words"), x, dtypes.Float32, s.Words, s.Features)
	for b := range s.Blocks {
		part := func(name string) *model.Scope { return scope.In("block%d_%s", b, name) }
		h := norm.LayerNorm(part("norm1"), x, -1).Done()
		h = attention.SelfAttention(part("attention"), h, s.Heads, s.Features/s.Heads).WithCausalMask(true).Done()
		x = graph.Add(x, h)
		h = norm.LayerNorm(part("norm2"), x, -1).Done()
		h = activation.Gelu(layers.DenseWithBias(part("up"), h, 4*s.Features))
		x = graph.Add(x, layers.DenseWithBias(part("down"), h, s.Features))
	}
	return layers.DenseWithBias(scope.In("next"), normalize("norm", x), s.Words)
}
