package random

// This file holds what the numbers on the host and in traced functions share:
// the floating-point formats and the inverse error function, through which
// uniform numbers become normal ones.
//
// Its polynomials are M. Giles' ("Approximating the erfinv function", GPU
// Computing Gems, 2011), which CHLO's erf_inv is defined by. For 32 bits the
// host also rounds where XLA:CPU rounds, logarithm included, so that normal
// numbers equal JAX's bit for bit there.

import (
	"math"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/dtypes/bfloat16"
	"github.com/gomlx/compute/dtypes/float16"

	"github.com/gospmd/gospmd/internal/half"
)

// format is a floating-point format, and how random numbers of it are made from bits.
type format struct {
	dtype    dtypes.DType
	wordBits int // random bits for a number: JAX uses 8 if these suffice
	mantissa int // how many of them are used
	round    func(float64) float64
}

var (
	float32Format  = format{dtypes.Float32, 32, 23, func(x float64) float64 { return float64(float32(x)) }}
	float64Format  = format{dtypes.Float64, 64, 52, func(x float64) float64 { return x }}
	float16Format  = format{dtypes.Float16, 16, 10, func(x float64) float64 { return half.FromFloat32(float32(x)).Float64() }}
	bfloat16Format = format{dtypes.BFloat16, 8, 7, func(x float64) float64 { return bfloat16.FromFloat64(x).Float64() }}
)

// formats lists the formats in the order in which messages name them.
var formats = []format{float32Format, float64Format, float16Format, bfloat16Format}

// formatOf returns the format of the floats that dst, a slice, holds; ok is false if it holds
// others.
func formatOf(dst any) (format, bool) {
	switch dst.(type) {
	case []float32:
		return float32Format, true
	case []float64:
		return float64Format, true
	case []float16.Float16:
		return float16Format, true
	case []bfloat16.BFloat16:
		return bfloat16Format, true
	}
	return format{}, false
}

// formatOfDType returns the format of a float dtype; false for any other dtype.
func formatOfDType(dtype dtypes.DType) (format, bool) {
	for _, f := range formats {
		if f.dtype == dtype {
			return f, true
		}
	}
	return format{}, false
}

// aboveMinusOne returns the smallest number above -1. The uniform numbers that
// become normal ones begin there, because erf⁻¹(-1) is -∞.
func (f format) aboveMinusOne() float64 { return -(1 - math.Ldexp(1, -f.mantissa-1)) }

// leastNormal returns the smallest positive number of the format that is not subnormal.
func (f format) leastNormal() float64 {
	return math.Ldexp(1, 1-int(f.oneBits()>>f.mantissa))
}

// oneBits returns the bit pattern of the number 1 in the format.
func (f format) oneBits() uint64 {
	exponentBits := f.dtype.Bits() - 1 - f.mantissa
	return (1<<(exponentBits-1) - 1) << f.mantissa
}

// belowTwo returns the largest number of the format below 2.
func (f format) belowTwo() float64 { return 2 - math.Ldexp(1, -f.mantissa) }

// truncation returns erf(2/√2), each step rounded to the format. Uniform numbers
// between -truncation and truncation become normal numbers within two standard
// deviations.
func (f format) truncation() float64 { return f.round(math.Erf(f.round(2 / f.round(math.Sqrt2)))) }

// erfinvPiece is the polynomial for one range of w = -log1p(-x²), highest
// power first. Its argument is √w-shift if sqrt is set, else w-shift.
type erfinvPiece struct {
	below  float64 // end of the range of w
	sqrt   bool
	shift  float64
	coeffs []float64
}

var erfinv32Pieces = []erfinvPiece{
	{below: 5, shift: 2.5, coeffs: []float64{
		2.81022636e-08, 3.43273939e-07, -3.5233877e-06, -4.39150654e-06, 0.00021858087,
		-0.00125372503, -0.00417768164, 0.246640727, 1.50140941}},
	{below: math.Inf(1), sqrt: true, shift: 3, coeffs: []float64{
		-0.000200214257, 0.000100950558, 0.00134934322, -0.00367342844, 0.00573950773,
		-0.0076224613, 0.00943887047, 1.00167406, 2.83297682}},
}

var erfinv64Pieces = []erfinvPiece{
	{below: 6.25, shift: 3.125, coeffs: []float64{
		-3.6444120640178196996e-21, -1.685059138182016589e-19, 1.2858480715256400167e-18,
		1.115787767802518096e-17, -1.333171662854620906e-16, 2.0972767875968561637e-17,
		6.6376381343583238325e-15, -4.0545662729752068639e-14, -8.1519341976054721522e-14,
		2.6335093153082322977e-12, -1.2975133253453532498e-11, -5.4154120542946279317e-11,
		1.051212273321532285e-09, -4.1126339803469836976e-09, -2.9070369957882005086e-08,
		4.2347877827932403518e-07, -1.3654692000834678645e-06, -1.3882523362786468719e-05,
		0.0001867342080340571352, -0.00074070253416626697512, -0.0060336708714301490533,
		0.24015818242558961693, 1.6536545626831027356}},
	{below: 16, sqrt: true, shift: 3.25, coeffs: []float64{
		2.2137376921775787049e-09, 9.0756561938885390979e-08, -2.7517406297064545428e-07,
		1.8239629214389227755e-08, 1.5027403968909827627e-06, -4.013867526981545969e-06,
		2.9234449089955446044e-06, 1.2475304481671778723e-05, -4.7318229009055733981e-05,
		6.8284851459573175448e-05, 2.4031110387097893999e-05, -0.0003550375203628474796,
		0.00095328937973738049703, -0.0016882755560235047313, 0.0024914420961078508066,
		-0.0037512085075692412107, 0.005370914553590063617, 1.0052589676941592334,
		3.0838856104922207635}},
	{below: math.Inf(1), sqrt: true, shift: 5, coeffs: []float64{
		-2.7109920616438573243e-11, -2.5556418169965252055e-10, 1.5076572693500548083e-09,
		-3.7894654401267369937e-09, 7.6157012080783393804e-09, -1.4960026627149240478e-08,
		2.9147953450901080826e-08, -6.7711997758452339498e-08, 2.2900482228026654717e-07,
		-9.9298272942317002539e-07, 4.5260625972231537039e-06, -1.9681778105531670567e-05,
		7.5995277030017761139e-05, -0.00021503011930044477347, -0.00013871931833623122026,
		1.0103004648645343977, 4.8499064014085844221}},
}

