package pixels

// This file implements how images get another size: cut or padded to its proportions before, if
// asked for, as keras.ops.image.resize does.

import (
	"slices"

	"github.com/gomlx/gomlx/core/graph"
)

// Fit says how images get another size: whether they are cropped or padded to its proportions, and
// how they are interpolated, by one of Interpolations. Crop and Pad are not both true.
type Fit struct {
	Interpolation string
	Crop, Pad     bool // to the proportions
	FillValue     float64
	Antialias     bool
}

// Resize returns images x in the size out, height and width: cropped or padded to its proportions
// first if f says so, and then interpolated. Integers become float32, unless there is nothing to
// interpolate because they have that size then.
func (f Fit) Resize(x *graph.Node, out [2]int) *graph.Node {
	in := Size(x)
	switch {
	case f.Crop:
		x = Middle(x, Inscribe(in, out))
	case f.Pad:
		x = surround(x, proportion(in, out, func(a, b int) int { return max(a, b) }), f.FillValue)
	}
	for i, n := range out {
		x = Resize(x, i+1, n, f.Interpolation, f.Antialias)
	}
	return x
}

// Size returns the height and the width of images [batch, height, width, channels].
func Size(images *graph.Node) [2]int { return [2]int(images.Shape().Dimensions[1:3]) }

// Inscribe returns the largest height and width that fit into in and have the proportions of out,
// rounded down, but at least 1.
func Inscribe(in, out [2]int) [2]int {
	return proportion(in, out, func(a, b int) int { return max(min(a, b), 1) })
}

// proportion returns a size with the proportions of out: for height and for width, pick chooses
// between the size that images of size in have and the one that fits the other side of in. So pick
// = min gives the size to cut to, and max the one to pad to.
func proportion(in, out [2]int, pick func(have, fitting int) int) [2]int {
	return [2]int{
		pick(in[0], int(float64(in[1]*out[0])/float64(out[1]))),
		pick(in[1], int(float64(in[0]*out[1])/float64(out[0]))),
	}
}

// Middle returns the middle of images x, with the height and the width size, which must be at most
// those of x.
func Middle(x *graph.Node, size [2]int) *graph.Node {
	kept := slices.Repeat([]graph.SliceAxisSpec{graph.AxisRange()}, x.Rank())
	for i, n := range size {
		start := (x.Shape().Dimensions[i+1] - n) / 2
		kept[i+1] = graph.AxisRange(start, start+n)
	}
	return graph.Slice(x, kept...)
}

// surround pads images x with fill at both sides of one dimension, the first one that is smaller
// than in size (height, width), up to that size. An odd difference leaves one pixel less.
func surround(x *graph.Node, size [2]int, fill float64) *graph.Node {
	pad := make([]graph.PadAxis, x.Rank())
	for i, n := range size {
		if more := (n - x.Shape().Dimensions[i+1]) / 2; more > 0 {
			pad[i+1] = graph.PadAxis{Start: more, End: more}
			break
		}
	}
	return graph.Pad(x, graph.Scalar(x.Graph(), x.DType(), fill), pad...)
}
