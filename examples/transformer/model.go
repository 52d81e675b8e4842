package main

// This file defines the model.

import (
	"fmt"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/initializers"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/variable"
)

// sizes are those of a GPT.
type sizes struct {
	vocabulary, layers, dim, heads, context int
}

// gpt is written as for one device: embeddings of tokens and positions, blocks
// of attention and MLP that are normalized before they add to the stream
// (Radford et al., 2019), and a linear layer that gives the logits of the next
// token.
func (s sizes) gpt() (*keras.Model, error) {
	tokens := keras.Input([]int{s.context}, layers.Name("text"), layers.DType(dtypes.Int32))
	x := tokens.Apply(layers.Embedding(s.vocabulary, s.dim, layers.Name("tokens")))
	x = x.Apply(&positions{})
	for i := range s.layers {
		x = s.block(x, fmt.Sprintf("block%d_", i))
	}
	x = x.Apply(layers.LayerNormalization(layers.Name("norm"), layers.Epsilon(1e-5)))
	x = x.Apply(layers.Dense(s.vocabulary, layers.Name("head"), layers.UseBias(false)))
	return keras.NewModel([]*layers.Tensor{tokens}, []*layers.Tensor{x})
}

func (s sizes) block(x *layers.Tensor, name string) *layers.Tensor {
	y := x.Apply(layers.LayerNormalization(layers.Name(name+"norm1"), layers.Epsilon(1e-5)))
	y = y.Apply(layers.MultiHeadAttention(s.heads, s.dim/s.heads, layers.Name(name+"attention"), layers.UseCausalMask()))
	x = layers.Apply(layers.Add(layers.Name(name+"add1")), x, y)
	y = x.Apply(layers.LayerNormalization(layers.Name(name+"norm2"), layers.Epsilon(1e-5)))
	y = y.Apply(layers.Dense(4*s.dim, layers.Name(name+"up"), layers.Activation("gelu")))
	y = y.Apply(layers.Dense(s.dim, layers.Name(name+"down")))
	return layers.Apply(layers.Add(layers.Name(name+"add2")), x, y)
}

// positions adds a trained vector to each position: a layer of our own.
type positions struct {
	layers.Base
	table *variable.Variable // [positions, features]
}

// Build makes the table.
func (p *positions) Build(b *layers.Builder, inputs []layers.Spec) (err error) {
	p.table, err = b.AddWeight("table", inputs[0].Shape[1:], dtypes.Float32, initializers.RandomNormal(initializers.Stddev(0.02)))
	return err
}

// Call adds.
func (p *positions) Call(c *layers.Context, inputs []*graph.Node) []*graph.Node {
	x := inputs[0]
	return []*graph.Node{graph.Add(x, graph.BroadcastToShape(graph.ExpandLeftToRank(c.Value(p.table), x.Rank()), x.Shape()))}
}
