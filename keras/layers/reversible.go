package layers

// This file defines ReversibleEmbedding.

import (
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/keras/variable"
)

// ReversibleEmbeddingLayer is an Embedding which can also be called in reverse:
// keras.layers.ReversibleEmbedding.
type ReversibleEmbeddingLayer struct {
	EmbeddingLayer
	ReverseEmbeddings *variable.Variable // [output dim, input dim]; nil where the weights are tied
}

// ReversibleEmbedding returns an Embedding of language models, whose Reverse projects from
// outputDim to inputDim (Press and Wolf, Using the Output Embedding to Improve Language Models,
// 2016):
//
//	words := layers.ReversibleEmbedding(vocabulary, 256)
//	hidden := tokens.Apply(words)
//	logits := hidden.Apply(words.Reverse())
//
// Options: those of Embedding, TieWeights (by default the projection is by the transposed
// table), ReverseDType, LogitSoftCap.
func ReversibleEmbedding(inputDim, outputDim int, opts ...Option) *ReversibleEmbeddingLayer {
	return declare[*ReversibleEmbeddingLayer]("ReversibleEmbedding", []Option{set("InputDim", inputDim), set("OutputDim", outputDim)}, opts)
}

// TieWeights sets whether a ReversibleEmbedding has one table for both directions; by default it
// has.
func TieWeights(tie bool) Option { return set("TieWeights", tie) }

// ReverseDType sets the type in which a ReversibleEmbedding computes in reverse, such as
// "float32"; by default it is that of the layer.
func ReverseDType(dtype string) Option { return set("ReverseDType", dtype) }

// LogitSoftCap keeps what a ReversibleEmbedding computes in reverse between -limit and limit, by
// limit·tanh(x/limit).
func LogitSoftCap(limit float64) Option { return set("LogitSoftCap", limit) }

// Build makes the tables.
func (l *ReversibleEmbeddingLayer) Build(b *Builder, inputs []Spec) error {
	if err := l.EmbeddingLayer.Build(b, inputs); err != nil || l.opts.tieWeights {
		return err
	}
	var err error
	l.ReverseEmbeddings, err = b.AddWeight("reverse_embeddings", []int{l.OutputDim, l.InputDim}, l.DType(), l.opts.embeddingsInitializer)
	return err
}

// Reverse returns the layer as it is called with reverse=True: it projects the last dimension
// of its input, outputDim, to inputDim. It is the same layer, with the same variables.
func (l *ReversibleEmbeddingLayer) Reverse() Layer { return &reversed{l} }

// reversed is a call of the layer in reverse.
type reversed struct{ *ReversibleEmbeddingLayer }

var _ calledOtherwise = (*reversed)(nil)

func (l *reversed) called() (Layer, map[string]any) {
	return l.ReversibleEmbeddingLayer, map[string]any{"reverse": true}
}

// ComputeMask returns no mask: logits have none in Keras.
func (l *reversed) ComputeMask(*Context, []*graph.Node, []*graph.Node) []*graph.Node { return nil }

// Call projects.
func (l *reversed) Call(c *Context, inputs []*graph.Node) []*graph.Node {
	table := l.ReverseEmbeddings
	if table == nil {
		table = l.Embeddings
	}
	kernel, x := graph.ConvertDType(c.StatelessScope.Value(table), l.ComputeDType()), inputs[0]
	if l.opts.tieWeights {
		kernel = graph.Transpose(kernel, 0, 1)
	}
	if name := l.opts.reverseDType; name != "" {
		dtype := dtypes.MapOfNames[name]
		kernel, x = graph.ConvertDType(kernel, dtype), graph.ConvertDType(x, dtype)
	}
	y := graph.DotGeneral(x, []int{x.Rank() - 1}, nil, kernel, []int{0}, nil)
	if limit := l.opts.logitSoftCap; limit != nil {
		y = graph.MulScalar(graph.Tanh(graph.DivScalar(y, *limit)), *limit)
	}
	return []*graph.Node{y}
}
