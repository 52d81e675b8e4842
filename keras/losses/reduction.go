package losses

// This file reduces the losses of a batch to one number: it combines masks with sample weights,
// weights the losses and reduces them. Losses and metrics apply every mask by ApplyMask.

import (
	"fmt"
	"slices"

	g "github.com/gomlx/gomlx/core/graph"
)

// Value returns the scalar that is trained on, as the option Reduction makes it. sampleWeight
// multiplies the losses. mask is true for losses that count. Both may be nil. It panics for the
// reductions "none" and "", for a wrong option, and if shapes do not fit.
func (l *Loss) Value(yTrue, yPred, sampleWeight, mask *g.Node) *g.Node {
	values, own := l.Masked(yTrue, yPred)
	return reduce(values, ApplyMask(sampleWeight, And(mask, own), values, l.common.Reduction), l.common.Reduction)
}

// Reduce returns the sum of the values divided by their number, as Keras' sum_over_batch_size does.
// weights multiply the values, but do not change the divisor. They may be nil.
func Reduce(values, weights *g.Node) *g.Node {
	return reduce(values, weights, "sum_over_batch_size")
}

func reduce(values, weights *g.Node, reduction string) *g.Node {
	if weights != nil {
		weights = SpreadWeights(weights, values)
		values = g.Mul(values, weights)
	}
	if values.Rank() == 0 {
		return values
	}
	switch sum := g.ReduceAllSum(values); {
	case reduction == "none" || reduction == "":
		panic(fmt.Errorf("the loss has the reduction none (in Keras also None), which gives no number to train on: want sum_over_batch_size or sum"))
	case reduction == "sum":
		return sum
	case reduction == "mean_with_sample_weight" && weights != nil:
		return DivNoNaN(sum, g.ReduceAllSum(weights))
	default:
		return g.DivScalar(sum, float64(values.Shape().Size()))
	}
}

// ApplyMask returns sampleWeight, with 0 where the mask is false. It returns nil if both are nil.
// If the reduction is a mean ("mean" or "sum_over_batch_size"), it scales up the other weights, so
// that the mean is that of the values that count.
func ApplyMask(sampleWeight, mask, values *g.Node, reduction string) *g.Node {
	if mask == nil {
		return sampleWeight
	}
	weight := g.ConvertDType(mask, values.DType())
	if reduction == "mean" || reduction == "sum_over_batch_size" {
		share := DivNoNaN(g.Scalar(weight.Graph(), weight.DType(), float64(weight.Shape().Size())), g.ReduceAllSum(weight))
		weight = g.Mul(weight, g.BroadcastToShape(share, weight.Shape()))
	}
	if sampleWeight == nil {
		return weight
	}
	if sampleWeight.Rank() > weight.Rank() {
		return g.Mul(SpreadWeights(weight, sampleWeight), sampleWeight)
	}
	return g.Mul(SpreadWeights(sampleWeight, weight), weight)
}

// And returns the mask that is true where a and b are both true. A nil mask is true everywhere.
func And(a, b *g.Node) *g.Node {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	return g.LogicalAnd(a, b)
}

// DivNoNaN returns a/b, element by element, and 0 where b is 0.
func DivNoNaN(a, b *g.Node) *g.Node {
	none := g.Equal(b, g.ZerosLike(b))
	return g.Where(none, g.ZerosLike(a), g.Div(a, g.Where(none, g.OnesLike(b), b)))
}

// SpreadWeights returns sample weights broadcast to the shape of values, and converted to their
// type. The dimensions of weights must be the first ones of values: it panics if they are not.
func SpreadWeights(weights, values *g.Node) *g.Node {
	weights = g.ConvertDType(weights, values.DType())
	if weights.Rank() == values.Rank()+1 && weights.Shape().Dim(-1) == 1 {
		weights = g.Squeeze(weights, -1)
	}
	dims := values.Shape().Dimensions
	if w := weights.Shape().Dimensions; len(w) > len(dims) || !slices.Equal(w, dims[:len(w)]) {
		panic(fmt.Errorf("sample weights have shape %v, losses %v: want one weight for each sample, or for each value", w, dims))
	}
	for weights.Rank() < values.Rank() {
		weights = g.InsertAxes(weights, -1)
	}
	return g.BroadcastToShape(weights, values.Shape())
}

// SameRank drops or adds a last dimension of 1 if the ranks of a and b differ by one, as Keras does
// with labels of shape (batch) and predictions of (batch, 1). It returns a and b in this order.
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
