package metrics

// This file holds the accuracies.

import (
	"github.com/gomlx/compute/dtypes"
	g "github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/keras/losses"
)

// BinaryAccuracy is 1 where a prediction above 0.5 meets a label of 1 or one
// at most 0.5 a label of 0.
func BinaryAccuracy(yTrue, yPred *g.Node) *g.Node {
	yTrue, yPred = losses.SameRank(yTrue, yPred)
	half := g.BroadcastToShape(g.Scalar(yPred.Graph(), yPred.DType(), 0.5), yPred.Shape())
	return matches(yTrue, g.ConvertDType(g.GreaterThan(yPred, half), yTrue.DType()))
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
