package interp

// This file holds the element-wise ops on complex numbers, in double
// precision.

import (
	"maps"
	"math"
	"math/cmplx"

	"github.com/gospmd/gospmd/ir"
)

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
		ir.OpPower:     via2(cmplx.Pow),
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

// lessComplex orders by the real, then by the imaginary part.
func lessComplex(x, y complex128) bool {
	return real(x) < real(y) || real(x) == real(y) && imag(x) < imag(y)
}

func truncComplex(x complex128) complex128 { return complex(math.Trunc(real(x)), math.Trunc(imag(x))) }

// expm1Complex is exact near 0, where exp(x)-1 is not.
func expm1Complex(x complex128) complex128 {
	a, b := real(x), imag(x)
	half := math.Sin(b / 2)
	return complex(math.Expm1(a)*math.Cos(b)-2*half*half, math.Exp(a)*math.Sin(b))
}

// log1pComplex is exact near 0, where log(1+x) is not.
func log1pComplex(x complex128) complex128 {
	a, b := real(x), imag(x)
	return complex(0.5*math.Log1p(a*(2+a)+b*b), math.Atan2(b, 1+a))
}
