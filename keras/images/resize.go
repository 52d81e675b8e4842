package images

// This file resizes images, as jax.image.resize does: pixels are squares whose
// centers lie at halves, and a new pixel is the mean of those around its
// center, weighted by a kernel.

import (
	"fmt"
	"math"
	"slices"

	"github.com/gomlx/gomlx/core/tensors"

	"github.com/gospmd/gospmd/keras/data"
)

// method is a way of resizing. The kernel gives the weight of a pixel at a
// distance not below 0; it is 0 beyond the radius.
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

// keys is the kernel of Keys, "Cubic convolution interpolation for digital
// image processing" (1981), with a = -1/2.
func keys(x float64) float64 {
	switch {
	case x < 1:
		return (1.5*x-2.5)*x*x + 1
	case x < 2:
		return ((-0.5*x+2.5)*x-4)*x + 2
	}
	return 0
}

// lanczos returns the sinc that a wider sinc ends at the radius.
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

// Resize returns images in another size: keras.ops.image.resize. They are one
// image (height, width, channels) or a batch, in any type of number; the result
// is float32. Options: Interpolation, Antialias, CropToAspectRatio,
// PadToAspectRatio, FillValue.
func Resize(images *tensors.Tensor, height, width int, opts ...Option) (*tensors.Tensor, error) {
	c, err := configure("Resize", append(opts, Size(height, width)), "Interpolation", "Antialias", "CropToAspectRatio", "PadToAspectRatio", "FillValue", "Size")
	if err != nil {
		return nil, err
	}
	dims := images.Shape().Dimensions
	if len(dims) != 3 && len(dims) != 4 || slices.Contains(dims, 0) {
		return nil, fmt.Errorf("images: Resize: got a tensor of shape %v, want (height, width, channels) or (batch, height, width, channels)", dims)
	}
	flat, err := data.Floats(images)
	if err != nil {
		return nil, fmt.Errorf("images: Resize: %w", err)
	}
	one := picture{height: dims[len(dims)-3], width: dims[len(dims)-2], channels: dims[len(dims)-1]}
	var out []float32
	for pixels := range slices.Chunk(flat, one.height*one.width*one.channels) {
		one.pixels = pixels
		out = append(out, c.resize(one).pixels...)
	}
	return tensors.FromFlatDataAndDimensions(out, slices.Concat(dims[:len(dims)-3], []int{height, width, one.channels})...), nil
}

// picture is an image as numbers, row-major, channels last.
type picture struct {
	height, width, channels int
	pixels                  []float32
}

func (p picture) tensor() *tensors.Tensor {
	return tensors.FromFlatDataAndDimensions(p.pixels, p.height, p.width, p.channels)
}

// resize makes a picture as large as the configuration wants it.
func (c *config) resize(p picture) picture {
	if c.height == 0 {
		return p
	}
	switch {
	case c.crop:
		p = p.crop(c.height, c.width)
	case c.pad:
		p = p.pad(c.height, c.width, c.fill)
	}
	if p.height == c.height && p.width == c.width {
		return p
	}
	rows := c.taps(p.height, c.height)
	p = picture{c.height, p.width, p.channels, resample(p.pixels, 1, p.height, p.width*p.channels, rows)}
	columns := c.taps(p.width, c.width)
	return picture{c.height, c.width, p.channels, resample(p.pixels, p.height, p.width, p.channels, columns)}
}

// crop returns the largest part in the middle that has the ratio of height and
// width.
func (p picture) crop(height, width int) picture {
	h := max(1, min(p.height, p.width*height/width))
	w := max(1, min(p.width, p.height*width/height))
	top, left := (p.height-h)/2, (p.width-w)/2
	out := picture{h, w, p.channels, make([]float32, 0, h*w*p.channels)}
	for y := top; y < top+h; y++ {
		start := (y*p.width + left) * p.channels
		out.pixels = append(out.pixels, p.pixels[start:start+w*p.channels]...)
	}
	return out
}

// pad returns the picture in the middle of a larger one that has the ratio of
// height and width or, where that would be a row or a column more on one side,
// nearly.
func (p picture) pad(height, width int, fill float32) picture {
	top, left := max(0, p.width*height/width-p.height)/2, max(0, p.height*width/height-p.width)/2
	out := picture{p.height + 2*top, p.width + 2*left, p.channels, nil}
	out.pixels = slices.Repeat([]float32{fill}, out.height*out.width*p.channels)
	row := p.width * p.channels
	for y := range p.height {
		copy(out.pixels[((top+y)*out.width+left)*p.channels:], p.pixels[y*row:][:row])
	}
	return out
}

// tap is what a new pixel takes: weights of the old ones from start on.
type tap struct {
	start   int
	weights []float32
}

// taps returns those of each new pixel along one dimension.
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

// resample returns in, of shape (outer, old, inner), with the taps applied to
// its middle dimension.
func resample(in []float32, outer, old, inner int, taps []tap) []float32 {
	out := make([]float32, outer*len(taps)*inner)
	for o := range outer {
		for i, t := range taps {
			to := out[(o*len(taps)+i)*inner:][:inner]
			for k, w := range t.weights {
				from := in[(o*old+t.start+k)*inner:][:inner]
				for x, v := range from {
					to[x] += w * v
				}
			}
		}
	}
	return out
}
