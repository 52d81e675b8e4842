package images

// This file reads images from files and resizes them, as jax.image.resize does:
// pixels are squares with their centers at half-integers, and a new pixel is the
// mean of the pixels around its center, weighted by a kernel.

import (
	"bufio"
	"fmt"
	"image"
	"image/draw"
	_ "image/gif" // registers the format, as the next two do
	_ "image/jpeg"
	_ "image/png"
	"math"
	"os"
	"slices"

	"github.com/gomlx/gomlx/core/tensors"

	"github.com/gospmd/gospmd/keras/data"
)

// Load returns the image in a file, the first one of an animation:
// keras.utils.load_img and img_to_array. Options: ColorMode, Size,
// Interpolation, Antialias, CropToAspectRatio, PadToAspectRatio, FillValue.
func Load(path string, opts ...Option) (*tensors.Tensor, error) {
	c, err := configure("Load", opts, "ColorMode", "Size", "Interpolation", "Antialias", "CropToAspectRatio", "PadToAspectRatio", "FillValue")
	if err != nil {
		return nil, err
	}
	p, err := c.load(path)
	if err != nil {
		return nil, fmt.Errorf("images: %w", err)
	}
	return p.tensor(), nil
}

func (c *config) load(path string) (picture, error) {
	f, err := os.Open(path)
	if err != nil {
		return picture{}, err
	}
	defer f.Close()
	img, _, err := image.Decode(bufio.NewReader(f))
	if err != nil {
		return picture{}, fmt.Errorf("%s: %w: want a complete PNG, JPEG or GIF file", path, err)
	}
	if img.Bounds().Empty() {
		return picture{}, fmt.Errorf("%s: the image has no pixels", path)
	}
	return c.resize(c.convert(img)), nil
}

// convert returns the channels of the color mode. Transparency does not change
// colors.
func (c *config) convert(img image.Image) picture {
	pix, stride := rgba(img)
	b := img.Bounds()
	p := picture{height: b.Dy(), width: b.Dx(), channels: len(c.colors)} // rgb, rgba
	if c.colors == "grayscale" {
		p.channels = 1
	}
	p.pixels = make([]float32, 0, p.height*p.width*p.channels)
	for y := range p.height {
		row := pix[y*stride:][:4*p.width]
		for ; len(row) > 0; row = row[4:] {
			if p.channels == 1 {
				p.pixels = append(p.pixels, luma(row[0], row[1], row[2]))
				continue
			}
			for _, v := range row[:p.channels] {
				p.pixels = append(p.pixels, float32(v))
			}
		}
	}
	return p
}

// opaquer is the method by which the images of package image say that they have no
// transparency.
type opaquer interface{ Opaque() bool }

// rgba returns four bytes for each pixel, red, green, blue and alpha, not
// premultiplied, and the number of bytes of a row.
func rgba(img image.Image) (pix []byte, stride int) {
	b := img.Bounds()
	if o, ok := img.(opaquer); ok && o.Opaque() {
		out := image.NewRGBA(b) // the same as NRGBA where all is opaque, and fast
		draw.Draw(out, b, img, b.Min, draw.Src)
		return out.Pix, out.Stride
	}
	out, ok := img.(*image.NRGBA)
	if !ok || out.Rect != b {
		out = image.NewNRGBA(b)
		draw.Draw(out, b, img, b.Min, draw.Src)
	}
	return out.Pix, out.Stride
}

// luma is the brightness of ITU-R 601, as an integer.
func luma(r, g, b byte) float32 {
	return float32((19595*uint32(r) + 38470*uint32(g) + 7471*uint32(b) + 1<<15) >> 16)
}

// method is a method of interpolation. The kernel gives the weight of a pixel at a
// distance x >= 0; it is 0 beyond the radius.
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

// lanczos returns the kernel of Lanczos: sinc, windowed by a wider sinc.
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

// Resize returns images in another size: keras.ops.image.resize. images is one
// image (height, width, channels) or a batch, of any number type; the result is
// float32. Options: Interpolation, Antialias, CropToAspectRatio,
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

// resize returns the picture in the size of the configuration.
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

// crop returns the largest area in the middle with the ratio of height and width.
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

// pad returns the picture in the middle of a larger one with the ratio of height
// and width. Both sides get the same number of rows or columns, even if the ratio
// is then not exact.
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

// tap holds the weights of a new pixel: of the old pixels from start on.
type tap struct {
	start   int
	weights []float32
}

// taps returns the weights of each new pixel along one dimension.
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

// resample applies the taps to the middle dimension of in, which has the shape
// (outer, old, inner).
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
