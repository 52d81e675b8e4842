package pixels

// This file implements the resizing of an axis, as jax.image.resize does: each element of
// the output is a sum of those of the input, weighted by a kernel of the distance.

import (
	"math"
	"slices"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"
)

// Interpolations are the names of the ways to resize, in alphabetical order.
var Interpolations = []string{"bicubic", "bilinear", "lanczos3", "lanczos5", "nearest"}

// Resize gives an axis of x another size, by one of Interpolations. If the axis becomes smaller,
// antialias makes the kernels as wide as the steps between elements of the output; "nearest"
// ignores it. Integers become float32, unless the axis has that size already: then it returns x as
// it is.
func Resize(x *graph.Node, axis, size int, interpolation string, antialias bool) *graph.Node {
	in := x.Shape().Dimensions[axis]
	if in == size {
		return x
	}
	weights := resizeWeights(x.Graph(), in, size, interpolation, antialias)
	if x.DType().IsFloat() {
		weights = graph.ConvertDType(weights, x.DType())
	} else {
		x = graph.ConvertDType(x, weights.DType())
	}
	return AlongAxis(x, graph.StopGradient(weights), axis)
}

// AlongAxis multiplies an axis of x by a matrix [elements of x, elements of the result].
func AlongAxis(x, matrix *graph.Node, axis int) *graph.Node {
	y := graph.DotGeneral(x, []int{axis}, nil, matrix, []int{0}, nil)
	order := make([]int, 0, x.Rank()) // the new axis is the last one
	for i := range x.Rank() - 1 {
		order = append(order, i)
	}
	return graph.TransposeAllAxes(y, slices.Insert(order, axis, x.Rank()-1)...)
}

// resizeWeights returns a matrix [in, out]: the weights of in pixels along one dimension in the sum
// that makes each of out pixels.
func resizeWeights(g *graph.Graph, in, out int, interpolation string, antialias bool) *graph.Node {
	shape := shapes.Make(dtypes.Float32, in, out)
	from, to := graph.Iota(g, shape, 0), graph.Iota(g, shape, 1)
	at := graph.MulScalar(graph.AddScalar(to, 0.5), float64(float32(in)/float32(out)))
	if interpolation == "nearest" {
		return graph.ConvertDType(graph.Equal(from, graph.Floor(at)), dtypes.Float32)
	}
	distance := graph.Abs(graph.Sub(graph.AddScalar(at, -0.5), from))
	if antialias && in > out {
		distance = graph.DivScalar(distance, float64(float32(in)/float32(out)))
	}
	weights := Kernels[interpolation](distance)
	return graph.Div(weights, graph.BroadcastToShape(graph.ReduceAndKeep(weights, graph.ReduceSum, 0), shape))
}

// Kernels has, by interpolation, the function that returns the weight of elements for their
// distance, x, in pixels, which is not negative. "nearest" has none.
var Kernels = map[string]func(x *graph.Node) *graph.Node{
	"bilinear": func(x *graph.Node) *graph.Node {
		return graph.Max(graph.OneMinus(x), graph.ZerosLike(x))
	},
	"bicubic": func(x *graph.Node) *graph.Node { // Keys, 1981, with A = -0.5
		near := graph.AddScalar(graph.Mul(graph.Mul(graph.AddScalar(graph.MulScalar(x, 1.5), -2.5), x), x), 1)
		far := graph.AddScalar(graph.Mul(graph.AddScalar(graph.Mul(graph.AddScalar(graph.MulScalar(x, -0.5), 2.5), x), -4), x), 2)
		return below(x, 2, graph.Where(graph.GreaterOrEqual(x, graph.OnesLike(x)), far, near))
	},
	"lanczos3": func(x *graph.Node) *graph.Node { return lanczos(x, 3) },
	"lanczos5": func(x *graph.Node) *graph.Node { return lanczos(x, 5) },
}

// below returns, element by element, y where x is less than radius, and 0 elsewhere.
func below(x *graph.Node, radius float64, y *graph.Node) *graph.Node {
	return graph.Where(graph.LessThan(x, graph.AddScalar(graph.ZerosLike(x), radius)), y, graph.ZerosLike(x))
}

func lanczos(x *graph.Node, radius float64) *graph.Node {
	y := graph.MulScalar(graph.Mul(graph.Sin(graph.MulScalar(x, math.Pi)), graph.Sin(graph.MulScalar(x, math.Pi/radius))), radius)
	small := graph.LessOrEqual(x, graph.AddScalar(graph.ZerosLike(x), 1e-3))
	square := graph.Where(small, graph.OnesLike(x), graph.MulScalar(graph.Mul(x, x), math.Pi*math.Pi))
	return below(x, radius, graph.Where(small, graph.OnesLike(x), graph.Div(y, square)))
}
