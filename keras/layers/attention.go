package layers

// This file defines attention: MultiHeadAttention and GroupQueryAttention; and
// their options.

import (
	"fmt"
	"math"
	"slices"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/keras/activations"
	"github.com/gospmd/gospmd/keras/initializers"
	"github.com/gospmd/gospmd/keras/layers/internal/nodes"
	"github.com/gospmd/gospmd/keras/random"
	"github.com/gospmd/gospmd/keras/regularizers"
	"github.com/gospmd/gospmd/keras/variable"
)

// attentionClasses has the attention layers: by the name of the class in Keras, how a layer is made
// of its options.
var attentionClasses = map[string]class{
	"AdditiveAttention":   classOf(func(d declared, o *scoreOptions) Layer { return newAttention(d, o, "") }, UseScale(true)),
	"Attention":           classOf(func(d declared, o *attentionOptions) Layer { return newAttention(d, &o.scoreOptions, o.ScoreMode) }),
	"GroupQueryAttention": classOf(newGroupQueryAttention),
	"MultiHeadAttention":  classOf(newMultiHeadAttention),
}

// projectedOptions holds the options that MultiHeadAttention and GroupQueryAttention share:
// dropout, SlidingWindow (nil for none), UseGate, and the options of kernels, biases and activity.
type projectedOptions struct {
	dropOptions
	SlidingWindow *int `option:"sliding_window" want:"size"`
	UseGate       bool `option:"use_gate"`
	kernelOptions
	biasOptions
	activityOptions // of what each projection returns
}

// dropOptions holds the options that all attention layers have: DropoutRate, Seed and
// UseCausalMask.
type dropOptions struct {
	DropoutRate float64 `option:"dropout" want:"fraction"`
	seedOptions
	UseCausalMask bool `option:"use_causal_mask"`
}

// multiHeadOptions holds the options of MultiHeadAttention: the number of heads, the sizes of keys
// and values, the output shape and the axes, and those in projectedOptions.
type multiHeadOptions struct {
	NumHeads      int       `argument:"num_heads" want:"size"`
	KeyDim        int       `argument:"key_dim" want:"size"`
	ValueDim      int       `option:"value_dim" want:"size"` // 0 for KeyDim
	OutputShape   openShape `option:"output_shape"`          // nil for the features of the query
	AttentionAxes []int     `option:"attention_axes"`
	projectedOptions
}

// groupQueryOptions holds the options of GroupQueryAttention: the size of a head, the numbers of
// heads of queries and of keys and values, and those in projectedOptions.
type groupQueryOptions struct {
	HeadDim          int `argument:"head_dim" want:"size"`
	NumQueryHeads    int `argument:"num_query_heads" want:"size"`
	NumKeyValueHeads int `argument:"num_key_value_heads" want:"size"`
	projectedOptions
}

// ValueDim sets the size of the values of each head of a MultiHeadAttention. By default it is that
// of the keys. A size below 1 is an error.
func ValueDim(n int) Option { return set("ValueDim", n) }

// DropoutRate sets the probability that a layer drops an element while training: a weight of a
// value in attention layers, and a feature of the input in recurrent ones, which drop the same in
// all steps. It is 0 by default. A number outside [0, 1] is an error.
func DropoutRate(rate float64) Option { return set("DropoutRate", rate) }

// UseCausalMask makes each position attend only to itself and to earlier positions, in all
// attention layers. By default they attend to later ones too. In Keras it is an argument of the
// call.
func UseCausalMask() Option { return set("UseCausalMask", true) }

// attention is the common part of both attention layers. The heads of a group use the same keys and
// values. In MultiHeadAttention each group has one head.
//
// The inputs are query, value, key and mask, as in Keras' call. Query, value and key are (batch,
// sequence, features). Without a key the value is the key; a single input is all three. The mask is
// true where a query may attend to a value. Its shape is (batch, queries, values), (batch, heads,
// queries, values) or (queries, values); a dimension may be 1.
type attention struct {
	declared
	keepsMask
	opts             *projectedOptions
	outputShape      []int // nil for the features of the query
	heads, groups    int
	keyDim, valueDim int

	query, key, value, gate, output projection
	penalty                         *regularizers.Regularizer // of what each projection returns
	seed                            *random.SeedGenerator
	state                           *variable.Variable
}

// projection holds the variables of a linear map from features to heads, or from heads to features.
// bias is nil without UseBias.
type projection struct{ kernel, bias *variable.Variable }

// MultiHeadAttentionLayer makes each position of a sequence attend to the positions of another
// sequence or of the same one: keras.layers.MultiHeadAttention (Vaswani et al., 2017).
type MultiHeadAttentionLayer struct{ attention }

