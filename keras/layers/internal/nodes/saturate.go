package nodes

// This file implements Saturate.

import (
	"math"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"
)

// Saturate returns x converted to a type. A value out of the type's range becomes the nearest value
// of the range. So the result does not depend on how an engine converts values out of range.
func Saturate(x *graph.Node, to dtypes.DType) *graph.Node {
	from := x.DType()
	if from == dtypes.Bool || to == dtypes.Bool {
		return graph.ConvertDType(x, to)
	}
	low, high := rangeOf(from)
	toLow, toHigh := rangeOf(to)
	if toLow > low {
		x = graph.Max(x, Like(x, toLow))
	}
	switch {
	case toHigh >= high:
		return graph.ConvertDType(x, to)
	case to.IsFloat():
		return graph.ConvertDType(graph.Min(x, Like(x, toHigh)), to)
	}
	highest := graph.Const(x.Graph(), to.HighestValue())
	if !from.IsFloat() {
		highest = graph.BroadcastToShape(graph.ConvertDType(highest, from), x.Shape())
		return graph.ConvertDType(graph.Min(x, highest), to)
	}
	// Not every float type has the largest integer, but each has the power of 2 after it.
	over := graph.GreaterOrEqual(x, Like(x, math.Ldexp(1, magnitude(to))))
	y := graph.ConvertDType(graph.Where(over, graph.ZerosLike(x), x), to)
	return graph.Where(over, graph.BroadcastToShape(highest, y.Shape()), y)
}

// magnitude returns the number of bits of an integer type without its sign.
func magnitude(d dtypes.DType) int {
	if d.IsUnsigned() {
		return d.Bits()
	}
	return d.Bits() - 1
}

// rangeOf returns the least and the largest number of a type. For integers of more bits than a
// float64 has, the largest one is the nearest float64 within the range.
func rangeOf(d dtypes.DType) (low, high float64) {
	switch {
	case d == dtypes.BFloat16:
		return -0x1.fep127, 0x1.fep127
	case d == dtypes.Float16:
		return -65504, 65504
	case d == dtypes.Float32:
		return -math.MaxFloat32, math.MaxFloat32
	case d.IsFloat():
		return -math.MaxFloat64, math.MaxFloat64
	}
	bits := magnitude(d)
	limit := math.Ldexp(1, bits)
	if !d.IsUnsigned() {
		low = -limit
	}
	return low, limit - math.Max(1, math.Ldexp(1, bits-53))
}
