package interp

// This file computes the special functions that package math lacks.

import "math"

// lgamma is log|Γ(x)|.
func lgamma(x float64) float64 {
	y, _ := math.Lgamma(x)
	return y
}

// digamma is the derivative of lgamma: recurrence up to 10, then the
// asymptotic series; reflection for x < 0. At the poles it is NaN.
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

// zeta is Hurwitz' zeta function, Σ (q+k)⁻ˣ, by the sum of the first terms and
// Euler and Maclaurin's formula for the rest. It is NaN for x < 1, and where a
// term has no value.
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

// polygamma is the n-th derivative of digamma.
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

// besselI1e is e⁻|ˣ|·I₁(x): the power series for small x, the asymptotic one
// for large x.
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
