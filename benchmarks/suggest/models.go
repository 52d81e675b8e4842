package main

// This file defines the models, with layouts that are good for them.

import (
	"fmt"
	"log/slog"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/tensors"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/keras/distribution"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/mesh"
)

// rule is a rule of a layout map.
type rule struct {
	path string
	axes []string
}

// model is a model with a good layout map.
type model struct {
	name     string
	layers   func() (in, out *layers.Tensor)
	x, y     []int // of a batch
	integers bool  // whether x holds indices
	loss     string
	rules    []rule
}

const none = distribution.None

var models = []model{
	{
		name: "mlp", layers: mlp, x: []int{64, 1024}, y: []int{64, 1}, loss: "sparse_categorical_crossentropy",
		rules: []rule{
			{"(d1|d3)/kernel", []string{none, "model"}}, {"(d1|d3)/bias", []string{"model"}}, {"(d2|d4)/kernel", []string{"model", none}},
		},
	},
	{
		name: "conv", layers: conv, x: []int{16, 8, 8, 64}, y: []int{16, 1}, loss: "sparse_categorical_crossentropy",
		rules: []rule{
			{"(c1|c3)/kernel", []string{none, none, none, "model"}}, {"(c1|c3)/bias", []string{"model"}},
			{"(c2|c4)/kernel", []string{none, none, "model", none}},
			{"d1/kernel", []string{none, "model"}}, {"d1/bias", []string{"model"}}, {"d2/kernel", []string{"model", none}},
		},
	},
	{
		name: "transformer", layers: transformer, x: []int{8, 64}, integers: true, y: []int{8, 64, 1}, loss: "sparse_categorical_crossentropy",
		rules: []rule{
			{"tokens/embeddings", []string{"model", none}}, {"head/kernel", []string{none, "model"}},
			{".*attention/(query|key|value)/kernel", []string{none, "model", none}},
			{".*attention/(query|key|value)/bias", []string{"model", none}},
			{".*attention/attention_output/kernel", []string{"model", none, none}},
			{".*up/kernel", []string{none, "model"}}, {".*up/bias", []string{"model"}}, {".*down/kernel", []string{"model", none}},
		},
	},
	{
		name: "embedding", layers: embedding, x: []int{128, 16}, integers: true, y: []int{128, 1}, loss: "sparse_categorical_crossentropy",
		rules: []rule{
			{"items/embeddings", []string{"model", none}},
			{"d1/kernel", []string{none, "model"}}, {"d1/bias", []string{"model"}}, {"d2/kernel", []string{"model", none}},
			{"scores/kernel", []string{none, "model"}}, {"scores/bias", []string{"model"}},
		},
	},
}

func mlp() (in, out *layers.Tensor) {
	x := keras.Input([]int{1024})
	y := x.Apply(layers.Dense(2048, layers.Name("d1"), layers.Activation("relu")))
	y = y.Apply(layers.Dense(2048, layers.Name("d2"), layers.Activation("relu")))
	y = y.Apply(layers.Dense(2048, layers.Name("d3"), layers.Activation("relu")))
	return x, y.Apply(layers.Dense(1024, layers.Name("d4"), layers.Activation("softmax")))
}

func conv() (in, out *layers.Tensor) {
	x := keras.Input([]int{8, 8, 64})
	y := x
	for i, filters := range []int{256, 256, 512, 512} {
		if i == 2 {
			y = y.Apply(layers.MaxPooling2D())
		}
		y = y.Apply(layers.Conv2D(filters, []int{3, 3}, layers.Name(fmt.Sprintf("c%d", i+1)), layers.Activation("relu"), layers.Padding("same")))
	}
	y = y.Apply(layers.GlobalAveragePooling2D())
	y = y.Apply(layers.Dense(4096, layers.Name("d1"), layers.Activation("relu")))
	return x, y.Apply(layers.Dense(512, layers.Name("d2"), layers.Activation("softmax")))
}

// transformer is the model of examples/transformer, with wider layers.
func transformer() (in, out *layers.Tensor) {
	const vocabulary, blocks, dim, heads, context = 512, 4, 256, 8, 64
	x := keras.Input([]int{context}, layers.DType(dtypes.Int32))
	y := x.Apply(layers.Embedding(vocabulary, dim, layers.Name("tokens")))
	for i := range blocks {
		name := func(part string) layers.Option { return layers.Name(fmt.Sprintf("block%d_%s", i, part)) }
		h := y.Apply(layers.LayerNormalization(name("norm1")))
		h = h.Apply(layers.MultiHeadAttention(heads, dim/heads, name("attention"), layers.UseCausalMask()))
		y = layers.Apply(layers.Add(name("add1")), y, h)
		h = y.Apply(layers.LayerNormalization(name("norm2")))
		h = h.Apply(layers.Dense(4*dim, name("up"), layers.Activation("gelu")))
		h = h.Apply(layers.Dense(dim, name("down")))
		y = layers.Apply(layers.Add(name("add2")), y, h)
	}
	y = y.Apply(layers.LayerNormalization(layers.Name("norm")))
	return x, y.Apply(layers.Dense(vocabulary, layers.Name("head"), layers.UseBias(false), layers.Activation("softmax")))
}

func embedding() (in, out *layers.Tensor) {
	x := keras.Input([]int{16}, layers.DType(dtypes.Int32))
	y := x.Apply(layers.Embedding(16384, 128, layers.Name("items")))
	y = y.Apply(layers.Flatten())
	y = y.Apply(layers.Dense(512, layers.Name("d1"), layers.Activation("relu")))
	y = y.Apply(layers.Dense(256, layers.Name("d2"), layers.Activation("relu")))
	return x, y.Apply(layers.Dense(16384, layers.Name("scores"), layers.Activation("softmax")))
}

// record returns the model's training step on a mesh with the axes data and
// model, sharded by its good layout map.
func (m model) record(dm *mesh.DeviceMesh) (*ir.Module, error) {
	layouts := distribution.NewLayoutMap(dm)
	for _, r := range m.rules {
		if err := layouts.Set(r.path, r.axes...); err != nil {
			return nil, err
		}
	}
	d, err := distribution.NewModelParallel(layouts, "data")
	if err != nil {
		return nil, err
	}
	var out *ir.Module
	layers.ClearSession()
	err = distribution.Scope(d, func() error {
		x, y := m.layers()
		km, err := keras.NewModel([]*layers.Tensor{x}, []*layers.Tensor{y})
		if err != nil {
			return err
		}
		if err := km.Compile(keras.Loss(m.loss), keras.Optimizer("adam"), keras.Logger(slog.New(slog.DiscardHandler))); err != nil {
			return err
		}
		batch := data.Batch{X: zeros(m.x, m.integers), Y: zeros(m.y, true)}
		out, err = km.Lower(batch)
		return err
	})
	return out, err
}

// zeros returns a tensor of a batch, of which only the shape matters.
func zeros(dims []int, integers bool) []*tensors.Tensor {
	if integers {
		return []*tensors.Tensor{tensors.FromScalarAndDimensions(int32(0), dims...)}
	}
	return []*tensors.Tensor{tensors.FromScalarAndDimensions(float32(0), dims...)}
}
