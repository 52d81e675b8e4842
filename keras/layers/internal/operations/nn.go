package operations

// This file computes operations of networks: convolutions, poolings, normalizations, losses,
// attention. Tensors are channels last.

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/keras/activations"
	"github.com/gospmd/gospmd/keras/layers/internal/nodes"
)

// channelsLastOnly panics if the attribute data_format is given and is not channels_last.
func (o operands) channelsLastOnly() {
	if format := o.attrs["data_format"]; format != nil && format != channelsLast {
		panic(fmt.Errorf("got data_format %v, want %s: move the axes before", format, channelsLast))
	}
}

// spread returns the attribute key as one number for each of rank dimensions: a single number is
// repeated, and ones stand for a missing attribute. It panics for another number of them.
func (o operands) spread(key string, rank int) []int {
	ns := o.ints(key)
	switch {
	case ns == nil:
		return slices.Repeat([]int{1}, rank)
	case len(ns) == 1:
		return slices.Repeat(ns, rank)
	case len(ns) != rank:
		panic(fmt.Errorf("got %s %v, want one number, or one for each of the %d dimensions", key, ns, rank))
	}
	return ns
}

// window returns the window of a convolution or pooling over x, with this size and the attributes
// strides, dilation_rate and padding. A size of one number is repeated. It panics if x has not one
// to three spatial dimensions, if size has another number of them, if both strides and dilation are
// above 1, and for a padding or data_format that it does not know.
func (o operands) window(x *graph.Node, size []int) nodes.Window {
	o.channelsLastOnly()
	rank := x.Rank() - 2
	if rank < 1 || rank > 3 {
		panic(fmt.Errorf("got %s, want (batch, one to three spatial dimensions, channels)", x.Shape()))
	}
	if len(size) == 1 {
		size = slices.Repeat(size, rank)
	}
	w := nodes.Window{Size: size, Strides: o.spread("strides", rank), Dilation: o.spread("dilation_rate", rank)}
	w.Pad, _ = o.attrs["padding"].(string)
	w.Pad = strings.ToLower(w.Pad)
	if w.Pad != "valid" && w.Pad != "same" {
		panic(fmt.Errorf("got padding %q, want valid or same", w.Pad))
	}
	if len(size) != rank {
		panic(fmt.Errorf("got a window %v for %d spatial dimensions", size, rank))
	}
	if err := w.CheckStrides(); err != nil {
		panic(err)
	}
	return w
}

// kernel returns the arguments x and kernel of a convolution, as floats of one type, and the
// window. It panics if their ranks differ.
func (o operands) kernel() (x, kernel *graph.Node, w nodes.Window) {
	xs := o.promotedTensors()
	x, kernel = fractions(xs[0]), fractions(xs[1])
	if kernel.Rank() != x.Rank() {
		panic(fmt.Errorf("got a kernel %s for %s, want one of %d dimensions", kernel.Shape(), x.Shape(), x.Rank()))
	}
	return x, kernel, o.window(x, kernel.Shape().Dimensions[:x.Rank()-2])
}

func convolve(o operands) *graph.Node {
	x, kernel, w := o.kernel()
	channels, of := x.Shape().Dim(-1), kernel.Shape().Dim(-2)
	if of == 0 || channels%of != 0 {
		panic(fmt.Errorf("got %d channels for a kernel of %d, want a multiple", channels, of))
	}
	return w.Convolve(x, kernel, channels/of)
}

func convolveTransposed(o operands) *graph.Node {
	x, kernel, w := o.kernel()
	var more []int
	if o.attrs["output_padding"] != nil {
		more = o.spread("output_padding", len(w.Size))
	}
	return w.ConvolveTransposed(x, kernel, more)
}

func convolvedDepthwise(o operands) *graph.Node {
	x, kernel, w := o.kernel()
	return w.Depthwise(x, kernel)
}

func convolvedSeparably(o operands) *graph.Node {
	x, kernel, w := o.kernel()
	return graph.ConvGeneral(w.Depthwise(x, kernel), graph.ConvertDType(o.tensor(2), x.DType()), nodes.ConvAxes(len(w.Size)), nil, nil, nil, nil, 1, 1)
}

