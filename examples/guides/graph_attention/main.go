// Graph_attention is the example "Graph attention network (GAT) for node classification": papers
// attend to the papers that they cite. It uses gathers and segment sums over the edges of a graph.
//
//	go run ./examples/guides/graph_attention [-mesh 2x4]
package main

import (
	"errors"

	"github.com/gospmd/gospmd/examples/guides/internal/guide"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/losses"
	"github.com/gospmd/gospmd/keras/ops"
	"github.com/gospmd/gospmd/keras/optimizers"
	"github.com/gospmd/gospmd/keras/variable"
)

const papers, citations, words, units, subjects, known = 20, 60, 6, 16, 4, 18

func main() { guide.Main(program) }

var program = &guide.Guide{
	Name: "graph_attention", Batch: 6, Epochs: 2, Model: model, Data: numbers,
	Layout: map[string][]string{".*/dense/kernel": {"", "model"}},
}

// GraphAttention is a layer that lets each node of a graph attend to its neighbours.
type GraphAttention struct {
	layers.Base
	kernel, score *variable.Variable
}

// Build makes the weights: the kernel, which transforms nodes, and score, which rates pairs of
// them.
func (l *GraphAttention) Build(b *layers.Builder, in []layers.Spec) error {
	l.kernel = b.Weight("kernel", "glorot_uniform", in[0].Shape[1], units)
	l.score = b.Weight("score", "glorot_uniform", 2*units, 1)
	return nil
}

// Compute returns the new state of each node, [nodes, units]: the mean of the states of its
// neighbours, weighted by attention. A row of edges, [edges, 2], has a node and one of its
// neighbours. A node without neighbours gets zeros.
func (l *GraphAttention) Compute(c *layers.Context, nodes, edges *layers.Tensor) *layers.Tensor {
	nodes = nodes.MatMul(c.Weight(l.kernel))
	from, to, rows := edges.GetItem(":", 0), edges.GetItem(":", 1), ops.Axis(0)
	pairs := ops.Reshape(ops.Take(nodes, edges, rows), edges.Shape()[0], -1)
	scores := ops.LeakyRelu(pairs.MatMul(c.Weight(l.score)), .2).GetItem(":", 0)
	scores = ops.Exp(ops.Clip(scores, -2, 2))
	scores = scores.Div(ops.Take(ops.SegmentSum(scores, from, papers), from))
	return ops.SegmentSum(ops.Take(nodes, to, rows).Mul(scores.GetItem(":", nil)), from, papers)
}

// Network is the guide's model, which predicts the subject of papers by attention along the
// citations.
type Network struct {
	layers.Base
	Preprocess, Attention, Subjects layers.Layer

	features, edges *layers.Tensor
}

// Compute takes the indices of papers, and returns for each the scores of its subjects.
func (n *Network) Compute(papers *layers.Tensor) *layers.Tensor {
	x := n.features.Call(n.Preprocess)
	x = x.Add(layers.Apply(n.Attention, x, n.edges))
	return ops.Take(x.Call(n.Subjects), papers.GetItem(":", 0), ops.Axis(0))
}

func model() (*keras.Model, error) {
	from, to := guide.Classes(citations, 2, papers), guide.Classes(citations, 3, papers)
	m := keras.Must(keras.NewSubclassed(&Network{
		Preprocess: layers.Dense(units, layers.Activation("relu")), Attention: &GraphAttention{}, Subjects: layers.Dense(subjects),
		features: ops.Reshape(ops.Array(guide.Fractions(papers*words, 1)), papers, words),
		edges:    ops.Transpose(ops.Array([][]int32{from, to})),
	}))
	return m, errors.Join(m.Build([]int{1}, layers.DType("int32")), m.Compile(
		keras.Optimizer(optimizers.SGD(optimizers.LearningRate(.3), optimizers.Momentum(.9))),
		keras.Loss(losses.SparseCategoricalCrossentropy(losses.FromLogits())),
		keras.Metrics("accuracy"),
	))
}

func numbers() (x, y any, err error) {
	list := make([][]int32, known)
	for i := range list {
		list[i] = []int32{int32(i)}
	}
	in, err := data.Tensor(list)
	return in, guide.Classes(known, 4, subjects), err
}