// MultiHeadAttention returns an attention layer with the given number of heads
// and size of their queries and keys. It is applied to query, value, key and mask, in this order,
// as Keras' layer is called:
//
//	y := layers.Apply(layers.MultiHeadAttention(8, 64), query, value)
//
// Query, value and key are (batch, sequence, features). Without a key it is value; a single
// input is all three. The mask is true where a query may attend to a value: (batch, queries,
// values), with the heads (batch, heads, queries, values), or (queries, values), where dimensions
// may be 1. The output is (batch, queries, features of the query), unless OutputShape says
// otherwise. Options: Name, ValueDim, OutputShape, AttentionAxes,
// SlidingWindow, UseGate, DropoutRate, UseBias, UseCausalMask, Seed, KernelInitializer,
// BiasInitializer, KernelRegularizer, BiasRegularizer, ActivityRegularizer (of each
// projection, as in Keras), KernelConstraint, BiasConstraint, DType.
//
// An initializer without a seed makes different numbers for each kernel.
func MultiHeadAttention(heads, keyDim int, opts ...Option) *MultiHeadAttentionLayer {
	return declare[*MultiHeadAttentionLayer]("MultiHeadAttention", []Option{set("NumHeads", heads), set("KeyDim", keyDim)}, opts)
}

func newMultiHeadAttention(d declared, o *multiHeadOptions) Layer {
	if o.ValueDim == 0 {
		o.ValueDim = o.KeyDim
	}
	if axes := o.AttentionAxes; axes == nil || slices.Equal(axes, []int{-2}) {
		o.AttentionAxes = []int{1}
	} else if !slices.Equal(axes, []int{1}) {
		d.fail("MultiHeadAttention: got the attention axes %v, want 1, attention along a sequence", axes)
	}
	d.activity = nil // that of the projections
	l := attention{heads: o.NumHeads, groups: o.NumHeads, keyDim: o.KeyDim, valueDim: o.ValueDim, outputShape: o.OutputShape}
	l.start(d, &o.projectedOptions)
	return &MultiHeadAttentionLayer{l}
}

// OutputShape sets the shape of the features of MultiHeadAttention's output. By default it is that
// of the query's features.
func OutputShape(dims ...int) Option { return set("OutputShape", dims) }

// AttentionAxes sets the dimensions that MultiHeadAttention attends along. Only 1, the sequence,
// which is also -2, is supported; others are errors.
func AttentionAxes(axes ...int) Option { return set("AttentionAxes", axes) }

// SlidingWindow makes each position of a MultiHeadAttention or GroupQueryAttention attend only to
// positions at a distance below n, on both sides. By default there is no limit. An n below 1 is an
// error.
func SlidingWindow(n int) Option { return set("SlidingWindow", n) }

// UseGate makes MultiHeadAttention and GroupQueryAttention multiply the output of the heads by the
// sigmoid of a projection of the query. By default there is no gate.
func UseGate() Option { return set("UseGate", true) }

// GroupedQueryAttentionLayer is attention in which several heads of queries share one head of keys
// and values: keras.layers.GroupQueryAttention (Ainslie et al., 2023).
type GroupedQueryAttentionLayer struct{ attention }

// GroupQueryAttention returns an attention layer with queryHeads heads for queries and
// keyValueHeads heads for keys and values, which must divide queryHeads. Each head has size
// headDim. The inputs are those of MultiHeadAttention. Options: those of MultiHeadAttention except
// ValueDim, OutputShape and AttentionAxes.
func GroupQueryAttention(headDim, queryHeads, keyValueHeads int, opts ...Option) *GroupedQueryAttentionLayer {
	return declare[*GroupedQueryAttentionLayer]("GroupQueryAttention",
		[]Option{set("HeadDim", headDim), set("NumQueryHeads", queryHeads), set("NumKeyValueHeads", keyValueHeads)}, opts)
}

func newGroupQueryAttention(d declared, o *groupQueryOptions) Layer {
	if d.err == nil && o.NumQueryHeads%o.NumKeyValueHeads != 0 {
		d.fail("GroupQueryAttention: got %d query heads for %d heads of keys and values, want a multiple", o.NumQueryHeads, o.NumKeyValueHeads)
	}
	d.class = "GroupedQueryAttention" // Keras' name of the class, from which automatic names come
	l := attention{heads: o.NumQueryHeads, groups: o.NumKeyValueHeads, keyDim: o.HeadDim, valueDim: o.HeadDim}
	l.start(d, &o.projectedOptions)
	return &GroupedQueryAttentionLayer{l}
}

// start stores the declaration d and the options o in the layer that is made, and takes from o the
// activity regularizer, which penalizes the results of the projections.
func (l *attention) start(d declared, o *projectedOptions) {
	l.declared, l.opts, l.penalty = d, o, o.activity()
}