// pool returns a pooling operation: reduce reduces each window of x, with integers and booleans
// converted to float32. The attributes are pool_size, strides (the pool size by default), padding
// and data_format.
func pool(reduce func(w nodes.Window, x *graph.Node) *graph.Node) func(o operands) *graph.Node {
	return func(o operands) *graph.Node {
		x := fractions(o.tensor(0))
		size := o.spread("pool_size", x.Rank()-2)
		w := o.window(x, size)
		if o.attrs["strides"] == nil {
			w.Strides = size
		}
		return reduce(w, x)
	}
}

func poolAdaptively(reduce func(x *graph.Node, axis int, windows [][2]int) *graph.Node) func(o operands) *graph.Node {
	return func(o operands) *graph.Node {
		o.channelsLastOnly()
		x := fractions(o.tensor(0))
		return nodes.PoolAdaptively(x, o.spread("output_size", x.Rank()-2), reduce)
	}
}

// given returns argument i, an optional tensor, converted to the type of x; nil if it is not given.
func (o operands) given(i int, x *graph.Node) *graph.Node {
	if i >= len(o.args) || o.args[i] == nil {
		return nil
	}
	return graph.ConvertDType(o.tensor(i), x.DType())
}

// normalizeBatch returns x normalized along the attribute axis with the mean, operand 1, and the
// variance, operand 2, plus the attribute epsilon; then times the scale (operand 4) and plus the
// offset (operand 3), if they are given.
func normalizeBatch(o operands) *graph.Node {
	x := fractions(o.tensor(0))
	axes := []int{o.axis(x.Rank())}
	on := func(v *graph.Node) *graph.Node { return graph.BroadcastToShape(nodes.OnAxes(v, x, axes), x.Shape()) }
	inverse := graph.Rsqrt(graph.AddScalar(o.given(2, x), number(o.attrs["epsilon"])))
	if scale := o.given(4, x); scale != nil {
		inverse = graph.Mul(inverse, scale)
	}
	rest := graph.Neg(graph.Mul(o.given(1, x), inverse))
	if offset := o.given(3, x); offset != nil {
		rest = graph.Add(rest, offset)
	}
	return graph.Add(graph.Mul(x, on(inverse)), on(rest))
}

// epsilon returns the attribute epsilon, or Keras' 1e-7 if it is not given.
func (o operands) epsilon() float64 {
	if v := o.attrs["epsilon"]; v != nil {
		return number(v)
	}
	return 1e-7
}

// normalizeLayer returns x normalized to mean 0 and variance 1 over the attribute axis, by default
// all axes, times gamma plus beta, operands 1 and 2, if they are given. It adds the attribute
// epsilon, by default 1e-7, to the variance. It computes in at least f32, and returns x's type. The
// attribute rms_scaling, if true, is a panic.
func normalizeLayer(o operands) *graph.Node {
	if o.attrs["rms_scaling"] == true {
		panic(errors.New("got rms_scaling, which Keras is to remove, want rms_normalization"))
	}
	given := fractions(o.tensor(0))
	x := nodes.Precise(given)
	axes := o.axes(x.Rank())
	mean, variance := nodes.Moments(x, axes)
	on := func(v *graph.Node) *graph.Node { return graph.BroadcastToShape(v, x.Shape()) }
	inverse := on(graph.Rsqrt(graph.AddScalar(variance, o.epsilon())))
	rest := graph.Neg(graph.Mul(on(mean), inverse))
	if gamma := o.given(1, x); gamma != nil {
		gamma = on(nodes.OnAxes(gamma, x, axes))
		inverse, rest = graph.Mul(inverse, gamma), graph.Mul(rest, gamma)
	}
	if beta := o.given(2, x); beta != nil {
		rest = graph.Add(rest, on(nodes.OnAxes(beta, x, axes)))
	}
	return graph.ConvertDType(graph.Add(graph.Mul(x, inverse), rest), given.DType())
}

