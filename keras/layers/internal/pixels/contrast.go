package pixels

// This file implements the equalization of tiles of images, with limited contrast
// (Zuiderveld, 1994).

import (
	"math"
	"slices"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"
)

// grayLevels is the number of values of a channel: 0 to 255.
const grayLevels = 256

// LimitContrast gives the tiles of images of numbers from 0 to 255 more contrast. grid holds the
// numbers of tiles along height and width. In a tile, a number may occur limit times as often as
// the mean of the 256 numbers; a limit of 0 stands for none. It has no gradient, as in Keras:
// numbers are looked up.
func LimitContrast(images *graph.Node, grid [2]int, limit float64) *graph.Node {
	t := tiling{of: images.Shape().Dimensions, grid: grid}
	for i := range t.size {
		t.size[i] = (t.of[1+i] + t.grid[i] - 1) / t.grid[i]
	}
	return t.interpolate(images, t.tables(t.histograms(images), limit))
}

// tiling describes how images are divided into tiles.
type tiling struct {
	of         []int // the shape of the images
	grid, size [2]int
}

// levels returns the gray level of each element of x, clipped to the range of gray levels, as
// int32.
func levels(x *graph.Node) *graph.Node {
	return graph.ConvertDType(graph.ClipScalar(x, 0, grayLevels-1), dtypes.Int32)
}

// histograms counts the gray levels in each tile: [batch, rows, columns, channels, levels], in the
// type of x. It first extends x by mirror images to whole tiles. The index of the image is an iota,
// so the compiler knows that each device counts its own images.
func (t tiling) histograms(x *graph.Node) *graph.Node {
	for i := range t.grid {
		x = symmetric(x, 1+i, t.grid[i]*t.size[i])
	}
	dims := append(slices.Clone(x.Shape().Dimensions), 1)
	at := func(axis, by int) *graph.Node {
		i := graph.Iota(x.Graph(), shapes.Make(dtypes.Int32, dims...), axis)
		return graph.Div(i, number(i, float64(by)))
	}
	index := graph.Concatenate([]*graph.Node{at(0, 1), at(1, t.size[0]), at(2, t.size[1]), at(3, 1), graph.InsertAxes(levels(x), -1)}, -1)
	ones := graph.BroadcastToDims(graph.ScalarOne(x.Graph(), x.DType()), dims[:4]...)
	return graph.Scatter(index, ones, shapes.Make(x.DType(), dims[0], t.grid[0], t.grid[1], dims[3], grayLevels), false, false)
}

// symmetric extends axis of x at its end to the given size, by mirror images, as many as needed. A
// larger axis stays as it is.
func symmetric(x *graph.Node, axis, size int) *graph.Node {
	for x.Shape().Dimensions[axis] < size {
		n := x.Shape().Dimensions[axis]
		part := graph.SliceAxis(x, axis, graph.AxisRange(max(0, 2*n-size), n))
		x = graph.Concatenate([]*graph.Node{x, graph.Reverse(part, axis)}, axis)
	}
	return x
}

// tables returns the new level, 0 to 255, for each gray level, in the shape of counts, the
// histograms. A count above limit times the mean count is cut to that, and what was cut is spread
// over all levels; a limit of 0 stands for none.
func (t tiling) tables(counts *graph.Node, limit float64) *graph.Node {
	count := float64(t.size[0] * t.size[1])
	if limit > 0 {
		limited := graph.Min(counts, number(counts, limit*count/grayLevels))
		rest := graph.ReduceAndKeep(graph.Sub(counts, limited), graph.ReduceSum, 4)
		counts = graph.Add(limited, graph.BroadcastToShape(graph.DivScalar(rest, grayLevels), counts.Shape()))
	}
	sums := graph.CumSum(counts, 4)
	least := graph.ReduceAndKeep(sums, graph.ReduceMin, 4)
	others := graph.Sub(number(least, count), least)
	others = graph.Where(graph.Equal(others, graph.ZerosLike(others)), graph.OnesLike(others), others)
	full := func(x *graph.Node) *graph.Node { return graph.BroadcastToShape(x, sums.Shape()) }
	return graph.ClipScalar(graph.Div(graph.MulScalar(graph.Sub(sums, full(least)), 255), full(others)), 0, 255)
}

// interpolate looks up each number of x in the tables of the four tiles around it, and returns the
// means of the four, weighted by how near the tiles are.
func (t tiling) interpolate(x, tables *graph.Node) *graph.Node {
	dims := append(slices.Clone(x.Shape().Dimensions), 1)
	iota := func(axis int) *graph.Node { return graph.Iota(x.Graph(), shapes.Make(dtypes.Int32, dims...), axis) }
	level := graph.InsertAxes(levels(x), -1)
	var rows, columns [2]*graph.Node // the tiles before and behind
	var weights [2]*graph.Node       // of those behind
	rows, weights[0] = t.around(x, 0)
	columns, weights[1] = t.around(x, 1)
	look := func(row, column *graph.Node) *graph.Node {
		return graph.Gather(tables, graph.Concatenate([]*graph.Node{iota(0), row, column, iota(3), level}, -1))
	}
	between := func(a, b, weight *graph.Node) *graph.Node {
		return graph.Add(graph.Mul(a, graph.OneMinus(weight)), graph.Mul(b, weight))
	}
	above := between(look(rows[0], columns[0]), look(rows[0], columns[1]), weights[1])
	below := between(look(rows[1], columns[0]), look(rows[1], columns[1]), weights[1])
	return between(above, below, weights[0])
}

// around returns for each pixel the tiles before and behind it along height (0) or width (1), int32
// [batch, height, width, channels, 1], and the weight of the one behind, [batch, height, width,
// channels]. At the edge both are the outermost tile.
func (t tiling) around(x *graph.Node, i int) (tiles [2]*graph.Node, weight *graph.Node) {
	n, size := t.of[1+i], float32(t.size[i])
	var index [2][]int32
	weights := make([]float32, n)
	for p := range n {
		at := (float32(p)-size/2)/size + 1
		low := float32(math.Floor(float64(at)))
		weights[p] = at - low
		for k := range index {
			index[k] = append(index[k], int32(min(max(int(low)+k-1, 0), t.grid[i]-1)))
		}
	}
	shape := []int{1, 1, 1, 1}
	shape[1+i] = n
	along := func(values any) *graph.Node {
		return graph.BroadcastToDims(graph.Reshape(graph.Const(x.Graph(), values), shape...), t.of...)
	}
	for k := range tiles {
		tiles[k] = graph.InsertAxes(along(index[k]), -1)
	}
	return tiles, along(weights)
}
