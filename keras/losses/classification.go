package losses

// This file holds the losses of classification: the cross-entropies, and the
// hinge losses for labels of -1 and 1.

import (
	"fmt"
	"slices"

	"github.com/gomlx/compute/dtypes"
	g "github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/keras/activations"
)

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