// normalizeRMS is the operation rms_normalization: it divides x by its root mean square over the
// attribute axis, by default all axes, and multiplies it by argument 1, the scale, if that is
// given. It adds the attribute epsilon, by default 1e-7, to the mean square.
func normalizeRMS(o operands) *graph.Node {
	given := fractions(o.tensor(0))
	x := nodes.Precise(given)
	axes := o.axes(x.Rank())
	square := graph.ReduceAndKeep(graph.Square(x), graph.ReduceMean, axes...)
	y := graph.Mul(x, graph.BroadcastToShape(graph.Rsqrt(graph.AddScalar(square, o.epsilon())), x.Shape()))
	if scale := o.given(1, x); scale != nil {
		y = graph.Mul(y, graph.BroadcastToShape(nodes.OnAxes(scale, x, axes), x.Shape()))
	}
	return graph.ConvertDType(y, given.DType())
}

// clippedProbability returns the probabilities p clipped to [1e-7, 1-1e-7], so that their
// logarithms are finite. At the bounds it halves the gradient, as jnp.clip does.
func clippedProbability(p *graph.Node) *graph.Node {
	return graph.Min(graph.Max(p, nodes.Like(p, 1e-7)), nodes.Like(p, 1-1e-7))
}

// truths returns the target and the output of a loss, arguments 0 and 1, in the type of the output.
// It panics if their shapes differ.
func (o operands) truths() (target, output *graph.Node) {
	output = fractions(o.tensor(1))
	target = graph.ConvertDType(o.tensor(0), output.DType())
	if !slices.Equal(target.Shape().Dimensions, output.Shape().Dimensions) {
		panic(fmt.Errorf("got a target %s and an output %s, want equal shapes", target.Shape(), output.Shape()))
	}
	return target, output
}

func binaryEntropy(o operands) *graph.Node {
	target, output := o.truths()
	if o.attrs["from_logits"] == true {
		positive := graph.Mul(target, activations.LogSigmoid(output))
		return graph.Neg(graph.Add(positive, graph.Mul(graph.OneMinus(target), activations.LogSigmoid(graph.Neg(output)))))
	}
	p := clippedProbability(output)
	return graph.Neg(graph.Add(graph.Mul(target, graph.Log(p)), graph.Mul(graph.OneMinus(target), graph.Log(graph.OneMinus(p)))))
}

// logProbabilities returns the logarithms of the probabilities of classes along an axis. x holds
// logits if the attribute from_logits is true, and otherwise probabilities, which are divided by
// their sum.
func (o operands) logProbabilities(x *graph.Node, axis int) *graph.Node {
	if o.attrs["from_logits"] == true {
		return logSoftmax(x, axis)
	}
	sum := graph.BroadcastToShape(graph.ReduceAndKeep(x, graph.ReduceSum, axis), x.Shape())
	return graph.Log(clippedProbability(graph.Div(x, sum)))
}

func categoricalEntropy(o operands) *graph.Node {
	target, output := o.truths()
	axis := o.axis(output.Rank())
	return graph.Neg(graph.ReduceSum(graph.Mul(target, o.logProbabilities(output, axis)), axis))
}

func sparseEntropy(o operands) *graph.Node {
	target, output := graph.ConvertDType(o.tensor(0), dtypes.Int32), fractions(o.tensor(1))
	if target.Rank() == output.Rank() && target.Shape().Dim(-1) == 1 {
		target = graph.Squeeze(target, target.Rank()-1)
	}
	axis := o.axis(output.Rank())
	log := o.logProbabilities(output, axis)
	shape := log.Shape().Clone()
	shape.DType = dtypes.Int32
	classes := graph.Iota(o.g, shape, axis)
	is := graph.Equal(graph.BroadcastToShape(graph.InsertAxes(target, axis), shape), classes)
	return graph.Neg(graph.ReduceSum(graph.Where(is, log, graph.ZerosLike(log)), axis))
}

// logZero stands for the logarithm of 0 in CTC, as in Keras.
const logZero = -1e5

