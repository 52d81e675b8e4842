package interp

// This file makes loops over elements out of functions of one element, lists them for every element
// type, and holds the ops on integers and booleans. Integers wrap around. Where hardware would
// trap, as in a division by zero, the results are those of XLA.

import (
	"maps"
	"math/bits"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/ir"
)

// loop computes every element of out from the elements of in at the same
// place.
type loop func(in []*Tensor, out *Tensor)

// loops holds the element-wise ops for one element type of the first operand.
type loops map[ir.OpKind]loop

var elementwise = map[dtypes.DType]loops{
	dtypes.Bool:       boolLoops(),
	dtypes.Int8:       intLoops[int8](),
	dtypes.Int16:      intLoops[int16](),
	dtypes.Int32:      intLoops[int32](),
	dtypes.Int64:      intLoops[int64](),
	dtypes.Uint8:      intLoops[uint8](),
	dtypes.Uint16:     intLoops[uint16](),
	dtypes.Uint32:     intLoops[uint32](),
	dtypes.Uint64:     intLoops[uint64](),
	dtypes.Float32:    floatLoops[float32, complex64](),
	dtypes.Float64:    floatLoops[float64, complex128](),
	dtypes.Complex64:  complexLoops[complex64, float32](),
	dtypes.Complex128: complexLoops[complex128, float64](),
}

// map1 returns the loop that applies f to every element of one operand.
func map1[X, Z any](f func(x X) Z) loop {
	return func(in []*Tensor, out *Tensor) {
		x, z := view[X](in[0]), view[Z](out)
		for i, v := range x {
			z[i] = f(v)
		}
	}
}

// map2 returns the loop that applies f to the elements at the same place of two operands.
func map2[X, Z any](f func(x, y X) Z) loop {
	return func(in []*Tensor, out *Tensor) {
		x, y, z := view[X](in[0]), view[X](in[1]), view[Z](out)
		for i, v := range x {
			z[i] = f(v, y[i])
		}
	}
}

// loopOver1 returns a loop that calls f with the elements x of the operand and z of the result.
// loopOver2 does so for two operands. Both are for the ops in which programs spend most time.
func loopOver1[T any](f func(x, z []T)) loop {
	return func(in []*Tensor, out *Tensor) { f(view[T](in[0]), view[T](out)) }
}

func loopOver2[T any](f func(x, y, z []T)) loop {
	return func(in []*Tensor, out *Tensor) {
		x := view[T](in[0])
		f(x, view[T](in[1])[:len(x)], view[T](out)[:len(x)])
	}
}

// runElementwise is the kernel of all ops in the tables of loops. An element type that the op's
// table lacks is an error.
func runElementwise(c *call) error {
	d := c.in[0].Type.DType
	f := elementwise[d][c.op.Kind]
	if f == nil {
		return c.unsupportedError(d)
	}
	f(c.in, c.newResult(0))
	return nil
}

// arithmetic returns the loops that all numeric types share: of add, subtract, multiply, negate and
// square, by op.
func arithmetic[T number]() loops {
	return loops{
		ir.OpAdd: loopOver2(func(x, y, z []T) {
			for i := range x {
				z[i] = x[i] + y[i]
			}
		}),
		ir.OpSubtract: loopOver2(func(x, y, z []T) {
			for i := range x {
				z[i] = x[i] - y[i]
			}
		}),
		ir.OpMultiply: loopOver2(func(x, y, z []T) {
			for i := range x {
				z[i] = x[i] * y[i]
			}
		}),
		ir.OpNegate: loopOver1(func(x, z []T) {
			for i := range x {
				z[i] = -x[i]
			}
		}),
		ir.OpSquare: loopOver1(func(x, z []T) {
			for i := range x {
				z[i] = x[i] * x[i]
			}
		}),
	}
}

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

// intPower returns x to the power of y, and wraps around. A negative exponent gives 0, except for
// the bases 1 and -1.
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

// boolLoops returns the loops, by op, for booleans: add is or, multiply is and.
func boolLoops() loops {
	or := loopOver2(func(x, y, z []bool) {
		for i := range x {
			z[i] = x[i] || y[i]
		}
	})
	and := loopOver2(func(x, y, z []bool) {
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
