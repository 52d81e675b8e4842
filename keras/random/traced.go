package random

// This file defines TracedKey, a key in a traced function: the random words made
// of it by Threefry in element-wise operations on iotas, and the numbers made of
// those.

import (
	"fmt"
	"math"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"
)

// TracedKey is a Key whose value is known only when the traced function runs. Its methods return
// the same numbers as Key's Fill methods.
//
// Like all functions that build a GoMLX graph, they panic with an error if an argument is wrong;
// trace.Record returns that error.
//
// Every element is computed from the key and its global index alone, so the numbers are the same
// for every sharding, and nothing is communicated.
type TracedKey struct {
	words [2]*graph.Node // scalars, uint32
}

// Trace returns the key that a node of type uint32[2] holds. It panics for any other node.
func Trace(key *graph.Node) TracedKey {
	if key.DType() != dtypes.Uint32 || key.Rank() != 1 || key.Shape().Dim(0) != 2 {
		panic(fmt.Errorf("random: got a key of type %s: want uint32[2]", key.Shape()))
	}
	word := func(i int) *graph.Node { return graph.Reshape(graph.Slice(key, graph.AxisElem(i))) }
	return TracedKey{[2]*graph.Node{word(0), word(1)}}
}

// Node returns the key as a node of type uint32[2].
func (k TracedKey) Node() *graph.Node {
	return graph.Stack([]*graph.Node{k.words[0], k.words[1]}, 0)
}

// Split returns n keys that it derives from this one, as Key.Split does.
func (k TracedKey) Split(n int) []TracedKey {
	keys := make([]TracedKey, n)
	for i := range keys {
		keys[i] = k.FoldIn(k.word(uint32(i))) // the same for indices below 2³²
	}
	return keys
}

// FoldIn returns a key that it derives from this one and a scalar node of type uint32, as
// Key.FoldIn does. It panics for any other node.
func (k TracedKey) FoldIn(data *graph.Node) TracedKey {
	if data.DType() != dtypes.Uint32 || !data.IsScalar() {
		panic(fmt.Errorf("random: FoldIn: got data of type %s: want a scalar uint32", data.Shape()))
	}
	a, b := k.block(k.word(0), data)
	return TracedKey{[2]*graph.Node{a, b}}
}

// Bits returns a node of shape dims with random words of a dtype, as Key.FillBits makes them:
// uint8, uint16, uint32 or uint64. It panics for any other dtype.
func (k TracedKey) Bits(dtype dtypes.DType, dims ...int) *graph.Node {
	switch dtype {
	case dtypes.Uint32:
		return k.words32(dims)
	case dtypes.Uint8, dtypes.Uint16:
		return graph.ConvertDType(k.words32(dims), dtype)
	case dtypes.Uint64:
		return k.words64(dims)
	}
	panic(fmt.Errorf("random: Bits: got dtype %s: want uint8, uint16, uint32 or uint64", dtype))
}

func (k TracedKey) words32(dims []int) *graph.Node {
	a, b := k.at(dims)
	return graph.BitwiseXor(a, b)
}

func (k TracedKey) words64(dims []int) *graph.Node {
	a, b := k.at(dims)
	high := graph.ConvertDType(a, dtypes.Uint64)
	return graph.BitwiseOr(
		graph.BitwiseShiftLeft(high, word(high.Graph(), dtypes.Uint64, 32)),
		graph.ConvertDType(b, dtypes.Uint64))
}

// at returns the two words of random bits for every element of a tensor of shape dims: two nodes of
// that shape. A negative dimension is a panic.
func (k TracedKey) at(dims []int) (a, b *graph.Node) {
	size := uint64(1)
	for _, d := range dims {
		if d < 0 {
			panic(fmt.Errorf("random: got shape %v: want no negative dimension", dims))
		}
		size *= uint64(d)
	}
	hi := k.word(0)
	var lo *graph.Node
	if size <= 1<<32 {
		lo = k.index(dtypes.Uint32, dims)
	} else {
		index := k.index(dtypes.Uint64, dims)
		shift := word(index.Graph(), dtypes.Uint64, 32)
		hi = graph.ConvertDType(graph.BitwiseShiftRightLogical(index, shift), dtypes.Uint32)
		lo = graph.ConvertDType(index, dtypes.Uint32)
	}
	a, b = k.block(hi, lo)
	if lo.IsScalar() && len(dims) > 0 {
		a, b = graph.BroadcastToDims(a, dims...), graph.BroadcastToDims(b, dims...)
	}
	return a, b
}

