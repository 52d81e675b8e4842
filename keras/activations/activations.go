package activations

// This file holds the activation functions and Get, which finds them by name.

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/gomlx/compute/dtypes"
	g "github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/internal/suggest"
)

// Func is an activation function: it maps a tensor to one of the same shape.
type Func = func(x *g.Node) *g.Node

// byName maps Keras' names to the activation functions, with Keras' defaults.
var byName = map[string]Func{
	"celu":           Celu,
	"elu":            Elu,
	"exponential":    g.Exp,
	"gelu":           Gelu,
	"hard_shrink":    HardShrink,
	"hard_sigmoid":   HardSigmoid,
	"hard_silu":      HardSilu,
	"hard_swish":     HardSilu,
	"hard_tanh":      HardTanh,
	"leaky_relu":     LeakyRelu,
	"linear":         Linear,
	"log_sigmoid":    LogSigmoid,
	"log_softmax":    LogSoftmax,
	"mish":           Mish,
	"relu":           Relu,
	"relu6":          Relu6,
	"selu":           Selu,
	"sigmoid":        g.Sigmoid,
	"silu":           Silu,
	"soft_shrink":    SoftShrink,
	"softmax":        Softmax,
	"softplus":       Softplus,
	"softsign":       Softsign,
	"sparse_plus":    SparsePlus,
	"sparse_sigmoid": SparseSigmoid,
	"sparsemax":      Sparsemax,
	"squareplus":     Squareplus,
	"swish":          Silu,
	"tanh":           g.Tanh,
	"tanh_shrink":    TanhShrink,
}

// Get returns the function of a name, such as "relu"; a Func as it is; and Linear for nil. An
// unknown name is an error.
func Get(activation any) (Func, error) {
	switch a := activation.(type) {
	case nil:
		return Linear, nil
	case Func:
		return a, nil
	case string:
		if f, ok := byName[a]; ok {
			return f, nil
		}
		names := slices.Sorted(maps.Keys(byName))
		return nil, fmt.Errorf("unknown activation %q: want a function of a graph node or the name of one, such as \"relu\"%s", a, suggest.Closest(a, names, ""))
	default:
		return nil, fmt.Errorf("activation is a %T: want a name such as \"relu\", or a function of a graph node", activation)
	}
}

// Linear returns x.
func Linear(x *g.Node) *g.Node { return x }

// Relu is max(x, 0), with gradient 0 at 0.
func Relu(x *g.Node) *g.Node { return g.Where(below(x, 0), g.ZerosLike(x), x) }

// Relu6 is min(max(x, 0), 6), with gradient 0 at both kinks.
func Relu6(x *g.Node) *g.Node { return clip(x, 0, 6) }

// LeakyRelu is x above 0 and 0.2·x below: Keras' default slope.
func LeakyRelu(x *g.Node) *g.Node {
	return g.Where(g.LessThan(x, g.ZerosLike(x)), g.MulScalar(x, 0.2), x)
}

// Elu is x above 0 and eˣ-1 below.
func Elu(x *g.Node) *g.Node { return g.Where(below(x, 0), expm1Below(x), x) }

// Celu is Elu, because Keras' default of its alpha is 1. CeluWith takes another.
func Celu(x *g.Node) *g.Node { return Elu(x) }

// Selu is scale · x above 0 and scale · alpha · (eˣ-1) below, with constants that make networks
// self-normalizing (Klambauer et al., 2017).
func Selu(x *g.Node) *g.Node {
	const alpha, scale = 1.6732632423543772848170429916717, 1.0507009873554804934193349852946
	return g.MulScalar(g.Where(below(x, 0), g.MulScalar(expm1Below(x), alpha), x), scale)
}

// Gelu is x·Φ(x) with the exact normal distribution function, Keras' default.
func Gelu(x *g.Node) *g.Node {
	return g.MulScalar(g.Mul(x, g.AddScalar(g.Erf(g.MulScalar(x, 1/math.Sqrt2)), 1)), 0.5)
}

// GeluApproximate is Gelu by the tanh formula (Hendrycks and Gimpel, 2016).
func GeluApproximate(x *g.Node) *g.Node {
	inner := g.MulScalar(g.Add(x, g.MulScalar(g.Mul(x, g.Mul(x, x)), 0.044715)), math.Sqrt(2/math.Pi))
	return g.MulScalar(g.Mul(x, g.AddScalar(g.Tanh(inner), 1)), 0.5)
}

// HardSigmoid is relu6(x+3)/6.
func HardSigmoid(x *g.Node) *g.Node { return g.DivScalar(Relu6(g.AddScalar(x, 3)), 6) }

// HardSilu is x·hard_sigmoid(x).
func HardSilu(x *g.Node) *g.Node { return g.Mul(x, HardSigmoid(x)) }

