package losses

// This file holds the losses of classification: the cross-entropies, and the hinge
// losses for labels of -1 and 1.

import (
	"github.com/gomlx/compute/dtypes"
	g "github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/keras/activations"
)

// epsilon is Keras' backend.epsilon, the smallest distance of probabilities from
// 0 and 1.
const epsilon = 1e-7

// BinaryCrossentropy is the mean cross-entropy between labels of 0 and 1 and probabilities or
// logits. The mean is over the last dimension, or over those of Axis. Options: FromLogits,
// LabelSmoothing, Axis.
func BinaryCrossentropy(opts ...Option) *Loss {
	return newLoss("BinaryCrossentropy", opts, func(o *entropyOptions) Func {
		return func(yTrue, yPred *g.Node) *g.Node {
			yTrue, yPred = alike(yTrue, yPred)
			return g.ReduceMean(binaryEntropy(o.smoothBinary(yTrue), yPred, o.FromLogits), o.Axis...)
		}
	})
}

// smoothBinary applies label smoothing to labels of 0 and 1: with the fraction x, 0 becomes x/2 and
// 1 becomes 1-x/2.
func (o *entropyOptions) smoothBinary(yTrue *g.Node) *g.Node {
	if o.LabelSmoothing == 0 {
		return yTrue
	}
	return g.AddScalar(g.MulScalar(yTrue, 1-o.LabelSmoothing), 0.5*o.LabelSmoothing)
}

// binaryEntropy returns the binary cross-entropy of each element of the labels yTrue and the
// predictions yPred: probabilities, or logits if fromLogits is true.
func binaryEntropy(yTrue, yPred *g.Node, fromLogits bool) *g.Node {
	var logYes, logNo *g.Node
	if fromLogits {
		logYes, logNo = activations.LogSigmoid(yPred), activations.LogSigmoid(g.Neg(yPred))
	} else {
		p := clip(yPred)
		logYes, logNo = g.Log(p), g.Log(g.OneMinus(p))
	}
	return g.Neg(g.Add(g.Mul(yTrue, logYes), g.Mul(g.OneMinus(yTrue), logNo)))
}

// CategoricalCrossentropy is the cross-entropy between one-hot labels and the probabilities or
// logits of the classes, which are along the last dimension, or that of Axis. Probabilities are
// divided by their sum. Options: FromLogits, LabelSmoothing, Axis.
func CategoricalCrossentropy(opts ...Option) *Loss {
	return newLoss("CategoricalCrossentropy", opts, func(o *entropyOptions) Func {
		return func(yTrue, yPred *g.Node) *g.Node {
			yTrue = o.smoothOneHot(g.ConvertDType(yTrue, yPred.DType()))
			return crossEntropy(classesLast(yTrue, o.Axis[0]), classesLast(yPred, o.Axis[0]), o.FromLogits)
		}
	}).alongOneAxis()
}

// smoothOneHot applies label smoothing to one-hot labels: with the fraction x and n classes, a
// label y becomes y·(1-x) + x/n. As in Keras, the size of the last dimension is the number of
// classes.
func (o *entropyOptions) smoothOneHot(yTrue *g.Node) *g.Node {
	if o.LabelSmoothing == 0 {
		return yTrue
	}
	classes := float64(yTrue.Shape().Dim(-1))
	return g.AddScalar(g.MulScalar(yTrue, 1-o.LabelSmoothing), o.LabelSmoothing/classes)
}

// classesLast moves the dimension axis of x, that of the classes, to the end.
func classesLast(x *g.Node, axis int) *g.Node {
	if axis < 0 {
		axis += x.Rank()
	}
	if axis == x.Rank()-1 {
		return x
	}
	var order []int
	for i := range x.Rank() {
		if i != axis {
			order = append(order, i)
		}
	}
	return g.TransposeAllAxes(x, append(order, axis)...)
}

// SparseCategoricalCrossentropy is the cross-entropy between labels that are class numbers, of any
// numeric type, and the probabilities or logits of the classes. Labels lack the dimension of the
// classes, or have size 1 there. The loss of an ignored label is 0, and the mean leaves it out.
// Options: FromLogits, IgnoreClass, Axis.
func SparseCategoricalCrossentropy(opts ...Option) *Loss {
	l, o := startLoss[sparseOptions]("SparseCategoricalCrossentropy", opts)
	l.call = func(yTrue, yPred *g.Node) (values, mask *g.Node) {
		yPred = classesLast(yPred, o.Axis[0])
		if yTrue.Rank() == yPred.Rank() {
			yTrue = g.Squeeze(yTrue, o.Axis[0])
		}
		class := g.ConvertDType(yTrue, dtypes.Int32)
		if o.IgnoreClass != nil {
			mask = g.NotEqual(class, like(class, float64(*o.IgnoreClass)))
			class = g.Where(mask, class, g.ZerosLike(class))
			yPred = g.Where(g.BroadcastToShape(g.InsertAxes(mask, -1), yPred.Shape()), yPred, g.ZerosLike(yPred))
		}
		oneHot := g.OneHot(class, yPred.Shape().Dim(-1), yPred.DType())
		values = crossEntropy(oneHot, yPred, o.FromLogits)
		if mask != nil {
			values = g.Where(mask, values, g.ZerosLike(values))
		}
		return values, mask
	}
	return l.alongOneAxis()
}

