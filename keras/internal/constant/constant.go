// Package constant makes constants of graphs.
//
// Order of use: Like, while a graph is built.
//
//	file         what it holds
//	constant.go  Like
package constant

import (
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"
)

// Like returns a scalar of the type of like. GoMLX makes small scalars of float16, such as 1e-7,
// zero, so Like rounds them in the graph.
func Like(like *graph.Node, number float64) *graph.Node {
	if like.DType() == dtypes.Float16 {
		return graph.ConvertDType(graph.Scalar(like.Graph(), dtypes.Float32, number), dtypes.Float16)
	}
	return graph.Scalar(like.Graph(), like.DType(), number)
}
