package losses

// This file holds the losses of regression.

import (
	"math"

	g "github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/keras/activations"
)

// MeanSquaredError is the mean of (yTrue-yPred)² over the last dimension.
func MeanSquaredError() *Loss {
	return plain("mean_squared_error", func(yTrue, yPred *g.Node) *g.Node {
		d := difference(yTrue, yPred)
		return g.ReduceMean(g.Mul(d, d), -1)
	})
}

// MeanAbsoluteError is the mean of |yTrue-yPred| over the last dimension.
func MeanAbsoluteError() *Loss {
	return plain("mean_absolute_error", func(yTrue, yPred *g.Node) *g.Node {
		return g.ReduceMean(g.Abs(difference(yTrue, yPred)), -1)
	})
}

// MeanAbsolutePercentageError is 100 times the mean of |(yTrue-yPred)/yTrue|
// over the last dimension.
func MeanAbsolutePercentageError() *Loss {
	return plain("mean_absolute_percentage_error", func(yTrue, yPred *g.Node) *g.Node {
		d := difference(yTrue, yPred)
		yTrue, _ = SameRank(g.ConvertDType(yTrue, yPred.DType()), yPred)
		size := atLeast(g.Abs(yTrue), epsilon)
		return g.MulScalar(g.ReduceMean(g.Abs(g.Div(d, size)), -1), 100)
	})
}

// MeanSquaredLogarithmicError is the mean of (log(1+yTrue)-log(1+yPred))² over
// the last dimension; negative numbers are replaced by 0.
func MeanSquaredLogarithmicError() *Loss {
	return plain("mean_squared_logarithmic_error", func(yTrue, yPred *g.Node) *g.Node {
		yTrue, yPred = alike(yTrue, yPred)
		log := func(x *g.Node) *g.Node { return g.Log(g.OnePlus(atLeast(x, epsilon))) }
		d := g.Sub(log(yPred), log(yTrue))
		return g.ReduceMean(g.Mul(d, d), -1)
	})
}

// Huber is the mean over the last dimension of half the square of the error, up
// to Delta, and of a straight line beyond (Huber, 1964). Options: Delta.
func Huber(opts ...Option) *Loss {
	return newLoss("huber", opts, []string{"Delta"}, func(c config) Func {
		return func(yTrue, yPred *g.Node) *g.Node {
			e := difference(yTrue, yPred)
			size := g.Abs(e)
			line := g.AddScalar(g.MulScalar(size, c.delta), -0.5*c.delta*c.delta)
			return g.ReduceMean(g.Where(g.LessOrEqual(size, like(e, c.delta)), g.MulScalar(g.Mul(e, e), 0.5), line), -1)
		}
	})
}

// LogCosh is the mean of log(cosh(yPred-yTrue)) over the last dimension.
func LogCosh() *Loss {
	return plain("log_cosh", func(yTrue, yPred *g.Node) *g.Node {
		e := g.Neg(difference(yTrue, yPred))
		return g.ReduceMean(g.AddScalar(g.Add(e, activations.Softplus(g.MulScalar(e, -2))), -math.Ln2), -1)
	})
}

// CosineSimilarity is minus the cosine of the angle between yTrue and yPred: -1
// if they have the same direction.
func CosineSimilarity() *Loss {
	return plain("cosine_similarity", func(yTrue, yPred *g.Node) *g.Node {
		yTrue, yPred = alike(yTrue, yPred)
		unit := func(x *g.Node) *g.Node {
			square := g.ReduceAndKeep(g.Mul(x, x), g.ReduceSum, -1)
			return g.Mul(x, g.BroadcastToShape(g.Rsqrt(atLeast(square, epsilon*epsilon)), x.Shape()))
		}
		return g.Neg(g.ReduceSum(g.Mul(unit(yTrue), unit(yPred)), -1))
	})
}

// Poisson is the mean of yPred - yTrue·log(yPred) over the last dimension.
func Poisson() *Loss {
	return plain("poisson", func(yTrue, yPred *g.Node) *g.Node {
		yTrue, yPred = alike(yTrue, yPred)
		return g.ReduceMean(g.Sub(yPred, g.Mul(yTrue, g.Log(g.AddScalar(yPred, epsilon)))), -1)
	})
}

// alike converts labels to the type and rank of the predictions.
func alike(yTrue, yPred *g.Node) (*g.Node, *g.Node) {
	yTrue, yPred = SameRank(g.ConvertDType(yTrue, yPred.DType()), yPred)
	sameShape(yTrue, yPred)
	return yTrue, yPred
}

// atLeast is max(x, low), with gradient 0 below low.
func atLeast(x *g.Node, low float64) *g.Node {
	bound := like(x, low)
	return g.Where(g.LessThan(x, bound), bound, x)
}

func difference(yTrue, yPred *g.Node) *g.Node {
	yTrue, yPred = alike(yTrue, yPred)
	return g.Sub(yTrue, yPred)
}

// SameRank drops or adds a last dimension of 1 if the ranks differ by one, as
// Keras does with labels of shape (batch) and predictions of (batch, 1).
func SameRank(a, b *g.Node) (*g.Node, *g.Node) {
	switch a.Rank() - b.Rank() {
	case 1:
		b, a = SameRank(b, a)
	case -1:
		if b.Shape().Dim(-1) == 1 {
			if a.Rank() == 1 {
				a = g.InsertAxes(a, -1)
			} else {
				b = g.Squeeze(b, -1)
			}
		}
	}
	return a, b
}
