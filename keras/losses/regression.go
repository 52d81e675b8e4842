package losses

// This file holds the losses of regression.

import (
	"math"

	g "github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/keras/activations"
)

// MeanSquaredError is the mean of (yTrue-yPred)² over the last dimension.
func MeanSquaredError(opts ...Option) *Loss {
	return plain("MeanSquaredError", opts, func(yTrue, yPred *g.Node) *g.Node {
		d := difference(yTrue, yPred)
		return g.ReduceMean(g.Mul(d, d), -1)
	})
}

// MeanAbsoluteError is the mean of |yTrue-yPred| over the last dimension.
func MeanAbsoluteError(opts ...Option) *Loss {
	return plain("MeanAbsoluteError", opts, func(yTrue, yPred *g.Node) *g.Node {
		return g.ReduceMean(g.Abs(difference(yTrue, yPred)), -1)
	})
}

// MeanAbsolutePercentageError is 100 times the mean of |(yTrue-yPred)/yTrue| over the last
// dimension. The divisor is at least epsilon (1e-7).
func MeanAbsolutePercentageError(opts ...Option) *Loss {
	return plain("MeanAbsolutePercentageError", opts, func(yTrue, yPred *g.Node) *g.Node {
		d := difference(yTrue, yPred)
		yTrue, _ = SameRank(g.ConvertDType(yTrue, yPred.DType()), yPred)
		size := atLeast(g.Abs(yTrue), epsilon)
		return g.MulScalar(g.ReduceMean(g.Abs(g.Div(d, size)), -1), 100)
	})
}

// MeanSquaredLogarithmicError is the mean of (log(1+yTrue)-log(1+yPred))² over the last dimension.
// It replaces negative values by 0.
func MeanSquaredLogarithmicError(opts ...Option) *Loss {
	return plain("MeanSquaredLogarithmicError", opts, func(yTrue, yPred *g.Node) *g.Node {
		yTrue, yPred = alike(yTrue, yPred)
		log := func(x *g.Node) *g.Node { return g.Log(g.OnePlus(atLeast(x, epsilon))) }
		d := g.Sub(log(yPred), log(yTrue))
		return g.ReduceMean(g.Mul(d, d), -1)
	})
}

// Huber is half the square of the error where its absolute value is at most Delta, and a straight
// line beyond (Huber, 1964). It is the mean over the last dimension. Options: Delta (1 by default).
func Huber(opts ...Option) *Loss {
	return newLoss("Huber", opts, func(o *huberOptions) Func {
		return func(yTrue, yPred *g.Node) *g.Node {
			e := difference(yTrue, yPred)
			size := g.Abs(e)
			line := g.AddScalar(g.MulScalar(size, o.Delta), -0.5*o.Delta*o.Delta)
			return g.ReduceMean(g.Where(g.LessOrEqual(size, like(e, o.Delta)), g.MulScalar(g.Mul(e, e), 0.5), line), -1)
		}
	})
}

// LogCosh is the mean of log(cosh(yPred-yTrue)) over the last dimension.
func LogCosh(opts ...Option) *Loss {
	return plain("LogCosh", opts, func(yTrue, yPred *g.Node) *g.Node {
		e := g.Neg(difference(yTrue, yPred))
		return g.ReduceMean(g.AddScalar(g.Add(e, activations.Softplus(g.MulScalar(e, -2))), -math.Ln2), -1)
	})
}

// CosineSimilarity is minus the cosine of the angle between yTrue and yPred, vectors along the last
// dimension or those of Axis: -1 if they have the same direction, and 0 if one of them is 0.
// Options: Axis.
func CosineSimilarity(opts ...Option) *Loss {
	return newLoss("CosineSimilarity", opts, func(o *axisOptions) Func {
		return func(yTrue, yPred *g.Node) *g.Node {
			yTrue, yPred = alike(yTrue, yPred)
			unit := func(x *g.Node) *g.Node {
				square := g.ReduceAndKeep(g.Mul(x, x), g.ReduceSum, o.Axis...)
				return g.Mul(x, g.BroadcastToShape(g.Rsqrt(atLeast(square, epsilon*epsilon)), x.Shape()))
			}
			return g.Neg(g.ReduceSum(g.Mul(unit(yTrue), unit(yPred)), o.Axis...))
		}
	})
}

// Poisson is the mean of yPred - yTrue·log(yPred + epsilon) over the last dimension; epsilon is
// 1e-7.
func Poisson(opts ...Option) *Loss {
	return plain("Poisson", opts, func(yTrue, yPred *g.Node) *g.Node {
		yTrue, yPred = alike(yTrue, yPred)
		return g.ReduceMean(g.Sub(yPred, g.Mul(yTrue, g.Log(g.AddScalar(yPred, epsilon)))), -1)
	})
}

// alike returns labels in the type of the predictions, and both with one rank: a last dimension of
// 1 is added to or dropped from the labels or the predictions.
func alike(yTrue, yPred *g.Node) (*g.Node, *g.Node) {
	return SameRank(g.ConvertDType(yTrue, yPred.DType()), yPred)
}

// atLeast returns max(x, low), element by element, with gradient 0 below low.
func atLeast(x *g.Node, low float64) *g.Node {
	bound := like(x, low)
	return g.Where(g.LessThan(x, bound), bound, x)
}

func difference(yTrue, yPred *g.Node) *g.Node {
	yTrue, yPred = alike(yTrue, yPred)
	return g.Sub(yTrue, yPred)
}
