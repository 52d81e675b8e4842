package metrics

// This file defines the accuracy metrics: binary, categorical, sparse categorical, and those of the
// k best classes.

import (
	"github.com/gomlx/compute/dtypes"
	g "github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/keras/losses"
)

// BinaryAccuracy is the share of right predictions for labels of 0 and 1. A prediction above
// Threshold (0.5 by default) stands for 1, another for 0. Options: Name, Threshold.
func BinaryAccuracy(opts ...Option) *Metric {
	return newMetric("BinaryAccuracy", opts, func(o *thresholdOptions) rule {
		return meanOf(func(yTrue, yPred *g.Node) *g.Node {
			yTrue, yPred = losses.SameRank(yTrue, yPred)
			return matches(yTrue, g.ConvertDType(g.GreaterThan(yPred, like(yPred, o.Threshold)), yTrue.DType()))
		})
	})
}

// Accuracy is the share of predictions that equal their label exactly, element by element. Options:
// Name.
func Accuracy(opts ...Option) *Metric {
	return meanMetric("Accuracy", opts, func(yTrue, yPred *g.Node) *g.Node {
		yTrue, yPred = losses.SameRank(yTrue, yPred)
		return matches(g.ConvertDType(yTrue, yPred.DType()), yPred)
	})
}

// CategoricalAccuracy is the share of samples whose largest prediction is that of the right class.
// Labels are one-hot, predictions (…, classes). Options: Name.
func CategoricalAccuracy(opts ...Option) *Metric {
	return meanMetric("CategoricalAccuracy", opts, func(yTrue, yPred *g.Node) *g.Node {
		return matches(g.ArgMax(yTrue, -1, dtypes.Int32), g.ArgMax(yPred, -1, dtypes.Int32))
	})
}

// SparseCategoricalAccuracy is the share of samples whose largest prediction is that of the right
// class. Labels are class numbers. Options: Name.
func SparseCategoricalAccuracy(opts ...Option) *Metric {
	return meanMetric("SparseCategoricalAccuracy", opts, func(yTrue, yPred *g.Node) *g.Node {
		best := g.ArgMax(yPred, -1, dtypes.Int32)
		return matches(g.ConvertDType(classNumbers(yTrue, yPred), yPred.DType()), g.ConvertDType(best, yPred.DType()))
	})
}

// TopKCategoricalAccuracy is the share of samples whose right class is among the K largest
// predictions. Labels are one-hot. Options: Name, K (5 by default).
func TopKCategoricalAccuracy(opts ...Option) *Metric {
	return newMetric("TopKCategoricalAccuracy", opts, func(o *topKOptions) rule {
		return meanOf(func(yTrue, yPred *g.Node) *g.Node { return inTopK(g.ArgMax(yTrue, -1, dtypes.Int32), yPred, o.K) })
	})
}

// SparseTopKCategoricalAccuracy is TopKCategoricalAccuracy for labels that are class numbers.
// Options: Name, K (5 by default), FromSortedIDs.
func SparseTopKCategoricalAccuracy(opts ...Option) *Metric {
	return newMetric("SparseTopKCategoricalAccuracy", opts, func(o *sparseTopKOptions) rule {
		return meanOf(func(yTrue, yPred *g.Node) *g.Node {
			class := classNumbers(yTrue, yPred)
			if o.FromSortedIDs {
				first := g.SliceAxis(yPred, -1, g.AxisRange(0, min(o.K, yPred.Shape().Dim(-1))))
				same := g.Equal(g.BroadcastToShape(g.InsertAxes(g.ConvertDType(class, yPred.DType()), -1), first.Shape()), first)
				return g.ConvertDType(g.ReduceLogicalOr(same, -1), dtypes.Float32)
			}
			return inTopK(g.ConvertDType(class, dtypes.Int32), yPred, o.K)
		})
	})
}

// classNumbers returns labels that are class numbers without a last dimension of size 1, if they
// have the rank of the predictions.
func classNumbers(yTrue, yPred *g.Node) *g.Node {
	if yTrue.Rank() == yPred.Rank() && yTrue.Shape().Dim(-1) == 1 {
		return g.Squeeze(yTrue, -1)
	}
	return yTrue
}

// inTopK returns 1 where fewer than k predictions are larger than that of the class, else 0, as
// float32. yPred is [..., classes]. class holds class numbers, int32, in the shape of yPred without
// its last dimension, which is that of the result. NaN counts as the smallest value.
func inTopK(class, yPred *g.Node, k int) *g.Node {
	oneHot := g.OneHot(class, yPred.Shape().Dim(-1), yPred.DType())
	chosen := g.GreaterThan(oneHot, g.ZerosLike(oneHot))
	own := g.ReduceAndKeep(g.Where(chosen, yPred, g.ZerosLike(yPred)), g.ReduceSum, -1)
	own = g.Where(g.Equal(own, own), own, g.BroadcastToShape(g.Infinity(yPred.Graph(), yPred.DType(), -1), own.Shape()))
	larger := g.ConvertDType(g.GreaterThan(yPred, g.BroadcastToShape(own, yPred.Shape())), dtypes.Int32)
	rank := g.ReduceSum(larger, -1)
	return g.ConvertDType(g.LessThan(rank, like(rank, float64(k))), dtypes.Float32)
}

func matches(a, b *g.Node) *g.Node { return g.ConvertDType(g.Equal(a, b), dtypes.Float32) }

// like returns the number v in the type and shape of x.
func like(x *g.Node, v float64) *g.Node {
	return g.BroadcastToShape(g.Scalar(x.Graph(), x.DType(), v), x.Shape())
}
