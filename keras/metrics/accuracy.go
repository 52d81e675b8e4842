package metrics

// This file holds the accuracies.

import (
	"github.com/gomlx/compute/dtypes"
	g "github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/keras/losses"
)

// BinaryAccuracy is 1 where a prediction above 0.5 meets a label of 1 or one
// at most 0.5 a label of 0.
func BinaryAccuracy(yTrue, yPred *g.Node) *g.Node { return BinaryAccuracyAt(0.5)(yTrue, yPred) }

// BinaryAccuracyAt is BinaryAccuracy with another threshold than 0.5.
func BinaryAccuracyAt(threshold float64) Func {
	return func(yTrue, yPred *g.Node) *g.Node {
		yTrue, yPred = losses.SameRank(yTrue, yPred)
		limit := g.BroadcastToShape(g.Scalar(yPred.Graph(), yPred.DType(), threshold), yPred.Shape())
		return matches(yTrue, g.ConvertDType(g.GreaterThan(yPred, limit), yTrue.DType()))
	}
}

// Accuracy is 1 where a prediction equals the label.
func Accuracy(yTrue, yPred *g.Node) *g.Node {
	yTrue, yPred = losses.SameRank(yTrue, yPred)
	return matches(g.ConvertDType(yTrue, yPred.DType()), yPred)
}

// TopKCategoricalAccuracy is 1 where the class of the largest label is among
// the k largest predictions: one-hot labels.
func TopKCategoricalAccuracy(k int) Func {
	return func(yTrue, yPred *g.Node) *g.Node { return inTopK(g.ArgMax(yTrue, -1, dtypes.Int32), yPred, k) }
}

// SparseTopKCategoricalAccuracy is 1 where the class that the label numbers is
// among the k largest predictions.
func SparseTopKCategoricalAccuracy(k int) Func {
	return func(yTrue, yPred *g.Node) *g.Node {
		if yTrue.Rank() == yPred.Rank() && yTrue.Shape().Dim(-1) == 1 {
			yTrue = g.Squeeze(yTrue, -1)
		}
		return inTopK(g.ConvertDType(yTrue, dtypes.Int32), yPred, k)
	}
}

// inTopK is 1 where fewer than k predictions are larger than that of the
// class. A prediction that is NaN is not large.
func inTopK(class, yPred *g.Node, k int) *g.Node {
	oneHot := g.OneHot(class, yPred.Shape().Dim(-1), yPred.DType())
	chosen := g.GreaterThan(oneHot, g.ZerosLike(oneHot))
	own := g.ReduceAndKeep(g.Where(chosen, yPred, g.ZerosLike(yPred)), g.ReduceSum, -1)
	own = g.Where(g.Equal(own, own), own, g.BroadcastToShape(g.Infinity(yPred.Graph(), yPred.DType(), -1), own.Shape()))
	larger := g.ConvertDType(g.GreaterThan(yPred, g.BroadcastToShape(own, yPred.Shape())), dtypes.Int32)
	rank := g.ReduceSum(larger, -1)
	return g.ConvertDType(g.LessThan(rank, g.BroadcastToShape(g.Scalar(rank.Graph(), rank.DType(), k), rank.Shape())), dtypes.Float32)
}

// CategoricalAccuracy is 1 where the largest prediction is that of the largest
// label: one-hot labels.
func CategoricalAccuracy(yTrue, yPred *g.Node) *g.Node {
	return matches(g.ArgMax(yTrue, -1, dtypes.Int32), g.ArgMax(yPred, -1, dtypes.Int32))
}

// SparseCategoricalAccuracy is 1 where the largest prediction is that of the
// class that the label numbers.
func SparseCategoricalAccuracy(yTrue, yPred *g.Node) *g.Node {
	if yTrue.Rank() == yPred.Rank() && yTrue.Shape().Dim(-1) == 1 {
		yTrue = g.Squeeze(yTrue, -1)
	}
	best := g.ArgMax(yPred, -1, dtypes.Int32)
	return matches(g.ConvertDType(yTrue, yPred.DType()), g.ConvertDType(best, yPred.DType()))
}

func matches(a, b *g.Node) *g.Node { return g.ConvertDType(g.Equal(a, b), dtypes.Float32) }
