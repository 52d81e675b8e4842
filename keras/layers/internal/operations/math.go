package operations

// This file computes operations element by element.

import (
	"fmt"
	"math"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/keras/activations"
	"github.com/gospmd/gospmd/keras/layers/internal/nodes"
	"github.com/gospmd/gospmd/keras/random"
)

func binary(f func(a, b *graph.Node) *graph.Node) func(o operands) *graph.Node {
	return func(o operands) *graph.Node {
		xs := o.tensorsOf(o.arg(0), o.arg(1))
		return f(xs[0], xs[1])
	}
}

func unary(f func(x *graph.Node) *graph.Node) func(o operands) *graph.Node {
	return func(o operands) *graph.Node { return f(fractions(o.tensor(0))) }
}

// fractions returns x, with integers and booleans converted to float32.
func fractions(x *graph.Node) *graph.Node {
	if x.DType().IsFloat() {
		return x
	}
	return graph.ConvertDType(x, dtypes.Float32)
}

// numbers returns x, converted to int32 if it has booleans.
func numbers(x *graph.Node) *graph.Node {
	if x.DType() != dtypes.Bool {
		return x
	}
	return graph.ConvertDType(x, dtypes.Int32)
}

// truth returns booleans: whether the numbers of x are not 0.
func truth(x *graph.Node) *graph.Node {
	if x.DType() == dtypes.Bool {
		return x
	}
	return graph.NotEqual(x, graph.ZerosLike(x))
}

func quotient(a, b *graph.Node) *graph.Node { return graph.Div(fractions(a), fractions(b)) }

// power is the operation power: argument 0 to the power of argument 1, element by element. As in
// JAX, the gradient to the base is 0 where an exponent of an integer type is 0, and the gradient to
// the exponent is 0 where the base is 0; the derivatives that GoMLX computes are 0·∞ there.
func power(o operands) *graph.Node {
	xs := o.tensorsOf(o.arg(0), o.arg(1))
	a, b := xs[0], xs[1]
	if !a.DType().IsFloat() {
		return graph.Pow(a, b)
	}
	one := graph.OnesLike(a)
	switch exponent := o.arg(1).(type) {
	case float64, float32:
		return graph.Pow(a, b)
	case *graph.Node:
		if exponent.DType().IsFloat() {
			zero := graph.Equal(a, graph.ZerosLike(a))
			ofZero := graph.Pow(graph.Where(zero, a, one), graph.StopGradient(b))
			return graph.Where(zero, ofZero, graph.Pow(graph.Where(zero, one, a), b))
		}
	}
	return graph.Pow(graph.Where(graph.Equal(b, graph.ZerosLike(b)), one, a), b)
}

func activate(name string) func(o operands) *graph.Node {
	f, err := activations.Get(name)
	if err != nil {
		panic(fmt.Sprintf("BUG: layers: %v", err))
	}
	return func(o operands) *graph.Node { return f(fractions(o.tensor(0))) }
}

// logical returns an operation that applies f to the truth of two tensors. A number counts as true
// if it is not 0.
func logical(f func(a, b *graph.Node) *graph.Node) func(o operands) *graph.Node {
	return func(o operands) *graph.Node {
		xs := o.tensorsOf(o.arg(0), o.arg(1))
		return f(truth(xs[0]), truth(xs[1]))
	}
}

// alike returns an operation that applies f to its only tensor, without a conversion of the type.
func alike(f func(x *graph.Node) *graph.Node) func(o operands) *graph.Node {
	return func(o operands) *graph.Node { return f(o.tensor(0)) }
}

func arctan2(a, b *graph.Node) *graph.Node { return graph.Atan2(fractions(a), fractions(b)) }

// floorDivide returns the quotient of a and b rounded down, as Python's // does.
func floorDivide(a, b *graph.Node) *graph.Node {
	if a.DType().IsFloat() {
		return graph.Floor(graph.Div(a, b))
	}
	return graph.Div(graph.Sub(a, modulo(a, b)), b)
}

// modulo returns the remainder that has the sign of b, as Python's % does.
func modulo(a, b *graph.Node) *graph.Node {
	rest, zero := graph.Rem(a, b), graph.ZerosLike(a)
	other := graph.LogicalAnd(graph.NotEqual(rest, zero), graph.NotEqual(graph.LessThan(rest, zero), graph.LessThan(b, zero)))
	return graph.Where(other, graph.Add(rest, b), rest)
}

