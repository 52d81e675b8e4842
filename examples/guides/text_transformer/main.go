// Text_transformer is the example "Text classification with Transformer". A transformer block, and
// an embedding of tokens and positions, are custom layers.
//
//	go run ./examples/guides/text_transformer [-mesh 2x4]
package main

import (
	"github.com/gospmd/gospmd/examples/guides/internal/guide"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/ops"
)

const (
	words, length, samples   = 200, 10, 48
	embedDim, heads, forward = 16, 2, 32
)

func main() { guide.Main(program) }

var program = &guide.Guide{
	Name: "text_transformer", Batch: 12, Epochs: 2, Model: model, Data: reviews,
	Layout: map[string][]string{".*/dense/kernel": {"", "model"}, ".*/dense_1/kernel": {"model", ""}},
}

// TransformerBlock is attention, then a feed-forward network. Each has a residual connection: its
// input is added to its output.
type TransformerBlock struct {
	layers.Base
	Att, Up, Down, Norm, Last layers.Layer
}

// NewTransformerBlock returns a TransformerBlock with the sizes of the guide.
func NewTransformerBlock() *TransformerBlock {
	epsilon := layers.Epsilon(1e-6)
	return &TransformerBlock{
		Att: layers.MultiHeadAttention(heads, embedDim),
		Up:  layers.Dense(forward, layers.Activation("relu")), Down: layers.Dense(embedDim),
		Norm: layers.LayerNormalization(epsilon), Last: layers.LayerNormalization(epsilon),
	}
}

// Compute runs the block on sequences of vectors, and returns sequences of the same shape.
func (b *TransformerBlock) Compute(x *layers.Tensor) *layers.Tensor {
	x = x.Add(layers.Apply(b.Att, x, x)).Call(b.Norm)
	return x.Add(x.Call(b.Up, b.Down)).Call(b.Last)
}

// TokenAndPositionEmbedding is a layer that returns, for each token, the sum of its embedding and
// of that of its position.
type TokenAndPositionEmbedding struct {
	layers.Base
	Token, Place layers.Layer
}

// Compute returns the vectors, [batch, length, embedDim], of sequences of tokens, [batch, length],
// where length is the constant 10.
func (e *TokenAndPositionEmbedding) Compute(x *layers.Tensor) *layers.Tensor {
	return x.Call(e.Token).Add(ops.Arange(length).Call(e.Place))
}

func model() (*keras.Model, error) {
	x := keras.Input(length, layers.DType("int32"))
	embedding := &TokenAndPositionEmbedding{
		Token: layers.Embedding(words, embedDim), Place: layers.Embedding(length, embedDim),
	}
	y := x.Call(embedding, NewTransformerBlock(), layers.GlobalAveragePooling1D(), layers.Dense(20, layers.Activation("relu")))
	m := keras.Must(keras.Functional(x, y.Call(layers.Dense(2, layers.Activation("softmax")))))
	return m, m.Compile(keras.Optimizer("adam"), keras.Loss("sparse_categorical_crossentropy"), keras.Metrics("accuracy"))
}

func reviews() (x, y any, err error) {
	texts, err := data.FromFlat(guide.Classes(samples*length, 1, words), samples, length)
	return texts, guide.Classes(samples, 2, 2), err
}
