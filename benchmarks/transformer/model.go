package main

// This file builds the transformer whose training step is measured.

import (
	"fmt"
	"io"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/benchmarks/steps"
	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/distribution"
	"github.com/gospmd/gospmd/keras/layers"
)

// sizes are those of the model; the defaults make 3.4 million weights.
type sizes struct {
	blocks, features, heads, sequence, words, batch int
}

var usual = sizes{blocks: 4, features: 256, heads: 8, sequence: 128, words: 512, batch: 32}

const none = distribution.None

// rules shard the weights as Megatron does (Shoeybi and others, 2019): heads and
// hidden units over model, so that each half of a block ends in one all-reduce.
var rules = []steps.Rule{
	{Path: `.*_attention/(query|key|value)/kernel`, Axes: []string{none, "model", none}},
	{Path: `.*_attention/(query|key|value)/bias`, Axes: []string{"model", none}},
	{Path: `.*_attention/attention_output/kernel`, Axes: []string{"model", none, none}},
	{Path: `.*_up/kernel`, Axes: []string{none, "model"}},
	{Path: `.*_up/bias`, Axes: []string{"model"}},
	{Path: `.*_down/kernel`, Axes: []string{"model", none}},
}

// build returns the compiled model, for the current distribution.
func (s sizes) build(o compile.Options) (*keras.Model, error) {
	name := func(block int, part string) layers.Option {
		return layers.Name(fmt.Sprintf("block%d_%s", block, part))
	}
	x := keras.Input([]int{s.sequence}, layers.DType(dtypes.Int32))
	y := x.Apply(layers.Embedding(s.words, s.features, layers.Name("words")))
	for b := range s.blocks {
		h := y.Apply(layers.LayerNormalization(name(b, "norm1")))
		h = h.Apply(layers.MultiHeadAttention(s.heads, s.features/s.heads, name(b, "attention"), layers.UseCausalMask()))
		y = layers.Apply(layers.Add(name(b, "add1")), y, h)
		h = y.Apply(layers.LayerNormalization(name(b, "norm2")))
		h = h.Apply(layers.Dense(4*s.features, name(b, "up"), layers.Activation("gelu")))
		h = h.Apply(layers.Dense(s.features, name(b, "down")))
		y = layers.Apply(layers.Add(name(b, "add2")), y, h)
	}
	y = y.Apply(layers.LayerNormalization(layers.Name("norm")))
	y = y.Apply(layers.Dense(s.words, layers.Name("next"), layers.Activation("softmax")))
	m, err := keras.NewModel([]*layers.Tensor{x}, []*layers.Tensor{y})
	if err != nil {
		return nil, err
	}
	return m, m.Compile(keras.Loss("sparse_categorical_crossentropy"), keras.Optimizer("adam"), keras.Compiler(o), keras.Warnings(io.Discard))
}
