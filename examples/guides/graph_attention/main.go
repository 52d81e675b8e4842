// Graph_attention is the example "Graph attention network (GAT) for node classification": papers
// attend to the papers that they cite. It uses gathers and segment sums over the edges of a graph.
//
//	go run ./examples/guides/graph_attention [-mesh 2x4]
package main

import (
	"context"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"

	"github.com/gospmd/gospmd/examples/guides/internal/guide"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/keras/initializers"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/losses"
	"github.com/gospmd/gospmd/keras/optimizers"
	"github.com/gospmd/gospmd/keras/variable"
)

const papers, citations, words, units, subjects, known = 20, 60, 6, 16, 4, 18

func main() { guide.Main(program) }

var program = &guide.Guide{
	Name: "graph_attention", Batch: 6, Epochs: 2, Model: model, Data: numbers,
	Layout: map[string][]string{".*/preprocess/kernel": {"", "model"}},
}

// GraphAttention lets each node attend to its neighbours.
type GraphAttention struct {
	layers.Base
	kernel, score *variable.Variable
}

// Build makes the weights.
func (l *GraphAttention) Build(b *layers.Builder, in []layers.Spec) (err error) {
	if l.kernel, err = b.AddWeight("kernel", []int{in[0].Shape[1], units}, dtypes.Float32, initializers.GlorotUniform()); err != nil {
		return err
	}
	l.score, err = b.AddWeight("score", []int{2 * units, 1}, dtypes.Float32, initializers.GlorotUniform())
	return err
}

// Call takes the states of the nodes, and the edges: each goes from a node to one of its
// neighbours.
func (l *GraphAttention) Call(c *layers.Context, in []*graph.Node) []*graph.Node {
	nodes, edges := graph.MatMul(in[0], c.Value(l.kernel)), in[1]
	from, to := column(edges, 0), column(edges, 1)
	pairs := graph.Reshape(take(nodes, edges), citations, 2*units)
	scores := graph.Squeeze(graph.MatMul(pairs, c.Value(l.score)), -1)
	scores = graph.Exp(graph.ClipScalar(graph.Max(scores, graph.MulScalar(scores, .2)), -2, 2))
	scores = graph.Div(scores, take(segmentSum(scores, from), from))
	return []*graph.Node{segmentSum(graph.Mul(take(nodes, to), graph.ExpandAxes(scores, -1)), from)}
}

// column returns a column of a matrix.
func column(x *graph.Node, i int) *graph.Node {
	return graph.Squeeze(graph.Slice(x, graph.AxisRange(), graph.AxisElem(i)), -1)
}

// take returns rows of x: ops.take(x, indices, axis=0).
func take(x, indices *graph.Node) *graph.Node { return graph.Gather(x, graph.ExpandAxes(indices, -1)) }

// segmentSum adds the rows of x that belong to the same paper: ops.segment_sum.
func segmentSum(x, paper *graph.Node) *graph.Node {
	dims := append([]int{papers}, x.Shape().Dimensions[1:]...)
	zeros := graph.BroadcastToDims(graph.ScalarZero(x.Graph(), x.DType()), dims...)
	return graph.ScatterSum(zeros, graph.ExpandAxes(paper, -1), x, false, false)
}

// Network classifies papers by subject.
type Network struct {
	layers.Base
	Preprocess *layers.DenseLayer
	Attention  *GraphAttention
	Subjects   *layers.DenseLayer

	features, edges *tensors.Tensor
}

// Call takes the indices of papers.
func (n *Network) Call(c *layers.Context, in []*graph.Node) []*graph.Node {
	g := in[0].Graph()
	x := c.Apply(n.Preprocess, graph.ConstTensor(g, n.features))
	x = graph.Add(c.Apply(n.Attention, x, graph.ConstTensor(g, n.edges)), x)
	return []*graph.Node{take(c.Apply(n.Subjects, x), column(in[0], 0))}
}

func model() (*keras.Model, error) {
	features, err := data.FromFlat(guide.Fractions(papers*words, 1), papers, words)
	if err != nil {
		return nil, err
	}
	edges := make([][]int32, citations)
	from, to := guide.Classes(citations, 2, papers), guide.Classes(citations, 3, papers)
	for i := range edges {
		edges[i] = []int32{from[i], to[i]}
	}
	net := &Network{
		Preprocess: layers.Dense(units, layers.Activation("relu"), layers.Name("preprocess")), Attention: &GraphAttention{}, Subjects: layers.Dense(subjects),
		features: features, edges: tensors.FromValue(edges),
	}
	m, err := keras.NewSubclassed(net)
	if err != nil {
		return nil, err
	}
	err = m.Compile(keras.Optimizer(optimizers.SGD(optimizers.LearningRate(.3), optimizers.Momentum(.9))),
		keras.Loss(losses.SparseCategoricalCrossentropy(losses.FromLogits())), keras.Metrics("accuracy"))
	if err != nil {
		return nil, err
	}
	// makes the variables
	_, err = m.Predict(context.Background(), [][]int32{{0}}, keras.Verbose(0))
	return m, err
}

func numbers() (x, y any, err error) {
	list := make([][]int32, known)
	for i := range list {
		list[i] = []int32{int32(i)}
	}
	in, err := data.Tensor(list)
	return in, guide.Classes(known, 4, subjects), err
}
