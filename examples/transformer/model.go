package main

// This file defines the model and how it is sharded over a mesh.

import (
	"context"
	"fmt"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/examples/internal/example"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/distribution"
	"github.com/gospmd/gospmd/keras/initializers"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/variable"
)

// sizes are the sizes of a GPT: the number of characters, of blocks, of numbers for a character, of
// attention heads, and of characters that it sees.
type sizes struct {
	vocabulary, layers, dim, heads, context int
}

// gpt returns the model, written as for one device: embeddings of tokens and
// positions, pre-norm blocks of attention and MLP with residual connections (Radford et
// al., 2019), and a linear layer with the logits of the next token.
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

// positions is a custom layer that adds a trainable vector at each position of a sequence.
type positions struct {
	layers.Base
	table *variable.Variable // [positions, features]
}

// Build makes the table of vectors, one for each position, with random numbers.
func (p *positions) Build(b *layers.Builder, inputs []layers.Spec) (err error) {
	p.table, err = b.AddWeight("table", inputs[0].Shape[1:], dtypes.Float32, initializers.RandomNormal(initializers.Stddev(0.02)))
	return err
}

// Call adds the table to each sequence of the inputs.
func (p *positions) Call(c *layers.Context, inputs []*graph.Node) []*graph.Node {
	x := inputs[0]
	return []*graph.Node{graph.Add(x, graph.BroadcastToShape(graph.ExpandLeftToRank(c.Value(p.table), x.Rank()), x.Shape()))}
}

// megatron shards the weights of every block as Megatron-LM does (Shoeybi et al., 2019): the heads
// of the attention and the hidden dimension of the MLP over the axis model. The embedding and the
// head are sharded along the vocabulary, whose size need not be divisible. Variables without a rule
// are replicated.
//
// The layouts of all other values follow from these, unless others cost less: in a model as small
// as this one, the compiler gathers the weights of the blocks and shards the batch by both axes.
// -report prints the communication of a step. With the option distribution.KeepLayouts, heads and
// hidden dimension stay sharded by model.
var megatron = []struct {
	path string
	axes []string
}{
	{"tokens/embeddings", []string{"model", ""}},
	{".*attention/(query|key|value)/kernel", []string{"", "model", ""}},
	{".*attention/(query|key|value)/bias", []string{"model", ""}},
	{".*attention/attention_output/kernel", []string{"model", "", ""}},
	{".*up/kernel", []string{"", "model"}},
	{".*up/bias", []string{"model"}},
	{".*down/kernel", []string{"model", ""}},
	{"head/kernel", []string{"", "model"}},
}

// distribution initializes the devices and returns the model parallelism of Megatron on the mesh of
// -mesh; nil, for one device, with -mesh single.
func (c config) distribution(ctx context.Context) (distribution.Distribution, error) {
	if err := example.Initialize(ctx, devices); err != nil {
		return nil, err
	}
	mesh, err := distribution.ParseMesh(c.mesh, "data", "model")
	if err != nil || mesh == nil {
		return nil, err
	}
	layouts := distribution.NewLayoutMap(mesh)
	for _, rule := range megatron {
		if err := layouts.Set(rule.path, rule.axes...); err != nil {
			return nil, err
		}
	}
	return distribution.NewModelParallel(layouts, "data")
}
