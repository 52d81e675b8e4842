package operations

// This file computes operations on the bits of numbers, and on integers.

import (
	"fmt"
	"math"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/keras/layers/internal/nodes"
)

// bitwise returns an operation that applies integers to two tensors of integers, or truths, unless
// it is nil, to two of booleans. Other types panic.
func bitwise(integers, truths func(a, b *graph.Node) *graph.Node) func(o operands) *graph.Node {
	return func(o operands) *graph.Node {
		xs := o.tensorsOf(o.arg(0), o.arg(1))
		if xs[0].DType() == dtypes.Bool && truths != nil {
			return truths(xs[0], xs[1])
		}
		checkIntegers(xs[0])
		return integers(xs[0], xs[1])
	}
}

func checkIntegers(x *graph.Node) {
	if !x.DType().IsInt() {
		panic(fmt.Errorf("got elements of type %s, want integers: convert them with Cast", typeName(x.DType())))
	}
}

func invertBits(o operands) *graph.Node {
	x := o.tensor(0)
	if x.DType() == dtypes.Bool {
		return graph.LogicalNot(x)
	}
	checkIntegers(x)
	return graph.BitwiseNot(x)
}

// shiftedRight returns the bits of x shifted to the right by by. It keeps the sign of numbers of a
// signed type.
func shiftedRight(x, by *graph.Node) *graph.Node {
	if x.DType().IsUnsigned() {
		return graph.BitwiseShiftRightLogical(x, by)
	}
	return graph.BitwiseShiftRightArithmetic(x, by)
}

// euclid returns the greatest common divisor of a and b, integers of any sign, element by element:
// not negative, and 0 if both are 0. It makes as many steps of Euclid's algorithm as the worst pair
// of numbers needs. Other types panic.
func euclid(a, b *graph.Node) *graph.Node {
	checkIntegers(a)
	steps := 46 // of two successive Fibonacci numbers of 32 bits
	if a.DType().Bits() > 32 {
		steps = 92
	}
	state := repeatSteps(steps, []*graph.Node{graph.Abs(a), graph.Abs(b)}, func(_ *graph.Node, s []*graph.Node) []*graph.Node {
		done := graph.Equal(s[1], graph.ZerosLike(s[1]))
		rest := graph.Rem(s[0], graph.Where(done, graph.OnesLike(s[1]), s[1]))
		return []*graph.Node{graph.Where(done, s[0], s[1]), graph.Where(done, s[1], rest)}
	})
	return state[0]
}

// commonMultiple returns the least common multiple of a and b, integers, element by element. It is
// 0 where one of both is 0.
func commonMultiple(a, b *graph.Node) *graph.Node {
	divisor := euclid(a, b)
	zero := graph.Equal(divisor, graph.ZerosLike(divisor))
	divisor = graph.Where(zero, graph.OnesLike(divisor), divisor)
	return graph.Abs(graph.Mul(graph.Div(a, divisor), b))
}

// integerOf returns the signed type of integers with as many bits as the elements of x have: int16
// for 16, int64 for 64, and int32 for any other number.
func integerOf(x *graph.Node) dtypes.DType {
	switch x.DType().Bits() {
	case 16:
		return dtypes.Int16
	case 64:
		return dtypes.Int64
	}
	return dtypes.Int32
}

// nextAfter returns the floating-point number next to a in the direction of b, element by element:
// b if they are equal, and NaN if one of both is.
func nextAfter(a, b *graph.Node) *graph.Node {
	a, b = fractions(a), fractions(b)
	bits := graph.Bitcast(a, integerOf(a))
	zero := graph.ZerosLike(a)
	away := graph.Equal(graph.GreaterThan(b, a), graph.GreaterThan(a, zero)) // from 0
	next := graph.Bitcast(graph.Where(away, graph.AddScalar(bits, 1), graph.AddScalar(bits, -1)), a.DType())
	smallest := graph.Bitcast(graph.OnesLike(bits), a.DType())
	next = graph.Where(graph.Equal(a, zero), graph.Where(graph.GreaterThan(b, zero), smallest, graph.Neg(smallest)), next)
	next = graph.Where(graph.Equal(a, b), b, next)
	return graph.Where(graph.LogicalOr(graph.IsNaN(a), graph.IsNaN(b)), nodes.Like(a, math.NaN()), next)
}

// isSigned reports for each element whether its sign bit is set: it is for negative numbers and for
// -0.
func isSigned(o operands) *graph.Node {
	x := o.tensor(0)
	switch {
	case x.DType() == dtypes.Bool || x.DType().IsUnsigned():
		return graph.NotEqual(x, x)
	case x.DType().IsFloat():
		x = graph.Bitcast(x, integerOf(x))
	}
	return graph.LessThan(x, graph.ZerosLike(x))
}

// view reads the bits of x as elements of the type that the attribute dtype names. If the types
// differ in size, the size of the last dimension changes. It panics if the new elements do not fit:
// for a scalar, or for a last dimension that is not a multiple.
func view(o operands) *graph.Node {
	x := o.tensor(0)
	to := o.dtype("dtype", x.DType())
	from, size := x.DType().Bits(), to.Bits()
	dims := x.Shape().Dimensions
	switch {
	case from == size:
		return graph.Bitcast(x, to)
	case x.Rank() == 0:
		panic(fmt.Errorf("got a number of type %s as %s, want types of one size", typeName(x.DType()), typeName(to)))
	case from > size:
		return graph.Reshape(graph.Bitcast(x, to), append(append([]int{}, dims[:len(dims)-1]...), -1)...)
	case dims[len(dims)-1]%(size/from) != 0:
		panic(fmt.Errorf("got a last dimension of %d elements of type %s, want a multiple of %d for %s", dims[len(dims)-1], typeName(x.DType()), size/from, typeName(to)))
	}
	return graph.Bitcast(graph.Reshape(x, append(append([]int{}, dims[:len(dims)-1]...), -1, size/from)...), to)
}

// scaledByPower is the operation ldexp: argument 0 times 2 to the power of argument 1, as floats.
func scaledByPower(o operands) *graph.Node {
	xs := o.tensorsOf(o.arg(0), o.arg(1))
	a, b := fractions(xs[0]), fractions(xs[1])
	return graph.Mul(a, graph.Pow(nodes.Like(b, 2), b))
}