// index returns the global index, in this unsigned type, of every element of a tensor of shape
// dims, or a scalar if it is 0 for all. It takes one iota for each dimension instead of reshaping a
// single one, so that every dimension can be sharded.
func (k TracedKey) index(dtype dtypes.DType, dims []int) *graph.Node {
	g := k.words[0].Graph()
	var sum *graph.Node
	stride := uint64(1)
	for i := len(dims) - 1; i >= 0; i-- {
		if dims[i] != 1 {
			term := graph.Iota(g, shapes.Make(dtype, dims...), i)
			if stride != 1 {
				term = graph.Mul(term, word(g, dtype, stride))
			}
			if sum == nil {
				sum = term
			} else {
				sum = graph.Add(sum, term)
			}
		}
		stride *= uint64(dims[i])
	}
	if sum == nil {
		return word(g, dtype, 0)
	}
	return sum
}

// block returns the words that Key.Block returns, element by element, for the counters with the
// words hi and lo.
func (k TracedKey) block(hi, lo *graph.Node) (a, b *graph.Node) {
	third := graph.BitwiseXor(graph.BitwiseXor(k.words[0], k.words[1]), k.word(parity))
	schedule := [3]*graph.Node{k.words[0], k.words[1], third}
	a, b = graph.Add(hi, schedule[0]), graph.Add(lo, schedule[1])
	for i := 1; i <= 5; i++ {
		for _, r := range rotations[(i-1)%2] {
			a = graph.Add(a, b)
			b = graph.BitwiseXor(k.rotate(b, r), a)
		}
		a = graph.Add(a, schedule[i%3])
		b = graph.Add(b, graph.Add(schedule[(i+1)%3], k.word(uint32(i))))
	}
	return a, b
}

func (k TracedKey) rotate(x *graph.Node, r int) *graph.Node {
	return graph.BitwiseOr(
		graph.BitwiseShiftLeft(x, k.word(uint32(r))),
		graph.BitwiseShiftRightLogical(x, k.word(uint32(32-r))))
}

// word returns w as a constant of type uint32.
func (k TracedKey) word(w uint32) *graph.Node {
	return word(k.words[0].Graph(), dtypes.Uint32, uint64(w))
}

// word returns the constant w of an unsigned type. graph.Scalar would go through float64, which
// does not hold every word.
func word(g *graph.Graph, dtype dtypes.DType, w uint64) *graph.Node {
	switch dtype {
	case dtypes.Uint16:
		return graph.Const(g, uint16(w))
	case dtypes.Uint32:
		return graph.Const(g, uint32(w))
	case dtypes.Uint64:
		return graph.Const(g, w)
	}
	panic(fmt.Sprintf("BUG: random words of dtype %s", dtype))
}

// Uniform returns a node of shape dims with numbers uniform in [low, high), as Key.FillUniform
// makes them. It panics for an empty or infinite interval, and if dtype is no float.
func (k TracedKey) Uniform(dtype dtypes.DType, low, high float64, dims ...int) *graph.Node {
	f := tracedFormat("Uniform", dtype)
	if !(low < high) || math.IsInf(high-low, 0) {
		panic(fmt.Errorf("random: Uniform: the interval [%g, %g) is empty or infinite: want finite low < high", low, high))
	}
	return k.uniform(f, low, high, dims)
}

// Normal returns a node of shape dims with normal numbers, as Key.FillNormal makes them. They agree
// with the host's within a few units in the last place: logarithms differ between backends. It
// panics if dtype is no float.
func (k TracedKey) Normal(dtype dtypes.DType, mean, stddev float64, dims ...int) *graph.Node {
	f := tracedFormat("Normal", dtype)
	return scaled(normal(f, k.uniform(f, f.aboveMinusOne(), 1, dims)), mean, stddev)
}

// TruncatedNormal returns a node of shape dims with normal numbers no farther than two stddev from
// mean, as Key.FillTruncatedNormal makes them. They agree with the host's as closely as those of
// Normal. It panics if dtype is no float.
func (k TracedKey) TruncatedNormal(dtype dtypes.DType, mean, stddev float64, dims ...int) *graph.Node {
	f := tracedFormat("TruncatedNormal", dtype)
	z := normal(f, k.uniform(f, -f.truncation(), f.truncation(), dims))
	edge := graph.Scalar(z.Graph(), dtype, f.belowTwo())
	z = graph.Min(graph.Max(z, graph.Neg(edge)), edge)
	return scaled(z, mean, stddev)
}

