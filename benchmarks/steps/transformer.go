package steps

// This file builds a transformer, trained to say which word follows.

import (
	"fmt"
	"io"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/tensors"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/layers"
)

// Transformer holds the sizes of a model.
type Transformer struct {
	Blocks, Features, Heads, Sequence, Words, Batch int
}

// UsualTransformer has 3.4 million weights.
var UsualTransformer = Transformer{Blocks: 4, Features: 256, Heads: 8, Sequence: 128, Words: 512, Batch: 32}

// TransformerRules shard the weights as Megatron does (Shoeybi and others, 2019): heads
// and hidden units over model. What follows from that for activations is what propagation
// finds; the compiler chooses others where they cost less.
var TransformerRules = []Rule{
	{Path: `.*_attention/(query|key|value)/kernel`, Axes: []string{none, "model", none}},
	{Path: `.*_attention/(query|key|value)/bias`, Axes: []string{"model", none}},
	{Path: `.*_attention/attention_output/kernel`, Axes: []string{"model", none, none}},
	{Path: `.*_up/kernel`, Axes: []string{none, "model"}},
	{Path: `.*_up/bias`, Axes: []string{"model"}},
	{Path: `.*_down/kernel`, Axes: []string{"model", none}},
}

// Build returns the compiled model, for the current distribution.
func (s Transformer) Build(o compile.Options) (*keras.Model, error) {
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
	m, err := keras.NewModel([]*layers.Tensor{x}, []*layers.Tensor{y})
	if err != nil {
		return nil, err
	}
	return m, m.Compile(keras.Loss("sparse_categorical_crossentropy"), keras.Optimizer("adam"), keras.Compiler(o), keras.Warnings(io.Discard))
}

// Data returns the words of some steps, which follow each other, and the next ones.
func (s Transformer) Data(count int) (x, y *tensors.Tensor) {
	examples := count * s.Batch
	words, next := make([]int32, examples*s.Sequence), make([]int32, examples*s.Sequence)
	for i := range words {
		words[i], next[i] = int32(i*7%s.Words), int32((i+1)*7%s.Words)
	}
	return tensors.FromFlatDataAndDimensions(words, examples, s.Sequence), tensors.FromFlatDataAndDimensions(next, examples, s.Sequence, 1)
}
