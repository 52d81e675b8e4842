// Mini_gpt is the example "Text generation with a miniature GPT": a transformer with a causal mask
// learns to say the next token, and then writes texts.
//
//	go run ./examples/guides/mini_gpt [-mesh 2x4]
package main

import (
	"context"
	"slices"

	"github.com/gomlx/gomlx/core/tensors"

	"github.com/gospmd/gospmd/examples/guides/internal/guide"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/losses"
	"github.com/gospmd/gospmd/keras/ops"
)

const (
	samples, vocabSize, maxLen         = 24, 50, 10
	embedDim, numHeads, feedForwardDim = 16, 2, 32
)

func main() { guide.Main(program) }

var program = &guide.Guide{
	Name: "mini_gpt", Batch: 12, Epochs: 2, Model: model, Data: texts, Predict: generate,
	Layout: map[string][]string{".*/sequential/dense/kernel": {"", "model"}, ".*/sequential/dense_1/kernel": {"model", ""}},
}

func causalAttentionMask(batchSize, nDest, nSrc int) *layers.Tensor {
	i := ops.ExpandDims(ops.Arange(nDest), 1)
	j := ops.Arange(nSrc)
	m := ops.GreaterEqual(i, j.Sub(nSrc-nDest))
	mask := ops.Reshape(m, 1, nDest, nSrc)
	return ops.Tile(mask, batchSize, 1, 1)
}

// TransformerBlock is attention to the tokens before, and a feed-forward network.
type TransformerBlock struct {
	layers.Base
	Att                                        layers.Layer
	FFN                                        *keras.Model
	Layernorm1, Layernorm2, Dropout1, Dropout2 layers.Layer
}

// NewTransformerBlock returns a TransformerBlock for vectors of embedDim numbers, with attention in
// numHeads heads, a feed-forward network of ffDim hidden units, and dropout of the given rate.
func NewTransformerBlock(embedDim, numHeads, ffDim int, rate float64) *TransformerBlock {
	return &TransformerBlock{
		Att:        layers.MultiHeadAttention(numHeads, embedDim),
		FFN:        keras.Must(keras.NewSequential(layers.Dense(ffDim, layers.Activation("relu")), layers.Dense(embedDim))),
		Layernorm1: layers.LayerNormalization(layers.Epsilon(1e-6)),
		Layernorm2: layers.LayerNormalization(layers.Epsilon(1e-6)),
		Dropout1:   layers.Dropout(rate),
		Dropout2:   layers.Dropout(rate),
	}
}

// Compute runs the block on sequences of vectors, and returns sequences of the same shape.
func (b *TransformerBlock) Compute(inputs *layers.Tensor) *layers.Tensor {
	batchSize, seqLen := inputs.Shape()[0], inputs.Shape()[1]
	causalMask := causalAttentionMask(batchSize, seqLen, seqLen)
	attentionOutput := layers.Apply(b.Att, inputs, inputs, inputs, causalMask).Call(b.Dropout1)
	out1 := inputs.Add(attentionOutput).Call(b.Layernorm1)
	ffnOutput := b.FFN.Apply(out1).Call(b.Dropout2)
	return out1.Add(ffnOutput).Call(b.Layernorm2)
}

// TokenAndPositionEmbedding is a layer that returns, for each token, the sum of its embedding and
// of that of its position.
type TokenAndPositionEmbedding struct {
	layers.Base
	TokenEmb, PosEmb layers.Layer
}

// NewTokenAndPositionEmbedding returns a TokenAndPositionEmbedding for texts of up to maxLen tokens
// from a vocabulary of vocabSize, with vectors of embedDim numbers.
func NewTokenAndPositionEmbedding(maxLen, vocabSize, embedDim int) *TokenAndPositionEmbedding {
	return &TokenAndPositionEmbedding{TokenEmb: layers.Embedding(vocabSize, embedDim), PosEmb: layers.Embedding(maxLen, embedDim)}
}

// Compute returns the vectors, [batch, length, embedDim], of sequences of tokens, [batch, length].
func (e *TokenAndPositionEmbedding) Compute(x *layers.Tensor) *layers.Tensor {
	positions := ops.Arange(x.Shape()[1]).Call(e.PosEmb)
	return x.Call(e.TokenEmb).Add(positions)
}

func model() (*keras.Model, error) {
	inputs := keras.Input(maxLen, layers.DType("int32"))
	x := inputs.Call(
		NewTokenAndPositionEmbedding(maxLen, vocabSize, embedDim),
		NewTransformerBlock(embedDim, numHeads, feedForwardDim, .1),
	)
	m := keras.Must(keras.Functional(inputs, keras.Tensors(x.Call(layers.Dense(vocabSize)), x)))
	lossFn := losses.SparseCategoricalCrossentropy(losses.FromLogits())
	return m, m.Compile(keras.Optimizer("adam"), keras.Loss(lossFn, nil))
}

// generate continues the tokens 3, 1, 4 up to maxLen, each time by the most probable token. It
// returns one tensor, [maxLen-3, vocabSize]: the logits of each step.
func generate(ctx context.Context, r *guide.Run) ([]*tensors.Tensor, error) {
	tokens, generated := []int32{3, 1, 4}, [][]float32{}
	for len(tokens) < maxLen {
		x := append(slices.Clone(tokens), make([]int32, maxLen-len(tokens))...)
		y, err := r.Model.Predict(ctx, [][]int32{x}, keras.Verbose(0))
		if err != nil {
			return nil, err
		}
		logits := y[0].Value().([][][]float32)[0][len(tokens)-1]
		generated = append(generated, logits)
		tokens = append(tokens, int32(slices.Index(logits, slices.Max(logits))))
	}
	t, err := data.Tensor(generated)
	return []*tensors.Tensor{t}, err
}

func texts() (x, y any, err error) {
	tokens := guide.Classes(samples*(maxLen+1), 1, vocabSize)
	var in, next [][]int32
	for text := range slices.Chunk(tokens, maxLen+1) {
		in, next = append(in, text[:maxLen]), append(next, text[1:])
	}
	before, err := data.Tensor(in)
	if err != nil {
		return nil, nil, err
	}
	after, err := data.Tensor(next)
	return before, after, err
}
