package interp

// This file holds the element-wise ops on integers and booleans. Integers wrap
// around; where hardware would trap, as at a division by zero, results are
// those of XLA.

import (
	"maps"
	"math/bits"

	"github.com/gospmd/gospmd/ir"
)

func intLoops[T integer]() loops {
	signed, width := isSigned[T](), bitsOf[T]()
	mask := ^uint64(0) >> (64 - width)
	all := ^T(0)
	lowest := T(0)
	if signed {
		lowest = T(1) << (width - 1)
	}
	out := loops{
		ir.OpMaximum: map2(func(x, y T) T { return max(x, y) }),
		ir.OpMinimum: map2(func(x, y T) T { return min(x, y) }),
		ir.OpAnd:     map2(func(x, y T) T { return x & y }),
		ir.OpOr:      map2(func(x, y T) T { return x | y }),
		ir.OpXor:     map2(func(x, y T) T { return x ^ y }),
		ir.OpNot:     map1(func(x T) T { return ^x }),
		ir.OpAbs: map1(func(x T) T {
			if x < 0 {
				return -x
			}
			return x
		}),
		ir.OpSign: map1(func(x T) T {
			switch {
			case x > 0:
				return 1
			case x < 0:
				return all // -1
			}
			return 0
		}),
		ir.OpDivide: map2(func(x, y T) T {
			switch {
			case y == 0:
				return all // -1, or the greatest number
			case signed && y == all && x == lowest:
				return x
			}
			return x / y
		}),
		ir.OpRemainder: map2(func(x, y T) T {
			switch {
			case y == 0:
				return x
			case signed && y == all:
				return 0
			}
			return x % y
		}),
		ir.OpPower:             map2(intPower[T]),
		ir.OpPopcnt:            map1(func(x T) T { return T(bits.OnesCount64(uint64(x) & mask)) }),
		ir.OpCountLeadingZeros: map1(func(x T) T { return T(bits.LeadingZeros64(uint64(x)&mask) - (64 - width)) }),
		ir.OpShiftLeft: map2(func(x, y T) T {
			if n := uint64(y) & mask; n < uint64(width) {
				return x << n
			}
			return 0
		}),
		ir.OpShiftRightLogical: map2(func(x, y T) T {
			if n := uint64(y) & mask; n < uint64(width) {
				return T(uint64(x) & mask >> n)
			}
			return 0
		}),
		ir.OpShiftRightArithmetic: map2(func(x, y T) T {
			n := min(uint64(y)&mask, uint64(width-1))
			return T(int64(x) << (64 - width) >> (64 - width) >> n)
		}),
		ir.OpMulHi: map2(func(x, y T) T {
			if width < 64 {
				if signed {
					return T(int64(x) * int64(y) >> width)
				}
				return T(uint64(x) * uint64(y) >> width)
			}
			hi, _ := bits.Mul64(uint64(x), uint64(y))
			if x < 0 {
				hi -= uint64(y)
			}
			if y < 0 {
				hi -= uint64(x)
			}
			return T(hi)
		}),
	}
	maps.Copy(out, arithmetic[T]())
	return out
}

// intPower wraps around; a negative exponent yields 0 but for the bases 1
// and -1.
func intPower[T integer](x, y T) T {
	if y < 0 {
		switch {
		case x == 1:
			return 1
		case x == ^T(0):
			if y&1 == 0 {
				return 1
			}
			return x
		}
		return 0
	}
	out := T(1)
	for ; y > 0; y >>= 1 {
		if y&1 == 1 {
			out *= x
		}
		x *= x
	}
	return out
}

// boolLoops: adding is or, multiplying is and.
func boolLoops() loops {
	or := over2(func(x, y, z []bool) {
		for i := range x {
			z[i] = x[i] || y[i]
		}
	})
	and := over2(func(x, y, z []bool) {
		for i := range x {
			z[i] = x[i] && y[i]
		}
	})
	return loops{
		ir.OpAdd: or, ir.OpOr: or, ir.OpMaximum: or,
		ir.OpMultiply: and, ir.OpAnd: and, ir.OpMinimum: and,
		ir.OpXor: map2(func(x, y bool) bool { return x != y }),
		ir.OpNot: map1(func(x bool) bool { return !x }),
	}
}