// HardTanh is min(max(x, -1), 1).
func HardTanh(x *g.Node) *g.Node {
	x = g.Where(g.GreaterThan(x, constant(x, 1)), constant(x, 1), x)
	return g.Where(g.LessThan(x, constant(x, -1)), constant(x, -1), x)
}

// Silu is x·sigmoid(x), also called swish.
func Silu(x *g.Node) *g.Node { return g.Mul(x, g.Sigmoid(x)) }

// Softplus is log(1+eˣ), computed without overflow.
func Softplus(x *g.Node) *g.Node {
	negAbs := g.Where(below(x, 0), x, g.Neg(x)) // with gradient 1 at 0, to make softplus'(0) = 1/2
	return g.Add(Relu(x), g.Log1P(g.Exp(negAbs)))
}

// Softsign is x/(1+|x|).
func Softsign(x *g.Node) *g.Node { return g.Div(x, g.AddScalar(g.Abs(x), 1)) }

// LogSigmoid is log(sigmoid(x)).
func LogSigmoid(x *g.Node) *g.Node { return g.Neg(Softplus(g.Neg(x))) }

// Mish is x·tanh(softplus(x)).
func Mish(x *g.Node) *g.Node { return g.Mul(x, g.Tanh(Softplus(x))) }

// TanhShrink is x-tanh(x).
func TanhShrink(x *g.Node) *g.Node { return g.Sub(x, g.Tanh(x)) }

// Softmax is eˣ normalized to sum 1 over the last dimension.
func Softmax(x *g.Node) *g.Node {
	e := g.Exp(g.Sub(x, lastMax(x)))
	return g.Div(e, g.ReduceAndKeep(e, g.ReduceSum, -1))
}

// LogSoftmax is log(softmax(x)), computed without underflow.
func LogSoftmax(x *g.Node) *g.Node {
	shifted := g.Sub(x, lastMax(x))
	return g.Sub(shifted, g.Log(g.ReduceAndKeep(g.Exp(shifted), g.ReduceSum, -1)))
}

// lastMax returns the maximum over the last dimension. It needs no gradient,
// because softmax stays the same when one number is added to all of x.
func lastMax(x *g.Node) *g.Node { return g.StopGradient(g.ReduceAndKeep(x, g.ReduceMax, -1)) }

// expm1Below is eˣ-1 for x below 0 and 0 above, where eˣ could overflow: the
// gradient of a select multiplies the branch that is not taken by 0, and 0·∞ is
// NaN.
func expm1Below(x *g.Node) *g.Node { return g.Expm1(g.Where(below(x, 0), x, g.ZerosLike(x))) }

// clip is min(max(x, low), high), with gradient 0 at both bounds.
func clip(x *g.Node, low, high float64) *g.Node {
	x = g.Where(below(x, low), constant(x, low), x)
	return g.Where(g.GreaterOrEqual(x, constant(x, high)), constant(x, high), x)
}

// below reports, element by element, where x is at most bound.
func below(x *g.Node, bound float64) *g.Node { return g.LessOrEqual(x, constant(x, bound)) }

// constant returns v in the type and shape of x.
func constant(x *g.Node, v float64) *g.Node {
	return g.BroadcastToShape(g.Scalar(x.Graph(), x.DType(), v), x.Shape())
}

// shrinkBy is the threshold of HardShrink and SoftShrink, Keras' default.
const shrinkBy = 0.5

// HardShrink is 0 from -0.5 to 0.5, and x elsewhere.
func HardShrink(x *g.Node) *g.Node { return HardShrinkWith(shrinkBy)(x) }

// HardShrinkWith returns the function that is 0 where |x| is at most a threshold, and x
// elsewhere.
func HardShrinkWith(threshold float64) Func {
	return func(x *g.Node) *g.Node {
		return g.Where(g.GreaterThan(g.Abs(x), constant(x, threshold)), x, g.ZerosLike(x))
	}
}

// SoftShrink is 0 from -0.5 to 0.5, x-0.5 above and x+0.5 below.
func SoftShrink(x *g.Node) *g.Node { return SoftShrinkWith(shrinkBy)(x) }

// SoftShrinkWith returns SoftShrink with another threshold than 0.5: 0 where |x| is at most the
// threshold, and elsewhere x moved towards 0 by it.
func SoftShrinkWith(threshold float64) Func {
	return func(x *g.Node) *g.Node {
		y := g.Where(g.GreaterThan(x, constant(x, threshold)), g.AddScalar(x, -threshold), g.ZerosLike(x))
		return g.Where(g.LessThan(x, constant(x, -threshold)), g.AddScalar(x, threshold), y)
	}
}

