package steps

// This file has the models with a loop: one LSTM over sequences of different lengths, and a scan
// over equal layers.

import (
	"fmt"

	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/ops"
	"github.com/gospmd/gospmd/keras/variable"
)

// lstm returns the model lstmN, N = length: an LSTM of 128 units over sequences of that many steps
// with 64 features, and a softmax over the classes. Its weights are replicated, and the batch is
// sharded.
func lstm(length int) Model {
	return Model{
		Name: fmt.Sprintf("lstm%d", length), Batch: 32, Optimizer: adam, Loss: crossentropy,
		build: chain([]int{length, 64}, func() []layers.Layer {
			return []layers.Layer{
				layers.LSTM(128, layers.Name("lstm")),
				layers.Dense(classes, layers.Name("d1"), layers.Activation("softmax")),
			}
		}),
		data:  classifiedExamples(length, 64),
		Rules: []Rule{},
	}
}

// scan has eight layers whose weights are stacked. The batch is sharded.
var scan = Model{
	Name: "scan", Batch: 2048, Optimizer: adam, Loss: crossentropy,
	build: chain([]int{128}, func() []layers.Layer {
		stack := &stacked{depth: 8, hidden: 256}
		stack.SetName("stack")
		return []layers.Layer{stack, layers.Dense(classes, layers.Name("d1"), layers.Activation("softmax"))}
	}),
	data:  classifiedExamples(128),
	Rules: []Rule{},
}

// stacked computes layers of one kind in a loop: x + gelu(norm(x) · up) · down.
type stacked struct {
	layers.Base
	depth, hidden int

	gamma, beta, up, down *variable.Variable
}

// Build makes the weights gamma, beta, up and down, with the layers along the first dimension.
func (s *stacked) Build(b *layers.Builder, inputs []layers.Spec) error {
	features := inputs[0].Shape[1]
	s.gamma = b.Weight("gamma", "ones", s.depth, features)
	s.beta = b.Weight("beta", "zeros", s.depth, features)
	s.up = b.Weight("up", "random_normal", s.depth, features, s.hidden)
	s.down = b.Weight("down", "random_normal", s.depth, s.hidden, features)
	return nil
}

// Compute runs the layers on x, [batch, features], one after the other in one loop of the program,
// and returns the result of the last one, of the same shape.
func (s *stacked) Compute(c *layers.Context, x *layers.Tensor) *layers.Tensor {
	weights := []*layers.Tensor{c.Weight(s.gamma), c.Weight(s.beta), c.Weight(s.up), c.Weight(s.down)}
	layer := func(carry, w []*layers.Tensor) (next, ys []*layers.Tensor) {
		h := ops.LayerNormalization(carry[0], w[0], w[1])
		h = ops.Matmul(ops.Gelu(ops.Matmul(h, w[2]), false), w[3])
		return []*layers.Tensor{ops.Add(carry[0], h)}, nil
	}
	return ops.ScanAll(layer, []*layers.Tensor{x}, weights)[0]
}