// Bernoulli returns a node of shape dims with booleans that are true with probability p, as
// Key.FillBernoulli makes them. It panics if p is not in [0, 1].
func (k TracedKey) Bernoulli(p float64, dims ...int) *graph.Node {
	if !(p >= 0 && p <= 1) {
		panic(fmt.Errorf("random: Bernoulli: got probability %g: want a number in [0, 1]", p))
	}
	u := k.unit(float32Format, dims)
	return graph.LessThan(u, graph.Const(u.Graph(), float32(p)))
}

// RandInt returns a node of type dtype and shape dims with integers uniform in [low, high), those
// of Key.FillRandInt. It panics where that fails.
func (k TracedKey) RandInt(dtype dtypes.DType, low, high int64, dims ...int) *graph.Node {
	p, err := planRandInt(dtype, low, high)
	if err != nil {
		panic(err)
	}
	unsigned := dtypes.Uint32
	if p.bits == 64 {
		unsigned = dtypes.Uint64
	}
	keys := k.Split(2)
	higher, lower := keys[0].Bits(unsigned, dims...), keys[1].Bits(unsigned, dims...)
	constant := func(x uint64) *graph.Node { return word(higher.Graph(), unsigned, x) }
	remainder := func(x *graph.Node) *graph.Node {
		if p.span == 0 {
			return x
		}
		return graph.Rem(x, constant(p.span))
	}
	offset := remainder(graph.Add(graph.Mul(remainder(higher), constant(p.multiplier)), remainder(lower)))
	return graph.ConvertDType(graph.Add(offset, constant(uint64(p.low))), dtype)
}

// Dropout returns x with each element set to 0 with probability rate, and the others divided by
// 1-rate: keras.random.dropout. The mask has x's shape. A rate of 0 returns x, and 1 returns zeros;
// it panics if the rate is not in [0, 1].
func (k TracedKey) Dropout(x *graph.Node, rate float64) *graph.Node {
	if !(rate >= 0 && rate <= 1) {
		panic(fmt.Errorf("random: Dropout: got rate %g: want a number in [0, 1]", rate))
	}
	switch rate {
	case 0:
		return x
	case 1:
		return graph.ZerosLike(x)
	}
	keep := 1 - rate
	mask := k.Bernoulli(keep, x.Shape().Dimensions...)
	return graph.Where(mask, graph.Div(x, graph.Scalar(x.Graph(), x.DType(), keep)), graph.ZerosLike(x))
}

// Categorical draws n of the classes for each row of logits [rows, classes], which are logarithms
// of probabilities, or such numbers plus a constant: keras.random.categorical. The result is int32
// [rows, n]. It is the class with the largest sum of its logit and a Gumbel number. Other ranks and
// types of logits, and a negative n, panic.
func (k TracedKey) Categorical(logits *graph.Node, n int) *graph.Node {
	f := tracedFormat("Categorical", logits.DType())
	if logits.Rank() != 2 || n < 0 {
		panic(fmt.Errorf("random: Categorical: got logits of shape %s and %d samples: want logits [rows, classes], and no negative number", logits.Shape(), n))
	}
	dims := []int{logits.Shape().Dim(0), logits.Shape().Dim(1), n}
	gumbel := graph.Neg(graph.Log(graph.Neg(graph.Log(k.uniform(f, f.leastNormal(), 1, dims)))))
	return graph.ArgMax(graph.Add(gumbel, graph.BroadcastToDims(graph.InsertAxes(logits, -1), dims...)), 1, dtypes.Int32)
}

func tracedFormat(op string, dtype dtypes.DType) format {
	f, ok := formatOfDType(dtype)
	if !ok {
		panic(fmt.Errorf("random: %s: got dtype %s: want float32, float64, float16 or bfloat16", op, dtype))
	}
	return f
}