// temporalLoss is the operation ctc_loss: the CTC loss of sequences without alignment, one number
// for each sample. The arguments are labels [batch, labels], logits [batch, steps, classes], and
// the lengths of both; other ranks panic. The attribute mask_index is the class of blanks. It
// follows optax.ctc_loss_with_forward_probs, as Keras on JAX does.
func temporalLoss(o operands) *graph.Node {
	labels, logits := graph.ConvertDType(o.tensor(0), dtypes.Int32), fractions(o.tensor(1))
	labelLengths, lengths := graph.ConvertDType(o.tensor(2), dtypes.Int32), graph.ConvertDType(o.tensor(3), dtypes.Int32)
	if labels.Rank() != 2 || logits.Rank() != 3 {
		panic(fmt.Errorf("got targets %s and outputs %s, want (batch, labels) and (batch, steps, classes)", labels.Shape(), logits.Shape()))
	}
	batch, n, steps, classes := labels.Shape().Dim(0), labels.Shape().Dim(1), logits.Shape().Dim(1), logits.Shape().Dim(2)
	blankClass := int(number(o.attrs["mask_index"]))
	logP := logSoftmax(logits, 2)
	emitted := graph.Einsum("btk,bnk->btn", logP, graph.OneHot(labels, classes, logP.DType()))
	blank := graph.SliceAxis(logP, 2, graph.AxisElem(blankClass))
	columns := func(x *graph.Node, from, to int) *graph.Node { return graph.SliceAxis(x, 1, graph.AxisRange(from, to)) }

	same := graph.ConvertDType(graph.Equal(columns(labels, 0, n-1), columns(labels, 1, n)), logP.DType())
	repeat := padAxis(same, 1, 0, 1, "constant", 0)
	forbidRepeat, forbidOther := graph.MulScalar(repeat, logZero), graph.MulScalar(graph.OneMinus(repeat), logZero)
	added := func(phi, more *graph.Node) *graph.Node {
		return graph.Concatenate([]*graph.Node{columns(phi, 0, 1), logaddexp(columns(phi, 1, n+1), more)}, 1)
	}
	emit := nodes.Like(repeat, logZero)
	phi := graph.Concatenate([]*graph.Node{graph.ZerosLike(columns(emit, 0, 1)), emit}, 1)
	for t := range steps {
		at := func(x *graph.Node) *graph.Node { return graph.Squeeze(graph.SliceAxis(x, 1, graph.AxisElem(t)), 1) }
		e, b := at(emitted), graph.BroadcastToDims(at(blank), batch, n+1)
		before := added(phi, graph.Add(emit, forbidRepeat))
		nextEmit := logaddexp(graph.Add(columns(before, 0, n), e), graph.Add(emit, e))
		nextPhi := added(graph.Add(before, b), graph.Add(graph.Add(emit, columns(b, 0, n)), forbidOther))
		over := graph.LessOrEqual(lengths, graph.Scalar(o.g, dtypes.Int32, t))
		stays := func(old, next *graph.Node) *graph.Node {
			return graph.Where(graph.BroadcastToDims(graph.InsertAxes(over, -1), next.Shape().Dimensions...), old, next)
		}
		phi, emit = stays(phi, nextPhi), stays(emit, nextEmit)
	}
	last := graph.OneHot(labelLengths, n+1, logP.DType())
	return graph.Neg(graph.ReduceSum(graph.Mul(added(phi, emit), last), 1))
}

