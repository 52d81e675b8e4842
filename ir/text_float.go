package ir

// This file converts between three forms of floating-point numbers: Go's, the bits of MLIR's float
// types, and text. Reading the text gives the same bits again.

import (
	"math"
	"strconv"
	"strings"

	"github.com/gomlx/compute/dtypes"
)

// floatFormat describes a binary floating-point type.
type floatFormat struct {
	bits, mantissa, bias int
	special              specials
}

// specials says which bit patterns stand for infinities and NaN.
type specials int

const (
	ieee   specials = iota // the largest exponent stands for infinities and NaNs
	fn                     // no infinities; NaN has all bits set below the sign
	fnuz                   // no infinities and no negative zero; the bits of negative zero are NaN
	fnu                    // as fn, without a sign and without zero
	finite                 // all bit patterns are numbers
)

var floatFormats = map[dtypes.DType]floatFormat{
	dtypes.Float64:       {64, 52, 1023, ieee},
	dtypes.Float32:       {32, 23, 127, ieee},
	dtypes.Float16:       {16, 10, 15, ieee},
	dtypes.BFloat16:      {16, 7, 127, ieee},
	dtypes.F8E5M2:        {8, 2, 15, ieee},
	dtypes.F8E4M3FN:      {8, 3, 7, fn},
	dtypes.F8E4M3B11FNUZ: {8, 3, 11, fnuz},
	dtypes.F8E5M2FNUZ:    {8, 2, 16, fnuz},
	dtypes.F8E4M3FNUZ:    {8, 3, 8, fnuz},
	dtypes.F8E4M3:        {8, 3, 7, ieee},
	dtypes.F8E3M4:        {8, 4, 3, ieee},
	dtypes.F8E8M0FNU:     {8, 0, 127, fnu},
	dtypes.F4E2M1FN:      {4, 1, 1, finite},
}

var float32Format = floatFormats[dtypes.Float32]

// sign returns a mask with the bit of the sign set. In a format without a sign, the bit is the one
// above the highest bit of the format.
func (f floatFormat) sign() uint64 {
	if f.special == fnu {
		return 1 << f.bits
	}
	return 1 << (f.bits - 1)
}

// maxFinite returns the bits of the largest finite number.
func (f floatFormat) maxFinite() uint64 {
	switch f.special {
	case ieee:
		return f.inf() - 1
	case fn, fnu:
		return f.sign() - 2
	default:
		return f.sign() - 1
	}
}

// inf returns the bits of +∞ in an ieee format: all exponent bits are set.
func (f floatFormat) inf() uint64 { return f.sign() - 1<<f.mantissa }

// overflow returns the bits for numbers that are larger than the largest finite one: infinity, NaN
// if the format has no infinity, or the largest number if it has neither.
func (f floatFormat) overflow() uint64 {
	switch f.special {
	case ieee:
		return f.inf()
	case fn, fnu, finite:
		return f.sign() - 1
	default:
		return f.sign()
	}
}

// encode returns the bits of v in the format, rounded to nearest even. Numbers that are too large,
// and negative ones in a format without a sign, have the bits of overflow. v must not be NaN: nan
// returns the bits of that.
func (f floatFormat) encode(v float64) uint64 {
	switch f.bits {
	case 64:
		return math.Float64bits(v)
	case 32:
		return uint64(math.Float32bits(float32(v)))
	}
	var sign uint64
	if math.Signbit(v) {
		if f.special == fnu && v < 0 {
			return f.overflow()
		}
		sign, v = f.sign(), -v
	}
	bits := f.overflow()
	if !math.IsInf(v, 1) {
		exp := 1 - f.bias // the exponent of subnormals and zero
		if v > 0 {
			_, e := math.Frexp(v) // v < 2^e
			exp = max(e-1, exp)
		}
		m := math.Ldexp(v, f.mantissa-exp) // includes the leading one
		bits = uint64(math.RoundToEven(m)) + uint64(exp+f.bias-1)<<f.mantissa
		if bits > f.maxFinite() {
			bits = f.overflow()
		}
	}
	if bits == 0 && f.special == fnuz || bits == f.sign() || f.special == fnu {
		return bits // the format has no negative zero, and its NaN has no sign
	}
	return sign | bits
}

// decode returns the number with the given bits in format f, exactly.
func (f floatFormat) decode(bits uint64) float64 {
	switch f.bits {
	case 64:
		return math.Float64frombits(bits)
	case 32:
		return float64(math.Float32frombits(uint32(bits)))
	}
	abs := bits &^ f.sign()
	if f.special == fnuz && bits == f.sign() || f.special != fnuz && abs > f.maxFinite() {
		if f.special == ieee && abs == f.inf() {
			return math.Inf(1 - 2*int(bits>>(f.bits-1)))
		}
		return math.NaN()
	}
	exp := int(abs >> f.mantissa)
	m := abs & (1<<f.mantissa - 1)
	if exp > 0 || f.special == fnu {
		m |= 1 << f.mantissa
	} else {
		exp = 1
	}
	v := math.Ldexp(float64(m), exp-f.bias-f.mantissa)
	if bits&f.sign() != 0 {
		v = -v
	}
	return v
}

// text returns a decimal text that gives the same bits when read: with a point, at least six
// decimals, and no more digits than are needed. For infinities and NaN it returns the bits in
// hexadecimal, as MLIR demands. MLIR reads decimals as f64 and rounds them to the type, so the
// shortest text of the type may be too short.
func (f floatFormat) text(bits uint64) string {
	v := f.decode(bits)
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return "0x" + strings.ToUpper(leftPad(strconv.FormatUint(bits, 16), f.bits/4))
	}
	s := strconv.FormatFloat(v, 'e', -1, 32)
	if f.bits == 64 {
		s = strconv.FormatFloat(v, 'e', -1, 64)
	} else if d, _ := strconv.ParseFloat(s, 64); f.encode(d) != bits {
		s = strconv.FormatFloat(v, 'e', -1, 64)
	}
	digits, exp, _ := strings.Cut(s, "e")
	if !strings.Contains(digits, ".") {
		digits += "."
	}
	for len(digits)-strings.IndexByte(digits, '.') < 7 {
		digits += "0" // six decimals, as MLIR prints
	}
	return digits + "e" + exp
}

func leftPad(s string, n int) string { return strings.Repeat("0", max(0, n-len(s))) + s }
