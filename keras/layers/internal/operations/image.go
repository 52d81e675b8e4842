package operations

// This file holds operations on images.

import (
	"fmt"
	"slices"

	"github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/internal/option"
	"github.com/gospmd/gospmd/keras/layers/internal/pixels"
)

// images returns argument 0, images [batch, height, width, channels], as floats. It panics for
// another rank or another data_format.
func (o operands) images() *graph.Node {
	x := fractions(o.tensor(0))
	if x.Rank() != 4 {
		panic(fmt.Errorf("got images %s, want (batch, height, width, channels)", x.Shape()))
	}
	if format := o.attrs["data_format"]; format != nil && format != channelsLast {
		panic(fmt.Errorf("got data_format %v, want %s", format, channelsLast))
	}
	return x
}

// ofImages returns an operation that applies f to argument 0: images, or one image, which it treats
// as a batch of one.
func ofImages(f func(x *graph.Node) *graph.Node) func(o operands) *graph.Node {
	return inBatches(4, func(o operands) *graph.Node { return f(o.images()) })
}

// gaussianBlur is the operation gaussian_blur: it smooths images by a Gaussian kernel, with the
// attributes kernel_size, two odd numbers of pixels, and sigma, two numbers. Others panic, and so
// does a missing data_format.
func gaussianBlur(o operands) *graph.Node {
	if o.attrs["data_format"] == nil {
		panic(fmt.Errorf("got no data_format, by which Keras 3.15 takes images for channels first here, want %s", channelsLast))
	}
	x, size, sigma := o.images(), o.ints("kernel_size"), option.Floats(o.attrs["sigma"])
	if len(size) != 2 || len(sigma) != 2 || pixels.CheckBlur(size) != nil {
		panic(fmt.Errorf("got kernel_size %v and sigma %v, want two odd numbers and two numbers", size, sigma))
	}
	return pixels.Blur(x, [2]int(size), graph.ConvertDType(graph.Const(x.Graph(), sigma), x.DType()))
}

// sampling returns how values between pixels and beyond the edge are computed, from two attributes,
// the interpolation and the fill mode, and from the attribute fill_value, by default 0. It panics
// if the interpolation or the fill mode is unknown.
func (o operands) sampling(interpolation, fill any) pixels.Sampling {
	s := pixels.Sampling{FillValue: numberOf(o.attrs["fill_value"])}
	s.Interpolation, _ = interpolation.(string)
	s.FillMode, _ = fill.(string)
	if s.Interpolation != "nearest" && s.Interpolation != "bilinear" {
		panic(fmt.Errorf("got interpolation %v, want nearest or bilinear", interpolation))
	}
	if s.FillMode != "mirror" && !slices.Contains(pixels.FillModes, s.FillMode) {
		panic(fmt.Errorf("got fill_mode %v, want mirror or one of %q", fill, pixels.FillModes))
	}
	return s
}

// numberOf returns the attribute v as a number, and 0 if it is nil or no number.
func numberOf(v any) float64 {
	if n := option.Floats(v); len(n) == 1 {
		return n[0]
	}
	return 0
}

// affineTransform is the operation affine_transform: it applies affine transforms, argument 1, to
// the images of argument 0: 8 numbers for each image, or for all, as pixels.Affine takes them.
// Other shapes panic.
func affineTransform(o operands) *graph.Node {
	x, t := o.images(), fractions(o.tensor(1))
	if t.Rank() == 1 {
		t = graph.BroadcastToDims(graph.InsertAxes(t, 0), x.Shape().Dimensions[0], t.Shape().Dimensions[0])
	}
	if d := t.Shape().Dimensions; len(d) != 2 || d[1] != 8 || d[0] != x.Shape().Dimensions[0] {
		panic(fmt.Errorf("got transforms %s, want 8 numbers for each of the images %s", t.Shape(), x.Shape()))
	}
	return pixels.Affine(x, t, o.sampling(o.attrs["interpolation"], o.attrs["fill_mode"]))
}

// perspectiveTransform applies to each image of argument 0 the perspective transform that moves
// four points, argument 1, to four others, argument 2. The points are [batch, 4, 2], or [4, 2] for
// all images: (x, y) of the upper left, the upper right, the lower left and the lower right one.
// Other shapes panic. What is beyond the edge is the attribute fill_value.
func perspectiveTransform(o operands) *graph.Node {
	x := o.images()
	points := func(i int) *graph.Node {
		p := fractions(o.tensor(i))
		if p.Rank() == 2 {
			p = graph.BroadcastToDims(graph.InsertAxes(p, 0), append([]int{x.Shape().Dimensions[0]}, p.Shape().Dimensions...)...)
		}
		if d := p.Shape().Dimensions; len(d) != 3 || d[0] != x.Shape().Dimensions[0] || d[1] != 4 || d[2] != 2 {
			panic(fmt.Errorf("got points %s, want four of two coordinates for each of the images %s", p.Shape(), x.Shape()))
		}
		return p
	}
	return pixels.Perspective(x, points(1), points(2), o.sampling(o.attrs["interpolation"], "constant"))
}

// mapCoordinates is the operation map_coordinates: the values of x at coordinates [rank of x, ...],
// nearest for the attribute order 0, interpolated for 1, and beyond the edge as the attribute
// fill_mode says. Other orders, modes and shapes panic.
func mapCoordinates(o operands) *graph.Node {
	x, at := fractions(o.tensor(0)), fractions(o.tensor(1))
	if at.Rank() < 2 || at.Shape().Dimensions[0] != x.Rank() {
		panic(fmt.Errorf("got coordinates %s, want as many in the first dimension as there are of %s", at.Shape(), x.Shape()))
	}
	order := o.ints("order")
	if len(order) != 1 || order[0] < 0 || order[0] > 1 {
		panic(fmt.Errorf("got order %v, want 0 or 1", o.attrs["order"]))
	}
	var along []*graph.Node
	for i := range x.Rank() {
		along = append(along, graph.Squeeze(graph.SliceAxis(at, 0, graph.AxisElem(i)), 0))
	}
	return pixels.Map(x, along, o.sampling([]string{"nearest", "bilinear"}[order[0]], o.attrs["fill_mode"]))
}
