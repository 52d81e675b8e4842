package activations

// This file holds the activation functions and their names.

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	g "github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/internal/suggest"
)

// Func maps a tensor to one of the same shape.
type Func = func(x *g.Node) *g.Node

// byName maps Keras' names to the functions.
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

// Get returns the function of a name, such as "relu"; a Func as it is; and
// Linear for nil.
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
		return nil, fmt.Errorf("unknown activation %q%s: want one of %s, or a function of a graph node",
			a, suggest.DidYouMean(a, names), strings.Join(names, ", "))
	default:
		return nil, fmt.Errorf("activation is a %T: want a name such as \"relu\", or a function of a graph node", activation)
	}
}

// Linear returns x.
func Linear(x *g.Node) *g.Node { return x }

// Relu is max(x, 0), with gradient 0 at 0.
func Relu(x *g.Node) *g.Node { return where(below(x, 0), zeros(x), x) }

// Relu6 is min(max(x, 0), 6), with gradient 0 at both kinks.
func Relu6(x *g.Node) *g.Node { return clip(x, 0, 6) }

// LeakyRelu is x above 0 and 0.2·x below: Keras' default slope.
func LeakyRelu(x *g.Node) *g.Node { return where(g.LessThan(x, zeros(x)), g.MulScalar(x, 0.2), x) }

// Elu is x above 0 and eˣ-1 below.
func Elu(x *g.Node) *g.Node { return where(below(x, 0), expm1Below(x), x) }

// Celu is Elu for alpha = 1, Keras' default.
func Celu(x *g.Node) *g.Node { return Elu(x) }

// Selu is the self-normalizing Elu (Klambauer et al., 2017).
func Selu(x *g.Node) *g.Node {
	const alpha, scale = 1.6732632423543772848170429916717, 1.0507009873554804934193349852946
	return g.MulScalar(where(below(x, 0), g.MulScalar(expm1Below(x), alpha), x), scale)
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

// HardTanh is x between -1 and 1, and the bound outside.
func HardTanh(x *g.Node) *g.Node {
	x = where(g.GreaterThan(x, constant(x, 1)), constant(x, 1), x)
	return where(g.LessThan(x, constant(x, -1)), constant(x, -1), x)
}

// Silu is x·sigmoid(x), also called swish.
func Silu(x *g.Node) *g.Node { return g.Mul(x, g.Sigmoid(x)) }

// Softplus is log(1+eˣ), computed without overflow.
func Softplus(x *g.Node) *g.Node {
	negAbs := where(below(x, 0), x, g.Neg(x)) // with gradient 1 at 0, to make softplus'(0) = 1/2
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

// lastMax returns the maximum over the last dimension, which needs no gradient
// because softmax does not change when all of x is shifted.
func lastMax(x *g.Node) *g.Node { return g.StopGradient(g.ReduceAndKeep(x, g.ReduceMax, -1)) }

// expm1Below is eˣ-1 for x below 0. Above it is 0, so that the branch that a
// select drops cannot overflow and turn its gradient into 0·∞.
func expm1Below(x *g.Node) *g.Node { return g.Expm1(where(below(x, 0), x, zeros(x))) }

func clip(x *g.Node, low, high float64) *g.Node {
	x = where(below(x, low), constant(x, low), x)
	return where(g.GreaterOrEqual(x, constant(x, high)), constant(x, high), x)
}

func below(x *g.Node, bound float64) *g.Node { return g.LessOrEqual(x, constant(x, bound)) }

func where(cond, yes, no *g.Node) *g.Node { return g.Where(cond, yes, no) }

func zeros(x *g.Node) *g.Node { return g.ZerosLike(x) }

func constant(x *g.Node, v float64) *g.Node {
	return g.BroadcastToShape(g.Scalar(x.Graph(), x.DType(), v), x.Shape())
}
