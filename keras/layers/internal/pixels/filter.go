package pixels

// This file implements sums over the neighbours of pixels: gaussian_blur of keras.ops.image.

import (
	"fmt"

	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"
)

// Filter sums the pixels around each one, channel by channel, weighted by rows [n] and
// columns [m], n and m odd; beyond the edge is 0. The weights are the same for all images.
func Filter(images, rows, columns *graph.Node) *graph.Node {
	return along(along(images, rows, 1), columns, 2)
}

// along returns the sums of the elements of x around each one along one axis, times weights, a
// vector, with zeros around x, in the same shape.
func along(x, weights *graph.Node, axis int) *graph.Node {
	n, size := weights.Shape().Dim(0), x.Shape().Dim(axis)
	pad := make([]graph.PadAxis, x.Rank())
	pad[axis] = graph.PadAxis{Start: n / 2, End: n / 2}
	padded := graph.Pad(x, graph.ScalarZero(x.Graph(), x.DType()), pad...)
	var sum *graph.Node
	for i := range n {
		w := graph.Reshape(graph.Slice(weights, graph.AxisElem(i)))
		v := graph.Mul(graph.SliceAxis(padded, axis, graph.AxisRange(i, i+size)), graph.ConvertDType(w, x.DType()))
		if sum == nil {
			sum = v
		} else {
			sum = graph.Add(sum, v)
		}
	}
	return sum
}

// Gaussian returns n weights of a normal distribution, whose standard deviation is the scalar
// sigma. Their sum is 1. Those farther than reach from the middle are 0; a nil reach is without
// limit.
func Gaussian(n int, sigma, reach *graph.Node) *graph.Node {
	x := graph.AddScalar(graph.Iota(sigma.Graph(), shapes.Make(sigma.DType(), n), 0), -float64(n-1)/2)
	z := graph.Div(x, graph.BroadcastToDims(sigma, n))
	w := graph.Exp(graph.MulScalar(graph.Mul(z, z), -0.5))
	if reach != nil {
		w = graph.Where(graph.LessOrEqual(graph.Abs(x), graph.BroadcastToDims(reach, n)), w, graph.ZerosLike(w))
	}
	return graph.Div(w, graph.BroadcastToDims(graph.ReduceAllSum(w), n))
}

// Blur filters images [batch, height, width, channels], channel by channel, by normal distributions
// over size[0] pixels of the width and size[1] pixels of the height. Both sizes must be odd. sigma
// [2] has the standard deviations in pixels, in this order. Beyond the edge is 0.
func Blur(images *graph.Node, size [2]int, sigma *graph.Node) *graph.Node {
	at := func(i int) *graph.Node {
		return Gaussian(size[i], graph.Reshape(graph.Slice(sigma, graph.AxisElem(i))), nil)
	}
	return Filter(images, at(1), at(0))
}

// CheckBlur returns an error unless all sizes of a filter are odd and from 1 to 1023.
func CheckBlur(size []int) error {
	for _, n := range size {
		if n < 1 || n%2 == 0 || n > 1023 {
			return fmt.Errorf("got %v, want odd numbers up to 1023", size)
		}
	}
	return nil
}