// decodeTemporal is the operation ctc_decode: it takes the most probable class of each step of
// logits [batch, steps, classes], and removes blanks, and repetitions if the attribute
// merge_repeated is true. The result is [1, batch, steps]; unused positions at the end hold -1. The
// second result, [batch, 1], is minus the sum of the largest logits. Steps from the lengths,
// argument 1, on do not count. Blanks are the class of the attribute mask_index, by default the
// last one. A strategy other than greedy panics.
func decodeTemporal(o operands) []*graph.Node {
	x, lengths := fractions(o.tensor(0)), graph.ConvertDType(o.tensor(1), dtypes.Int32)
	if s := o.attrs["strategy"]; s != "greedy" {
		panic(fmt.Errorf("got strategy %v, want greedy: beam search is not here", s))
	}
	if x.Rank() != 3 {
		panic(fmt.Errorf("got %s, want (batch, steps, classes)", x.Shape()))
	}
	steps, classes := x.Shape().Dim(1), x.Shape().Dim(2)
	blank := classes - 1
	if v := o.attrs["mask_index"]; v != nil {
		blank = int(number(v))
	}
	indices, scores := graph.ArgMax(x, 2, dtypes.Int32), graph.ReduceMax(x, 2)
	over := graph.GreaterOrEqual(positions(indices, 1), graph.BroadcastToShape(graph.InsertAxes(lengths, -1), indices.Shape()))
	none := nodes.Like(indices, float64(blank))
	indices = graph.Where(over, none, indices)
	scores = graph.Where(over, graph.ZerosLike(scores), scores)
	if o.attrs["merge_repeated"] == true && steps > 1 {
		same := graph.Equal(graph.SliceAxis(indices, 1, graph.AxisRange(1)), graph.SliceAxis(indices, 1, graph.AxisRange(0, steps-1)))
		first := graph.Zeros(o.g, shapes.Make(dtypes.Bool, x.Shape().Dim(0), 1))
		indices = graph.Where(graph.Concatenate([]*graph.Node{first, same}, 1), none, indices)
	}
	invalid := graph.Equal(indices, none)
	indices = graph.Where(invalid, nodes.Like(indices, -1), indices)
	at := graph.Where(invalid, nodes.Like(indices, float64(steps)), positions(indices, 1))
	indices = pick(indices, order(at, 1, false), 1)
	return []*graph.Node{graph.InsertAxes(indices, 0), graph.Neg(graph.InsertAxes(graph.ReduceSum(scores, 1), -1))}
}

// attend is attention of queries (batch, steps, heads, size) to keys and values. Keys and values
// have as many heads as queries, or fewer: then several heads of the queries share one. Arguments 3
// to 5, which may be nil, are a bias, a mask (false for keys that do not count) and a scale, by
// default 1/√size. With the attribute is_causal, queries ignore later keys. Other ranks and numbers
// of heads, and the attribute attn_logits_soft_cap, panic.
func attend(o operands) *graph.Node {
	q, k, v := fractions(o.tensor(0)), fractions(o.tensor(1)), fractions(o.tensor(2))
	if o.attrs["attn_logits_soft_cap"] != nil {
		panic(fmt.Errorf("got attn_logits_soft_cap, which Keras has for TPUs only: leave it out"))
	}
	if q.Rank() != 4 || k.Rank() != 4 || v.Rank() != 4 {
		panic(fmt.Errorf("got query %s, key %s, value %s, want (batch, steps, heads, size)", q.Shape(), k.Shape(), v.Shape()))
	}
	heads, shared := q.Shape().Dim(2), k.Shape().Dim(2)
	if shared == 0 || heads%shared != 0 {
		panic(fmt.Errorf("got %d heads of the query and %d of the key, want a multiple", heads, shared))
	}
	k, v = nodes.Repeat(k, 2, heads/shared), nodes.Repeat(v, 2, heads/shared)
	scale := 1 / math.Sqrt(float64(q.Shape().Dim(3)))
	if len(o.args) > 5 && o.args[5] != nil {
		scale = number(o.args[5])
	}
	scores := graph.MulScalar(graph.Einsum("btnh,bsnh->bnts", nodes.Precise(q), nodes.Precise(k)), scale)
	full := func(x *graph.Node) *graph.Node {
		for x.Rank() < 4 {
			if x.Rank() == 3 && x.Shape().Dim(1) == heads {
				x = graph.InsertAxes(x, 2)
			} else {
				x = graph.InsertAxes(x, min(1, x.Rank()))
			}
		}
		return graph.BroadcastToDims(x, scores.Shape().Dimensions...)
	}
	if bias := o.given(3, scores); bias != nil {
		scores = graph.Add(scores, full(bias))
	}
	low := nodes.Like(scores, -0.7*math.MaxFloat32)
	if len(o.args) > 4 && o.args[4] != nil {
		scores = graph.Where(full(truth(o.tensor(4))), scores, low)
	}
	if o.attrs["is_causal"] == true {
		scores = graph.Where(graph.GreaterOrEqual(positions(scores, 2), positions(scores, 3)), scores, low)
	}
	return graph.Einsum("bnts,bsnh->btnh", graph.ConvertDType(softmax(scores, 3), v.DType()), v)
}

