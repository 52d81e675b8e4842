package losses

// This file holds the losses of regression.

import (
	g "github.com/gomlx/gomlx/core/graph"
)

// MeanSquaredError is the mean of (yTrue-yPred)² over the last dimension.
func MeanSquaredError() *Loss {
	return New("mean_squared_error", func(yTrue, yPred *g.Node) *g.Node {
		d := difference(yTrue, yPred)
		return g.ReduceMean(g.Mul(d, d), -1)
	})
}

// MeanAbsoluteError is the mean of |yTrue-yPred| over the last dimension.
func MeanAbsoluteError() *Loss {
	return New("mean_absolute_error", func(yTrue, yPred *g.Node) *g.Node {
		return g.ReduceMean(g.Abs(difference(yTrue, yPred)), -1)
	})
}

func difference(yTrue, yPred *g.Node) *g.Node {
	yTrue, yPred = SameRank(g.ConvertDType(yTrue, yPred.DType()), yPred)
	sameShape(yTrue, yPred)
	return g.Sub(yTrue, yPred)
}

// SameRank drops or adds a last dimension of 1 where the ranks differ by one,
// as Keras does with labels of shape (batch) for predictions of (batch, 1).
func SameRank(a, b *g.Node) (*g.Node, *g.Node) {
	switch a.Rank() - b.Rank() {
	case 1:
		b, a = SameRank(b, a)
	case -1:
		if b.Shape().Dim(-1) == 1 {
			if a.Rank() == 1 {
				a = g.ExpandDims(a, -1)
			} else {
				b = g.Squeeze(b, -1)
			}
		}
	}
	return a, b
}