// unit returns numbers of the format in [0, 1), in these dimensions: the numbers in [1, 2) with
// random mantissas, minus 1.
func (k TracedKey) unit(f format, dims []int) *graph.Node {
	words := k.words32
	unsigned := dtypes.Uint32
	if f.wordBits == 64 {
		words, unsigned = k.words64, dtypes.Uint64
	}
	w := words(dims)
	g := w.Graph()
	if n := f.wordBits - f.mantissa; f.wordBits < 32 {
		w = graph.BitwiseAnd(w, word(g, unsigned, 1<<f.wordBits-1))
		w = graph.BitwiseShiftRightLogical(w, word(g, unsigned, uint64(n)))
		unsigned = dtypes.Uint16
		w = graph.ConvertDType(w, unsigned)
	} else {
		w = graph.BitwiseShiftRightLogical(w, word(g, unsigned, uint64(n)))
	}
	w = graph.BitwiseOr(w, word(g, unsigned, f.oneBits()))
	return graph.Sub(graph.Bitcast(w, f.dtype), graph.Scalar(g, f.dtype, 1))
}

// uniform scales unit numbers to [low, high).
//
// A backend may or may not fuse the product and the sum, which changes the
// rounding. For 32 bits the result must not depend on that: if the product is
// not exact in 32 bits, it is computed in 64.
func (k TracedKey) uniform(f format, low, high float64, dims []int) *graph.Node {
	low, high = f.round(low), f.round(high)
	width := f.round(high - low)
	u := k.unit(f, dims)
	g := u.Graph()
	constant := func(dtype dtypes.DType, x float64) *graph.Node { return graph.Scalar(g, dtype, x) }
	if low == 0 {
		if width == 1 {
			return u
		}
		return graph.Mul(u, constant(f.dtype, width))
	}
	fraction, _ := math.Frexp(width)
	if f.dtype == dtypes.Float32 && fraction != 0.5 {
		wide := graph.Mul(graph.ConvertDType(u, dtypes.Float64), constant(dtypes.Float64, width))
		u = graph.ConvertDType(graph.Add(wide, constant(dtypes.Float64, low)), dtypes.Float32)
	} else {
		u = graph.Add(graph.Mul(u, constant(f.dtype, width)), constant(f.dtype, low))
	}
	return graph.Max(u, constant(f.dtype, low))
}

// normal turns u, uniform numbers in (-1, 1), into normal ones: √2·erf⁻¹. 16-bit numbers are
// computed with 32 bits.
func normal(f format, u *graph.Node) *graph.Node {
	return graph.Mul(Erfinv(u), graph.Scalar(u.Graph(), f.dtype, math.Sqrt2))
}

// Erfinv returns the inverse of the error function at each element of x, as CHLO defines erf_inv.
// Types other than float64 are computed with 32 bits. Its gradient is that of the polynomials.
func Erfinv(x *graph.Node) *graph.Node {
	if x.DType() == dtypes.Float64 {
		return erfinvNode(x, erfinv64Pieces)
	}
	return graph.ConvertDType(erfinvNode(graph.ConvertDType(x, dtypes.Float32), erfinv32Pieces), x.DType())
}

// erfinvNode returns the inverse error function of x: it evaluates every piece, and selects one for
// each element.
func erfinvNode(x *graph.Node, pieces []erfinvPiece) *graph.Node {
	constant := func(c float64) *graph.Node { return graph.Scalar(x.Graph(), x.DType(), c) }
	w := graph.Neg(graph.Log1p(graph.Mul(x, graph.Neg(x))))
	root := graph.Sqrt(w)
	var result *graph.Node
	for i := len(pieces) - 1; i >= 0; i-- {
		piece := pieces[i]
		t := w
		if piece.sqrt {
			t = root
		}
		t = graph.Sub(t, constant(piece.shift))
		p := constant(piece.coeffs[0])
		for _, c := range piece.coeffs[1:] {
			p = graph.Add(graph.Mul(p, t), constant(c))
		}
		if result == nil {
			result = p
		} else {
			result = graph.Where(graph.LessThan(w, constant(piece.below)), p, result)
		}
	}
	return graph.Mul(result, x)
}

// scaled returns z·stddev+mean, with the element type of z.
func scaled(z *graph.Node, mean, stddev float64) *graph.Node {
	if stddev != 1 {
		z = graph.Mul(z, graph.Scalar(z.Graph(), z.DType(), stddev))
	}
	if mean != 0 {
		z = graph.Add(z, graph.Scalar(z.Graph(), z.DType(), mean))
	}
	return z
}
