package pixels

// This file implements the elements of images at places between pixels:
// jax.scipy.ndimage.map_coordinates for each image.

import (
	"fmt"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"
)

// Sampling says how the element at a place between pixels, or beyond the edge, is found.
type Sampling struct {
	// Interpolation is "nearest" or "bilinear".
	Interpolation string
	// FillMode is "constant", "nearest", "wrap", "reflect" or "mirror".
	FillMode string
	// FillValue is what is beyond the edge, in mode "constant".
	FillValue float64
}

// FillModes are the names of the ways to fill the outside of an image that layers take.
var FillModes = []string{"constant", "nearest", "wrap", "reflect"}

// fixes has, by fill mode, the function that maps an index i outside of an axis of that size to one
// within. "constant" leaves it: such elements get the fill value.
var fixes = map[string]func(i *graph.Node, size int) *graph.Node{
	"constant": func(i *graph.Node, _ int) *graph.Node { return i },
	"nearest":  func(i *graph.Node, size int) *graph.Node { return within(i, 0, size-1) },
	"wrap":     func(i *graph.Node, size int) *graph.Node { return modulo(i, size) },
	"mirror":   mirror,
	"reflect": func(i *graph.Node, size int) *graph.Node {
		at := mirror(graph.AddScalar(graph.MulScalar(i, 2), 1), 2*size+1)
		return graph.Div(graph.AddScalar(at, -1), number(i, 2))
	},
}

// mirror maps each index i to the range from 0 to size-1, as if the elements were mirrored at both
// ends without repeating the last one: the triangular wave of i.
func mirror(i *graph.Node, size int) *graph.Node {
	last := size - 1
	if last == 0 {
		return graph.ZerosLike(i)
	}
	return graph.Abs(graph.AddScalar(modulo(graph.AddScalar(i, float64(last)), 2*last), float64(-last)))
}

// modulo returns i mod n, element by element, as Python's % does: from 0 to n-1, for negative i
// too.
func modulo(i *graph.Node, n int) *graph.Node {
	m := number(i, float64(n))
	return graph.Rem(graph.Add(graph.Rem(i, m), m), m)
}

func within(i *graph.Node, low, high int) *graph.Node {
	return graph.Min(graph.Max(i, number(i, float64(low))), number(i, float64(high)))
}

// number returns n as a tensor in the type and shape of x.
func number(x *graph.Node, n float64) *graph.Node {
	return graph.BroadcastToShape(graph.Scalar(x.Graph(), x.DType(), n), x.Shape())
}

// node is an index along an axis, and the weight of the element there; a nil weight stands for 1.
type node struct{ index, weight *graph.Node }

// nodes returns the indices along an axis between which the coordinates at lie, with the weight of
// each: two neighbours for bilinear interpolation, or the nearest one, whose weight is nil.
func (s Sampling) nodes(at *graph.Node) []node {
	integer := func(x *graph.Node) *graph.Node { return graph.ConvertDType(x, dtypes.Int32) }
	if s.Interpolation == "nearest" {
		return []node{{index: integer(awayFromZero(at))}}
	}
	low := graph.Floor(at)
	upper := graph.Sub(at, graph.StopGradient(low))
	index := integer(low)
	return []node{{index, graph.OneMinus(upper)}, {graph.AddScalar(index, 1), upper}}
}

// awayFromZero returns x rounded to whole numbers; halves go away from zero.
func awayFromZero(x *graph.Node) *graph.Node {
	size := graph.Abs(x)
	whole := graph.Floor(size)
	up := graph.GreaterOrEqual(graph.Sub(size, whole), number(x, 0.5))
	return graph.Mul(graph.Sign(x), graph.Where(up, graph.AddScalar(whole, 1), whole))
}

