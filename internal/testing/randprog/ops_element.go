package randprog

// This file makes element-wise ops, and ops that make and move data.

import (
	"math"
	"slices"

	"github.com/gomlx/compute/dtypes"
	"github.com/gospmd/gospmd/ir"
)

// integral has, for ops whose results are integers if all their operands are, a function that
// returns an upper bound of the absolute result for operands whose absolute values are at most a
// and b. Unary ops ignore b.
var integral = map[ir.OpKind]func(a, b float64) float64{
	ir.OpAbs: first, ir.OpCeil: first, ir.OpFloor: first, ir.OpNegate: first, ir.OpRoundAFZ: first, ir.OpRoundEven: first,
	ir.OpSign: first, ir.OpImag: first, ir.OpReal: first, ir.OpConj: first, ir.OpIsFinite: first, ir.OpMaximum: larger, ir.OpMinimum: larger,
	ir.OpIsInf: first, ir.OpIsNegInf: first, ir.OpIsPosInf: first,
	ir.OpAdd: func(a, b float64) float64 { return a + b }, ir.OpSubtract: func(a, b float64) float64 { return a + b },
	ir.OpMultiply: func(a, b float64) float64 { return 2 * a * b }, ir.OpSquare: func(a, _ float64) float64 { return 2 * a * a },
	ir.OpNot: first, ir.OpPopcnt: first, ir.OpCountLeadingZeros: func(_, _ float64) float64 { return 64 },
	ir.OpAnd: larger, ir.OpOr: larger, ir.OpXor: larger,
}

func first(a, _ float64) float64  { return a }
func larger(a, b float64) float64 { return max(a, b) }

// jumps are the discontinuous ops: a small change of an operand may change the result a lot. They
// are used on integers only.
var jumps = map[ir.OpKind]bool{
	ir.OpCeil: true, ir.OpFloor: true, ir.OpRoundAFZ: true, ir.OpRoundEven: true, ir.OpSign: true, ir.OpRemainder: true,
	ir.OpIsFinite: true, ir.OpIsInf: true, ir.OpIsNegInf: true, ir.OpIsPosInf: true, ir.OpAtan2: true, ir.OpNextAfter: true,
	ir.OpPower: true, ir.OpDivide: true, ir.OpTan: true, ir.OpRsqrt: true, ir.OpLog: true, ir.OpLog1p: true, ir.OpSqrt: true, ir.OpCbrt: true,
	ir.OpAcos: true, ir.OpAcosh: true, ir.OpAtanh: true, ir.OpAsin: true, ir.OpErfInv: true, ir.OpLgamma: true, ir.OpDigamma: true, ir.OpZeta: true, ir.OpPolygamma: true,
	ir.OpExp: true, ir.OpExpM1: true, ir.OpSinh: true, ir.OpCosh: true, ir.OpBesselI1e: true,
}

func makeElementwise(g *generator, kind ir.OpKind) *ir.Op {
	types := []dtypes.DType{g.dtype(allTypes)}
	x := g.any(types, 0, 4)
	if jumps[kind] {
		x = g.exactAny(types, 0, 4)
	}
	operands := []*ir.Value{x}
	if kind.Info().Operands.Min == 2 {
		y := g.tensor(x.Type)
		if jumps[kind] {
			y = g.exactTensor(x.Type)
		}
		operands = append(operands, y)
	}
	bound := inexact
	if f := integral[kind]; f != nil {
		bound = f(g.bound[operands[0]], g.bound[operands[len(operands)-1]])
	}
	if x.Type.DType.IsComplex() && (kind == ir.OpSign || kind == ir.OpAbs) {
		bound = inexact // these divide by the magnitude, or return it
	}
	return g.try(kind, nil, bound, operands...)
}

func makeConvert(g *generator) *ir.Op {
	x := g.exactAny(allTypes, 0, 4)
	to := pick(g, allTypes)
	if x.Type.DType.IsComplex() && !to.IsComplex() {
		return nil
	}
	bound := g.bound[x]
	if to == dtypes.BFloat16 && bound > 128 || math.IsInf(bound, 0) {
		bound = inexact
	}
	return g.typed(ir.OpConvert, nil, bound, []ir.Type{x.Type.WithDType(to)}, x)
}

func makeReducePrecision(g *generator) *ir.Op {
	x := g.any(floats, 0, 3)
	bits := pick(g, [][2]int32{{8, 7}, {5, 10}, {4, 3}})
	return g.try(ir.OpReducePrecision, ir.Attrs{{Name: "exponent_bits", Value: ir.Int32(bits[0])}, {Name: "mantissa_bits", Value: ir.Int32(bits[1])}}, inexact, x)
}

