package layers

// This file defines attention: MultiHeadAttention and GroupedQueryAttention.

import (
	"fmt"
	"math"
	"slices"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/keras/activations"
	"github.com/gospmd/gospmd/keras/initializers"
	"github.com/gospmd/gospmd/keras/random"
	"github.com/gospmd/gospmd/keras/variable"
)

// attention is the part of a layer that both attention layers have. The heads of
// a group use the same keys and values; in multi-head attention a group has one
// head.
//
// The inputs are query, value, key and mask, as in Keras' call. Query, value and
// key are (batch, sequence, features). The mask is (batch, queries, values), and
// true where a query may attend to a value. Without a key it is value; a single
// input is query, value and key.
type attention struct {
	Base
	keepsMask
	heads, groups    int
	keyDim, valueDim int
	opts             options

	query, key, value, output projection
	seed                      *random.SeedGenerator
	state                     *variable.Variable
}

// projection is a linear map of features to heads or back.
type projection struct{ kernel, bias *variable.Variable }

// MultiHeadAttentionLayer makes each position of a sequence attend to those of
// another sequence, or of its own: keras.layers.MultiHeadAttention (Vaswani et
// al., 2017).
type MultiHeadAttentionLayer struct{ attention }

// MultiHeadAttention returns an attention layer with the given number of heads
// and size of their queries and keys. Options: Name, ValueDim, DropoutRate,
// UseBias, UseCausalMask, Seed, KernelInitializer, BiasInitializer, DType.
//
// An initializer that is given by name makes different numbers for each of the
// four kernels.
func MultiHeadAttention(heads, keyDim int, opts ...Option) *MultiHeadAttentionLayer {
	l := &MultiHeadAttentionLayer{}
	l.configureAttention("MultiHeadAttention", heads, heads, keyDim, opts, "ValueDim")
	return l
}

// Config returns the options, among them use_causal_mask, which is an argument
// of the call in Keras.
func (l *MultiHeadAttentionLayer) Config() (map[string]any, error) {
	config := l.config()
	config["num_heads"], config["key_dim"], config["value_dim"] = l.heads, l.keyDim, l.valueDim
	config["output_shape"], config["attention_axes"] = nil, []int{1}
	return config, nil
}

// GroupedQueryAttentionLayer is attention in which several heads of queries
// share one of keys and values: keras.layers.GroupQueryAttention (Ainslie et
// al., 2023).
type GroupedQueryAttentionLayer struct{ attention }

// GroupQueryAttention returns an attention layer with queryHeads heads for
// queries and keyValueHeads heads for keys and values, of size headDim. Options:
// Name, DropoutRate, UseBias, UseCausalMask, Seed, KernelInitializer,
// BiasInitializer, DType.
func GroupQueryAttention(headDim, queryHeads, keyValueHeads int, opts ...Option) *GroupedQueryAttentionLayer {
	l := &GroupedQueryAttentionLayer{}
	l.configureAttention("GroupQueryAttention", queryHeads, keyValueHeads, headDim, opts)
	return l
}

// Config returns the options, as MultiHeadAttentionLayer.Config does.
func (l *GroupedQueryAttentionLayer) Config() (map[string]any, error) {
	config := l.config()
	config["head_dim"], config["num_query_heads"], config["num_key_value_heads"] = l.keyDim, l.heads, l.groups
	return config, nil
}

// config returns the options that both attention layers have.
func (l *attention) config() map[string]any {
	return map[string]any{
		"dropout": l.opts.dropout, "use_bias": l.opts.useBias, "seed": l.opts.seedConfig(), "use_causal_mask": l.opts.causal,
		"kernel_initializer": l.opts.kernelInitializer, "bias_initializer": l.opts.biasInitializer,
	}
}

// configureAttention applies the options that both attention layers take, and
// those named more.
func (l *attention) configureAttention(kind string, heads, groups, keyDim int, opts []Option, more ...string) {
	l.heads, l.groups, l.keyDim = heads, groups, keyDim
	defaults := []Option{KernelInitializer("glorot_uniform"), BiasInitializer("zeros")}
	l.opts = l.configure(kind, append(defaults, opts...), append([]string{
		"Name", "DropoutRate", "UseBias", "UseCausalMask", "Seed", "KernelInitializer", "BiasInitializer", "DType"}, more...)...)
	l.valueDim = keyDim
	if l.opts.valueDim > 0 {
		l.valueDim = l.opts.valueDim
	}
	switch {
	case heads < 1 || groups < 1 || keyDim < 1:
		l.fail("%s: got %d heads in %d groups of size %d, want positive numbers", kind, heads, groups, keyDim)
	case heads%groups != 0:
		l.fail("%s: got %d query heads for %d heads of keys and values, want a multiple", kind, heads, groups)
	}
	if l.opts.dropout > 0 {
		l.seed = l.opts.seedGenerator()
	}
}

