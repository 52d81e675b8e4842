package losses

// This file holds the losses of classification that weigh samples by how well they are
// predicted already.

import (
	"github.com/gomlx/compute/dtypes"
	g "github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/keras/activations"
)

// BinaryFocalCrossentropy is BinaryCrossentropy with the factor (1-p)^Gamma, where p is
// the probability of the right answer (Lin et al., 2017). Options:
// ApplyClassBalancing, Alpha (0.25 by default), Gamma (2), FromLogits, LabelSmoothing,
// Axis.
func BinaryFocalCrossentropy(opts ...Option) *Loss {
	return newLoss("BinaryFocalCrossentropy", config{alpha: 0.25, gamma: 2, axis: lastAxis}, opts,
		[]string{"ApplyClassBalancing", "Alpha", "Gamma", "FromLogits", "LabelSmoothing", "Axis"}, func(c *config) Func {
			return func(yTrue, yPred *g.Node) *g.Node {
				yTrue, yPred = alike(yTrue, yPred)
				yTrue = c.smoothBinary(yTrue)
				if c.fromLogits {
					yPred = g.Sigmoid(yPred)
				}
				right := g.Add(g.Mul(yTrue, yPred), g.Mul(g.OneMinus(yTrue), g.OneMinus(yPred)))
				focal := g.Mul(power(g.OneMinus(right), c.gamma), binaryEntropy(yTrue, yPred, false))
				if c.balancing {
					focal = g.Mul(g.Add(g.MulScalar(yTrue, c.alpha), g.MulScalar(g.OneMinus(yTrue), 1-c.alpha)), focal)
				}
				return g.ReduceMean(focal, c.axis...)
			}
		})
}

// CategoricalFocalCrossentropy is CategoricalCrossentropy with the factor
// Alpha·(1-p)^Gamma for each class (Lin et al., 2017). Options: Alpha (0.25 by
// default), Gamma (2), FromLogits, LabelSmoothing, Axis.
func CategoricalFocalCrossentropy(opts ...Option) *Loss {
	return newLoss("CategoricalFocalCrossentropy", config{alpha: 0.25, gamma: 2, axis: lastAxis}, opts,
		[]string{"Alpha", "Gamma", "FromLogits", "LabelSmoothing", "Axis"}, func(c *config) Func {
			return func(yTrue, yPred *g.Node) *g.Node {
				yTrue = classesLast(c.smoothOneHot(g.ConvertDType(yTrue, yPred.DType())), c.axis[0])
				p := classesLast(yPred, c.axis[0])
				if c.fromLogits {
					p = activations.Softmax(p)
				}
				p = clip(normalized(p))
				weight := g.MulScalar(power(g.OneMinus(p), c.gamma), c.alpha)
				return g.Neg(g.ReduceSum(g.Mul(weight, g.Mul(yTrue, g.Log(p))), -1))
			}
		})
}

// CategoricalGeneralizedCrossEntropy is (1-p^Q)/Q, where p is the probability of the class: a
// loss for labels that are partly wrong (Zhang and Sabuncu, 2018). Labels are class numbers.
// Options: Q (0.5 by default).
func CategoricalGeneralizedCrossEntropy(opts ...Option) *Loss {
	return newLoss("CategoricalGeneralizedCrossEntropy", config{q: 0.5}, opts, []string{"Q"}, func(c *config) Func {
		return func(yTrue, yPred *g.Node) *g.Node {
			if yTrue.Rank() == yPred.Rank() {
				yTrue = g.Squeeze(yTrue, -1)
			}
			oneHot := g.OneHot(g.ConvertDType(yTrue, dtypes.Int32), yPred.Shape().Dim(-1), yPred.DType())
			p := g.ReduceSum(g.Mul(yPred, oneHot), -1)
			return g.DivScalar(g.OneMinus(power(p, c.q)), c.q)
		}
	})
}

// power is x to a constant power.
func power(x *g.Node, exponent float64) *g.Node { return g.Pow(x, like(x, exponent)) }
