package pixels

// This file implements the equalization of the histograms of channels.

import (
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"
)

// Equalize equalizes the histogram of each channel of x, whose numbers are from 0 to 255: it maps
// them so that the given number of bins occur about equally often in the batch. A channel with
// numbers in one bin only stays as it is.
func Equalize(x *graph.Node, bins int) *graph.Node {
	constant := graph.ConvertDType(graph.StopGradient(x), dtypes.Float32)
	last := float64(bins - 1)
	counts := histogram(channelIndex(graph.DivScalar(graph.MulScalar(constant, last), 255), bins), bins)
	table, flat := lookupTable(counts)
	at := channelIndex(graph.MulScalar(graph.DivScalar(constant, 255), last), bins)
	y := graph.Reshape(graph.Gather(graph.Reshape(table, table.Shape().Size()), at), x.Shape().Dimensions...)
	flat = graph.BroadcastToShape(graph.Reshape(flat, 1, 1, 1, x.Shape().Dim(3)), x.Shape())
	return graph.Where(flat, x, graph.ConvertDType(y, x.DType()))
}

// channelIndex returns the index in a flat table [channels, bins] for each bin number in x: [batch,
// height, width, channels, 1]. It limits the numbers to 0 to bins-1.
func channelIndex(x *graph.Node, bins int) *graph.Node {
	i := graph.ConvertDType(graph.ClipScalar(x, 0, float64(bins-1)), dtypes.Int32)
	channel := graph.Iota(x.Graph(), shapes.Make(dtypes.Int32, x.Shape().Dimensions...), 3)
	return graph.InsertAxes(graph.Add(i, graph.MulScalar(channel, float64(bins))), -1)
}

// histogram counts how often each of the indices that channelIndex returns occurs: int32 [channels,
// bins].
func histogram(index *graph.Node, bins int) *graph.Node {
	dims := index.Shape().Dimensions
	channels := dims[3]
	ones := graph.BroadcastToDims(graph.ScalarOne(index.Graph(), dtypes.Int32), dims[:4]...)
	counts := graph.Scatter(index, ones, shapes.Make(dtypes.Int32, channels*bins), false, false)
	return graph.Reshape(counts, channels, bins)
}

// lookupTable returns, for the histograms counts [channels, bins], the new value for each bin of a
// channel, 0 to 255 in float32, and which channels use at most one bin, [channels, 1].
func lookupTable(counts *graph.Node) (table, flat *graph.Node) {
	zero := graph.ZerosLike(counts)
	used := graph.ReduceAndKeep(graph.ConvertDType(graph.GreaterThan(counts, zero), dtypes.Int32), graph.ReduceSum, 1)
	flat = graph.LessOrEqual(used, graph.OnesLike(used))
	sums := graph.CumSum(counts, 1)
	all := graph.ReduceAndKeep(counts, graph.ReduceSum, 1)
	first := graph.Where(graph.GreaterThan(sums, zero), sums, graph.BroadcastToShape(all, sums.Shape()))
	least := graph.ReduceAndKeep(first, graph.ReduceMin, 1)
	others := graph.Max(graph.Sub(all, least), graph.OnesLike(all))
	table = graph.Div(graph.ConvertDType(graph.MulScalar(graph.Sub(sums, least), 255), dtypes.Float32), graph.ConvertDType(others, dtypes.Float32))
	return graph.ClipScalar(graph.Round(table), 0, 255), flat
}
