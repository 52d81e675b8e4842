package nodes

// This file defines functions of tensors of any kind.

import (
	"slices"
	"strconv"
	"strings"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/keras/internal/constant"
)

// Like returns a tensor with the type and shape of x whose elements are all the given number.
func Like(x *graph.Node, number float64) *graph.Node {
	return graph.BroadcastToShape(constant.Like(x, number), x.Shape())
}

// Precise converts half-precision numbers to float32, because sums over many elements would
// overflow. It returns other tensors as they are.
func Precise(x *graph.Node) *graph.Node {
	if x.DType().IsHalfPrecision() {
		return graph.ConvertDType(x, dtypes.Float32)
	}
	return x
}

// Moments returns the mean and the variance of x over axes, which both results keep with size 1.
// The variance divides by the number of elements.
func Moments(x *graph.Node, axes []int) (mean, variance *graph.Node) {
	mean = graph.ReduceAndKeep(x, graph.ReduceMean, axes...)
	d := graph.Sub(x, mean)
	return mean, graph.ReduceAndKeep(graph.Mul(d, d), graph.ReduceMean, axes...)
}

// OnAxes returns v, whose dimensions are the given axes of x, in the type of x and with size 1 in
// all other dimensions, so that it can be broadcast to x.
func OnAxes(v, x *graph.Node, axes []int) *graph.Node {
	dims := slices.Repeat([]int{1}, x.Rank())
	for _, a := range axes {
		dims[a] = x.Shape().Dimensions[a]
	}
	return graph.Reshape(graph.ConvertDType(v, x.DType()), dims...)
}

// Smaller returns, element by element, the smaller of a and b. They have the same rank, and a size
// of 1 stands for the other's size. As in JAX, where two floats are equal each gets half of the
// gradient. Where one is NaN, the result is NaN.
func Smaller(a, b *graph.Node) *graph.Node { return larger(b, a, a, b) }

// Greater returns, element by element, the larger of a and b. They have the same rank, and a size
// of 1 stands for the other's size. Where two floats are equal each gets half of the gradient.
// Where one is NaN, the result is NaN.
func Greater(a, b *graph.Node) *graph.Node { return larger(a, b, a, b) }

// larger returns, element by element, x where a is larger than b, and y where a is smaller. Where
// neither is the case, it returns the mean of x and y for floats, and y for other types. Sizes of 1
// are broadcast; all have the same rank.
func larger(a, b, x, y *graph.Node) *graph.Node {
	shape := a.Shape().Clone()
	for i, d := range b.Shape().Dimensions {
		shape.Dimensions[i] = max(shape.Dimensions[i], d)
	}
	a, b = graph.BroadcastToShape(a, shape), graph.BroadcastToShape(b, shape)
	x, y = graph.BroadcastToShape(x, shape), graph.BroadcastToShape(y, shape)
	if !x.DType().IsFloat() { // no gradient that ties share
		return graph.Where(graph.GreaterThan(a, b), x, y)
	}
	mean := graph.MulScalar(graph.Add(x, y), 0.5)
	return graph.Where(graph.GreaterThan(a, b), x, graph.Where(graph.LessThan(a, b), y, mean))
}

// Unit divides vectors along axes by their Euclidean norms. A norm below epsilon counts as epsilon,
// so that zeros stay zeros.
func Unit(x *graph.Node, epsilon float64, axes ...int) *graph.Node {
	square := graph.ReduceAndKeep(graph.Mul(x, x), graph.ReduceSum, axes...)
	inverse := Smaller(graph.Rsqrt(square), Like(square, 1/epsilon))
	return graph.Mul(x, graph.BroadcastToShape(inverse, x.Shape()))
}

// Repeat returns x with each element of an axis repeated so many times, one after the other.
func Repeat(x *graph.Node, axis, times int) *graph.Node {
	dims := slices.Clone(x.Shape().Dimensions)
	x = graph.BroadcastToDims(graph.InsertAxes(x, axis+1), slices.Insert(slices.Clone(dims), axis+1, times)...)
	dims[axis] *= times
	return graph.Reshape(x, dims...)
}

// BroadcastLast broadcasts v, whose dimensions are the last ones of x, to the
// shape of x.
func BroadcastLast(v, x *graph.Node) *graph.Node {
	return graph.BroadcastToShape(graph.ExpandLeftToRank(v, x.Rank()), x.Shape())
}

// ShapeText returns a shape as Keras writes it, such as (None, 28, 28), where None stands for an
// open size.
func ShapeText(shape []int) string {
	parts := make([]string, len(shape))
	for i, d := range shape {
		parts[i] = strconv.Itoa(d)
		if d < 0 {
			parts[i] = "None"
		}
	}
	if len(parts) == 1 {
		return "(" + parts[0] + ",)"
	}
	return "(" + strings.Join(parts, ", ") + ")"
}

// ChannelsLast moves the channels of x [batch, channels, ...] to the end. Tensors of fewer than 3
// dimensions stay as they are.
func ChannelsLast(x *graph.Node) *graph.Node { return rotated(x, 2, x.Rank()-2) }

// ChannelsFirst moves the channels of x [batch, ..., channels] behind the batch. Tensors of fewer
// than 3 dimensions stay as they are.
func ChannelsFirst(x *graph.Node) *graph.Node { return rotated(x, x.Rank()-1, 1) }

// rotated returns x with its n axes from axis first on moved to right after the batch, and the
// others behind them. Tensors of fewer than 3 dimensions stay as they are.
func rotated(x *graph.Node, first, n int) *graph.Node {
	if x.Rank() < 3 {
		return x
	}
	axes := []int{0}
	for i := range n {
		axes = append(axes, first+i)
	}
	for a := 1; a < x.Rank(); a++ {
		if a < first || a >= first+n {
			axes = append(axes, a)
		}
	}
	return graph.TransposeAllAxes(x, axes...)
}
