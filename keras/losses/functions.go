package losses

// This file holds the losses of regression, and those of classification: the
// cross-entropies, and the hinge losses for labels of -1 and 1.

import (
	"fmt"
	"math"
	"slices"

	"github.com/gomlx/compute/dtypes"
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

// epsilon is Keras' backend.epsilon, the smallest distance of probabilities from
// 0 and 1.
const epsilon = 1e-7

// BinaryCrossentropy is the mean cross-entropy over the last dimension between
// labels of 0 and 1 and probabilities or logits. Options: FromLogits,
// LabelSmoothing.
func BinaryCrossentropy(opts ...Option) *Loss {
	return newLoss("binary_crossentropy", opts, []string{"FromLogits", "LabelSmoothing"}, func(c config) Func {
		return func(yTrue, yPred *g.Node) *g.Node {
			yTrue, yPred = SameRank(g.ConvertDType(yTrue, yPred.DType()), yPred)
			sameShape(yTrue, yPred)
			if c.labelSmoothing > 0 {
				yTrue = g.AddScalar(g.MulScalar(yTrue, 1-c.labelSmoothing), 0.5*c.labelSmoothing)
			}
			var logYes, logNo *g.Node
			if c.fromLogits {
				logYes, logNo = activations.LogSigmoid(yPred), activations.LogSigmoid(g.Neg(yPred))
			} else {
				p := clip(yPred)
				logYes, logNo = g.Log(p), g.Log(g.OneMinus(p))
			}
			entropy := g.Add(g.Mul(yTrue, logYes), g.Mul(g.OneMinus(yTrue), logNo))
			return g.ReduceMean(g.Neg(entropy), -1)
		}
	})
}

// CategoricalCrossentropy is the cross-entropy between one-hot labels and
// probabilities or logits of the classes. Options: FromLogits, LabelSmoothing.
func CategoricalCrossentropy(opts ...Option) *Loss {
	return newLoss("categorical_crossentropy", opts, []string{"FromLogits", "LabelSmoothing"}, func(c config) Func {
		return func(yTrue, yPred *g.Node) *g.Node {
			sameShape(yTrue, yPred)
			yTrue = g.ConvertDType(yTrue, yPred.DType())
			if c.labelSmoothing > 0 {
				classes := float64(yPred.Shape().Dim(-1))
				yTrue = g.AddScalar(g.MulScalar(yTrue, 1-c.labelSmoothing), c.labelSmoothing/classes)
			}
			return crossEntropy(yTrue, yPred, c.fromLogits)
		}
	})
}

// SparseCategoricalCrossentropy is the cross-entropy between labels that are
// class numbers, of any numeric type, and probabilities or logits of the
// classes. Options: FromLogits.
func SparseCategoricalCrossentropy(opts ...Option) *Loss {
	return newLoss("sparse_categorical_crossentropy", opts, []string{"FromLogits"}, func(c config) Func {
		return func(yTrue, yPred *g.Node) *g.Node {
			if yTrue.Rank() == yPred.Rank() && yTrue.Shape().Dim(-1) == 1 {
				yTrue = g.Squeeze(yTrue, -1)
			}
			if !slices.Equal(yTrue.Shape().Dimensions, yPred.Shape().Dimensions[:yPred.Rank()-1]) {
				panic(fmt.Errorf("labels have shape %v, predictions %v: want labels without the last dimension of the predictions, the classes",
					yTrue.Shape().Dimensions, yPred.Shape().Dimensions))
			}
			classes := yPred.Shape().Dim(-1)
			oneHot := g.OneHot(g.ConvertDType(yTrue, dtypes.Int32), classes, yPred.DType())
			return crossEntropy(oneHot, yPred, c.fromLogits)
		}
	})
}

// KLDivergence is the sum of yTrue·log(yTrue/yPred) over the last dimension,
// for probabilities (Kullback and Leibler, 1951).
func KLDivergence() *Loss {
	return plain("kl_divergence", func(yTrue, yPred *g.Node) *g.Node {
		yTrue, yPred = alike(yTrue, yPred)
		probability := func(x *g.Node) *g.Node {
			one := like(x, 1)
			x = atLeast(x, epsilon)
			return g.Where(g.GreaterThan(x, one), one, x)
		}
		yTrue, yPred = probability(yTrue), probability(yPred)
		return g.ReduceSum(g.Mul(yTrue, g.Log(g.Div(yTrue, yPred))), -1)
	})
}

// crossEntropy is -Σ yTrue·log(p) over the last dimension.
func crossEntropy(yTrue, yPred *g.Node, fromLogits bool) *g.Node {
	var logP *g.Node
	if fromLogits {
		logP = activations.LogSoftmax(yPred)
	} else {
		logP = g.Log(clip(g.Div(yPred, g.ReduceAndKeep(yPred, g.ReduceSum, -1))))
	}
	return g.Neg(g.ReduceSum(g.Mul(yTrue, logP), -1))
}

// clip limits probabilities to [epsilon, 1-epsilon]; outside, the gradient is 0.
func clip(p *g.Node) *g.Node {
	low, high := like(p, epsilon), like(p, 1-epsilon)
	p = g.Where(g.LessThan(p, low), low, p)
	return g.Where(g.GreaterThan(p, high), high, p)
}

// like returns v in the type and shape of x.
func like(x *g.Node, v float64) *g.Node {
	return g.BroadcastToShape(g.Scalar(x.Graph(), x.DType(), v), x.Shape())
}

func sameShape(yTrue, yPred *g.Node) {
	if !slices.Equal(yTrue.Shape().Dimensions, yPred.Shape().Dimensions) {
		panic(fmt.Errorf("labels have shape %v, predictions %v: they must be the same",
			yTrue.Shape().Dimensions, yPred.Shape().Dimensions))
	}
}

// Hinge is the mean of max(1-yTrue·yPred, 0) over the last dimension. If all
// labels are 0 or 1 they are converted to -1 and 1.
func Hinge() *Loss {
	return plain("hinge", func(yTrue, yPred *g.Node) *g.Node {
		return g.ReduceMean(marginError(yTrue, yPred), -1)
	})
}

// SquaredHinge is the mean of max(1-yTrue·yPred, 0)² over the last dimension.
// If all labels are 0 or 1 they are converted to -1 and 1.
func SquaredHinge() *Loss {
	return plain("squared_hinge", func(yTrue, yPred *g.Node) *g.Node {
		m := marginError(yTrue, yPred)
		return g.ReduceMean(g.Mul(m, m), -1)
	})
}

// CategoricalHinge is max(1 + wrong - right, 0) for one-hot labels, where wrong
// is the largest prediction of a wrong class and right that of the right class.
func CategoricalHinge() *Loss {
	return plain("categorical_hinge", func(yTrue, yPred *g.Node) *g.Node {
		yTrue, yPred = alike(yTrue, yPred)
		right := g.ReduceSum(g.Mul(yTrue, yPred), -1)
		wrong := g.ReduceMax(g.Mul(g.OneMinus(yTrue), yPred), -1)
		return atLeast(g.OnePlus(g.Sub(wrong, right)), 0)
	})
}

// marginError returns max(1-yTrue·yPred, 0).
func marginError(yTrue, yPred *g.Node) *g.Node {
	yTrue, yPred = alike(yTrue, yPred)
	return atLeast(g.OneMinus(g.Mul(signed(yTrue), yPred)), 0)
}

// signed converts labels to -1 and 1 if all of them are 0 or 1, and returns
// others as they are.
func signed(y *g.Node) *g.Node {
	binary := g.LogicalOr(g.Equal(y, like(y, 0)), g.Equal(y, like(y, 1)))
	others := g.ReduceAllSum(g.Where(binary, like(y, 0), like(y, 1)))
	all := g.Equal(others, g.ZerosLike(others))
	return g.Where(all, g.AddScalar(g.MulScalar(y, 2), -1), y)
}