// SparsePlus is 0 below -1, x above 1, and (x+1)²/4 between.
func SparsePlus(x *g.Node) *g.Node {
	y := g.AddScalar(x, 1)
	y = g.Where(below(x, -1), g.ZerosLike(x), g.MulScalar(g.Mul(y, y), 0.25))
	return g.Where(g.GreaterOrEqual(x, constant(x, 1)), x, y)
}

// SparseSigmoid is 0 below -1, 1 above 1, and a straight line between. Its
// gradient at both ends is half the line's. To get that, it is computed as the
// mean of two clips: one has the line's gradient at the ends, the other 0.
func SparseSigmoid(x *g.Node) *g.Node {
	low, high := constant(x, -1), constant(x, 1)
	inner := g.Where(g.LessThan(x, low), low, g.Where(g.GreaterThan(x, high), high, x))
	return g.MulScalar(g.AddScalar(g.Add(inner, clip(x, -1, 1)), 2), 0.25)
}

// Squareplus is (x+√(x²+4))/2, near relu (Barron, 2021).
func Squareplus(x *g.Node) *g.Node { return SquareplusWith(4)(x) }

// SquareplusWith returns the function (x+√(x²+b))/2.
func SquareplusWith(b float64) Func {
	return func(x *g.Node) *g.Node {
		return g.MulScalar(g.Add(x, g.Sqrt(g.AddScalar(g.Mul(x, x), b))), 0.5)
	}
}

// Threshold returns the function that is x where x is above threshold, and value elsewhere.
func Threshold(threshold, value float64) Func {
	return func(x *g.Node) *g.Node {
		return g.Where(g.GreaterThan(x, constant(x, threshold)), x, constant(x, value))
	}
}

// ReluWith returns relu with Keras' parameters: slope·(x-threshold) below threshold, 0 at it, x
// above it, and at most maxValue (math.Inf(1) for no limit).
func ReluWith(slope, maxValue, threshold float64) Func {
	return func(x *g.Node) *g.Node {
		t := constant(x, threshold)
		y := g.Where(g.LessThan(x, t), g.MulScalar(g.AddScalar(x, -threshold), slope), g.Where(g.GreaterThan(x, t), x, g.ZerosLike(x)))
		if math.IsInf(maxValue, 1) {
			return y
		}
		return g.Where(g.GreaterOrEqual(y, constant(x, maxValue)), constant(x, maxValue), y)
	}
}

// LeakyReluWith returns LeakyRelu with the given slope below 0.
func LeakyReluWith(slope float64) Func {
	return func(x *g.Node) *g.Node { return g.Where(g.LessThan(x, g.ZerosLike(x)), g.MulScalar(x, slope), x) }
}

// EluWith returns the function that is x above 0 and alpha·(eˣ-1) below.
func EluWith(alpha float64) Func {
	return func(x *g.Node) *g.Node { return g.Where(below(x, 0), g.MulScalar(expm1Below(x), alpha), x) }
}

// CeluWith returns the function that is x above 0 and alpha·(exp(x/alpha)-1) below.
func CeluWith(alpha float64) Func {
	return func(x *g.Node) *g.Node {
		return g.Where(below(x, 0), g.MulScalar(expm1Below(g.DivScalar(x, alpha)), alpha), x)
	}
}

// Sparsemax projects x onto the probabilities over the last dimension. Most of them become 0
// (Martins and Astudillo, 2016).
//
// The support holds the elements whose probability is above 0. Element i
// belongs to it if count(i)·x[i] > sum(i)-1, where count and sum are taken over
// the elements that are at least x[i]. Comparing every pair of elements finds
// that without sorting.
//
// The result differs from Keras 3.15's where the support has more than one
// element: Keras takes the cumulative sum of a cumulative sum there, and its
// results need not sum to 1.
func Sparsemax(x *g.Node) *g.Node {
	rank, n := x.Rank(), x.Shape().Dim(-1)
	dims := append(append([]int{}, x.Shape().Dimensions...), n)
	self := g.BroadcastToDims(g.InsertAxes(x, rank), dims...)    // [..., i, j]: x[i]
	other := g.BroadcastToDims(g.InsertAxes(x, rank-1), dims...) // x[j]
	notBelow := g.ConvertDType(g.GreaterOrEqual(other, self), x.DType())
	count := g.ReduceSum(notBelow, -1)
	sum := g.ReduceSum(g.Mul(notBelow, other), -1)
	support := g.ConvertDType(g.GreaterThan(g.Mul(count, x), g.AddScalar(sum, -1)), x.DType())
	support = g.StopGradient(support)
	size := g.ReduceAndKeep(support, g.ReduceSum, -1)
	lower := g.Div(g.AddScalar(g.ReduceAndKeep(g.Mul(support, x), g.ReduceSum, -1), -1), size)
	y := g.Sub(x, g.BroadcastToShape(lower, x.Shape()))
	return g.Where(g.ConvertDType(support, dtypes.Bool), y, g.ZerosLike(y))
}
