package images

// This file resizes images, as jax.image.resize does: pixels are squares with their centers at
// half-integers, and a new pixel is the mean of the pixels around its center, weighted by a kernel.
// A large image is never converted to numbers as a whole: each row is converted when it is needed.

import (
	"math"
	"slices"
)

// method is a method of interpolation. The kernel gives the weight of a pixel at a distance x >= 0;
// it is 0 beyond the radius. "nearest" has no kernel: it takes one pixel.
type method struct {
	name   string
	radius float64
	kernel func(x float64) float64
}

var methods = []method{
	{"bilinear", 1, func(x float64) float64 { return max(0, 1-x) }},
	{name: "nearest"},
	{"bicubic", 2, keys},
	{"lanczos3", 3, lanczos(3)},
	{"lanczos5", 5, lanczos(5)},
}

// keys returns the weight at the distance x >= 0 of the kernel of Keys, "Cubic convolution
// interpolation for digital image processing" (1981), with a = -1/2.
func keys(x float64) float64 {
	switch {
	case x < 1:
		return (1.5*x-2.5)*x*x + 1
	case x < 2:
		return ((-0.5*x+2.5)*x-4)*x + 2
	}
	return 0
}

// lanczos returns the kernel of Lanczos for distances from 0 on: a sinc, windowed by a sinc of
// width radius, and 0 beyond.
func lanczos(radius float64) func(float64) float64 {
	return func(x float64) float64 {
		switch {
		case x > radius:
			return 0
		case x < 1e-3:
			return 1
		}
		return radius * math.Sin(math.Pi*x) * math.Sin(math.Pi*x/radius) / (math.Pi * math.Pi * x * x)
	}
}

// picture is an image as numbers. row returns the numbers of row y, channels last, for the whole
// width.
type picture struct {
	height, width, channels int
	row                     func(y int) []float32 // valid until the next call
}

// flat returns the picture whose numbers are in pixels, row by row, channels last.
func flat(height, width, channels int, pixels []float32) picture {
	n := width * channels
	return picture{height, width, channels, func(y int) []float32 { return pixels[y*n:][:n] }}
}

// resize writes the numbers of p to out, in the size of the configuration (after cropping or
// padding, if it says so) or in p's own size.
func (c *config) resize(p picture, out []float32) {
	height, width := p.height, p.width
	if c.height != 0 {
		height, width = c.height, c.width
		switch {
		case c.crop:
			p = p.crop(height, width)
		case c.pad:
			p = p.pad(height, width, c.fill)
		}
	}
	n := width * p.channels
	if p.height == height && p.width == width {
		for y := range height {
			copy(out[y*n:][:n], p.row(y))
		}
		return
	}
	rows, columns := c.taps(p.height, height), c.taps(p.width, width)
	p = p.keeping(rows)
	line := make([]float32, p.width*p.channels)
	for y, t := range rows {
		clear(line)
		for k, w := range t.weights {
			for x, v := range p.row(t.start + k) {
				line[x] += w * v
			}
		}
		resample(out[y*n:][:n], line, p.channels, columns)
	}
}

// crop returns the largest part in the middle of p that has the ratio of height and width. It does
// not copy.
func (p picture) crop(height, width int) picture {
	h := max(1, min(p.height, p.width*height/width))
	w := max(1, min(p.width, p.height*width/height))
	top, left := (p.height-h)/2, (p.width-w)/2
	return picture{h, w, p.channels, func(y int) []float32 {
		return p.row(top + y)[left*p.channels:][:w*p.channels]
	}}
}

// pad returns p in the middle of a larger picture that has the ratio of height and width; the rest
// is fill. Both sides get the same number of rows or columns, even if the ratio is then not exact.
func (p picture) pad(height, width int, fill float32) picture {
	top, left := max(0, p.width*height/width-p.height)/2, max(0, p.height*width/height-p.width)/2
	w := p.width + 2*left
	line := slices.Repeat([]float32{fill}, w*p.channels)
	edge := slices.Clone(line)
	return picture{p.height + 2*top, w, p.channels, func(y int) []float32 {
		if y < top || y >= top+p.height {
			return edge
		}
		copy(line[left*p.channels:], p.row(y-top))
		return line
	}}
}

// maxKept is the largest number of rows that keeping holds.
const maxKept = 32

// keeping returns the picture with a cache of the rows that taps use together, so that no row is
// converted twice for them.
func (p picture) keeping(taps []tap) picture {
	n := 1
	for _, t := range taps {
		n = max(n, len(t.weights))
	}
	n = min(n, maxKept)
	kept, of := make([][]float32, n), make([]int, n)
	row := p.row
	p.row = func(y int) []float32 {
		i := y % n
		if kept[i] == nil || of[i] != y {
			kept[i], of[i] = append(kept[i][:0], row(y)...), y
		}
		return kept[i]
	}
	return p
}

// tap holds the weights for a new pixel: weights of the old pixels from start on.
type tap struct {
	start   int
	weights []float32
}

// taps returns, for each of the new pixels along a dimension, which of the old pixels it depends
// on, and their weights. old and new are the numbers of pixels.
func (c *config) taps(old, new int) []tap {
	out := make([]tap, new)
	step := float64(old) / float64(new)
	width := 1.0
	if c.antialias {
		width = max(1, step)
	}
	for i := range out {
		center := (float64(i)+0.5)*step - 0.5
		if c.method.kernel == nil {
			out[i] = tap{min(old-1, int(center+0.5)), []float32{1}}
			continue
		}
		reach := c.method.radius * width
		first, last := max(0, int(math.Ceil(center-reach))), min(old-1, int(math.Floor(center+reach)))
		weights, sum := make([]float64, last-first+1), 0.0
		for k := range weights {
			weights[k] = c.method.kernel(math.Abs(center-float64(first+k)) / width)
			sum += weights[k]
		}
		out[i] = tap{first, make([]float32, len(weights))}
		for k, w := range weights {
			out[i].weights[k] = float32(w / sum)
		}
	}
	return out
}

// resample computes a row of new pixels, out, from the row in of old ones: out is the sum of in
// weighted by the taps.
func resample(out, in []float32, channels int, taps []tap) {
	clear(out)
	for i, t := range taps {
		to := out[i*channels:][:channels]
		for k, w := range t.weights {
			for x, v := range in[(t.start+k)*channels:][:channels] {
				to[x] += w * v
			}
		}
	}
}