// logaddexp returns log(eᵃ + eᵇ), without overflow. It is ∞ if one of the two is, with the gradient
// 1 of the infinite ones and 0 of the other, and -∞ if both are.
func logaddexp(a, b *graph.Node) *graph.Node {
	a, b = fractions(a), fractions(b)
	top := graph.Max(a, b)
	overflows, shift := infinite(1)(top), shiftFor(top)
	power := func(x *graph.Node) *graph.Node {
		return graph.Exp(graph.Sub(graph.Where(overflows, graph.ZerosLike(x), x), shift))
	}
	ifInfinite := func(x *graph.Node) *graph.Node { return graph.Where(infinite(1)(x), x, graph.ZerosLike(x)) }
	sum := graph.Add(shift, graph.Log(graph.Add(power(a), power(b))))
	return graph.Where(overflows, graph.Add(ifInfinite(a), ifInfinite(b)), sum)
}

// shiftFor returns what to subtract from numbers, whose largest is top, before a sum of their
// powers: top, or 0 where it is infinite, because ∞-∞ is NaN. No gradient flows through it.
func shiftFor(top *graph.Node) *graph.Node {
	return graph.StopGradient(graph.Where(isInf(top), graph.ZerosLike(top), top))
}

func isInf(x *graph.Node) *graph.Node {
	return graph.LogicalNot(graph.LogicalOr(graph.IsFinite(x), graph.IsNaN(x)))
}

// oneMinusSquare returns 1 - x² without cancellation near 1.
func oneMinusSquare(x *graph.Node) *graph.Node {
	return graph.Mul(graph.OneMinus(x), graph.OnePlus(x))
}

func arccos(x *graph.Node) *graph.Node { return graph.Atan2(graph.Sqrt(oneMinusSquare(x)), x) }

func arcsin(x *graph.Node) *graph.Node { return graph.Atan2(x, graph.Sqrt(oneMinusSquare(x))) }

func arctan(x *graph.Node) *graph.Node { return graph.Atan2(x, graph.OnesLike(x)) }

func arccosh(x *graph.Node) *graph.Node {
	return graph.Log(graph.Add(x, graph.Sqrt(graph.Neg(oneMinusSquare(x)))))
}

// arcsinh returns log(x + √(x²+1)). It uses |x| and log1p for precision.
func arcsinh(x *graph.Node) *graph.Node {
	size := graph.Abs(x)
	square := graph.Square(x)
	return graph.Mul(graph.Sign(x), graph.Log1P(graph.Add(size, graph.Div(square, graph.OnePlus(graph.Sqrt(graph.OnePlus(square)))))))
}

func arctanh(x *graph.Node) *graph.Node {
	return graph.MulScalar(graph.Sub(graph.Log1P(x), graph.Log1P(graph.Neg(x))), .5)
}

func cosh(x *graph.Node) *graph.Node {
	return graph.MulScalar(graph.Add(graph.Exp(x), graph.Exp(graph.Neg(x))), .5)
}

// sinh returns (eˣ - e⁻ˣ)/2. It uses expm1 for precision.
func sinh(x *graph.Node) *graph.Node {
	return graph.MulScalar(graph.Sub(graph.Expm1(x), graph.Expm1(graph.Neg(x))), .5)
}

func tan(x *graph.Node) *graph.Node { return graph.Div(graph.Sin(x), graph.Cos(x)) }

func exp2(x *graph.Node) *graph.Node { return graph.Exp(graph.MulScalar(x, math.Ln2)) }

func logOf(base float64) func(x *graph.Node) *graph.Node {
	return func(x *graph.Node) *graph.Node { return graph.DivScalar(graph.Log(x), base) }
}

func trunc(x *graph.Node) *graph.Node {
	return graph.Where(graph.LessThan(x, graph.ZerosLike(x)), graph.Ceil(x), graph.Floor(x))
}

// erfinv returns the inverse error function of x, as random.Erfinv computes it, and defines its
// gradient.
func erfinv(x *graph.Node) *graph.Node {
	y := graph.StopGradient(random.Erfinv(x))
	slope := graph.StopGradient(graph.MulScalar(graph.Exp(graph.Square(y)), math.Sqrt(math.Pi)/2))
	return graph.Add(y, graph.Mul(slope, graph.Sub(x, graph.StopGradient(x))))
}

func fullLike(o operands) *graph.Node {
	xs := o.tensorsOf(o.arg(0), o.arg(1))
	return graph.ConvertDType(xs[1], o.tensor(0).DType())
}

