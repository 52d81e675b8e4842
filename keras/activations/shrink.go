package activations

// This file holds the activations that set small numbers to 0, and smooth or
// sparse cousins of relu and the sigmoid. Their gradients at kinks are JAX's.

import (
	"math"

	g "github.com/gomlx/gomlx/core/graph"
)

// shrinkBy is Keras' default threshold of the shrinking functions.
const shrinkBy = 0.5

// HardShrink is x, but 0 between -0.5 and 0.5.
func HardShrink(x *g.Node) *g.Node {
	return where(g.GreaterThan(g.Abs(x), constant(x, shrinkBy)), x, zeros(x))
}

// SoftShrink brings x nearer to 0 by 0.5, and is 0 between -0.5 and 0.5.
func SoftShrink(x *g.Node) *g.Node {
	y := where(g.GreaterThan(x, constant(x, shrinkBy)), g.AddScalar(x, -shrinkBy), zeros(x))
	return where(g.LessThan(x, constant(x, -shrinkBy)), g.AddScalar(x, shrinkBy), y)
}

// SparsePlus is 0 below -1, x above 1, and (x+1)²/4 between.
func SparsePlus(x *g.Node) *g.Node {
	y := g.AddScalar(x, 1)
	y = where(below(x, -1), zeros(x), g.MulScalar(g.Mul(y, y), 0.25))
	return where(g.GreaterOrEqual(x, constant(x, 1)), x, y)
}

// SparseSigmoid is 0 below -1, 1 above 1, and a straight line between, with
// half the line's gradient at both ends: so it is the mean of two functions,
// one of which has the line's gradient there and the other 0.
func SparseSigmoid(x *g.Node) *g.Node {
	low, high := constant(x, -1), constant(x, 1)
	inner := where(g.LessThan(x, low), low, where(g.GreaterThan(x, high), high, x))
	return g.MulScalar(g.AddScalar(g.Add(inner, clip(x, -1, 1)), 2), 0.25)
}

// Squareplus is (x+√(x²+4))/2, near relu (Barron, 2021).
func Squareplus(x *g.Node) *g.Node {
	return g.MulScalar(g.Add(x, g.Sqrt(g.AddScalar(g.Mul(x, x), 4))), 0.5)
}

// Threshold returns the function that is x above threshold and otherwise
// value.
func Threshold(threshold, value float64) Func {
	return func(x *g.Node) *g.Node {
		return where(g.GreaterThan(x, constant(x, threshold)), x, constant(x, value))
	}
}

// ReluWith returns relu with Keras' parameters: slope·(x-threshold) below
// threshold, x above it, and at most maxValue (math.Inf(1) for no limit).
func ReluWith(slope, maxValue, threshold float64) Func {
	return func(x *g.Node) *g.Node {
		t := constant(x, threshold)
		y := where(g.LessThan(x, t), g.MulScalar(g.AddScalar(x, -threshold), slope), where(g.GreaterThan(x, t), x, zeros(x)))
		if math.IsInf(maxValue, 1) {
			return y
		}
		return where(g.GreaterOrEqual(y, constant(x, maxValue)), constant(x, maxValue), y)
	}
}

// LeakyReluWith returns LeakyRelu with another slope below 0.
func LeakyReluWith(slope float64) Func {
	return func(x *g.Node) *g.Node { return where(g.LessThan(x, zeros(x)), g.MulScalar(x, slope), x) }
}

// EluWith returns Elu with another limit far below 0, -alpha.
func EluWith(alpha float64) Func {
	return func(x *g.Node) *g.Node { return where(below(x, 0), g.MulScalar(expm1Below(x), alpha), x) }
}