// Sample returns the elements of images at rows y and columns x, which may be fractions or beyond
// the edge; s says how these are found. y and x are [batch, height, width]. The result is [batch,
// height, width, channels], in the type of images; it is computed in float32. An unknown mode or
// interpolation is our fault: it panics.
func Sample(images, y, x *graph.Node, s Sampling) *graph.Node {
	if fixes[s.FillMode] == nil || s.Interpolation != "nearest" && s.Interpolation != "bilinear" {
		panic(fmt.Sprintf("BUG: pixels: sampling %+v", s))
	}
	var sum *graph.Node
	for _, row := range s.nodes(y) {
		for _, column := range s.nodes(x) {
			v := graph.ConvertDType(s.pick(images, row.index, column.index), dtypes.Float32)
			for _, weight := range []*graph.Node{row.weight, column.weight} {
				if weight != nil {
					v = graph.Mul(graph.InsertAxes(weight, -1), v)
				}
			}
			if sum == nil {
				sum = v
			} else {
				sum = graph.Add(sum, v)
			}
		}
	}
	return graph.ConvertDType(sum, images.DType())
}

// Map returns the elements of x at fractional places, which has the coordinates in one tensor for
// each dimension of x, all of the shape of the result; s says how elements between and beyond the
// edge are found.
func Map(x *graph.Node, places []*graph.Node, s Sampling) *graph.Node {
	fix := fixes[s.FillMode]
	var sum *graph.Node
	var add func(axis int, index []*graph.Node, valid, weight *graph.Node)
	add = func(axis int, index []*graph.Node, valid, weight *graph.Node) {
		if axis == len(places) {
			v := graph.Gather(x, graph.Concatenate(index, -1))
			if s.FillMode == "constant" {
				v = Select(valid, v, graph.BroadcastToShape(graph.Scalar(v.Graph(), v.DType(), s.FillValue), v.Shape()))
			}
			if weight != nil {
				v = graph.Mul(graph.ConvertDType(weight, v.DType()), v)
			}
			if sum == nil {
				sum = v
			} else {
				sum = graph.Add(sum, v)
			}
			return
		}
		size := x.Shape().Dimensions[axis]
		for _, n := range s.nodes(places[axis]) {
			ok, w := inside(n.index, size), n.weight
			if valid != nil {
				ok = graph.LogicalAnd(valid, ok)
			}
			if weight != nil && w != nil {
				w = graph.Mul(weight, w)
			}
			i := graph.InsertAxes(fix(n.index, size), -1)
			add(axis+1, append(index[:axis:axis], i), ok, w)
		}
	}
	add(0, nil, nil, nil)
	return sum
}

// pick returns the pixels of images at int32 rows and columns [batch, height, width]. The index
// of the image is an iota. So the compiler knows that each device reads its own images.
func (s Sampling) pick(images, row, column *graph.Node) *graph.Node {
	dims := images.Shape().Dimensions
	fix := fixes[s.FillMode]
	image := graph.Iota(images.Graph(), shapes.Make(dtypes.Int32, append(row.Shape().Clone().Dimensions, 1)...), 0)
	at := graph.Concatenate([]*graph.Node{image, graph.InsertAxes(fix(row, dims[1]), -1), graph.InsertAxes(fix(column, dims[2]), -1)}, -1)
	v := graph.Gather(images, at)
	if s.FillMode != "constant" {
		return v
	}
	valid := graph.LogicalAnd(inside(row, dims[1]), inside(column, dims[2]))
	return Select(graph.InsertAxes(valid, -1), v, graph.Scalar(v.Graph(), v.DType(), s.FillValue))
}

// inside reports, for each index in i, whether it is from 0 to size-1.
func inside(i *graph.Node, size int) *graph.Node {
	return graph.LogicalAnd(graph.GreaterOrEqual(i, number(i, 0)), graph.LessThan(i, number(i, float64(size))))
}

// Select returns, element by element, a where condition is true, else b; the three are broadcast.
func Select(condition, a, b *graph.Node) *graph.Node {
	var dims []int
	for _, x := range []*graph.Node{condition, a, b} {
		for i, d := range x.Shape().Dimensions {
			if i == len(dims) {
				dims = append(dims, d)
			}
			dims[i] = max(dims[i], d)
		}
	}
	full := func(x *graph.Node) *graph.Node {
		return graph.BroadcastToDims(x, dims...)
	}
	return graph.Where(full(condition), full(a), full(b))
}
