package layers

// This file defines Embedding and ReversibleEmbedding, and their options.

import (
	"math"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/keras/variable"
)

// embeddingClasses has the embedding layers: by the name of the class in Keras, how a layer is made
// of its options.
var embeddingClasses = map[string]class{
	"Embedding": classOf(func(d declared, o *embeddingOptions) Layer { return newEmbedding(d, o) }),
	"ReversibleEmbedding": classOf(func(d declared, o *reversibleOptions) Layer {
		return &ReversibleEmbeddingLayer{EmbeddingLayer: *newEmbedding(d, &o.embeddingOptions), opts: o}
	}),
}

// embeddingOptions holds the options of Embedding: the numbers of rows and of columns of the table,
// those of the table's values, ActivityRegularizer, MaskZero and those of LoRA.
type embeddingOptions struct {
	InputDim   int           `argument:"input_dim" want:"size"`
	OutputDim  int           `argument:"output_dim" want:"size"`
	Embeddings weightOptions `prefix:"embeddings" default:"uniform"`
	activityOptions
	MaskZero bool `option:"mask_zero"`
	loraOptions
}

// reversibleOptions holds the options of ReversibleEmbedding: those of Embedding, TieWeights,
// ReverseDType ("" for the layer's) and LogitSoftCap (nil for none).
type reversibleOptions struct {
	embeddingOptions
	TieWeights   bool     `option:"tie_weights" default:"true"`
	ReverseDType optional `option:"reverse_dtype" oneof:"float16 bfloat16 float32 float64"`
	LogitSoftCap *float64 `option:"logit_soft_cap" want:"positive"`
}

// EmbeddingsInitializer sets the initializer of the table of an Embedding or ReversibleEmbedding,
// also of the second table without TieWeights: a name or an initializer, "uniform" by default.
func EmbeddingsInitializer(init any) Option { return set("EmbeddingsInitializer", init) }

// EmbeddingsRegularizer adds to the loss a penalty on the table of an Embedding or
// ReversibleEmbedding. r is a name or a regularizer; there is none by default.
func EmbeddingsRegularizer(r any) Option { return set("EmbeddingsRegularizer", r) }

// EmbeddingsConstraint projects the table of an Embedding or ReversibleEmbedding after each step of
// the optimizer. c is a name or a constraint; there is none by default.
func EmbeddingsConstraint(c any) Option { return set("EmbeddingsConstraint", c) }

// EmbeddingLayer replaces each integer of its input by the row of a table with this index:
// keras.layers.Embedding. The output has one more dimension, of size OutputDim.
type EmbeddingLayer struct {
	declared
	lora
	opts                *embeddingOptions
	InputDim, OutputDim int
	Embeddings          *variable.Variable // [input dim, output dim]
}

// Embedding returns a layer that replaces each number of its input, in [0, inputDim), by a row of a
// trained table. As in Keras on JAX, negative numbers count from the end, and numbers out of range
// give NaN. If the layer is applied to an input of the model, numbers out of range are an error
// before the step. Options: Name, EmbeddingsInitializer, EmbeddingsRegularizer,
// EmbeddingsConstraint, ActivityRegularizer, MaskZero, LoraRank, LoraAlpha, DType.
func Embedding(inputDim, outputDim int, opts ...Option) *EmbeddingLayer {
	return declare[*EmbeddingLayer]("Embedding", []Option{set("InputDim", inputDim), set("OutputDim", outputDim)}, opts)
}

func newEmbedding(d declared, o *embeddingOptions) *EmbeddingLayer {
	return &EmbeddingLayer{declared: d, opts: o, InputDim: o.InputDim, OutputDim: o.OutputDim}
}

// Build makes the table of embeddings, [InputDim, OutputDim], and its adaptation with LoraRank. It
// returns an error unless there is one input, and for LoraAlpha without LoraRank.
func (l *EmbeddingLayer) Build(b *Builder, inputs []Spec) (err error) {
	if err := checkOne(inputs, 1); err != nil {
		return err
	}
	if l.Embeddings, err = l.opts.Embeddings.add(b, "embeddings", []int{l.InputDim, l.OutputDim}, l.DType()); err != nil {
		return err
	}
	return l.lora.build(b, l.Embeddings, &l.opts.Embeddings, &l.opts.loraOptions)
}

