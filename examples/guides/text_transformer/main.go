// Text_transformer is the example "Text classification with Transformer". A transformer block, and
// an embedding of tokens and positions, are custom layers.
//
//	go run ./examples/guides/text_transformer [-mesh 2x4]
package main

import (
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/examples/guides/internal/guide"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/keras/layers"
)

const (
	words, length, samples   = 200, 10, 48
	embedDim, heads, forward = 16, 2, 32
)

func main() { guide.Main(program) }

var program = &guide.Guide{
	Name: "text_transformer", Batch: 12, Epochs: 2, Model: model, Data: reviews,
	Layout: map[string][]string{".*/up/kernel": {"", "model"}, ".*/down/kernel": {"model", ""}},
}

// TransformerBlock is attention, then a feed-forward network. Each has a residual connection: its
// input is added to its output.
type TransformerBlock struct {
	layers.Base
	Att        *layers.MultiHeadAttentionLayer
	Up, Down   *layers.DenseLayer
	Norm, Last *layers.LayerNormalizationLayer
}

// Call runs the block on a sequence.
func (b *TransformerBlock) Call(c *layers.Context, in []*graph.Node) []*graph.Node {
	x := c.Apply(b.Norm, graph.Add(in[0], c.Apply(b.Att, in[0], in[0])))
	return []*graph.Node{c.Apply(b.Last, graph.Add(x, c.Apply(b.Down, c.Apply(b.Up, x))))}
}

// TokenAndPositionEmbedding returns the sum of the embedding of each token and of its position.
type TokenAndPositionEmbedding struct {
	layers.Base
	Token, Place *layers.EmbeddingLayer
}

// Call embeds sequences of words.
func (e *TokenAndPositionEmbedding) Call(c *layers.Context, in []*graph.Node) []*graph.Node {
	places := graph.Iota(in[0].Graph(), in[0].Shape(), 1)
	return []*graph.Node{graph.Add(c.Apply(e.Token, in[0]), c.Apply(e.Place, graph.ConvertDType(places, dtypes.Int32)))}
}

func model() (*keras.Model, error) {
	x := keras.Input([]int{length}, layers.DType(dtypes.Int32))
	embedding := &TokenAndPositionEmbedding{
		Token: layers.Embedding(words, embedDim, layers.Name("token")), Place: layers.Embedding(length, embedDim, layers.Name("place")),
	}
	embedding.SetName("embedding")
	block := &TransformerBlock{
		Att: layers.MultiHeadAttention(heads, embedDim, layers.Name("att")),
		Up:  layers.Dense(forward, layers.Activation("relu"), layers.Name("up")), Down: layers.Dense(embedDim, layers.Name("down")),
		Norm: layers.LayerNormalization(layers.Epsilon(1e-6), layers.Name("norm")), Last: layers.LayerNormalization(layers.Epsilon(1e-6), layers.Name("last")),
	}
	block.SetName("block")
	y := x.Apply(embedding).Apply(block)
	y = y.Apply(layers.GlobalAveragePooling1D()).Apply(layers.Dense(20, layers.Activation("relu"), layers.Name("hidden")))
	m, err := keras.NewModel([]*layers.Tensor{x}, []*layers.Tensor{y.Apply(layers.Dense(2, layers.Activation("softmax"), layers.Name("good")))})
	if err != nil {
		return nil, err
	}
	return m, m.Compile(keras.Optimizer("adam"), keras.Loss("sparse_categorical_crossentropy"), keras.Metrics("accuracy"))
}

func reviews() (x, y any, err error) {
	texts, err := data.FromFlat(guide.Classes(samples*length, 1, words), samples, length)
	return texts, guide.Classes(samples, 2, 2), err
}
