package images

// This file defines Load and Resize, and converts decoded images to numbers.

import (
	"fmt"
	"image"
	"image/draw"
	"slices"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/tensors"

	"github.com/gospmd/gospmd/keras/data"
)

// Load returns the image in a file, the first one of an animation: keras.utils.load_img and
// img_to_array. The result is float32 [height, width, channels], with numbers from 0 to 255. A file
// that is damaged, is no PNG, JPEG or GIF, or needs too much memory is an error. Options:
// ColorMode, Size, Interpolation, Antialias, CropToAspectRatio, PadToAspectRatio, FillValue,
// MaxMemory.
func Load(path string, opts ...Option) (*tensors.Tensor, error) {
	c, err := configure("Load", opts, loading...)
	if err != nil {
		return nil, err
	}
	t, err := c.load(path)
	if err != nil {
		return nil, fmt.Errorf("images: %w", err)
	}
	return t, nil
}

func (c *config) load(path string) (*tensors.Tensor, error) {
	img, err := c.decode(path)
	if err != nil {
		return nil, err
	}
	p := c.convert(img)
	height, width := p.height, p.width
	if c.height != 0 {
		height, width = c.height, c.width
	}
	return newTensor([]int{height, width, p.channels}, func(out []float32) { c.resize(p, out) }), nil
}

// newTensor returns a tensor of the given shape. fill writes its numbers into its memory.
func newTensor(dims []int, fill func([]float32)) *tensors.Tensor {
	t := tensors.FromShape(shapes.Make(dtypes.Float32, dims...))
	tensors.MustMutableFlatData(t, fill)
	return t
}

// channels returns the number of channels of the color mode: 1, 3 or 4.
func (c *config) channels() int {
	return map[string]int{"grayscale": 1, "rgb": 3, "rgba": 4}[c.colors]
}

// convert returns the image as numbers from 0 to 255, with the channels of the color mode, a row at
// a time. Transparency does not change colors.
func (c *config) convert(img image.Image) picture {
	b := img.Bounds()
	p := picture{height: b.Dy(), width: b.Dx(), channels: c.channels()}
	pixels := rgba(img)
	row := make([]float32, 0, p.width*p.channels)
	p.row = func(y int) []float32 {
		row = row[:0]
		for pix := pixels(y); len(pix) > 0; pix = pix[4:] {
			if p.channels == 1 {
				row = append(row, luma(pix[0], pix[1], pix[2]))
				continue
			}
			for _, v := range pix[:p.channels] {
				row = append(row, float32(v))
			}
		}
		return row
	}
	return p
}

// opaquer is implemented by the images of package image. Opaque reports whether they have no
// transparency.
type opaquer interface{ Opaque() bool }

// rgba returns a function that returns a row with four bytes for each pixel, red,
// green, blue and alpha, not premultiplied; it is valid until the next call.
func rgba(img image.Image) func(y int) []byte {
	b := img.Bounds()
	line := image.Rect(b.Min.X, 0, b.Max.X, 1)
	var to draw.Image
	var pix []byte
	if o, ok := img.(opaquer); ok && o.Opaque() {
		opaque := image.NewRGBA(line) // equal to NRGBA for opaque images, and fast
		to, pix = opaque, opaque.Pix
	} else {
		translucent := image.NewNRGBA(line)
		to, pix = translucent, translucent.Pix
	}
	if same, ok := img.(*image.NRGBA); ok {
		return func(y int) []byte { return same.Pix[y*same.Stride:][:len(pix)] }
	}
	return func(y int) []byte {
		draw.Draw(to, line, img, image.Pt(b.Min.X, b.Min.Y+y), draw.Src)
		return pix
	}
}

// luma returns the brightness of the color r, g, b by ITU-R 601, an integer from 0 to 255.
func luma(r, g, b byte) float32 {
	return float32((19595*uint32(r) + 38470*uint32(g) + 7471*uint32(b) + 1<<15) >> 16)
}

// Resize returns images in another size: keras.ops.image.resize. images is one image (height,
// width, channels) or a batch, of any number type; the result is float32. Other shapes, and a
// height or width below 1, are errors. Options: Interpolation, Antialias, CropToAspectRatio,
// PadToAspectRatio, FillValue.
func Resize(images *tensors.Tensor, height, width int, opts ...Option) (*tensors.Tensor, error) {
	c, err := configure("Resize", append(slices.Clone(opts), Size(height, width)), "Interpolation", "Antialias", "CropToAspectRatio", "PadToAspectRatio", "FillValue", "Size")
	if err != nil {
		return nil, err
	}
	dims := images.Shape().Dimensions
	if len(dims) != 3 && len(dims) != 4 || slices.Contains(dims, 0) {
		return nil, fmt.Errorf("images: Resize: got a tensor of shape %v, want (height, width, channels) or (batch, height, width, channels)", dims)
	}
	all, err := data.Floats(images)
	if err != nil {
		return nil, fmt.Errorf("images: Resize: %w", err)
	}
	h, w, channels := dims[len(dims)-3], dims[len(dims)-2], dims[len(dims)-1]
	shape := slices.Concat(dims[:len(dims)-3], []int{height, width, channels})
	return newTensor(shape, func(out []float32) {
		for to := range slices.Chunk(out, height*width*channels) {
			c.resize(flat(h, w, channels, all[:h*w*channels]), to)
			all = all[h*w*channels:]
		}
	}), nil
}