// Call returns one node: the row of the table for each number of the input. A negative number
// counts from the end; for a number that is out of range, the row is NaN.
func (l *EmbeddingLayer) Call(c *Context, inputs []*graph.Node) []*graph.Node {
	row := graph.ConvertDType(inputs[0], dtypes.Int32)
	g := row.Graph()
	number := func(n int) *graph.Node { return graph.BroadcastToShape(graph.Scalar(g, row.DType(), n), row.Shape()) }
	first, last := number(0), number(l.InputDim-1)
	row = graph.Where(graph.LessThan(row, first), graph.Add(row, number(l.InputDim)), row)
	outside := graph.LogicalOr(graph.LessThan(row, first), graph.GreaterThan(row, last))
	y := graph.Gather(l.adapted(c.StatelessScope.Value), graph.InsertAxes(graph.Where(outside, first, row), -1))
	y = graph.ConvertDType(y, l.ComputeDType())
	nan := graph.BroadcastToShape(graph.Scalar(g, y.DType(), math.NaN()), y.Shape())
	outside = graph.BroadcastToDims(graph.InsertAxes(outside, -1), y.Shape().Dimensions...)
	return []*graph.Node{graph.Where(outside, nan, y)}
}

// MaskZero makes an Embedding or ReversibleEmbedding mask the steps where its input is 0. By
// default its output has no mask.
func MaskZero() Option { return set("MaskZero", true) }

// ComputeMask returns the mask of the option MaskZero, in the shape of the input: true where the
// input is not 0. Without the option it returns nil.
func (l *EmbeddingLayer) ComputeMask(_ *Context, inputs, _ []*graph.Node) []*graph.Node {
	if !l.opts.MaskZero {
		return nil
	}
	return []*graph.Node{graph.NotEqual(inputs[0], graph.ZerosLike(inputs[0]))}
}

// ReversibleEmbeddingLayer is an Embedding which can also be called in reverse:
// keras.layers.ReversibleEmbedding.
type ReversibleEmbeddingLayer struct {
	EmbeddingLayer
	ReverseEmbeddings *variable.Variable // [output dim, input dim]; nil where the weights are tied
	opts              *reversibleOptions
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

// TieWeights sets whether a ReversibleEmbedding uses one table for both directions; by default it
// does.
func TieWeights(tie bool) Option { return set("TieWeights", tie) }

// ReverseDType sets the type in which a ReversibleEmbedding computes in reverse: "float16",
// "bfloat16", "float32" or "float64". By default it is that of the layer, and others are errors.
func ReverseDType(dtype string) Option { return set("ReverseDType", dtype) }

// LogitSoftCap limits the results of a ReversibleEmbedding in reverse to (-limit, limit), by
// limit·tanh(x/limit). limit must be positive; by default there is no limit.
func LogitSoftCap(limit float64) Option { return set("LogitSoftCap", limit) }

// Build makes the table of embeddings and, with TieWeights(false), a second table for the way back.
// Its errors are those of the Embedding layer.
func (l *ReversibleEmbeddingLayer) Build(b *Builder, inputs []Spec) error {
	if err := l.EmbeddingLayer.Build(b, inputs); err != nil || l.opts.TieWeights {
		return err
	}
	var err error
	l.ReverseEmbeddings, err = b.AddWeight("reverse_embeddings", []int{l.OutputDim, l.InputDim}, l.DType(), l.opts.Embeddings.Initializer.Initializer)
	return err
}

// Reverse returns a call of the layer with reverse=True: it projects the last dimension of its
// input, outputDim, to inputDim. It has the same variables.
func (l *ReversibleEmbeddingLayer) Reverse() Layer { return &reversed{l} }

// reversed is a layer that stands for a call of a ReversibleEmbeddingLayer with reverse=True.
type reversed struct{ *ReversibleEmbeddingLayer }

var _ calledOtherwise = (*reversed)(nil)

func (l *reversed) called() (Layer, map[string]any) {
	return l.ReversibleEmbeddingLayer, map[string]any{"reverse": true}
}

// ComputeMask returns no mask: logits have none in Keras.
func (l *reversed) ComputeMask(*Context, []*graph.Node, []*graph.Node) []*graph.Node { return nil }

// Call returns one node, the logits of the input's vectors: their products with the rows of the
// table, or with the reverse kernel if weights are not tied. It computes in ReverseDType and limits
// them by LogitSoftCap, if these options are given.
func (l *reversed) Call(c *Context, inputs []*graph.Node) []*graph.Node {
	var kernel *graph.Node
	if l.opts.TieWeights {
		kernel = graph.Transpose(l.adapted(c.StatelessScope.Value), 0, 1)
	} else {
		kernel = c.StatelessScope.Value(l.ReverseEmbeddings)
	}
	kernel, x := graph.ConvertDType(kernel, l.ComputeDType()), inputs[0]
	if name := string(l.opts.ReverseDType); name != "" {
		dtype := dtypes.MapOfNames[name]
		kernel, x = graph.ConvertDType(kernel, dtype), graph.ConvertDType(x, dtype)
	}
	y := graph.DotGeneral(x, []int{x.Rank() - 1}, nil, kernel, []int{0}, nil)
	if limit := l.opts.LogitSoftCap; limit != nil {
		y = graph.MulScalar(graph.Tanh(graph.DivScalar(y, *limit)), *limit)
	}
	return []*graph.Node{y}
}
