package difftest

// This file makes element-wise ops.

import (
	"math"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/ir"
)

// integral says how large the integers are that an op makes of integers up to
// a and b; ops that are not listed make other numbers.
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

// jumps are the ops whose result may change a lot when an operand changes a
// little; they are used on integers only.
var jumps = map[ir.OpKind]bool{
	ir.OpCeil: true, ir.OpFloor: true, ir.OpRoundAFZ: true, ir.OpRoundEven: true, ir.OpSign: true, ir.OpRemainder: true,
	ir.OpIsFinite: true, ir.OpIsInf: true, ir.OpIsNegInf: true, ir.OpIsPosInf: true, ir.OpAtan2: true, ir.OpNextAfter: true,
	ir.OpPower: true, ir.OpDivide: true, ir.OpTan: true, ir.OpRsqrt: true, ir.OpLog: true, ir.OpLog1p: true, ir.OpSqrt: true, ir.OpCbrt: true,
	ir.OpAcos: true, ir.OpAcosh: true, ir.OpAtanh: true, ir.OpAsin: true, ir.OpErfInv: true, ir.OpLgamma: true, ir.OpDigamma: true, ir.OpZeta: true, ir.OpPolygamma: true,
	ir.OpExp: true, ir.OpExpM1: true, ir.OpSinh: true, ir.OpCosh: true, ir.OpBesselI1e: true,
}

func makeElementwise(g *generator, kind ir.OpKind) *ir.Op {
	types := []dtypes.DType{pick(g, allTypes)}
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
	if x.Type.DType == dtypes.Complex64 && (kind == ir.OpSign || kind == ir.OpAbs) {
		bound = inexact // they divide by the magnitude, or are it
	}
	return g.try(kind, nil, bound, operands...)
}

func makeConvert(g *generator) *ir.Op {
	x := g.exactAny(allTypes, 0, 4)
	to := pick(g, allTypes)
	if x.Type.DType == dtypes.Complex64 && to != dtypes.Complex64 {
		return nil
	}
	bound := g.bound[x]
	if to == dtypes.BFloat16 && bound > 128 || math.IsInf(bound, 0) {
		bound = inexact
	}
	return g.typed(ir.OpConvert, nil, bound, []ir.Type{x.Type.WithDType(to)}, x)
}

func makeReducePrecision(g *generator) *ir.Op {
	x := g.any([]dtypes.DType{dtypes.Float32}, 0, 3)
	return g.try(ir.OpReducePrecision, ir.Attrs{{Name: "exponent_bits", Value: ir.Int32(8)}, {Name: "mantissa_bits", Value: ir.Int32(7)}}, inexact, x)
}

func makeComplex(g *generator) *ir.Op {
	x := g.any([]dtypes.DType{dtypes.Float32}, 0, 3)
	y := g.tensor(x.Type)
	return g.try(ir.OpComplex, nil, g.largest(x, y), x, y)
}

func makeCompare(g *generator) *ir.Op {
	x := g.exactAny(append(append([]dtypes.DType{dtypes.Bool}, floats...), ints...), 0, 4)
	y := g.exactTensor(x.Type)
	return g.try(ir.OpCompare, ir.Attrs{{Name: "comparison_direction", Value: ir.Enum(pick(g, ir.EnumCases("comparison_direction")))}}, 1, x, y)
}

// numbers are the types of clamp, ordered ones.
var numbers = append(append([]dtypes.DType{}, floats...), ints...)

func makeClamp(g *generator) *ir.Op {
	x := g.any(numbers, 0, 4)
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
	x := g.any(numbers, 0, 3)
	y := g.tensor(x.Type)
	dims := make(ir.Ints, x.Type.Rank())
	for i := range dims {
		dims[i] = i
	}
	return g.tryRegions(ir.OpMap, ir.Attrs{{Name: "dimensions", Value: dims}}, g.largest(x, y)*2,
		[]*ir.Block{ir.ReductionBody(ir.OpAdd, x.Type.DType)}, x, y)
}
