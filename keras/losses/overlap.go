package losses

// This file holds the losses of segmentation, which compare two sets by their overlap,
// and Circle, which compares all pairs of a batch.

import (
	"github.com/gomlx/compute/dtypes"
	g "github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/keras/activations"
)

// Dice is 1 - 2·|A∩B|/(|A|+|B|) of masks (Milletari et al., 2016). Options: Axis, the dimensions
// that are summed. By default these are all, also the batch.
func Dice(opts ...Option) *Loss {
	return newLoss("Dice", opts, func(o *overlapOptions) Func {
		return func(yTrue, yPred *g.Node) *g.Node {
			yTrue, yPred = alike(yTrue, yPred)
			both := g.Add(o.sum(yTrue), o.sum(yPred))
			return g.OneMinus(g.Div(g.MulScalar(o.sum(g.Mul(yTrue, yPred)), 2), g.AddScalar(both, epsilon)))
		}
	})
}

// Tversky is 1 - |A∩B|/(|A∩B| + a + b) of masks (Salehi et al., 2017), where a is Alpha times the
// sum of yTrue·(1-yPred), and b is Beta times that of yPred·(1-yTrue), as in Keras. Options: Alpha,
// Beta (both 0.5 by default, as in Dice), Axis, the dimensions that are summed. By default these
// are all, also the batch.
func Tversky(opts ...Option) *Loss {
	return newLoss("Tversky", opts, func(o *tverskyOptions) Func {
		return func(yTrue, yPred *g.Node) *g.Node {
			yTrue, yPred = alike(yTrue, yPred)
			overlap := o.sum(g.Mul(yTrue, yPred))
			alpha := g.MulScalar(o.sum(g.Mul(g.OneMinus(yPred), yTrue)), o.Alpha)
			beta := g.MulScalar(o.sum(g.Mul(yPred, g.OneMinus(yTrue))), o.Beta)
			return g.OneMinus(g.Div(overlap, g.AddScalar(g.Add(g.Add(overlap, alpha), beta), epsilon)))
		}
	})
}

// sum returns the sum of x over the dimensions of the option Axis, by default all.
func (o *overlapOptions) sum(x *g.Node) *g.Node {
	if o.Axis == nil {
		return g.ReduceAllSum(x)
	}
	return g.ReduceSum(x, o.Axis...)
}

// Circle is the circle loss of embeddings (Sun et al., 2020). yPred holds unit vectors [batch,
// size], yTrue a class number for each. The loss of a sample compares it with all others of the
// batch. Samples whose loss is 0 do not count in the mean. Options: Gamma (80 by default), Margin
// (0.4), RemoveDiagonal (true).
func Circle(opts ...Option) *Loss {
	l, o := startLoss[circleOptions]("Circle", opts)
	l.call = func(yTrue, yPred *g.Node) (values, mask *g.Node) {
		distance := atLeast(g.OneMinus(g.Dot(yPred, g.Transpose(yPred, 0, 1)).Product()), 0)
		same, other := o.pairs(yTrue, distance)
		weight := func(optimum *g.Node, of *g.Node) *g.Node {
			return atLeast(g.Mul(optimum, g.ConvertDType(of, optimum.DType())), 0)
		}
		positive := g.Mul(g.MulScalar(weight(g.AddScalar(distance, o.Margin), same), -o.Gamma), g.AddScalar(g.Neg(distance), o.Margin))
		negative := g.Mul(g.MulScalar(weight(g.AddScalar(g.Neg(distance), 1+o.Margin), other), o.Gamma), g.AddScalar(g.Neg(distance), 1-o.Margin))
		values = activations.Softplus(g.Add(logSumExp(positive, same), logSumExp(negative, other)))
		return values, g.GreaterThan(values, g.ZerosLike(values))
	}
	return l
}

// pairs returns two boolean masks [samples, samples]: same is true for two samples of one class,
// and other for two of different classes. yTrue are the classes. distance gives only the shape.
// With RemoveDiagonal, a sample and itself are no pair.
func (o *circleOptions) pairs(yTrue, distance *g.Node) (same, other *g.Node) {
	n := distance.Shape().Dim(0)
	class := g.Reshape(g.ConvertDType(yTrue, dtypes.Int32), n, 1)
	square := distance.Shape().Clone()
	square.DType = dtypes.Int32
	equal := g.Equal(g.BroadcastToShape(class, square), g.BroadcastToShape(g.Reshape(class, 1, n), square))
	same, other = equal, g.LogicalNot(equal)
	if o.RemoveDiagonal {
		g0 := distance.Graph()
		same = g.LogicalAnd(same, g.NotEqual(g.Iota(g0, square, 0), g.Iota(g0, square, 1)))
	}
	return same, other
}

// logSumExp is log Σ exp(x) over the last dimension, of the elements where counts is true. It is -∞
// if there are none.
func logSumExp(x, counts *g.Node) *g.Node {
	x = g.Where(counts, x, like(x, minusInfinity))
	highest := g.StopGradient(g.ReduceAndKeep(x, g.ReduceMax, -1))
	finite := g.GreaterThan(highest, like(highest, -1e30))
	highest = g.Where(finite, highest, g.ZerosLike(highest))
	sum := g.ReduceSum(g.Where(counts, g.Exp(g.Sub(x, g.BroadcastToShape(highest, x.Shape()))), g.ZerosLike(x)), -1)
	return g.Add(g.Log(sum), g.Squeeze(highest, -1))
}