// Build makes the variables of the projections of query, key, value and output and, with UseGate,
// of the gate; with a DropoutRate also the state of a seed generator. inputs are one to four, in
// the order query, value, key, mask. Query, value and key are [batch, sequence, features]; the mask
// has 2 to 4 dimensions. Other inputs are errors.
func (l *attention) Build(b *Builder, inputs []Spec) error {
	if len(inputs) > 4 {
		return fmt.Errorf("got %d inputs, want at most four: query, value, key, mask", len(inputs))
	}
	for i, in := range inputs[:min(3, len(inputs))] {
		if len(in.Shape) != 3 {
			return fmt.Errorf("got %s for %s, want 3 dimensions: (batch, sequence, features)", in, []string{"query", "value", "key"}[i])
		}
	}
	if len(inputs) == 4 && (len(inputs[3].Shape) < 2 || len(inputs[3].Shape) > 4) {
		return fmt.Errorf("got %s for the mask, want %s", inputs[3], maskShapes)
	}
	query, value, key := inputs[0], inputs[0], inputs[0]
	if len(inputs) > 1 {
		value, key = inputs[1], inputs[1]
	}
	if len(inputs) > 2 {
		key = inputs[2]
	}
	features, out := query.Shape[2], l.outputShape
	if out == nil {
		out = []int{features}
	}
	for _, p := range []struct {
		to     *projection
		wanted bool
		name   string
		kernel []int
		inputs int // how many dimensions of the kernel are of the input
	}{
		{&l.query, true, "query", []int{features, l.heads, l.keyDim}, 1},
		{&l.key, true, "key", []int{key.Shape[2], l.groups, l.keyDim}, 1},
		{&l.gate, l.opts.UseGate, "gate", []int{features, l.heads, l.valueDim}, 1},
		{&l.value, true, "value", []int{value.Shape[2], l.groups, l.valueDim}, 1},
		{&l.output, true, "attention_output", append([]int{l.heads, l.valueDim}, out...), 2},
	} {
		if !p.wanted {
			continue
		}
		if p.to == &l.output && l.opts.DropoutRate > 0 { // as late as in Keras: it draws a seed, as initializers do
			l.seed = l.opts.generator()
		}
		if err := l.project(b, p.to, p.name, p.kernel, p.kernel[p.inputs:]); err != nil {
			return err
		}
	}
	if l.seed == nil {
		return nil
	}
	var err error
	l.state, err = b.ownSeedGenerator(l.seed)
	return err
}

// project makes the variables of the projection p: a kernel and, unless UseBias is false, a bias,
// of these shapes and with paths that begin with name.
func (l *attention) project(b *Builder, p *projection, name string, kernel, bias []int) (err error) {
	p.kernel, err = b.AddWeight(name+"/kernel", kernel, l.DType(), initializers.Clone(l.opts.Kernel.Initializer.Initializer), l.opts.Kernel.limits()...)
	if err == nil && l.opts.UseBias {
		p.bias, err = b.AddWeight(name+"/bias", bias, l.DType(), initializers.Clone(l.opts.Bias.Initializer.Initializer), l.opts.Bias.limits()...)
	}
	return err
}

// apply returns the projection p of x: it sums over axes of x and the first dimensions of the
// kernel, and adds the bias. For the gate it returns the sigmoid of that. It adds the penalty of
// the activity regularizer to the loss.
func (l *attention) apply(c *Context, p projection, x *graph.Node, axes ...int) *graph.Node {
	first := make([]int, len(axes))
	for i := range first {
		first[i] = i
	}
	y := graph.DotGeneral(x, axes, nil, c.Value(p.kernel), first, nil)
	if p.bias != nil {
		y = graph.Add(y, nodes.BroadcastLast(c.Value(p.bias), y))
	}
	if p == l.gate {
		y = graph.Sigmoid(y)
	}
	c.penalize(l.penalty, y)
	return y
}

// Call returns one node, the output of the attention, of the query's shape unless OutputShape says
// otherwise. While training with a DropoutRate it drops weights, and stores the next state of the
// seed. The comments in it name the dimensions of values: b batch, t queries, s keys and values, g
// groups, r heads of a group, d size of a head.
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
	// b t (g r) d
	q := graph.MulScalar(l.apply(c, l.query, query, 2), 1/math.Sqrt(float64(l.keyDim)))
	k, v := l.apply(c, l.key, key, 2), l.apply(c, l.value, value, 2) // b s g d
	batch, t := q.Shape().Dimensions[0], q.Shape().Dimensions[1]
	r := l.heads / l.groups
	q = graph.Reshape(q, batch, t, l.groups, r, l.keyDim)
	scores := graph.DotGeneral(q, []int{4}, []int{0, 2}, k, []int{3}, []int{0, 2}) // b g t r s
	scores = nodes.Precise(scores)
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
	if l.opts.UseGate {
		heads = graph.Mul(heads, l.apply(c, l.gate, query, 2))
	}
	return []*graph.Node{l.apply(c, l.output, heads, 2, 3)}
}

