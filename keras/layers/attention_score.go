package layers

// This file defines the attentions without projections: Attention (Luong et al., 2015) and
// AdditiveAttention (Bahdanau et al., 2015); and their options.

import (
	"fmt"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/keras/initializers"
	"github.com/gospmd/gospmd/keras/random"
	"github.com/gospmd/gospmd/keras/variable"
)

// scoreOptions holds the options of AdditiveAttention, which Attention has too: UseScale,
// DropoutRate, Seed and UseCausalMask.
type scoreOptions struct {
	UseScale bool `option:"use_scale"`
	dropOptions
}

// attentionOptions holds the options of Attention: those in scoreOptions, and ScoreMode, "dot" or
// "concat".
type attentionOptions struct {
	scoreOptions
	ScoreMode string `option:"score_mode" default:"dot" oneof:"dot concat"`
}

// AttentionLayer returns for each query the mean of the values, weighted by the scores of the query
// and the keys: keras.layers.Attention, AdditiveAttention. The inputs are query, value and, if they
// differ from the values, keys: (batch, steps, features) each.
type AttentionLayer struct {
	declared
	opts        *scoreOptions
	ScaleWeight *variable.Variable // nil without UseScale
	ConcatScore *variable.Variable // the factor of scores with ScoreMode("concat"), else nil
	mode        string             // ScoreMode, "" for AdditiveAttention
	seed        *random.SeedGenerator
	state       *variable.Variable
}

// Attention returns a layer whose scores are dot products of queries and keys, or those of
// ScoreMode("concat"). Options: Name, UseScale (false by default), ScoreMode, DropoutRate, Seed,
// UseCausalMask, DType.
func Attention(opts ...Option) *AttentionLayer { return declare[*AttentionLayer]("Attention", opts) }

// AdditiveAttention returns a layer whose scores are sums over the features of tanh(query + key).
// Options: Name, UseScale (true by default), DropoutRate, Seed, UseCausalMask, DType.
func AdditiveAttention(opts ...Option) *AttentionLayer {
	return declare[*AttentionLayer]("AdditiveAttention", opts)
}

// UseScale sets whether an attention layer has trained factors. In Attention it is one factor, of
// the scores or, with ScoreMode("concat"), of query + key; by default there is none. In
// AdditiveAttention it is one for each feature of tanh(query + key); by default it has them.
func UseScale(use bool) Option { return set("UseScale", use) }

// ScoreMode sets the scores of Attention. "dot", the default, is the product of query and key.
// "concat" is a trained factor times the sum of tanh(query + key). Others are errors.
func ScoreMode(mode string) Option { return set("ScoreMode", mode) }

func newAttention(d declared, o *scoreOptions, mode string) *AttentionLayer {
	l := &AttentionLayer{declared: d, opts: o, mode: mode}
	if o.DropoutRate > 0 {
		l.seed = o.generator()
	}
	return l
}

// Build makes the variables that the options ask for: the scale of UseScale, the factor of
// ScoreMode("concat"), and with a DropoutRate the state of a seed generator. Inputs are the query,
// the value and perhaps the key, [batch, steps, features]. It is an error if there are others, if
// query and key have different numbers of features, or if value and key have different numbers of
// steps.
func (l *AttentionLayer) Build(b *Builder, inputs []Spec) (err error) {
	if len(inputs) != 2 && len(inputs) != 3 {
		return fmt.Errorf("got %d inputs, want query and value, or query, value and key", len(inputs))
	}
	for _, in := range inputs {
		if len(in.Shape) != 3 {
			return fmt.Errorf("got inputs %v, want 3 dimensions each: (batch, steps, features)", inputs)
		}
	}
	query, key := inputs[0].Shape, inputs[len(inputs)-1].Shape
	if query[2] != key[2] || inputs[1].Shape[1] != key[1] {
		return fmt.Errorf("got inputs %v, want queries and keys of as many features, and as many keys as values", inputs)
	}
	if l.opts.UseScale {
		shape, init := []int{}, any("ones")
		if l.mode == "" {
			shape, init = query[2:], "glorot_uniform"
		}
		filler, err := initializers.Get(init)
		if err != nil {
			return err
		}
		if l.ScaleWeight, err = b.AddWeight("scale", shape, l.DType(), filler); err != nil {
			return err
		}
	}
	if l.mode == "concat" {
		if l.ConcatScore, err = b.AddWeight("concat_score_weight", []int{}, l.DType(), initializers.Ones()); err != nil {
			return err
		}
	}
	if l.opts.DropoutRate > 0 {
		l.state, err = b.SeedGenerator(l.seed)
	}
	return err
}

