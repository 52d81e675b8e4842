package trace

// This file records FusedScaledDotProductAttention.

import (
	"math"
	"slices"
	"strings"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/ir"
)

// attention is an attention that is being recorded. Its axes have letters: b is the batch, h the
// heads of the keys, g the heads of the queries that share one head of the keys, q and k the
// positions of queries and keys, d the features. If g has size 1, query and scores leave it out.
type attention struct {
	*emitter
	query, key string // the axes of queries; of keys and values
	scores     string // the axes of scores
	sizes      map[rune]int
}

// FusedScaledDotProductAttention implements compute.FusedOps. A mask of rank 4 has the axes of the
// layout's scores, [batch, heads, seqLen, kvLen] or [batch, seqLen, heads, kvLen]; one of rank 3 is
// [batch, seqLen, kvLen], one of rank 2 [seqLen, kvLen]. Booleans say what a query attends to; a
// mask of numbers is added to the scores. A bias is [batch, heads, seqLen, kvLen] in both layouts,
// without the first axes if it has fewer. Axes may have size 1. A query that all is masked for, or
// beyond QuerySeqLen, gets zeros. QuantizedMatmuls is ignored, and there are no states: GoMLX takes
// the gradient of its parts. Floats of 16 bits are refused, because GoMLX's tests then demand a
// gradient operation, which would leave out the gradient of a bias.
func (s fused) FusedScaledDotProductAttention(query, key, value compute.Value, layout compute.AttentionAxesLayout,
	options *compute.ScaledDotProductAttentionConfig) (output compute.Value, statesForVJP []compute.Value, err error) {
	e := s.f.begin("FusedScaledDotProductAttention")
	if options == nil {
		options = &compute.ScaledDotProductAttentionConfig{}
	}
	q, k, v := e.value(query), e.value(key), e.value(value)
	mask, bias := e.optional(options.Mask), e.optional(options.Bias)
	lengths := [2]*ir.Value{e.optional(options.QuerySeqLen), e.optional(options.KeyValueSeqLen)}
	e.demand(realFloat, q, k, v)
	e.requireSameDType(q, k, v)
	if e.err == nil && q.Type.DType.Bits() < 32 {
		e.failf("%w: attention of %s: GoMLX uses the parts", compute.ErrNotImplemented, q.Type.DType)
	}
	a := e.attention(layout, q, k, v)
	if e.err != nil {
		return nil, nil, e.err
	}
	scale := options.Scale
	if scale == 0 {
		scale = 1 / math.Sqrt(float64(a.sizes['d']))
	}
	q = e.reshape(q, a.dims(a.query)...)
	scores := e.scaled(e.einsum(a.query+","+a.key+"->"+a.scores, q, k), scale)
	if bias != nil {
		scores = e.binary(ir.OpAdd, scores, a.placeBias(bias))
	}
	if mask != nil && e.err == nil && mask.Type.DType != dtypes.Bool {
		scores, mask = e.binary(ir.OpAdd, scores, a.splitHeads(a.withHeads(mask))), nil
	}
	if mask != nil {
		mask = a.withHeads(mask)
	}
	if options.Causal {
		mask = a.both(mask, a.causal())
	}
	mask = a.both(mask, a.padding(lengths))
	if mask != nil && e.err == nil {
		mask = e.broadcast(a.splitHeads(mask), scores.Type.Dims)
	}
	weights := e.softmax(scores, mask, len(a.scores)-1)
	out := e.einsum(a.scores+","+a.key+"->"+a.query, weights, v)
	if e.err != nil {
		return nil, nil, e.err
	}
	if g := strings.IndexRune(a.query, 'g'); g > 0 {
		dims := slices.Delete(slices.Clone(out.Type.Dims), g, g+1)
		dims[g-1] = a.sizes['h'] * a.sizes['g']
		out = e.reshape(out, dims...)
	}
	result, err := e.result(out)
	return result, nil, err
}

// attention checks q, k and v, the query, key and value, whose axes have the order that layout
// names, and returns the names and sizes of the axes. Operands of another rank than 4, or that do
// not fit together, fail e.
func (e *emitter) attention(layout compute.AttentionAxesLayout, q, k, v *ir.Value) *attention {
	a := &attention{emitter: e, query: "bhqd", key: "bhkd", sizes: map[rune]int{}}
	if layout == compute.AttentionAxesLayoutBSHD {
		a.query, a.key = "bqhd", "bkhd"
	}
	e.requireRank("query", q, 4)
	e.requireRank("key", k, 4)
	e.requireRank("value", v, 4)
	if e.err != nil {
		return a
	}
	for i, axis := range a.query {
		a.sizes[axis] = q.Type.Dims[i]
	}
	heads := k.Type.Dims[strings.IndexRune(a.key, 'h')]
	if heads == 0 || a.sizes['h']%heads != 0 {
		e.failf("%d heads of queries cannot share %d heads of keys: want a multiple", a.sizes['h'], heads)
		return a
	}
	for i, axis := range a.key {
		if want := k.Type.Dims[i]; axis != 'd' && v.Type.Dims[i] != want {
			e.failf("key is %s and value is %s: but for the features, sizes must be equal", k.Type, v.Type)
		}
	}
	a.sizes['g'], a.sizes['h'], a.sizes['k'] = a.sizes['h']/heads, heads, k.Type.Dims[strings.IndexRune(a.key, 'k')]
	if a.sizes['g'] > 1 {
		a.query = strings.Replace(a.query, "h", "hg", 1)
	}
	a.scores = strings.Replace(a.query, "d", "k", 1)
	return a
}