// Build makes the projections.
func (l *attention) Build(b *Builder, inputs []Spec) error {
	if len(inputs) > 4 {
		return fmt.Errorf("got %d inputs, want at most four: query, value, key, mask", len(inputs))
	}
	for i, in := range inputs[:min(3, len(inputs))] {
		if len(in.Shape) != 3 {
			return fmt.Errorf("got %s for %s, want 3 dimensions: (batch, sequence, features)", in, []string{"query", "value", "key"}[i])
		}
	}
	if len(inputs) == 4 && len(inputs[3].Shape) != 3 {
		return fmt.Errorf("got %s for the mask, want 3 dimensions: (batch, queries, values)", inputs[3])
	}
	query, value, key := inputs[0], inputs[0], inputs[0]
	if len(inputs) > 1 {
		value, key = inputs[1], inputs[1]
	}
	if len(inputs) > 2 {
		key = inputs[2]
	}
	features := query.Shape[2]
	for _, p := range []struct {
		to           *projection
		name         string
		kernel, bias []int
	}{
		{&l.query, "query", []int{features, l.heads, l.keyDim}, []int{l.heads, l.keyDim}},
		{&l.key, "key", []int{key.Shape[2], l.groups, l.keyDim}, []int{l.groups, l.keyDim}},
		{&l.value, "value", []int{value.Shape[2], l.groups, l.valueDim}, []int{l.groups, l.valueDim}},
		{&l.output, "attention_output", []int{l.heads, l.valueDim, features}, []int{features}},
	} {
		if err := l.project(b, p.to, p.name, p.kernel, p.bias); err != nil {
			return err
		}
	}
	if l.seed == nil {
		return nil
	}
	var err error
	l.state, err = b.SeedGenerator(l.seed)
	return err
}

// project makes the variables of a projection, each with its own initializer.
func (l *attention) project(b *Builder, p *projection, name string, kernel, bias []int) error {
	for _, w := range []struct {
		to     **variable.Variable
		wanted bool
		name   string
		shape  []int
		init   any
	}{
		{&p.kernel, true, "kernel", kernel, l.opts.kernelInitializerID},
		{&p.bias, l.opts.useBias, "bias", bias, l.opts.biasInitializerID},
	} {
		if !w.wanted {
			continue
		}
		init, err := initializers.Get(w.init)
		if err != nil {
			return err
		}
		if *w.to, err = b.AddWeight(name+"/"+w.name, w.shape, l.DType(), init); err != nil {
			return err
		}
	}
	return nil
}

// apply contracts the last axes of x with the first of the kernel and adds the
// bias.
func (p projection) apply(c *Context, x *graph.Node, axes ...int) *graph.Node {
	first := make([]int, len(axes))
	for i := range first {
		first[i] = i
	}
	y := graph.DotGeneral(x, axes, nil, c.Value(p.kernel), first, nil)
	if p.bias != nil {
		y = graph.Add(y, broadcastLast(c.Value(p.bias), y))
	}
	return y
}