// Call returns one node: for each query the mean of the values, weighted by the softmax of the
// scores of query and key. Values that are masked do not count, nor later ones with UseCausalMask;
// the result of a masked query is 0. While training with a DropoutRate it drops weights, and stores
// the next state of the seed.
func (l *AttentionLayer) Call(c *Context, inputs []*graph.Node) []*graph.Node {
	xs := make([]*graph.Node, len(inputs))
	for i, x := range inputs {
		xs[i] = graph.ConvertDType(x, l.ComputeDType())
	}
	query, value, key := xs[0], xs[1], xs[len(xs)-1]
	scores := l.scores(c, query, key)
	if mask := l.scoreMask(c.Mask(inputs[1]), scores); mask != nil {
		low := -1e9
		if scores.DType() == dtypes.Float16 {
			low = -65504
		}
		scores = graph.Where(mask, scores, graph.AddScalar(scores, low))
	}
	weights := graph.Softmax(scores, -1)
	if c.Training && l.opts.DropoutRate > 0 {
		k, next := random.Next(c.Value(l.state))
		c.Assign(l.state, next)
		weights = k.Dropout(weights, l.opts.DropoutRate)
	}
	y := graph.DotGeneral(weights, []int{2}, []int{0}, value, []int{1}, []int{0})
	if mask := c.Mask(inputs[0]); mask != nil {
		y = graph.Where(graph.BroadcastToDims(graph.InsertAxes(mask, -1), y.Shape().Dimensions...), y, graph.ZerosLike(y))
	}
	return []*graph.Node{y}
}

// scores returns the score of each query and key, [batch, queries, keys]. In the mode "dot" it is
// their dot product, and in the others the sum over the features of tanh of query plus key, each
// times the trained factors that the layer has.
func (l *AttentionLayer) scores(c *Context, query, key *graph.Node) *graph.Node {
	scaled := func(x *graph.Node) *graph.Node {
		if l.ScaleWeight == nil {
			return x
		}
		return graph.Mul(x, graph.BroadcastToShape(graph.ExpandLeftToRank(c.Value(l.ScaleWeight), x.Rank()), x.Shape()))
	}
	if l.mode == "dot" {
		return scaled(graph.DotGeneral(query, []int{2}, []int{0}, key, []int{2}, []int{0}))
	}
	q, k := query.Shape().Dimensions, key.Shape().Dimensions
	full := func(x *graph.Node, axis int) *graph.Node {
		return graph.BroadcastToDims(graph.InsertAxes(x, axis), q[0], q[1], k[1], q[2])
	}
	sum := graph.Add(full(query, 2), full(key, 1))
	if l.mode == "" {
		return graph.ReduceSum(scaled(graph.Tanh(sum)), -1)
	}
	y := graph.ReduceSum(graph.Tanh(scaled(sum)), -1)
	return graph.Mul(y, graph.BroadcastToShape(graph.ExpandLeftToRank(c.Value(l.ConcatScore), y.Rank()), y.Shape()))
}

// scoreMask returns which keys each query may attend to, bool in the shape of scores: those that
// values, the mask of the values [batch, steps] or nil, keeps, and with UseCausalMask only those up
// to the query. It returns nil if each query may attend to all keys.
func (l *AttentionLayer) scoreMask(values, scores *graph.Node) *graph.Node {
	var mask *graph.Node
	if values != nil {
		mask = graph.BroadcastToDims(graph.InsertAxes(values, 1), scores.Shape().Dimensions...)
	}
	if l.opts.UseCausalMask {
		shape := shapes.Make(dtypes.Int32, scores.Shape().Dimensions...)
		before := graph.GreaterOrEqual(graph.Iota(scores.Graph(), shape, 1), graph.Iota(scores.Graph(), shape, 2))
		if mask == nil {
			return before
		}
		mask = graph.LogicalAnd(mask, before)
	}
	return mask
}

// ComputeMask returns the mask of the first input, the queries, as the mask of the output; nil
// stands for none.
func (l *AttentionLayer) ComputeMask(_ *Context, _, masks []*graph.Node) []*graph.Node {
	return masks[:1]
}