// nanToNum replaces NaN and infinities by the attributes nan, posinf and neginf. The defaults are
// 0, and the largest and the lowest finite number.
func nanToNum(o operands) *graph.Node {
	x := fractions(o.tensor(0))
	value := func(key string, otherwise *graph.Node) *graph.Node {
		if v := o.attrs[key]; v != nil {
			return nodes.Like(x, number(v))
		}
		return graph.BroadcastToShape(otherwise, x.Shape())
	}
	g := x.Graph()
	zero := graph.ZerosLike(x)
	infinite := isInf(x)
	lowest, highest := graph.Const(g, x.DType().LowestValue()), graph.Const(g, x.DType().HighestValue())
	if x.DType() == dtypes.Float32 {
		lowest, highest = graph.Scalar(g, x.DType(), -math.MaxFloat32), graph.Scalar(g, x.DType(), math.MaxFloat32)
	}
	y := graph.Where(graph.LogicalAnd(infinite, graph.GreaterThan(x, zero)), value("posinf", highest), x)
	y = graph.Where(graph.LogicalAnd(infinite, graph.LessThan(x, zero)), value("neginf", lowest), y)
	return graph.Where(graph.IsNaN(x), value("nan", graph.ScalarZero(g, x.DType())), y)
}

// round is the operation round: to the number of decimals of the attribute decimals, with halves to
// the even neighbour. Integers stay as they are.
func round(o operands) *graph.Node {
	x := o.tensor(0)
	decimals, _ := o.attrs["decimals"].(int)
	switch {
	case !x.DType().IsFloat():
		return x
	case decimals == 0:
		return graph.Round(x)
	}
	scale := math.Pow10(decimals)
	return graph.DivScalar(graph.Round(graph.MulScalar(x, scale)), scale)
}

// activatedWith returns an operation that applies the activation which f returns for the number in
// the attribute key.
func activatedWith(key string, f func(v float64) activations.Func) func(o operands) *graph.Node {
	return func(o operands) *graph.Node { return f(number(o.attrs[key]))(fractions(o.tensor(0))) }
}

func gelu(o operands) *graph.Node {
	if o.attrs["approximate"] == false {
		return activations.Gelu(fractions(o.tensor(0)))
	}
	return activations.GeluApproximate(fractions(o.tensor(0)))
}

// glu is the operation glu: the first half of the attribute axis times the sigmoid of the second.
// An odd size panics.
func glu(o operands) *graph.Node {
	x := fractions(o.tensor(0))
	axis := o.axis(x.Rank())
	if n := x.Shape().Dimensions[axis]; n%2 != 0 {
		panic(fmt.Errorf("got %d elements on axis %d, want an even number", n, axis))
	}
	halves := graph.Split(x, axis, 2)
	return graph.Mul(halves[0], graph.Sigmoid(halves[1]))
}

func threshold(o operands) *graph.Node {
	return activations.Threshold(number(o.attrs["threshold"]), number(o.attrs["default_value"]))(fractions(o.tensor(0)))
}

func cbrt(x *graph.Node) *graph.Node {
	return graph.Mul(graph.Sign(x), graph.Pow(graph.Abs(x), nodes.Like(x, 1.0/3)))
}

// scaledBy returns a function that multiplies a tensor by factor.
func scaledBy(factor float64) func(x *graph.Node) *graph.Node {
	return func(x *graph.Node) *graph.Node { return graph.MulScalar(x, factor) }
}

func hypot(a, b *graph.Node) *graph.Node {
	a, b = fractions(a), fractions(b)
	return graph.Sqrt(graph.Add(graph.Square(a), graph.Square(b)))
}

// heaviside returns the step function of a: 0 where a is below 0, 1 above, and b at 0.
func heaviside(a, b *graph.Node) *graph.Node {
	a, b = fractions(a), fractions(b)
	zero := graph.ZerosLike(a)
	step := graph.Where(graph.LessThan(a, zero), zero, graph.OnesLike(a))
	return graph.Where(graph.Equal(a, zero), b, step)
}

func logaddexp2(a, b *graph.Node) *graph.Node {
	a, b = graph.MulScalar(fractions(a), math.Ln2), graph.MulScalar(fractions(b), math.Ln2)
	return graph.MulScalar(logaddexp(a, b), 1/math.Ln2)
}

// sinc returns sin(πx)/(πx), and 1 at 0.
func sinc(x *graph.Node) *graph.Node {
	x = graph.MulScalar(x, math.Pi)
	none := graph.Equal(x, graph.ZerosLike(x))
	safe := graph.Where(none, graph.OnesLike(x), x)
	return graph.Where(none, graph.OnesLike(x), graph.Div(graph.Sin(safe), safe))
}

// infinite returns a function that reports for each element whether it is the infinity of the given
// sign.
func infinite(sign int) func(x *graph.Node) *graph.Node {
	return func(x *graph.Node) *graph.Node { return graph.Equal(x, nodes.Like(x, math.Inf(sign))) }
}

// erfc returns 1 - erf(x), element by element.
func erfc(x *graph.Node) *graph.Node { return graph.OneMinus(graph.Erf(x)) }