// mask returns where queries may attend to values, bool in the shape of scores, [b, g, t, r, s]. It
// combines the input mask, the masks of the sequences and those of UseCausalMask and SlidingWindow.
// It returns nil if every query may attend to every value.
func (l *attention) mask(c *Context, inputs []*graph.Node, scores *graph.Node) *graph.Node {
	d := scores.Shape().Dimensions // b g t r s
	var mask *graph.Node
	if len(inputs) == 4 {
		mask = givenMask(inputs[3], d)
	}
	for _, m := range l.sequenceMasks(c, inputs, d) {
		if mask != nil {
			m = graph.LogicalAnd(mask, m)
		}
		mask = m
	}
	for _, m := range l.positionMasks(scores) {
		if mask != nil {
			m = graph.LogicalAnd(mask, m)
		}
		mask = m
	}
	return mask
}

// maskShapes lists the allowed shapes of the input mask, for errors.
const maskShapes = "(batch, queries, values), (batch, heads, queries, values) or (queries, values), in which dimensions may be 1"

// givenMask returns mask, the fourth input, as bool in the shape d of the scores: b g t r s. It
// panics unless the mask has one of maskShapes.
func givenMask(mask *graph.Node, d []int) *graph.Node {
	got := mask.Shape().Dimensions
	full := got // batch, heads, queries, values
	switch len(got) {
	case 2:
		full = []int{1, 1, got[0], got[1]}
	case 3:
		full = []int{got[0], 1, got[1], got[2]}
	}
	for i, want := range []int{d[0], d[1] * d[3], d[2], d[4]} {
		if full[i] != want && full[i] != 1 {
			panic(fmt.Errorf("got a mask of shape %s for a batch of %d, %d heads, %d queries and %d values, want %s; true where a query may look",
				ShapeText(got), d[0], d[1]*d[3], d[2], d[4], maskShapes))
		}
	}
	groups, each := d[1], d[3]
	if full[1] == 1 {
		groups, each = 1, 1
	}
	mask = graph.Reshape(graph.ConvertDType(mask, dtypes.Bool), full[0], groups, each, full[2], full[3])
	return graph.BroadcastToDims(graph.TransposeAllAxes(mask, 0, 1, 3, 2, 4), d...)
}

// positionMasks returns the masks that depend only on the positions of query and value, those of
// UseCausalMask and SlidingWindow, with the shape of scores: true where the query may see the
// value. Without these options there are none.
func (l *attention) positionMasks(scores *graph.Node) (masks []*graph.Node) {
	shape := scores.Shape().Clone()
	shape.DType = dtypes.Int32
	query, value := graph.Iota(scores.Graph(), shape, 2), graph.Iota(scores.Graph(), shape, 4)
	if l.opts.UseCausalMask {
		masks = append(masks, graph.GreaterOrEqual(query, value))
	}
	if n := l.opts.SlidingWindow; n != nil {
		distance := graph.Abs(graph.Sub(query, value))
		masks = append(masks, graph.LessThan(distance, nodes.Like(distance, float64(*n))))
	}
	return masks
}

// sequenceMasks returns the masks that the query, the value and the key carry, if any, broadcast to
// the shape of the scores, d: b g t r s.
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

// drop applies dropout to scores, [b, g, t, r, s], and stores the next state of the seed. It draws
// the random mask in Keras' order of dimensions, heads before queries, so that the numbers are
// Keras'.
func (l *attention) drop(c *Context, scores *graph.Node) *graph.Node {
	d := scores.Shape().Dimensions // b g t r s
	key, next := random.Next(c.Value(l.state))
	c.Assign(l.state, next)
	scores = graph.Reshape(graph.TransposeAllAxes(scores, 0, 1, 3, 2, 4), d[0], l.heads, d[2], d[4])
	scores = graph.Reshape(key.Dropout(scores, l.opts.DropoutRate), d[0], d[1], d[3], d[2], d[4])
	return graph.TransposeAllAxes(scores, 0, 1, 3, 2, 4)
}

// lowScore returns the score of masked values in type d: -3e4 for float16, otherwise -1e9. It is
// far below all others, but finite: if all values of a query are masked, the result is not NaN.
func lowScore(d dtypes.DType) float64 {
	if d == dtypes.Float16 {
		return -3e4
	}
	return -1e9
}
