package random

// This file turns random words into numbers in traced functions.

import (
	"fmt"
	"math"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"
)

// Uniform returns numbers uniform in [low, high); see Key.FillUniform.
func (k TracedKey) Uniform(dtype dtypes.DType, low, high float64, dims ...int) *graph.Node {
	f := tracedFormat("Uniform", dtype)
	if !(low < high) || math.IsInf(high-low, 0) {
		panic(fmt.Errorf("random: Uniform: the interval [%g, %g) is empty or infinite: want finite low < high", low, high))
	}
	return k.uniform(f, low, high, dims)
}

// Normal returns normal numbers; see Key.FillNormal. They agree with the
// host's within a few units in the last place: logarithms differ between
// backends.
func (k TracedKey) Normal(dtype dtypes.DType, mean, stddev float64, dims ...int) *graph.Node {
	f := tracedFormat("Normal", dtype)
	return scaled(normal(f, k.uniform(f, f.aboveMinusOne(), 1, dims)), mean, stddev)
}

// TruncatedNormal returns normal numbers no farther than two stddev from mean;
// see Key.FillTruncatedNormal and Normal.
func (k TracedKey) TruncatedNormal(dtype dtypes.DType, mean, stddev float64, dims ...int) *graph.Node {
	f := tracedFormat("TruncatedNormal", dtype)
	z := normal(f, k.uniform(f, -f.truncation(), f.truncation(), dims))
	edge := graph.Scalar(z.Graph(), dtype, f.belowTwo())
	z = graph.Min(graph.Max(z, graph.Neg(edge)), edge)
	return scaled(z, mean, stddev)
}

// Bernoulli returns booleans that are true with probability p; see
// Key.FillBernoulli.
func (k TracedKey) Bernoulli(p float64, dims ...int) *graph.Node {
	if !(p >= 0 && p <= 1) {
		panic(fmt.Errorf("random: Bernoulli: got probability %g: want a number in [0, 1]", p))
	}
	u := k.unit(float32Format, dims)
	return graph.LessThan(u, graph.Const(u.Graph(), float32(p)))
}

// RandInt returns integers uniform in [low, high); see Key.FillRandInt.
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

// Dropout returns x with each element set to 0 with probability rate, and the
// others divided by 1-rate: keras.random.dropout. The mask has x's shape.
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

func tracedFormat(op string, dtype dtypes.DType) format {
	f, ok := formatOfDType(dtype)
	if !ok {
		panic(fmt.Errorf("random: %s: got dtype %s: want float32, float64, float16 or bfloat16", op, dtype))
	}
	return f
}

// unit returns numbers in [0, 1): random mantissas under the exponent of 1,
// less 1.
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
// A backend may or may not fuse the product and the sum, which rounds
// differently. For 32 bits the result must not depend on that: where the
// product is not exact anyway it is made so by 64-bit arithmetic.
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

// normal makes uniform numbers in (-1, 1) normal: √2·erf⁻¹. 16-bit numbers go
// through 32 bits.
func normal(f format, u *graph.Node) *graph.Node {
	var inverse *graph.Node
	if f.dtype == dtypes.Float64 {
		inverse = erfinvNode(u, erfinv64Pieces)
	} else {
		inverse = graph.ConvertDType(erfinvNode(graph.ConvertDType(u, dtypes.Float32), erfinv32Pieces), f.dtype)
	}
	return graph.Mul(inverse, graph.Scalar(u.Graph(), f.dtype, math.Sqrt2))
}

// erfinvNode evaluates every piece and selects.
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

// scaled returns z·stddev+mean.
func scaled(z *graph.Node, mean, stddev float64) *graph.Node {
	if stddev != 1 {
		z = graph.Mul(z, graph.Scalar(z.Graph(), z.DType(), stddev))
	}
	if mean != 0 {
		z = graph.Add(z, graph.Scalar(z.Graph(), z.DType(), mean))
	}
	return z
}
