package layers

// This file defines Embedding.

import (
	"math"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/keras/variable"
)

// EmbeddingLayer looks up the rows of a table: keras.layers.Embedding.
type EmbeddingLayer struct {
	Base
	InputDim, OutputDim int
	Embeddings          *variable.Variable // [input dim, output dim]
	opts                options
}

// Embedding returns a layer that replaces each number of its input, in
// [0, inputDim), by a row of a trained table. As in Keras on JAX, negative
// numbers count from the end and those outside give NaN. Options: Name,
// EmbeddingsInitializer, DType.
func Embedding(inputDim, outputDim int, opts ...Option) *EmbeddingLayer {
	l := &EmbeddingLayer{InputDim: inputDim, OutputDim: outputDim}
	l.opts = l.configure("Embedding", append([]Option{EmbeddingsInitializer("uniform")}, opts...), "Name", "EmbeddingsInitializer", "DType")
	if inputDim < 1 || outputDim < 1 {
		l.fail("Embedding: got a table of %d rows and %d columns, want positive numbers", inputDim, outputDim)
	}
	return l
}

// Build makes the table.
func (l *EmbeddingLayer) Build(b *Builder, inputs []Spec) (err error) {
	if err := checkOne(inputs, 1); err != nil {
		return err
	}
	l.Embeddings, err = b.AddWeight("embeddings", []int{l.InputDim, l.OutputDim}, l.DType(), l.opts.embeddingsInitializer)
	return err
}

// Call looks up.
func (l *EmbeddingLayer) Call(c *Context, inputs []*graph.Node) []*graph.Node {
	row := graph.ConvertDType(inputs[0], dtypes.Int32)
	g := row.Graph()
	number := func(n int) *graph.Node { return graph.BroadcastToShape(graph.Scalar(g, row.DType(), n), row.Shape()) }
	first, last := number(0), number(l.InputDim-1)
	row = graph.Where(graph.LessThan(row, first), graph.Add(row, number(l.InputDim)), row)
	outside := graph.LogicalOr(graph.LessThan(row, first), graph.GreaterThan(row, last))
	y := graph.Gather(c.StatelessScope.Value(l.Embeddings), graph.InsertAxes(graph.Where(outside, first, row), -1))
	y = graph.ConvertDType(y, l.ComputeDType())
	nan := graph.BroadcastToShape(graph.Scalar(g, y.DType(), math.NaN()), y.Shape())
	outside = graph.BroadcastToDims(graph.InsertAxes(outside, -1), y.Shape().Dimensions...)
	return []*graph.Node{graph.Where(outside, nan, y)}
}
