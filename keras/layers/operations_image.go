package layers

// This file holds operations on images.

import (
	"fmt"

	"github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/keras/layers/internal/pixels"
)

// images returns the images that an operation is applied to, [batch, height, width, channels].
func (o operands) images() *graph.Node {
	x := fractions(o.tensor(0))
	if x.Rank() != 4 {
		panic(fmt.Errorf("got images %s, want (batch, height, width, channels)", x.Shape()))
	}
	if format := o.l.attrs["data_format"]; format != nil && format != channelsLast {
		panic(fmt.Errorf("got data_format %v, want %s", format, channelsLast))
	}
	return x
}

// ofImages makes an operation of a function of images.
func ofImages(f func(x *graph.Node) *graph.Node) func(o operands) *graph.Node {
	return func(o operands) *graph.Node { return f(o.images()) }
}

// gaussianBlur sums over kernel_size, width and height, by normal distributions of sigma.
func gaussianBlur(o operands) *graph.Node {
	if o.l.attrs["data_format"] == nil {
		panic(fmt.Errorf("got no data_format, by which Keras 3.15 takes images for channels first here, want %s", channelsLast))
	}
	x, size, sigma := o.images(), o.ints("kernel_size"), floats(o.l.attrs["sigma"])
	if len(size) != 2 || len(sigma) != 2 || checkBlurSize(size) != nil {
		panic(fmt.Errorf("got kernel_size %v and sigma %v, want two odd numbers and two numbers", size, sigma))
	}
	return pixels.Blur(x, [2]int(size), graph.ConvertDType(graph.Const(x.Graph(), sigma), x.DType()))
}