// blockSize returns the operand x, images [batch, height, width, channels], and the attribute
// block_size, at least 2. It panics for others.
func (o operands) blockSize() (x *graph.Node, b int) {
	x, b = o.tensor(0), int(number(o.attrs["block_size"]))
	o.channelsLastOnly()
	if x.Rank() != 4 || b < 2 {
		panic(fmt.Errorf("got %s and block_size %v, want (batch, height, width, channels) and at least 2", x.Shape(), o.attrs["block_size"]))
	}
	return x, b
}

// depthToSpace is the operation depth_to_space: it moves channels into blocks of block_size by
// block_size pixels. Channels that block_size² does not divide panic. spaceToDepth is its inverse.
func depthToSpace(o operands) *graph.Node {
	x, b := o.blockSize()
	d := x.Shape().Dimensions
	if d[3]%(b*b) != 0 {
		panic(fmt.Errorf("got %d channels, want a multiple of %d", d[3], b*b))
	}
	c := d[3] / (b * b)
	x = graph.TransposeAllAxes(graph.Reshape(x, d[0], d[1], d[2], b, b, c), 0, 1, 3, 2, 4, 5)
	return graph.Reshape(x, d[0], d[1]*b, d[2]*b, c)
}

func spaceToDepth(o operands) *graph.Node {
	x, b := o.blockSize()
	d := x.Shape().Dimensions
	if d[1]%b != 0 || d[2]%b != 0 {
		panic(fmt.Errorf("got images of %d by %d, want multiples of %d", d[1], d[2], b))
	}
	x = graph.TransposeAllAxes(graph.Reshape(x, d[0], d[1]/b, b, d[2]/b, b, d[3]), 0, 1, 3, 2, 4, 5)
	return graph.Reshape(x, d[0], d[1]/b, d[2]/b, b*b*d[3])
}

// blocks holds the attributes of fold and unfold: the sizes of a block, their dilation, padding and
// stride, each for height and then width.
type blocks struct{ size, dilation, padding, stride []int }

func (o operands) blocks() blocks {
	b := blocks{o.spread("kernel_size", 2), o.spread("dilation", 2), []int{0, 0}, o.spread("stride", 2)}
	if o.attrs["padding"] != nil {
		b.padding = o.spread("padding", 2)
	}
	return b
}

// counts returns how many blocks there are along height and width in images of this size.
func (b blocks) counts(size []int) (n [2]int) {
	for i := range n {
		n[i] = (size[i]+2*b.padding[i]-b.dilation[i]*(b.size[i]-1)-1)/b.stride[i] + 1
	}
	return n
}

// element returns the pixel at row i and column k of every block of x. Blocks are the windows of
// unfold and fold, and may overlap. The result is [batch, channels, n[0], n[1]] for n[0] by n[1]
// blocks per image.
func (b blocks) element(x *graph.Node, n [2]int, i, k int) *graph.Node {
	for d, at := range []int{i * b.dilation[0], k * b.dilation[1]} {
		x = graph.SliceAxis(x, 2+d, graph.AxisRange(at, at+(n[d]-1)*b.stride[d]+1).Stride(b.stride[d]))
	}
	return x
}

// unfold returns the blocks of images [batch, channels, height, width] as columns: [batch, channels
// · elements of a block, blocks]. Attributes give the blocks' size, dilation, padding and stride.
// Other ranks, and blocks larger than the images, panic.
func unfold(o operands) *graph.Node {
	x, b := o.tensor(0), o.blocks()
	if x.Rank() != 4 {
		panic(fmt.Errorf("got %s, want (batch, channels, height, width)", x.Shape()))
	}
	d := x.Shape().Dimensions
	n := b.counts(d[2:])
	if n[0] < 1 || n[1] < 1 {
		panic(fmt.Errorf("got blocks of %v for images of %v, want smaller ones", b.size, d[2:]))
	}
	x = padAxis(padAxis(x, 2, b.padding[0], b.padding[0], "constant", 0), 3, b.padding[1], b.padding[1], "constant", 0)
	var all []*graph.Node
	for i := range b.size[0] {
		for k := range b.size[1] {
			all = append(all, b.element(x, n, i, k))
		}
	}
	return graph.Reshape(graph.Stack(all, 2), d[0], d[1]*b.size[0]*b.size[1], n[0]*n[1])
}

