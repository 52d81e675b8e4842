package interp

// This file holds the element-wise ops on floats and on complex numbers, and special functions that
// package math lacks. They are computed in double precision and rounded once.

import (
	"maps"
	"math"
	"math/cmplx"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/ir"
)

func floatLoops[T float, C complx]() loops {
	via := func(f func(x float64) float64) loop { return map1(func(x T) T { return T(f(float64(x))) }) }
	via2 := func(f func(x, y float64) float64) loop {
		return map2(func(x, y T) T { return T(f(float64(x), float64(y))) })
	}
	out := loops{
		ir.OpDivide: loopOver2(func(x, y, z []T) {
			for i := range x {
				z[i] = x[i] / y[i]
			}
		}),
		ir.OpMaximum: loopOver2(func(x, y, z []T) {
			for i := range x {
				z[i] = max(x[i], y[i]) // NaN if an operand is NaN; -0 < 0
			}
		}),
		ir.OpMinimum: loopOver2(func(x, y, z []T) {
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
			return x // a zero with its sign, or NaN
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

// power is C's pow: 1 to the power of NaN is 1, and NaN to the power of 0 is 1.
func power(x, y float64) float64 { return math.Pow(x, y) }

// runNextAfter computes, for each element of operand 0, the next number of its type towards the
// element of operand 1: the op chlo.next_after. Equal numbers stay, and a NaN gives NaN.
func runNextAfter(c *call) error {
	if !smallFloats[c.in[0].Type.DType] {
		return runElementwise(c)
	}
	x, y, out := widen(c.in[0]), widen(c.in[1]), c.newRaw(0)
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

// step changes the bits of a small float v to those of its neighbour in the direction of target.
// The bits are a sign and a magnitude.
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
		n = 0 // 8-bit types without a negative zero have NaN in its place
	}
	bits[0] = byte(n)
	if top == 1 {
		bits[1] = byte(n >> 8)
	}
}

// nextAfter returns the neighbour of x in the direction of y; x if they are equal, and NaN if one
// of them is NaN.
func nextAfter[T float](x, y T) T {
	switch x := any(x).(type) {
	case float32:
		return T(math.Nextafter32(x, float32(y)))
	default:
		return T(math.Nextafter(float64(any(x).(float64)), float64(y)))
	}
}

// complexPower is cmplx.Pow, except that 0 to an exponent with a NaN part is NaN: cmplx.Pow
// panics there if the other part is infinite.
func complexPower(x, y complex128) complex128 {
	if x == 0 && (math.IsNaN(real(y)) || math.IsNaN(imag(y))) {
		return cmplx.NaN()
	}
	return cmplx.Pow(x, y)
}

// makeComplex returns the complex number with the given real and imaginary part.
func makeComplex[T float, C complx](re, im T) C { return C(complex(float64(re), float64(im))) }

func complexLoops[C complx, T float]() loops {
	via := func(f func(x complex128) complex128) loop {
		return map1(func(x C) C { return C(f(complex128(x))) })
	}
	via2 := func(f func(x, y complex128) complex128) loop {
		return map2(func(x, y C) C { return C(f(complex128(x), complex128(y))) })
	}
	part := func(f func(x complex128) float64) loop { return map1(func(x C) T { return T(f(complex128(x))) }) }
	out := loops{
		ir.OpAbs:  part(cmplx.Abs),
		ir.OpReal: part(func(x complex128) float64 { return real(x) }),
		ir.OpImag: part(func(x complex128) float64 { return imag(x) }),

		ir.OpMaximum: via2(func(x, y complex128) complex128 {
			if lessComplex(x, y) {
				return y
			}
			return x
		}),
		ir.OpMinimum: via2(func(x, y complex128) complex128 {
			if lessComplex(y, x) {
				return y
			}
			return x
		}),
		ir.OpDivide:    map2(func(x, y C) C { return x / y }),
		ir.OpRemainder: via2(func(x, y complex128) complex128 { return x - y*truncComplex(x/y) }),
		ir.OpPower:     via2(complexPower),
		ir.OpAtan2: via2(func(y, x complex128) complex128 {
			return -1i * cmplx.Log((x+1i*y)/cmplx.Sqrt(x*x+y*y))
		}),

		ir.OpCbrt:   via(func(x complex128) complex128 { return cmplx.Pow(x, 1.0/3) }),
		ir.OpConj:   via(cmplx.Conj),
		ir.OpCosine: via(cmplx.Cos),
		ir.OpExp:    via(cmplx.Exp),
		ir.OpExpM1:  via(expm1Complex),
		ir.OpLog:    via(cmplx.Log),
		ir.OpLog1p:  via(log1pComplex),
		ir.OpLogistic: via(func(x complex128) complex128 {
			return 1 / (1 + cmplx.Exp(-x))
		}),
		ir.OpRsqrt: via(func(x complex128) complex128 { return 1 / cmplx.Sqrt(x) }),
		ir.OpSign: via(func(x complex128) complex128 {
			if x == 0 || cmplx.IsNaN(x) {
				return x
			}
			return x / complex(cmplx.Abs(x), 0)
		}),
		ir.OpSine: via(cmplx.Sin),
		ir.OpSqrt: via(cmplx.Sqrt),
		ir.OpTan:  via(cmplx.Tan),
		ir.OpTanh: via(cmplx.Tanh),

		ir.OpAcos:  via(cmplx.Acos),
		ir.OpAcosh: via(cmplx.Acosh),
		ir.OpAsin:  via(cmplx.Asin),
		ir.OpAsinh: via(cmplx.Asinh),
		ir.OpAtan:  via(cmplx.Atan),
		ir.OpAtanh: via(cmplx.Atanh),
		ir.OpCosh:  via(cmplx.Cosh),
		ir.OpSinh:  via(cmplx.Sinh),
	}
	maps.Copy(out, arithmetic[C]())
	return out
}

// lessComplex reports whether x is less than y, by the real parts, and if these are equal by the
// imaginary parts.
func lessComplex(x, y complex128) bool {
	return real(x) < real(y) || real(x) == real(y) && imag(x) < imag(y)
}

func truncComplex(x complex128) complex128 { return complex(math.Trunc(real(x)), math.Trunc(imag(x))) }

// expm1Complex returns exp(x)-1. It is accurate near 0, where the difference would cancel.
func expm1Complex(x complex128) complex128 {
	a, b := real(x), imag(x)
	half := math.Sin(b / 2)
	return complex(math.Expm1(a)*math.Cos(b)-2*half*half, math.Exp(a)*math.Sin(b))
}

// log1pComplex returns log(1+x). It is accurate near 0, where the sum would lose digits.
func log1pComplex(x complex128) complex128 {
	a, b := real(x), imag(x)
	return complex(0.5*math.Log1p(a*(2+a)+b*b), math.Atan2(b, 1+a))
}

// lgamma is log|Γ(x)|.
func lgamma(x float64) float64 {
	y, _ := math.Lgamma(x)
	return y
}

// digamma is the derivative of lgamma: by recurrence up to 10, then by the asymptotic series, and
// by reflection for x < 0. At the poles it is NaN.
//
// See Abramowitz and Stegun, 6.3.5, 6.3.7, 6.3.18.
func digamma(x float64) float64 {
	switch {
	case x <= 0 && x == math.Floor(x):
		return math.NaN()
	case x < 0:
		return digamma(1-x) - math.Pi/math.Tan(math.Pi*x)
	}
	sum := 0.0
	for ; x < 10; x++ {
		sum -= 1 / x
	}
	r := 1 / (x * x)
	series := r * (1.0/12 - r*(1.0/120-r*(1.0/252-r*(1.0/240-r*(1.0/132-r*(691.0/32760-r/12))))))
	return sum + math.Log(x) - 0.5/x - series
}

// bernoulli holds B₂ₖ/(2k)! for k = 1, 2, ….
var bernoulli = []float64{
	1.0 / 12, -1.0 / 720, 1.0 / 30240, -1.0 / 1209600, 1.0 / 47900160,
	-691.0 / 1307674368000, 1.0 / 74724249600, -3617.0 / 10670622842880000, 43867.0 / 5109094217170944000,
}

// zeta is Hurwitz' zeta function, Σ (q+k)⁻ˣ, by the sum of the first terms, and the Euler–Maclaurin
// formula for the rest. It is infinite for x = 1, and for q = 0, -1, … if x is even. It is NaN for
// other x < 1, and if a term is undefined.
//
// See Abramowitz and Stegun, 23.1.30 and 23.2.
func zeta(x, q float64) float64 {
	switch {
	case x == 1:
		return math.Inf(1)
	case q <= 0 && q == math.Floor(q) && x == math.Floor(x) && math.Mod(x, 2) == 0:
		return math.Inf(1) // a pole
	case !(x > 1) || q != q || q <= 0 && (q == math.Floor(q) || x != math.Floor(x)):
		return math.NaN()
	}
	const terms = 12
	sum := 0.0
	for q < 0 {
		sum += math.Pow(q, -x)
		q++
	}
	for range terms {
		sum += math.Pow(q, -x)
		q++
	}
	power := math.Pow(q, -x)
	sum += power*q/(x-1) + power/2
	factor := x
	power /= q
	for k, b := range bernoulli {
		sum += b * factor * power
		i := float64(2 * k)
		factor *= (x + i + 1) * (x + i + 2)
		power /= q * q
	}
	return sum
}

// polygamma returns the n-th derivative of digamma at x, NaN if n is negative or no integer.
func polygamma(n, x float64) float64 {
	switch {
	case n < 0 || n != math.Floor(n):
		return math.NaN()
	case n == 0:
		return digamma(x)
	}
	value := math.Gamma(n+1) * zeta(n+1, x)
	if math.Mod(n, 2) == 0 {
		return -value
	}
	return value
}

// besselI1e is e⁻|ˣ|·I₁(x): by the power series for small x, and the asymptotic series for large x.
//
// See Abramowitz and Stegun, 9.6.10 and 9.7.1.
func besselI1e(x float64) float64 {
	a := math.Abs(x)
	switch {
	case math.IsInf(x, 0):
		return math.Copysign(0, x)
	case a < 30:
		term := x / 2
		sum := term
		for k := 1.0; math.Abs(term) > math.Abs(sum)*1e-18; k++ {
			term *= x * x / 4 / (k * (k + 1))
			sum += term
		}
		return sum * math.Exp(-a)
	}
	term, sum := 1.0, 1.0
	for k := 1.0; k < 30; k++ {
		odd := 2*k - 1
		next := term * -(4 - odd*odd) / (8 * k * a)
		if math.Abs(next) >= math.Abs(term) || math.Abs(next) < 1e-18 {
			break
		}
		term = next
		sum += term
	}
	return math.Copysign(sum/math.Sqrt(2*math.Pi*a), x)
}