// Call computes the attention. Comments give the dimensions of values: b batch,
// t queries, s keys and values, g groups, r heads of a group, d size of a head.
func (l *attention) Call(c *Context, inputs []*graph.Node) []*graph.Node {
	query := graph.ConvertDType(inputs[0], l.ComputeDType())
	value, key := query, query
	if len(inputs) > 1 {
		value = graph.ConvertDType(inputs[1], l.ComputeDType())
		key = value
	}
	if len(inputs) > 2 {
		key = graph.ConvertDType(inputs[2], l.ComputeDType())
	}
	q := graph.MulScalar(l.query.apply(c, query, 2), 1/math.Sqrt(float64(l.keyDim))) // b t (g r) d
	k, v := l.key.apply(c, key, 2), l.value.apply(c, value, 2)                       // b s g d
	batch, t := q.Shape().Dimensions[0], q.Shape().Dimensions[1]
	r := l.heads / l.groups
	q = graph.Reshape(q, batch, t, l.groups, r, l.keyDim)
	scores := graph.DotGeneral(q, []int{4}, []int{0, 2}, k, []int{3}, []int{0, 2}) // b g t r s
	scores = precise(scores)
	if mask := l.mask(c, inputs, scores); mask != nil {
		low := graph.BroadcastToShape(graph.Scalar(scores.Graph(), scores.DType(), lowScore(scores.DType())), scores.Shape())
		scores = graph.Where(mask, scores, low)
	}
	scores = graph.ConvertDType(activations.Softmax(scores), l.ComputeDType())
	if l.state != nil && c.Training {
		scores = l.drop(c, scores)
	}
	heads := graph.DotGeneral(scores, []int{4}, []int{0, 1}, v, []int{1}, []int{0, 2}) // b g t r d
	heads = graph.Reshape(graph.TransposeAllAxes(heads, 0, 2, 1, 3, 4), batch, t, l.heads, l.valueDim)
	return []*graph.Node{l.output.apply(c, heads, 2, 3)}
}

// mask returns where queries may attend to values, in the shape of scores, or nil
// for everywhere.
func (l *attention) mask(c *Context, inputs []*graph.Node, scores *graph.Node) *graph.Node {
	d := scores.Shape().Dimensions // b g t r s
	var mask *graph.Node
	if len(inputs) == 4 {
		if got := inputs[3].Shape().Dimensions; !slices.Equal(got, []int{d[0], d[2], d[4]}) {
			panic(fmt.Errorf("got a mask of shape %s for %d queries and %d values, want (batch, %d, %d), true where a query may look",
				ShapeText(got), d[2], d[4], d[2], d[4]))
		}
		mask = graph.ConvertDType(inputs[3], dtypes.Bool)
		mask = graph.BroadcastToDims(graph.Reshape(mask, d[0], 1, d[2], 1, d[4]), d...)
	}
	for _, m := range l.sequenceMasks(c, inputs, d) {
		if mask != nil {
			m = graph.LogicalAnd(mask, m)
		}
		mask = m
	}
	if l.opts.causal {
		shape := scores.Shape().Clone()
		shape.DType = dtypes.Int32
		causal := graph.GreaterOrEqual(graph.Iota(scores.Graph(), shape, 2), graph.Iota(scores.Graph(), shape, 4))
		if mask == nil {
			return causal
		}
		mask = graph.LogicalAnd(mask, causal)
	}
	return mask
}

// sequenceMasks returns the masks of query, value and key, in the shape of scores.
func (l *attention) sequenceMasks(c *Context, inputs []*graph.Node, d []int) (masks []*graph.Node) {
	add := func(x *graph.Node, dims ...int) {
		if m := c.Mask(x); m != nil {
			masks = append(masks, graph.BroadcastToDims(graph.Reshape(m, dims...), d...))
		}
	}
	add(inputs[0], d[0], 1, d[2], 1, 1)
	add(inputs[min(1, len(inputs)-1)], d[0], 1, 1, 1, d[4])
	if len(inputs) > 2 && inputs[2] != inputs[1] {
		add(inputs[2], d[0], 1, 1, 1, d[4])
	}
	return masks
}

// drop applies dropout to scores with Keras' order of dimensions, heads before
// queries, because the mask depends on it.
func (l *attention) drop(c *Context, scores *graph.Node) *graph.Node {
	d := scores.Shape().Dimensions // b g t r s
	key, next := random.Next(c.Value(l.state))
	c.Assign(l.state, next)
	scores = graph.Reshape(graph.TransposeAllAxes(scores, 0, 1, 3, 2, 4), d[0], l.heads, d[2], d[4])
	scores = graph.Reshape(key.Dropout(scores, l.opts.dropout), d[0], d[1], d[3], d[2], d[4])
	return graph.TransposeAllAxes(scores, 0, 1, 3, 2, 4)
}

// lowScore is the score of masked values: far below all others, but finite, so
// that a query whose values are all masked does not give NaN.
func lowScore(d dtypes.DType) float64 {
	if d == dtypes.Float16 {
		return -3e4
	}
	return -1e9
}
