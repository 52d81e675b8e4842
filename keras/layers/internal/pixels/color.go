package pixels

// This file implements functions of the colors of pixels: rgb_to_grayscale, rgb_to_hsv and
// hsv_to_rgb of keras.ops.image.

import (
	"fmt"
	"math"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"
)

// Grayscale returns the brightness of each pixel of RGB images, with one channel: [batch, height,
// width, 1]. Images of one channel are returned as they are; another number than 3 panics.
func Grayscale(images *graph.Node) *graph.Node {
	if images.Shape().Dim(-1) == 1 {
		return images
	}
	c := Channels(images)
	gray := graph.Add(graph.MulScalar(c[0], 0.2989), graph.MulScalar(c[1], 0.5870))
	return graph.Add(gray, graph.MulScalar(c[2], 0.1140))
}

// Channels returns the three channels of images, such as red, green and blue, each [batch, height,
// width, 1]. It panics for another number of channels.
func Channels(images *graph.Node) (c [3]*graph.Node) {
	last := images.Rank() - 1
	if n := images.Shape().Dim(last); n != 3 {
		panic(fmt.Errorf("got images of %d channels, want 3: red, green, blue", n))
	}
	for i := range c {
		c[i] = graph.SliceAxis(images, last, graph.AxisRange(i, i+1))
	}
	return c
}

// Join returns the images whose three channels are c, along the last dimension.
func Join(c [3]*graph.Node) *graph.Node { return graph.Concatenate(c[:], -1) }

// epsilons has, for each float type, the difference between 1 and the next larger number.
var epsilons = map[dtypes.DType]float64{
	dtypes.Float64: math.Pow(2, -52), dtypes.Float32: math.Pow(2, -23), dtypes.Float16: math.Pow(2, -10), dtypes.BFloat16: math.Pow(2, -7),
}

// RGBToHSV returns hue, saturation and value of pixels with the channels red, green and blue. Hue
// and saturation are in [0, 1], and value is the largest of the three. Images must be floats; it
// panics for another number of channels.
func RGBToHSV(images *graph.Node) *graph.Node {
	small := graph.LessThan(graph.Abs(images), number(images, epsilons[images.DType()]))
	c := Channels(graph.Where(small, graph.ZerosLike(images), images))
	r, g, b := c[0], c[1], c[2]
	value := greatest(greatest(r, g), b)
	span := graph.Sub(value, least(least(r, g), b))
	zero, one := graph.ZerosLike(r), graph.OnesLike(r)
	positive := graph.GreaterThan(value, zero)
	saturation := graph.Where(positive, graph.Div(span, graph.Where(positive, value, one)), zero)
	colored := graph.GreaterThan(span, zero)
	norm := graph.Div(one, graph.MulScalar(graph.Where(colored, span, one), 6))
	part := func(x, y *graph.Node, start float64) *graph.Node {
		return graph.AddScalar(graph.Mul(norm, graph.Sub(x, y)), start)
	}
	hue := graph.Where(graph.Equal(value, g), part(b, r, 2.0/6), part(r, g, 4.0/6))
	hue = graph.Where(graph.Equal(value, r), graph.Mul(norm, graph.Sub(g, b)), hue)
	turn := graph.ConvertDType(graph.LessThan(hue, zero), hue.DType())
	hue = graph.Add(graph.Where(colored, hue, zero), turn)
	return Join([3]*graph.Node{hue, saturation, value})
}

// HSVToRGB returns images of hue, saturation and value as red, green and blue: the inverse of
// RGBToHSV.
func HSVToRGB(images *graph.Node) *graph.Node {
	c := Channels(images)
	hue, saturation, value := c[0], c[1], c[2]
	turn := graph.MulScalar(graph.Sub(hue, graph.StopGradient(graph.Floor(hue))), 6)
	distance := func(from float64) *graph.Node { return graph.Abs(graph.AddScalar(turn, -from)) }
	parts := [3]*graph.Node{
		Clip(graph.AddScalar(distance(3), -1), 0, 1),
		Clip(graph.AddScalar(graph.Neg(distance(2)), 2), 0, 1),
		Clip(graph.AddScalar(graph.Neg(distance(4)), 2), 0, 1),
	}
	for i, p := range parts {
		parts[i] = graph.Mul(value, graph.Add(graph.OneMinus(saturation), graph.Mul(saturation, p)))
	}
	return Join(parts)
}

// greatest returns, element by element, the larger of a and b; where they are equal, both get half
// of the gradient, as in JAX.
func greatest(a, b *graph.Node) *graph.Node {
	mean := graph.MulScalar(graph.Add(a, b), 0.5)
	return graph.Where(graph.GreaterThan(a, b), a, graph.Where(graph.LessThan(a, b), b, mean))
}

// least returns, element by element, the smaller of a and b.
func least(a, b *graph.Node) *graph.Node { return graph.Neg(greatest(graph.Neg(a), graph.Neg(b))) }

// Clip returns x limited to [low, high]; the gradient at these two is half of that within.
func Clip(x *graph.Node, low, high float64) *graph.Node {
	return least(greatest(x, number(x, low)), number(x, high))
}

// Rescale returns x mapped linearly, so that the ends of the range from become those of the range
// to.
func Rescale(x *graph.Node, from, to [2]float64) *graph.Node {
	if from == to {
		return x
	}
	x = graph.Div(graph.AddScalar(x, -from[0]), number(x, from[1]-from[0]))
	return graph.AddScalar(graph.MulScalar(x, to[1]-to[0]), to[0])
}
