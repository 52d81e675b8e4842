package losses

// This file defines the focal losses and the like. They give less weight to samples that are
// already predicted well.

import (
	"github.com/gomlx/compute/dtypes"
	g "github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/keras/activations"
)

// BinaryFocalCrossentropy is BinaryCrossentropy with the factor (1-p)^Gamma for each element, where
// p is the probability of the right answer (Lin et al., 2017). With ApplyClassBalancing there is
// also the factor Alpha for labels of 1, and 1-Alpha for 0. Options: ApplyClassBalancing, Alpha
// (0.25 by default), Gamma (2), FromLogits, LabelSmoothing, Axis.
func BinaryFocalCrossentropy(opts ...Option) *Loss {
	return newLoss("BinaryFocalCrossentropy", opts, func(o *binaryFocalOptions) Func {
		return func(yTrue, yPred *g.Node) *g.Node {
			yTrue, yPred = alike(yTrue, yPred)
			yTrue = o.smoothBinary(yTrue)
			if o.FromLogits {
				yPred = g.Sigmoid(yPred)
			}
			right := g.Add(g.Mul(yTrue, yPred), g.Mul(g.OneMinus(yTrue), g.OneMinus(yPred)))
			focal := g.Mul(power(g.OneMinus(right), o.Gamma), binaryEntropy(yTrue, yPred, false))
			if o.ApplyClassBalancing {
				focal = g.Mul(g.Add(g.MulScalar(yTrue, o.Alpha), g.MulScalar(g.OneMinus(yTrue), 1-o.Alpha)), focal)
			}
			return g.ReduceMean(focal, o.Axis...)
		}
	})
}

// CategoricalFocalCrossentropy is CategoricalCrossentropy with the factor
// Alpha·(1-p)^Gamma for each class (Lin et al., 2017). Options: Alpha (0.25 by
// default), Gamma (2), FromLogits, LabelSmoothing, Axis.
func CategoricalFocalCrossentropy(opts ...Option) *Loss {
	return newLoss("CategoricalFocalCrossentropy", opts, func(o *focalOptions) Func {
		return func(yTrue, yPred *g.Node) *g.Node {
			yTrue = classesLast(o.smoothOneHot(g.ConvertDType(yTrue, yPred.DType())), o.Axis[0])
			p := classesLast(yPred, o.Axis[0])
			if o.FromLogits {
				p = activations.Softmax(p)
			}
			p = clip(normalized(p))
			weight := g.MulScalar(power(g.OneMinus(p), o.Gamma), o.Alpha)
			return g.Neg(g.ReduceSum(g.Mul(weight, g.Mul(yTrue, g.Log(p))), -1))
		}
	}).alongOneAxis()
}

// CategoricalGeneralizedCrossEntropy is (1-p^Q)/Q, where p is the predicted probability of the
// right class. It tolerates wrong labels (Zhang and Sabuncu, 2018). Labels are class numbers,
// predictions the probabilities of the classes along the last dimension. Options: Q (0.5 by
// default).
func CategoricalGeneralizedCrossEntropy(opts ...Option) *Loss {
	return newLoss("CategoricalGeneralizedCrossEntropy", opts, func(o *generalizedOptions) Func {
		return func(yTrue, yPred *g.Node) *g.Node {
			if yTrue.Rank() == yPred.Rank() {
				yTrue = g.Squeeze(yTrue, -1)
			}
			oneHot := g.OneHot(g.ConvertDType(yTrue, dtypes.Int32), yPred.Shape().Dim(-1), yPred.DType())
			p := g.ReduceSum(g.Mul(yPred, oneHot), -1)
			return g.DivScalar(g.OneMinus(power(p, float64(o.Q))), float64(o.Q))
		}
	})
}

// power returns x to the power of a constant exponent. With the exponent 0 its gradient is 0, also
// where x is 0.
func power(x *g.Node, exponent float64) *g.Node {
	if exponent == 0 {
		return like(x, 1)
	}
	return g.Pow(x, like(x, exponent))
}
