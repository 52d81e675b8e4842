package steps

// This file builds a transformer that is trained to predict the next word.

import (
	"fmt"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/tensors"

	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/layers"
)

// Transformer holds the sizes of a transformer: blocks, features of a word, attention heads, words
// of a sequence, words of the vocabulary, and examples of a batch.
type Transformer struct {
	Blocks   int `json:"blocks"`
	Features int `json:"features"`
	Heads    int `json:"heads"`
	Sequence int `json:"sequence"`
	Words    int `json:"words"`
	Batch    int `json:"batch"`
}

// UsualTransformer holds the sizes of the usual model, which has 3.4 million weights.
var UsualTransformer = Transformer{Blocks: 4, Features: 256, Heads: 8, Sequence: 128, Words: 512, Batch: 16}

// Model returns the model and its training under the given name.
func (s Transformer) Model(name string) Model {
	return Model{
		Name: name, Batch: s.Batch, Optimizer: adam, Loss: "sparse_categorical_crossentropy", Rules: TransformerRules,
		build: s.build, data: s.data, sizes: s,
	}
}

// TransformerRules shard the weights as Megatron does (Shoeybi and others, 2019): heads and hidden
// units over model. Propagation derives the shardings of activations. The compiler chooses others
// if they cost less.
var TransformerRules = []Rule{
	{Path: `.*_attention/(query|key|value)/kernel`, Axes: []string{none, "model", none}},
	{Path: `.*_attention/(query|key|value)/bias`, Axes: []string{"model", none}},
	{Path: `.*_attention/attention_output/kernel`, Axes: []string{"model", none, none}},
	{Path: `.*_up/kernel`, Axes: []string{none, "model"}},
	{Path: `.*_up/bias`, Axes: []string{"model"}},
	{Path: `.*_down/kernel`, Axes: []string{"model", none}},
}

func (s Transformer) build() (*keras.Model, error) {
	name := func(block int, part string) layers.Option {
		return layers.Name(fmt.Sprintf("block%d_%s", block, part))
	}
	x := keras.Input([]int{s.Sequence}, layers.DType(dtypes.Int32))
	y := x.Apply(layers.Embedding(s.Words, s.Features, layers.Name("words")))
	for b := range s.Blocks {
		h := y.Apply(layers.LayerNormalization(name(b, "norm1")))
		h = h.Apply(layers.MultiHeadAttention(s.Heads, s.Features/s.Heads, name(b, "attention"), layers.UseCausalMask()))
		y = layers.Apply(layers.Add(name(b, "add1")), y, h)
		h = y.Apply(layers.LayerNormalization(name(b, "norm2")))
		h = h.Apply(layers.Dense(4*s.Features, name(b, "up"), layers.Activation("gelu")))
		h = h.Apply(layers.Dense(s.Features, name(b, "down")))
		y = layers.Apply(layers.Add(name(b, "add2")), y, h)
	}
	y = y.Apply(layers.LayerNormalization(layers.Name("norm")))
	y = y.Apply(layers.Dense(s.Words, layers.Name("next"), layers.Activation("softmax")))
	return keras.NewModel([]*layers.Tensor{x}, []*layers.Tensor{y})
}

// data returns as many examples: x are sequences of words, [examples, Sequence], and y the next
// word of each, [examples, Sequence, 1]. Both are int32 and the same in each call.
func (s Transformer) data(examples int) (x, y *tensors.Tensor, err error) {
	words, next := make([]int32, examples*s.Sequence), make([]int32, examples*s.Sequence)
	for i := range words {
		words[i], next[i] = int32(i*7%s.Words), int32((i+1)*7%s.Words)
	}
	x = tensors.FromFlatDataAndDimensions(words, examples, s.Sequence)
	return x, tensors.FromFlatDataAndDimensions(next, examples, s.Sequence, 1), nil
}