// fold is the inverse of unfold: it puts blocks, as columns, back into images [batch, channels,
// height, width], whose height and width are the attribute output_size. Where blocks overlap, it
// adds them. It panics if the columns are not as many as the blocks and their elements.
func fold(o operands) *graph.Node {
	x, b, size := o.tensor(0), o.blocks(), o.spread("output_size", 2)
	n := b.counts(size)
	d := x.Shape().Dimensions
	if x.Rank() != 3 || d[2] != n[0]*n[1] || d[1]%(b.size[0]*b.size[1]) != 0 {
		panic(fmt.Errorf("got %s, want (batch, channels · %d, %d)", x.Shape(), b.size[0]*b.size[1], n[0]*n[1]))
	}
	channels := d[1] / (b.size[0] * b.size[1])
	x = graph.Reshape(x, d[0], channels, b.size[0], b.size[1], n[0], n[1])
	var sum *graph.Node
	for i := range b.size[0] {
		for k := range b.size[1] {
			part := graph.Squeeze(graph.Slice(x, graph.AxisRange(), graph.AxisRange(), graph.AxisElem(i), graph.AxisElem(k)), 2, 3)
			pad := make([]graph.PadAxis, 4)
			for a, at := range []int{i * b.dilation[0], k * b.dilation[1]} {
				taken := (n[a]-1)*b.stride[a] + 1
				pad[2+a] = graph.PadAxis{Start: at, End: size[a] + 2*b.padding[a] - at - taken, Interior: b.stride[a] - 1}
			}
			part = graph.Pad(part, graph.ScalarZero(o.g, x.DType()), pad...)
			if sum == nil {
				sum = part
			} else {
				sum = graph.Add(sum, part)
			}
		}
	}
	for a := range 2 {
		sum = graph.SliceAxis(sum, 2+a, graph.AxisRange(b.padding[a], b.padding[a]+size[a]))
	}
	return sum
}

// signalToNoise is the operation psnr: the peak signal-to-noise ratio of two tensors, in decibels,
// as a scalar. The attribute max_val is the largest possible value. Different shapes panic.
func signalToNoise(o operands) *graph.Node {
	xs := o.promotedTensors()
	if !slices.Equal(xs[0].Shape().Dimensions, xs[1].Shape().Dimensions) {
		panic(fmt.Errorf("got %s and %s, want equal shapes", xs[0].Shape(), xs[1].Shape()))
	}
	mse := graph.ReduceAllMean(graph.Square(graph.Sub(fractions(xs[0]), fractions(xs[1]))))
	top := 20 * math.Log10(number(o.attrs["max_val"]))
	return graph.AddScalar(graph.MulScalar(graph.Log(mse), -10/math.Ln10), top)
}

// logSoftmax returns the logarithm of the softmax of x along an axis, without overflow.
func logSoftmax(x *graph.Node, axis int) *graph.Node {
	x = graph.Sub(x, graph.BroadcastToShape(graph.StopGradient(graph.ReduceAndKeep(x, graph.ReduceMax, axis)), x.Shape()))
	sum := graph.Log(graph.ReduceAndKeep(graph.Exp(x), graph.ReduceSum, axis))
	return graph.Sub(x, graph.BroadcastToShape(sum, x.Shape()))
}

func softmax(x *graph.Node, axis int) *graph.Node {
	e := graph.Exp(graph.Sub(x, graph.BroadcastToShape(graph.StopGradient(graph.ReduceAndKeep(x, graph.ReduceMax, axis)), x.Shape())))
	return graph.Div(e, graph.BroadcastToShape(graph.ReduceAndKeep(e, graph.ReduceSum, axis), x.Shape()))
}
