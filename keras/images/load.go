package images

// This file reads images from files.

import (
	"bufio"
	"fmt"
	"image"
	"image/draw"
	_ "image/gif" // registers the format, as the next two do
	_ "image/jpeg"
	_ "image/png"
	"os"

	"github.com/gomlx/gomlx/core/tensors"
)

// Load returns the image in a file, of an animation the first one:
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
		return picture{}, fmt.Errorf("%s: %w: want a whole PNG, JPEG or GIF file", path, err)
	}
	if img.Bounds().Empty() {
		return picture{}, fmt.Errorf("%s: the image has no pixels", path)
	}
	return c.resize(c.convert(img)), nil
}

// convert returns the channels that are wanted. Colors count as they are
// stored, however transparent they are.
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

// rgba returns red, green, blue and opacity, not multiplied, four bytes for
// each pixel, and the number of bytes of a row.
func rgba(img image.Image) (pix []byte, stride int) {
	b := img.Bounds()
	if o, ok := img.(interface{ Opaque() bool }); ok && o.Opaque() {
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

// luma is the brightness of ITU-R 601, in whole steps.
func luma(r, g, b byte) float32 {
	return float32((19595*uint32(r) + 38470*uint32(g) + 7471*uint32(b) + 1<<15) >> 16)
}