// dims returns the sizes of axes, a text of their letters such as "bhgqd".
func (a *attention) dims(axes string) []int {
	var dims []int
	for _, axis := range axes {
		dims = append(dims, a.sizes[axis])
	}
	return dims
}

// placeBias returns the bias with the axes of the scores. It has the axes [batch, heads, seqLen,
// kvLen], without the first ones if it has fewer.
func (a *attention) placeBias(bias *ir.Value) *ir.Value {
	bias = a.expandLeft(bias, 4)
	if a.err == nil && strings.HasPrefix(a.query, "bq") {
		bias = a.transpose(bias, 0, 2, 1, 3)
	}
	return a.splitHeads(bias)
}

// withHeads returns the mask, of rank 2 or 3, with an axis of size 1 for the heads, so that it has
// rank 4. One of rank 4 is returned as it is.
func (a *attention) withHeads(mask *ir.Value) *ir.Value {
	if a.err != nil || mask.Type.Rank() > 3 {
		return mask
	}
	dims := append(slices.Repeat([]int{1}, 3-mask.Type.Rank()), mask.Type.Dims...)
	return a.reshape(mask, slices.Insert(dims, strings.IndexRune(a.query, 'h'), 1)...)
}

// splitHeads returns x, a mask or a bias of rank 4 with one axis of heads, with the axes of the
// scores: that axis is split into the heads of the keys and their queries' heads. Another rank
// fails e.
func (a *attention) splitHeads(x *ir.Value) *ir.Value {
	a.requireRank("a mask or a bias", x, 4)
	if a.err != nil || a.sizes['g'] == 1 {
		return x
	}
	heads := strings.IndexRune(a.query, 'h')
	dims := slices.Insert(slices.Clone(x.Type.Dims), heads+1, 1)
	if all := a.sizes['h'] * a.sizes['g']; dims[heads] == all {
		dims[heads], dims[heads+1] = a.sizes['h'], a.sizes['g']
	}
	return a.reshape(x, dims...)
}

// causal returns a mask. It lets a query attend to the keys of its own and of earlier positions. It
// has rank 4: the axes of the batch and of the heads, which have size 1, and the positions of
// queries, in the order of a.query, and then the positions of keys.
func (a *attention) causal() *ir.Value {
	t := ir.Tensor(dtypes.Int64, a.sizes['q'], a.sizes['k'])
	rows, columns := a.iota(t, 0), a.iota(t, 1)
	return a.withHeads(a.compare("LE", false, columns, rows))
}

// padding returns a mask that is true where the position of the query is below the length of the
// queries, and that of the key below the length of the keys. lengths has both, each [batch], or nil
// for no limit. The axes of the mask are the batch, the positions of queries and the heads, in the
// order of a.query, and the positions of keys. The size of heads, and of positions without a limit,
// is 1. If both lengths are nil, the mask is nil. Lengths of another rank fail a.
func (a *attention) padding(lengths [2]*ir.Value) *ir.Value {
	var mask *ir.Value
	positions := strings.Replace(a.query, "g", "", 1)
	for i, axis := range "qk" {
		if lengths[i] == nil || a.err != nil {
			continue
		}
		a.requireRank("the lengths", lengths[i], 1)
		dims := []int{1, 1, 1, 1}
		place := strings.IndexRune(positions, axis)
		if axis == 'k' {
			place = 3
		}
		dims[place] = a.sizes[axis]
		index := a.reshape(a.iota(ir.Tensor(dtypes.Int32, a.sizes[axis]), 0), dims...)
		if a.err != nil {
			return nil
		}
		length := a.reshape(a.convert(lengths[i], dtypes.Int32), lengths[i].Type.Dims[0], 1, 1, 1)
		operands := a.pair(index, length)
		if a.err == nil {
			mask = a.both(mask, a.compare("LT", false, operands[0], operands[1]))
		}
	}
	return mask
}

// both returns the mask that holds where x and y do. Each may be nil, which holds everywhere; the
// result is nil if both are.
func (a *attention) both(x, y *ir.Value) *ir.Value {
	switch {
	case x == nil:
		return y
	case y == nil:
		return x
	}
	return a.binary(ir.OpAnd, x, y)
}

// einsum emits the product of x and y, whose axes the equation names, such as "bqd,bkd->bqk", and
// returns its result.
func (e *emitter) einsum(equation string, x, y *ir.Value) *ir.Value {
	operands, result, _ := strings.Cut(equation, "->")
	left, right, _ := strings.Cut(operands, ",")
	var xBatch, yBatch, xContracting, yContracting []int
	var batch, free string
	for i, axis := range left {
		j := strings.IndexRune(right, axis)
		switch {
		case j < 0:
			free += string(axis)
		case strings.ContainsRune(result, axis):
			xBatch, yBatch, batch = append(xBatch, i), append(yBatch, j), batch+string(axis)
		default:
			xContracting, yContracting = append(xContracting, i), append(yContracting, j)
		}
	}
	for _, axis := range right {
		if !strings.ContainsRune(left, axis) {
			free += string(axis)
		}
	}
	out := e.dot(x, xContracting, xBatch, y, yContracting, yBatch)
	if order := batch + free; order != result {
		var permutation []int
		for _, axis := range result {
			permutation = append(permutation, strings.IndexRune(order, axis))
		}
		out = e.transpose(out, permutation...)
	}
	return out
}