// erfinv64 returns erf⁻¹(x) for |x| < 1, computed with 64 bits.
func erfinv64(x float64) float64 {
	w := -math.Log1p(-x * x)
	for _, piece := range erfinv64Pieces {
		if w < piece.below {
			if piece.sqrt {
				w = math.Sqrt(w)
			}
			w -= piece.shift
			p := piece.coeffs[0]
			for _, c := range piece.coeffs[1:] {
				p = math.FMA(p, w, c)
			}
			return p * x
		}
	}
	panic("BUG: no piece of erfinv64 holds its argument")
}

// erfinv32 returns erf⁻¹(x) for |x| < 1, rounded as XLA:CPU rounds it.
func erfinv32(x float32) float32 {
	w := -log1p32(-(x * x))
	coeffs := &erfinv32Low
	if w < 5 {
		w -= 2.5
	} else {
		w = float32(math.Sqrt(float64(w))) - 3
		coeffs = &erfinv32High
	}
	p := coeffs[0]
	for _, c := range coeffs[1:] {
		p = fma32(p, w, c)
	}
	return p * x
}

var erfinv32Low, erfinv32High = narrowed(erfinv32Pieces[0].coeffs), narrowed(erfinv32Pieces[1].coeffs)

func narrowed(coeffs []float64) (out [9]float32) {
	for i, c := range coeffs {
		out[i] = float32(c)
	}
	return out
}

// fma32 returns x*y+z with an exact product, as a fused multiply-add does. The
// two differ in about one sum of 2²⁹: where the sum, rounded to 64 bits, is
// half-way between two 32-bit numbers.
func fma32(x, y, z float32) float32 { return float32(float64(x)*float64(y) + float64(z)) }

// The rational approximation of log(1+x) for |x| < √2-1 and the polynomial of
// log(x) are from Moshier's Cephes library, log1p.c and logf.c.
var (
	log1pNumerator = [...]float32{
		4.5270000862445199635215e-5, 4.9854102823193375972212e-1, 6.5787325942061044846969e0,
		2.9911919328553073277375e1, 6.0949667980987787057556e1, 5.7112963590585538103336e1,
		2.0039553499201281259648e1}
	log1pDenominator = [...]float32{
		1, 1.5062909083469192043167e1, 8.3047565967967209469434e1, 2.2176239823732856465394e2,
		3.0909872225312059774938e2, 2.1642788614495947685003e2, 6.0118660497603843919306e1}
	logCoeffs = [...]float32{
		7.0376836292e-2, -1.1514610310e-1, 1.1676998740e-1, -1.2420140846e-1, 1.4249322787e-1,
		-1.6668057665e-1, 2.0000714765e-1, -2.4999993993e-1, 3.3333331174e-1}
)

// log1p32 returns log(1+x) for -1 < x <= 0, rounded as XLA:CPU rounds it.
func log1p32(x float32) float32 {
	if x <= -0.41421356237309504880 {
		return log32(1 + x)
	}
	n, d := log1pNumerator[0], log1pDenominator[0]
	for i := 1; i < len(log1pNumerator); i++ {
		n, d = fma32(n, x, log1pNumerator[i]), fma32(d, x, log1pDenominator[i])
	}
	xx := x * x
	return x + fma32(-0.5, xx, x*xx*(n/d))
}

// log32 returns log(x) for normal x in (0, 1), in float32 arithmetic.
func log32(x float32) float32 {
	const (
		ln2High = 0.693359375
		ln2Low  = -2.12194440e-4
	)
	b := math.Float32bits(x) // x = m·2ᵉ, m in [½, 1)
	m, e := math.Float32frombits(b&0x7fffff|0x3f000000), float32(int(b>>23)-126)
	if m < math.Sqrt2/2 {
		e--
		m += m
	}
	m--
	mm := m * m
	mmm := mm * m
	c := &logCoeffs
	p := fma32(fma32(c[0], m, c[1]), m, c[2])
	p = fma32(p, mmm, fma32(fma32(c[3], m, c[4]), m, c[5]))
	p = fma32(p, mmm, fma32(fma32(c[6], m, c[7]), m, c[8]))
	p = fma32(p, mmm, e*ln2Low)
	return fma32(e, ln2High, fma32(-0.5, mm, m)+p)
}
