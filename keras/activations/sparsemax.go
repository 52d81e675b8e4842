package activations

// This file holds Sparsemax.

import (
	"github.com/gomlx/compute/dtypes"
	g "github.com/gomlx/gomlx/core/graph"
)

// Sparsemax projects x onto the probabilities over the last dimension, most of
// which become 0 (Martins and Astudillo, 2016).
//
// An element belongs to the support when the elements not below it, all
// lowered to just sum to 1, leave it above 0. Comparing every pair of elements
// finds that without sorting.
//
// Keras 3.15 has another result where more than one element is above 0, which
// then need not sum to 1: it adds sums of sums.
func Sparsemax(x *g.Node) *g.Node {
	rank, n := x.Rank(), x.Shape().Dim(-1)
	dims := append(append([]int{}, x.Shape().Dimensions...), n)
	self := g.BroadcastToDims(g.ExpandDims(x, rank), dims...)    // [..., i, j]: x[i]
	other := g.BroadcastToDims(g.ExpandDims(x, rank-1), dims...) // x[j]
	notBelow := g.ConvertDType(g.GreaterOrEqual(other, self), x.DType())
	count := g.ReduceSum(notBelow, -1)
	sum := g.ReduceSum(g.Mul(notBelow, other), -1)
	support := g.ConvertDType(g.GreaterThan(g.Mul(count, x), g.AddScalar(sum, -1)), x.DType())
	support = g.StopGradient(support)
	size := g.ReduceAndKeep(support, g.ReduceSum, -1)
	lower := g.Div(g.AddScalar(g.ReduceAndKeep(g.Mul(support, x), g.ReduceSum, -1), -1), size)
	y := g.Sub(x, g.BroadcastToShape(lower, x.Shape()))
	return where(g.ConvertDType(support, dtypes.Bool), y, zeros(y))
}
