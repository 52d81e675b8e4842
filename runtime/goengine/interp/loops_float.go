package interp

// This file holds the element-wise ops on floats. Functions are computed in
// double precision and rounded once.

import (
	"maps"
	"math"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/ir"
)

func floatLoops[T float, C complx]() loops {
	via := func(f func(x float64) float64) loop { return map1(func(x T) T { return T(f(float64(x))) }) }
	via2 := func(f func(x, y float64) float64) loop {
		return map2(func(x, y T) T { return T(f(float64(x), float64(y))) })
	}
	out := loops{
		ir.OpDivide: over2(func(x, y, z []T) {
			for i := range x {
				z[i] = x[i] / y[i]
			}
		}),
		ir.OpMaximum: over2(func(x, y, z []T) {
			for i := range x {
				z[i] = max(x[i], y[i]) // NaN if one is; -0 < 0
			}
		}),
		ir.OpMinimum: over2(func(x, y, z []T) {
			for i := range x {
				z[i] = min(x[i], y[i])
			}
		}),
		ir.OpRemainder: via2(math.Mod),
		ir.OpPower:     via2(power),
		ir.OpAtan2:     via2(math.Atan2),
		ir.OpNextAfter: map2(nextAfter[T]),
		ir.OpPolygamma: via2(polygamma),
		ir.OpZeta:      via2(zeta),

		ir.OpIsFinite: map1(func(x T) bool { return x-x == 0 }),
		ir.OpIsInf:    map1(func(x T) bool { return math.IsInf(float64(x), 0) }),
		ir.OpIsPosInf: map1(func(x T) bool { return math.IsInf(float64(x), 1) }),
		ir.OpIsNegInf: map1(func(x T) bool { return math.IsInf(float64(x), -1) }),
		ir.OpReal:     map1(func(x T) T { return x }),
		ir.OpImag:     map1(func(x T) T { return 0 }),
		ir.OpConj:     map1(func(x T) T { return x }),
		ir.OpComplex:  map2(makeComplex[T, C]),
		ir.OpSign: map1(func(x T) T {
			switch {
			case x > 0:
				return 1
			case x < 0:
				return -1
			}
			return x // a zero with its sign, NaN
		}),

		ir.OpAbs:       via(math.Abs),
		ir.OpCbrt:      via(math.Cbrt),
		ir.OpCeil:      via(math.Ceil),
		ir.OpCosine:    via(math.Cos),
		ir.OpExp:       via(math.Exp),
		ir.OpExpM1:     via(math.Expm1),
		ir.OpFloor:     via(math.Floor),
		ir.OpLog:       via(math.Log),
		ir.OpLog1p:     via(math.Log1p),
		ir.OpLogistic:  via(func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }),
		ir.OpRoundAFZ:  via(math.Round),
		ir.OpRoundEven: via(math.RoundToEven),
		ir.OpRsqrt:     via(func(x float64) float64 { return 1 / math.Sqrt(x) }),
		ir.OpSine:      via(math.Sin),
		ir.OpSqrt:      via(math.Sqrt),
		ir.OpTan:       via(math.Tan),
		ir.OpTanh:      via(math.Tanh),

		ir.OpAcos:      via(math.Acos),
		ir.OpAcosh:     via(math.Acosh),
		ir.OpAsin:      via(math.Asin),
		ir.OpAsinh:     via(math.Asinh),
		ir.OpAtan:      via(math.Atan),
		ir.OpAtanh:     via(math.Atanh),
		ir.OpBesselI1e: via(besselI1e),
		ir.OpCosh:      via(math.Cosh),
		ir.OpDigamma:   via(digamma),
		ir.OpErf:       via(math.Erf),
		ir.OpErfc:      via(math.Erfc),
		ir.OpErfInv:    via(math.Erfinv),
		ir.OpLgamma:    via(lgamma),
		ir.OpSinh:      via(math.Sinh),
	}
	maps.Copy(out, arithmetic[T]())
	return out
}

// power is pow of C: 1 to the power of NaN is 1, as is NaN to the power of 0.
func power(x, y float64) float64 { return math.Pow(x, y) }

// runNextAfter steps by the elements' own type.
func runNextAfter(c *call) error {
	if !smallFloats[c.in[0].Type.DType] {
		return runElementwise(c)
	}
	x, y, out := widened(c.in[0]), widened(c.in[1]), c.raw(0)
	a, b := view[float32](x), view[float32](y)
	nan, _ := convertTo(FromDense(ir.Scalar(dtypes.Float32, math.NaN())), out.Type.DType)
	for i, v := range a {
		switch target := b[i]; {
		case v != v || target != target:
			setElement(out, i, nan)
		case v == target:
			setElement(out, i, element(c.in[1], i))
		default:
			bits := append([]byte(nil), element(c.in[0], i).Data...)
			step(bits, v, target)
			setElement(out, i, &Tensor{out.Type, bits})
		}
	}
	return nil
}

// step moves the bits of a small float v to those of its neighbour in the
// direction of target: numbers of sign and magnitude.
func step(bits []byte, v, target float32) {
	top := len(bits) - 1
	if v == 0 {
		clear(bits)
		bits[0] = 1
		if target < 0 {
			bits[top] |= 0x80
		}
		return
	}
	n := int(bits[0])
	if top == 1 {
		n |= int(bits[1]) << 8
	}
	if (target > v) == (v > 0) {
		n++
	} else {
		n--
	}
	if top == 0 && n == 0x80 {
		n = 0 // the 8-bit types without a negative zero have NaN there
	}
	bits[0] = byte(n)
	if top == 1 {
		bits[1] = byte(n >> 8)
	}
}

// nextAfter returns the neighbour of x in the direction of y.
func nextAfter[T float](x, y T) T {
	switch x := any(x).(type) {
	case float32:
		return T(math.Nextafter32(x, float32(y)))
	default:
		return T(math.Nextafter(float64(any(x).(float64)), float64(y)))
	}
}

// makeComplex joins a real and an imaginary part.
func makeComplex[T float, C complx](re, im T) C { return C(complex(float64(re), float64(im))) }