func makeComplex(g *generator) *ir.Op {
	x := g.any([]dtypes.DType{dtypes.Float32, dtypes.Float64}, 0, 3)
	y := g.tensor(x.Type)
	return g.try(ir.OpComplex, nil, g.largest(x, y), x, y)
}

func makeCompare(g *generator) *ir.Op {
	x := g.exactAny(allTypes, 0, 4)
	y := g.exactTensor(x.Type)
	return g.try(ir.OpCompare, ir.Attrs{{Name: "comparison_direction", Value: ir.Enum(pick(g, ir.EnumCases("comparison_direction")))}}, 1, x, y)
}

// numbers are the element types that are ordered: floats and integers.
var numbers = append(append([]dtypes.DType{}, floats...), ints...)

func makeClamp(g *generator) *ir.Op {
	x := g.any(slices.Concat(numbers, complexes), 0, 4)
	bounds := x.Type
	if g.rng.IntN(2) == 0 {
		bounds = ir.Tensor(x.Type.DType)
	}
	low, high := g.tensor(bounds), g.tensor(bounds)
	return g.try(ir.OpClamp, nil, g.largest(low, x, high), low, x, high)
}

func makeSelect(g *generator) *ir.Op {
	x := g.any(allTypes, 0, 4)
	y := g.tensor(x.Type)
	pred := ir.Tensor(dtypes.Bool, x.Type.Dims...)
	if g.rng.IntN(2) == 0 {
		pred = ir.Tensor(dtypes.Bool)
	}
	p := g.exactTensor(pred)
	return g.try(ir.OpSelect, nil, g.largest(x, y), p, x, y)
}

func makeMap(g *generator) *ir.Op {
	x := g.any(allTypes, 0, 3)
	y := g.tensor(x.Type)
	dims := make(ir.Ints, x.Type.Rank())
	for i := range dims {
		dims[i] = i
	}
	b := g.bodyOf(x.Type.DType)
	if b.kinds == nil && !(g.exact(x) && g.exact(y)) {
		return nil
	}
	return g.tryRegions(ir.OpMap, ir.Attrs{{Name: "dimensions", Value: dims}}, b.bound(g.bound[x], g.bound[y], 2), []*ir.Block{b.block}, x, y)
}

func makeConstant(g *generator) *ir.Op {
	t := ir.Tensor(g.dtype(allTypes), g.dims(0, 3)...)
	if g.rng.IntN(2) == 0 {
		return g.typed(ir.OpConstant, ir.Attrs{{Name: "value", Value: ir.Splat(t, float64(g.rng.IntN(5)))}}, 8, []ir.Type{t})
	}
	d, err := ir.DenseFromFlat(t, random(t, g.rng))
	if err != nil {
		return nil
	}
	return g.typed(ir.OpConstant, ir.Attrs{{Name: "value", Value: d}}, 8, []ir.Type{t})
}

func makeIota(g *generator) *ir.Op {
	t := ir.Tensor(g.dtype(slices.Concat(complexes, numbers)), g.dims(1, 3)...)
	return g.typed(ir.OpIota, ir.Attrs{{Name: "iota_dimension", Value: ir.Int(g.rng.IntN(t.Rank()))}}, 16, []ir.Type{t})
}

func makeBroadcast(g *generator) *ir.Op {
	x := g.any(allTypes, 0, 2)
	dims := g.dims(x.Type.Rank(), x.Type.Rank()+2)
	at := g.rng.Perm(len(dims))[:x.Type.Rank()]
	for i, d := range at {
		if x.Type.Dims[i] != 1 || g.rng.IntN(2) == 0 {
			dims[d] = x.Type.Dims[i]
		}
	}
	t := x.Type.WithDims(dims)
	if t.Size() > 4000 {
		return nil
	}
	return g.typed(ir.OpBroadcastInDim, ir.Attrs{{Name: "broadcast_dimensions", Value: ir.Ints(at)}}, g.bound[x], []ir.Type{t}, x)
}

func makeReshape(g *generator) *ir.Op {
	x := g.any(allTypes, 0, 4)
	var dims []int
	switch rest := x.Type.Size(); {
	case rest == 0 || g.rng.IntN(2) == 0 && x.Type.Rank() > 1: // joins two adjacent dimensions
		if x.Type.Rank() < 2 {
			return nil
		}
		i := g.rng.IntN(x.Type.Rank() - 1)
		dims = slices.Concat(x.Type.Dims[:i], []int{x.Type.Dims[i] * x.Type.Dims[i+1]}, x.Type.Dims[i+2:])
	default: // splits a dimension at random
		for rest > 1 && len(dims) < 3 {
			var divisors []int
			for d := 1; d <= rest; d++ {
				if rest%d == 0 {
					divisors = append(divisors, d)
				}
			}
			d := pick(g, divisors)
			dims, rest = append(dims, d), rest/d
		}
		dims = append(dims, rest)
	}
	return g.typed(ir.OpReshape, nil, g.bound[x], []ir.Type{x.Type.WithDims(dims)}, x)
}

