// Mini_gpt is the example "Text generation with a miniature GPT": a transformer with a causal mask
// learns to say the next token, and then writes texts.
//
//	go run ./examples/guides/mini_gpt [-mesh 2x4]
package main

import (
	"context"
	"slices"

	"github.com/gomlx/compute/dtypes"
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
	Att, FFN, Layernorm1, Layernorm2, Dropout1, Dropout2 layers.Layer
}

// NewTransformerBlock returns a TransformerBlock.
func NewTransformerBlock(embedDim, numHeads, ffDim int, rate float64) (*TransformerBlock, error) {
	ffn, err := keras.NewSequential(layers.Dense(ffDim, layers.Activation("relu")), layers.Dense(embedDim))
	if err != nil {
		return nil, err
	}
	return &TransformerBlock{
		Att:        layers.MultiHeadAttention(numHeads, embedDim),
		FFN:        ffn.AsLayer(),
		Layernorm1: layers.LayerNormalization(layers.Epsilon(1e-6)),
		Layernorm2: layers.LayerNormalization(layers.Epsilon(1e-6)),
		Dropout1:   layers.Dropout(rate),
		Dropout2:   layers.Dropout(rate),
	}, nil
}

// Compute runs the block on sequences.
func (b *TransformerBlock) Compute(_ *layers.Context, in ...*layers.Tensor) *layers.Tensor {
	inputs := in[0]
	batchSize, seqLen := inputs.Shape()[0], inputs.Shape()[1]
	causalMask := causalAttentionMask(batchSize, seqLen, seqLen)
	attentionOutput := layers.Apply(b.Att, inputs, inputs, inputs, causalMask).Apply(b.Dropout1)
	out1 := inputs.Add(attentionOutput).Apply(b.Layernorm1)
	ffnOutput := out1.Apply(b.FFN).Apply(b.Dropout2)
	return out1.Add(ffnOutput).Apply(b.Layernorm2)
}

// TokenAndPositionEmbedding adds the embeddings of a token and of its place.
type TokenAndPositionEmbedding struct {
	layers.Base
	TokenEmb, PosEmb layers.Layer
}

// NewTokenAndPositionEmbedding returns a TokenAndPositionEmbedding.
func NewTokenAndPositionEmbedding(maxLen, vocabSize, embedDim int) *TokenAndPositionEmbedding {
	return &TokenAndPositionEmbedding{TokenEmb: layers.Embedding(vocabSize, embedDim), PosEmb: layers.Embedding(maxLen, embedDim)}
}

// Compute embeds tokens.
func (e *TokenAndPositionEmbedding) Compute(_ *layers.Context, in ...*layers.Tensor) *layers.Tensor {
	x := in[0]
	positions := ops.ZerosLike(x).Add(ops.Arange(x.Shape()[1]))
	return x.Apply(e.TokenEmb).Add(positions.Apply(e.PosEmb))
}

func model() (*keras.Model, error) {
	transformerBlock, err := NewTransformerBlock(embedDim, numHeads, feedForwardDim, .1)
	if err != nil {
		return nil, err
	}
	inputs := keras.Input([]int{maxLen}, layers.DType(dtypes.Int32))
	x := inputs.Apply(NewTokenAndPositionEmbedding(maxLen, vocabSize, embedDim)).Apply(transformerBlock)
	outputs := x.Apply(layers.Dense(vocabSize))
	m, err := keras.NewModel(keras.Tensors(inputs), keras.Tensors(outputs, x))
	if err != nil {
		return nil, err
	}
	lossFn := losses.SparseCategoricalCrossentropy(losses.FromLogits())
	return m, m.Compile(keras.Optimizer("adam"), keras.Loss(lossFn, nil))
}

// generate writes a text, each token the most probable one, and returns the logits.
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
