// Gnn_citations is the example "Node Classification with Graph Neural Networks": papers get
// messages from the papers that they cite, twice, and a classifier says what each is about.
//
//	go run ./examples/guides/gnn_citations [-mesh 2x4]
package main

import (
	"errors"

	"github.com/gospmd/gospmd/examples/guides/internal/guide"
	"github.com/gospmd/gospmd/keras"
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

func createFFN(hiddenUnits []int, dropoutRate float64) *keras.Model {
	var fnnLayers []layers.Layer
	for _, units := range hiddenUnits {
		fnnLayers = append(fnnLayers, layers.BatchNormalization(), layers.Dropout(dropoutRate), layers.Dense(units, layers.Activation("gelu")))
	}
	return keras.Must(keras.NewSequential(fnnLayers...))
}

// GraphConvLayer is a layer that sends messages along the edges of a graph, and updates its nodes
// with them.
type GraphConvLayer struct {
	layers.Base
	FFNPrepare, UpdateFn *keras.Model
}

// NewGraphConvLayer returns a GraphConvLayer of that name. Its two networks have hidden layers of
// the sizes hiddenUnits, with dropout before each.
func NewGraphConvLayer(hiddenUnits []int, dropoutRate float64, name string) *GraphConvLayer {
	l := &GraphConvLayer{FFNPrepare: createFFN(hiddenUnits, dropoutRate), UpdateFn: createFFN(hiddenUnits, dropoutRate)}
	l.SetName(name)
	return l
}

func (l *GraphConvLayer) prepare(nodeRepresentations, weights *layers.Tensor) *layers.Tensor {
	messages := l.FFNPrepare.Apply(nodeRepresentations)
	return messages.Mul(ops.ExpandDims(weights, -1))
}

func (l *GraphConvLayer) aggregate(nodeIndices, neighbourMessages, nodeRepresentations *layers.Tensor) *layers.Tensor {
	numNodes := nodeRepresentations.Shape()[0]
	return ops.SegmentSum(neighbourMessages, nodeIndices, numNodes)
}

func (l *GraphConvLayer) update(nodeRepresentations, aggregatedMessages *layers.Tensor) *layers.Tensor {
	h := ops.Concatenate(keras.Tensors(nodeRepresentations, aggregatedMessages), 1)
	return ops.Normalize(l.UpdateFn.Apply(h), 2)
}

// Compute returns new representations of the nodes: each is updated with the sum of the messages of
// its neighbours. edges is [2, edges]: the first row has the nodes that get messages, the second
// row their neighbours. edgeWeights multiplies the message of each edge.
func (l *GraphConvLayer) Compute(nodeRepresentations, edges, edgeWeights *layers.Tensor) *layers.Tensor {
	nodeIndices, neighbourIndices := edges.GetItem(0), edges.GetItem(1)
	neighbourRepresentations := ops.Take(nodeRepresentations, neighbourIndices, ops.Axis(0))
	neighbourMessages := l.prepare(neighbourRepresentations, edgeWeights)
	aggregatedMessages := l.aggregate(nodeIndices, neighbourMessages, nodeRepresentations)
	return l.update(nodeRepresentations, aggregatedMessages)
}

// GNNNodeClassifier is the guide's model, which predicts the subjects of papers from their features
// and the citations.
type GNNNodeClassifier struct {
	layers.Base
	Preprocess    *keras.Model
	Conv1, Conv2  layers.Layer
	Postprocess   *keras.Model
	ComputeLogits layers.Layer

	nodeFeatures, edges, edgeWeights *layers.Tensor
}

// NewGNNNodeClassifier returns a GNNNodeClassifier of numClasses subjects for a graph: features of
// its nodes, edges as GraphConvLayer takes them, and their weights, which it divides by their sum.
// The other arguments are the sizes of the hidden layers and their dropout.
func NewGNNNodeClassifier(nodeFeatures, edges, edgeWeights *layers.Tensor, numClasses int, hiddenUnits []int, dropoutRate float64) *GNNNodeClassifier {
	return &GNNNodeClassifier{
		nodeFeatures: nodeFeatures, edges: edges, edgeWeights: edgeWeights.Div(ops.Sum(edgeWeights)),
		Preprocess:    createFFN(hiddenUnits, dropoutRate),
		Conv1:         NewGraphConvLayer(hiddenUnits, dropoutRate, "graph_conv1"),
		Conv2:         NewGraphConvLayer(hiddenUnits, dropoutRate, "graph_conv2"),
		Postprocess:   createFFN(hiddenUnits, dropoutRate),
		ComputeLogits: layers.Dense(numClasses, layers.Name("logits")),
	}
}

// Compute takes the numbers of papers, and returns for each the logits of its subjects.
func (n *GNNNodeClassifier) Compute(inputNodeIndices *layers.Tensor) *layers.Tensor {
	x := n.Preprocess.Apply(n.nodeFeatures)
	x = layers.Apply(n.Conv1, x, n.edges, n.edgeWeights).Add(x)
	x = layers.Apply(n.Conv2, x, n.edges, n.edgeWeights).Add(x)
	x = n.Postprocess.Apply(x)
	nodeEmbeddings := ops.Take(x, inputNodeIndices, ops.Axis(0))
	return nodeEmbeddings.Call(n.ComputeLogits)
}

func model() (*keras.Model, error) {
	nodeFeatures, edges, edgeWeights := citations()
	m := keras.Must(keras.NewSubclassed(NewGNNNodeClassifier(nodeFeatures, edges, edgeWeights, numClasses, hiddenUnits, dropoutRate)))
	return m, errors.Join(m.Build([]int{}, layers.DType("int32")), m.Compile(
		keras.Optimizer(optimizers.Adam(optimizers.LearningRate(.01))),
		keras.Loss(losses.SparseCategoricalCrossentropy(losses.FromLogits())),
		keras.Metrics(metrics.SparseCategoricalAccuracy(metrics.Name("acc"))),
	))
}

func citations() (nodeFeatures, edges, edgeWeights *layers.Tensor) {
	nodeFeatures = ops.Reshape(ops.Array(guide.Fractions(numNodes*numFeatures, 1)), numNodes, numFeatures)
	edges = ops.Reshape(ops.Array(guide.Classes(2*numEdges, 2, numNodes)), 2, numEdges)
	return nodeFeatures, edges, ops.Ones([]int{numEdges})
}

func papers() (x, y any, err error) {
	numbers := make([]int32, known)
	for i := range numbers {
		numbers[i] = int32(i)
	}
	return numbers, guide.Classes(known, 4, numClasses), nil
}