func makeTranspose(g *generator) *ir.Op {
	x := g.any(allTypes, 1, 4)
	return g.try(ir.OpTranspose, ir.Attrs{{Name: "permutation", Value: ir.Ints(g.rng.Perm(x.Type.Rank()))}}, g.bound[x], x)
}

// bitcasts lists element types by their width, one list for each, the narrowest first.
var bitcasts = [][]dtypes.DType{
	{dtypes.Int8, dtypes.Uint8}, {dtypes.Int16, dtypes.Uint16, dtypes.BFloat16, dtypes.Float16},
	{dtypes.Int32, dtypes.Uint32, dtypes.Float32}, {dtypes.Int64, dtypes.Uint64, dtypes.Float64},
}

// makeBitcast makes a bitcast_convert of any type to integers, or of integers to floats of the same
// width. It makes no floats of parts of numbers or of several numbers together: these could be
// NaNs, whose bits sums do not keep.
func makeBitcast(g *generator) *ir.Op {
	x := g.finite(g.exactAny(numbers, 0, 3))
	from := slices.IndexFunc(bitcasts, func(types []dtypes.DType) bool { return slices.Contains(types, x.Type.DType) })
	to := pick(g, []int{from, g.rng.IntN(len(bitcasts))})
	t := x.Type.WithDType(pick(g, bitcasts[to][:2]))
	n := x.Type.Rank()
	switch {
	case to < from:
		t = t.WithDims(append(slices.Clone(x.Type.Dims), 1<<(from-to)))
	case to > from:
		if n == 0 || x.Type.Dims[n-1] != 1<<(to-from) {
			return nil
		}
		t = t.WithDims(x.Type.Dims[:n-1])
	}
	return g.typed(ir.OpBitcastConvert, nil, inexact, []ir.Type{t}, x)
}

func makeSlice(g *generator) *ir.Op {
	x := g.any(allTypes, 1, 4)
	rank := x.Type.Rank()
	start, limit, stride := make(ir.Ints, rank), make(ir.Ints, rank), make(ir.Ints, rank)
	for d, size := range x.Type.Dims {
		stride[d], limit[d] = 1, size
		if g.rng.IntN(3) > 0 {
			start[d] = g.rng.IntN(size + 1)
			limit[d] = start[d] + g.rng.IntN(size-start[d]+1)
			stride[d] = 1 + g.rng.IntN(3)*g.rng.IntN(2)
			if size > 0 && g.rng.IntN(4) == 0 { // makes a dimension of size one
				start[d] = g.rng.IntN(size)
				limit[d] = start[d] + 1
			}
		}
	}
	return g.try(ir.OpSlice, ir.Attrs{{Name: "start_indices", Value: start}, {Name: "limit_indices", Value: limit}, {Name: "strides", Value: stride}}, g.bound[x], x)
}

func makePad(g *generator) *ir.Op {
	x := g.any(allTypes, 1, 3)
	value := g.tensor(ir.Tensor(x.Type.DType))
	rank := x.Type.Rank()
	low, high, interior := make(ir.Ints, rank), make(ir.Ints, rank), make(ir.Ints, rank)
	for d := range rank {
		if g.rng.IntN(3) > 0 {
			low[d], high[d], interior[d] = g.rng.IntN(6)-2, g.rng.IntN(6)-2, g.rng.IntN(2)*g.rng.IntN(3)
		}
	}
	op := g.try(ir.OpPad, ir.Attrs{{Name: "edge_padding_low", Value: low}, {Name: "edge_padding_high", Value: high}, {Name: "interior_padding", Value: interior}}, g.largest(x, value), x, value)
	return op
}

func makeConcatenate(g *generator) *ir.Op {
	x := g.any(allTypes, 1, 3)
	d := g.rng.IntN(x.Type.Rank())
	operands := []*ir.Value{x}
	for range 1 + g.rng.IntN(2) {
		dims := slices.Clone(x.Type.Dims)
		dims[d] = g.size()
		operands = append(operands, g.tensor(x.Type.WithDims(dims)))
	}
	return g.try(ir.OpConcatenate, ir.Attrs{{Name: "dimension", Value: ir.Int(d)}}, g.largest(operands...), operands...)
}

func makeReverse(g *generator) *ir.Op {
	x := g.any(allTypes, 1, 3)
	dims := ir.Ints(g.rng.Perm(x.Type.Rank())[:1+g.rng.IntN(x.Type.Rank())])
	return g.try(ir.OpReverse, ir.Attrs{{Name: "dimensions", Value: dims}}, g.bound[x], x)
}