// crossentropy is the loss of the name "crossentropy": the binary cross-entropy for one prediction
// in the last dimension. For more it is the sparse categorical one for labels of a lower rank, or
// with a last dimension of 1, and else the categorical one.
func crossentropy() *Loss {
	return New("crossentropy", func(yTrue, yPred *g.Node) *g.Node {
		rows := yPred.Shape().Dimensions
		switch sparse := yTrue.Rank() < len(rows) || yTrue.Shape().Dim(-1) == 1; {
		case rows[len(rows)-1] == 1:
			return BinaryCrossentropy().Call(yTrue, yPred)
		case sparse:
			return SparseCategoricalCrossentropy().Call(yTrue, yPred)
		}
		return CategoricalCrossentropy().Call(yTrue, yPred)
	})
}

// KLDivergence is the sum of yTrue·log(yTrue/yPred) over the last dimension, for probabilities
// (Kullback and Leibler, 1951). Both are first limited to [epsilon, 1].
func KLDivergence(opts ...Option) *Loss {
	return plain("KLDivergence", opts, func(yTrue, yPred *g.Node) *g.Node {
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

// crossEntropy returns -Σ yTrue·log(p) over the last dimension. p is the softmax of yPred if
// fromLogits is true; else it is yPred divided by its sum, and limited as by clip.
func crossEntropy(yTrue, yPred *g.Node, fromLogits bool) *g.Node {
	logP := g.Log(clip(normalized(yPred)))
	if fromLogits {
		logP = activations.LogSoftmax(yPred)
	}
	return g.Neg(g.ReduceSum(g.Mul(yTrue, logP), -1))
}

// normalized divides probabilities by their sum over the last dimension.
func normalized(p *g.Node) *g.Node { return g.Div(p, g.ReduceAndKeep(p, g.ReduceSum, -1)) }

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

// Hinge is the mean of max(1-yTrue·yPred, 0) over the last dimension. If all
// labels are 0 or 1 they are converted to -1 and 1.
func Hinge(opts ...Option) *Loss {
	return plain("Hinge", opts, func(yTrue, yPred *g.Node) *g.Node {
		return g.ReduceMean(marginError(yTrue, yPred), -1)
	})
}

// SquaredHinge is the mean of max(1-yTrue·yPred, 0)² over the last dimension.
// If all labels are 0 or 1 they are converted to -1 and 1.
func SquaredHinge(opts ...Option) *Loss {
	return plain("SquaredHinge", opts, func(yTrue, yPred *g.Node) *g.Node {
		m := marginError(yTrue, yPred)
		return g.ReduceMean(g.Mul(m, m), -1)
	})
}

// CategoricalHinge is max(1 + wrong - right, 0) for one-hot labels along the last dimension. right
// is the prediction of the right class. wrong is the largest prediction of the other classes, or 0
// if all are below.
func CategoricalHinge(opts ...Option) *Loss {
	return plain("CategoricalHinge", opts, func(yTrue, yPred *g.Node) *g.Node {
		yTrue, yPred = alike(yTrue, yPred)
		right := g.ReduceSum(g.Mul(yTrue, yPred), -1)
		wrong := g.ReduceMax(g.Mul(g.OneMinus(yTrue), yPred), -1)
		return atLeast(g.OnePlus(g.Sub(wrong, right)), 0)
	})
}

// marginError returns max(1-yTrue·yPred, 0), element by element, in the type and rank of the
// predictions. If all labels are 0 or 1, it counts them as -1 and 1.
func marginError(yTrue, yPred *g.Node) *g.Node {
	yTrue, yPred = alike(yTrue, yPred)
	return atLeast(g.OneMinus(g.Mul(signed(yTrue), yPred)), 0)
}

// signed returns 2y-1 if all labels in y are 0 or 1, so that they become -1 and 1. It returns other
// labels as they are.
func signed(y *g.Node) *g.Node {
	binary := g.LogicalOr(g.Equal(y, like(y, 0)), g.Equal(y, like(y, 1)))
	others := g.ReduceAllSum(g.Where(binary, like(y, 0), like(y, 1)))
	all := g.Equal(others, g.ZerosLike(others))
	return g.Where(all, g.AddScalar(g.MulScalar(y, 2), -1), y)
}
