// Gnn_citations is the example "Node Classification with Graph Neural Networks": papers get
// messages from the papers that they cite, twice, and a classifier says what each is about.
//
//	go run ./examples/guides/gnn_citations [-mesh 2x4]
package main

import (
	"context"

	"github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/examples/guides/internal/guide"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/losses"
	"github.com/gospmd/gospmd/keras/metrics"
	"github.com/gospmd/gospmd/keras/ops"
	"github.com/gospmd/gospmd/keras/optimizers"
)

const numNodes, numEdges, numFeatures, numClasses, known, dropoutRate = 20, 50, 6, 4, 18, .5

var hiddenUnits = []int{16}

func main() { guide.Main(program) }

var program = &guide.Guide{
	Name: "gnn_citations", Batch: 6, Epochs: 2, Model: model, Data: papers,
	Layout: map[string][]string{".*/logits/kernel": {"model", ""}},
}

func createFFN(hiddenUnits []int, dropoutRate float64) (layers.Layer, error) {
	var fnnLayers []layers.Layer
	for _, units := range hiddenUnits {
		fnnLayers = append(fnnLayers, layers.BatchNormalization(), layers.Dropout(dropoutRate), layers.Dense(units, layers.Activation("gelu")))
	}
	ffn, err := keras.NewSequential(fnnLayers...)
	if err != nil {
		return nil, err
	}
	return ffn.AsLayer(), nil
}

// GraphConvLayer sends messages along the edges of a graph.
type GraphConvLayer struct {
	layers.Base
	FFNPrepare, UpdateFn layers.Layer
}

// NewGraphConvLayer returns a GraphConvLayer.
func NewGraphConvLayer(hiddenUnits []int, dropoutRate float64, name string) (l *GraphConvLayer, err error) {
	l = &GraphConvLayer{}
	l.SetName(name)
	if l.FFNPrepare, err = createFFN(hiddenUnits, dropoutRate); err != nil {
		return nil, err
	}
	l.UpdateFn, err = createFFN(hiddenUnits, dropoutRate)
	return l, err
}

func (l *GraphConvLayer) prepare(nodeRepresentations, weights *layers.Tensor) *layers.Tensor {
	return nodeRepresentations.Apply(l.FFNPrepare).Mul(ops.ExpandDims(weights, -1))
}

func (l *GraphConvLayer) aggregate(nodeIndices, neighbourMessages, nodeRepresentations *layers.Tensor) *layers.Tensor {
	numNodes := nodeRepresentations.Shape()[0]
	return ops.SegmentSum(neighbourMessages, nodeIndices, numNodes)
}

func (l *GraphConvLayer) update(nodeRepresentations, aggregatedMessages *layers.Tensor) *layers.Tensor {
	h := ops.Concatenate(keras.Tensors(nodeRepresentations, aggregatedMessages), 1)
	return ops.Normalize(h.Apply(l.UpdateFn), 2)
}

// Compute takes nodes, edges and the weights of these.
func (l *GraphConvLayer) Compute(_ *layers.Context, inputs ...*layers.Tensor) *layers.Tensor {
	nodeRepresentations, edges, edgeWeights := inputs[0], inputs[1], inputs[2]
	nodeIndices, neighbourIndices := edges.GetItem(0), edges.GetItem(1)
	neighbourRepresentations := ops.Take(nodeRepresentations, neighbourIndices, ops.Axis(0))
	neighbourMessages := l.prepare(neighbourRepresentations, edgeWeights)
	aggregatedMessages := l.aggregate(nodeIndices, neighbourMessages, nodeRepresentations)
	return l.update(nodeRepresentations, aggregatedMessages)
}

// GNNNodeClassifier says what papers are about.
type GNNNodeClassifier struct {
	layers.Base
	Preprocess, Conv1, Conv2, Postprocess, ComputeLogits layers.Layer

	nodeFeatures, edges, edgeWeights *layers.Tensor
}

// NewGNNNodeClassifier returns a GNNNodeClassifier.
func NewGNNNodeClassifier(nodeFeatures, edges, edgeWeights *layers.Tensor, numClasses int, hiddenUnits []int, dropoutRate float64) (n *GNNNodeClassifier, err error) {
	n = &GNNNodeClassifier{nodeFeatures: nodeFeatures, edges: edges, edgeWeights: edgeWeights.Div(ops.Sum(edgeWeights))}
	if n.Preprocess, err = createFFN(hiddenUnits, dropoutRate); err != nil {
		return nil, err
	}
	if n.Conv1, err = NewGraphConvLayer(hiddenUnits, dropoutRate, "graph_conv1"); err != nil {
		return nil, err
	}
	if n.Conv2, err = NewGraphConvLayer(hiddenUnits, dropoutRate, "graph_conv2"); err != nil {
		return nil, err
	}
	if n.Postprocess, err = createFFN(hiddenUnits, dropoutRate); err != nil {
		return nil, err
	}
	n.ComputeLogits = layers.Dense(numClasses, layers.Name("logits"))
	return n, nil
}

// Compute takes the numbers of papers.
func (n *GNNNodeClassifier) Compute(c *layers.Context, inputNodeIndices ...*layers.Tensor) *layers.Tensor {
	nodeFeatures := c.Tensor(graph.ConstTensor(inputNodeIndices[0].Node().Graph(), n.nodeFeatures.Array()))
	x := nodeFeatures.Apply(n.Preprocess)
	x = layers.Apply(n.Conv1, x, n.edges, n.edgeWeights).Add(x)
	x = layers.Apply(n.Conv2, x, n.edges, n.edgeWeights).Add(x)
	x = x.Apply(n.Postprocess)
	return ops.Take(x, inputNodeIndices[0], ops.Axis(0)).Apply(n.ComputeLogits)
}

func model() (*keras.Model, error) {
	nodeFeatures, edges, edgeWeights, err := citations()
	if err != nil {
		return nil, err
	}
	network, err := NewGNNNodeClassifier(nodeFeatures, edges, edgeWeights, numClasses, hiddenUnits, dropoutRate)
	if err != nil {
		return nil, err
	}
	m, err := keras.NewSubclassed(network)
	if err != nil {
		return nil, err
	}
	err = m.Compile(
		keras.Optimizer(optimizers.Adam(optimizers.LearningRate(.01))),
		keras.Loss(losses.SparseCategoricalCrossentropy(losses.FromLogits())),
		keras.Metrics(metrics.SparseCategoricalAccuracy(metrics.Name("acc"))),
	)
	if err != nil {
		return nil, err
	}
	_, err = m.Predict(context.Background(), []int32{1, 10, 15}, keras.Verbose(0)) // makes the variables
	return m, err
}

func citations() (nodeFeatures, edges, edgeWeights *layers.Tensor, err error) {
	features, err := data.FromFlat(guide.Fractions(numNodes*numFeatures, 1), numNodes, numFeatures)
	if err != nil {
		return nil, nil, nil, err
	}
	pairs, err := data.FromFlat(guide.Classes(2*numEdges, 2, numNodes), 2, numEdges)
	return ops.Array(features), ops.Array(pairs), ops.Ones([]int{numEdges}), err
}

func papers() (x, y any, err error) {
	numbers := make([]int32, known)
	for i := range numbers {
		numbers[i] = int32(i)
	}
	return numbers, guide.Classes(known, 4, numClasses), nil
}
