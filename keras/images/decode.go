package images

// This file decodes files: before it decodes, it computes the necessary memory from the header, and
// compares it with the budget of the file.

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	_ "image/gif" // registers the format, as the next two do
	_ "image/jpeg"
	_ "image/png"
	"io"
	"os"

	"github.com/gospmd/gospmd/internal/brief"
	"github.com/gospmd/gospmd/internal/budget"
)

// decode returns the image in the file at path: a PNG, JPEG or GIF. An image that needs more memory
// than the file's size or MaxMemory allows, and a damaged file, are errors.
func (c *config) decode(path string) (image.Image, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	fail := func(err error) (image.Image, error) {
		return nil, fmt.Errorf("%s: %w: want a complete PNG, JPEG or GIF file", path, brief.Error(err))
	}
	header, format, err := image.DecodeConfig(bufio.NewReader(f))
	if err != nil {
		return fail(err)
	}
	b := budget.ForFile(info.Size())
	if c.memory > 0 {
		b = budget.WithLimit(info.Size(), c.memory)
	}
	need := c.memoryOf(header, format, f)
	if err := b.Check(need, fmt.Sprintf("an image of %dx%d pixels", header.Width, header.Height)); err != nil {
		return nil, fmt.Errorf("%s: %w; the option MaxMemory allows more, the option Size needs less", path, err)
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	img, _, err := image.Decode(bufio.NewReader(f))
	if err != nil {
		return fail(err)
	}
	if img.Bounds().Empty() {
		return nil, fmt.Errorf("%s: the image has no pixels", path)
	}
	return img, nil
}

// memoryOf returns the bytes of memory that decoding an image with this header, and converting it
// to the wanted size and channels, takes. It is -1 if the number does not fit an int64. format is
// "png", "jpeg" or "gif". f is the file; it says how pixels are stored.
func (c *config) memoryOf(header image.Config, format string, f io.ReaderAt) int64 {
	w, h := int64(header.Width), int64(header.Height)
	var decoded int64
	switch format {
	case "jpeg": // padded to blocks of up to 32 x 32
		decoded = budget.Product((w+31)/32*32, (h+31)/32*32, jpegBytes(header.ColorModel, f)) / 100
	case "png":
		decoded = budget.Product(w, h, pngBytes(header.ColorModel, f))
	default: // GIF: bytes, and a copy of them in row order
		decoded = budget.Product(w, h, 2)
	}
	const pixel = 4 * 4 // a row is also held as four float32 for each pixel
	row := w
	if c.pad {
		row = max(w, budget.Product(h, int64(c.width))/int64(max(c.height, 1)))
	}
	converted := budget.Product(row, pixel, maxKept+4)
	if c.height == 0 {
		converted = budget.Product(w, h, int64(4*c.channels()))
	}
	if decoded < 0 || converted < 0 {
		return -1
	}
	return decoded + converted
}

// pngBytes returns the number of bytes that a decoded pixel of the PNG file f, with this color
// model, takes. The decoder may add an alpha channel to gray images, and it decodes an interlaced
// image into a second one. If f cannot be read, it counts as interlaced.
func pngBytes(model color.Model, f io.ReaderAt) int64 {
	n := int64(4)
	switch model {
	case color.Gray16Model, color.RGBA64Model, color.NRGBA64Model:
		n = 8
	}
	if _, ok := model.(color.Palette); ok {
		n = 1
	}
	const interlaced = 28 // offset of the byte that says so
	b := make([]byte, 1)
	if _, err := f.ReadAt(b, interlaced); err != nil || b[0] != 0 {
		n *= 2
	}
	return n
}

// jpegBytes returns 100 times the bytes of a decoded pixel of the JPEG file f, with this color
// model: its samples, the coefficients that a progressive file keeps, and, for an image that is
// neither YCbCr nor gray, the copy in other colors.
func jpegBytes(model color.Model, f io.ReaderAt) int64 {
	samples, progressive := jpegFrame(f)
	n := samples
	if progressive {
		n += 4 * samples
	}
	if model != color.YCbCrModel && model != color.GrayModel {
		n += 400
	}
	return n
}

// jpegFrame reads the header of the frame: it returns 100 times the number of samples per pixel,
// which is less than 100 times the number of components if some are subsampled. Without such a
// header it returns the values that need most memory.
func jpegFrame(f io.ReaderAt) (samples int64, progressive bool) {
	const none, start = 400, 2 // none: the samples without a header; start: the offset after the start marker
	head := make([]byte, 10+3*4)
	for at := int64(start); ; {
		n, _ := f.ReadAt(head, at)
		if n < 4 || head[0] != 0xff {
			return none, true
		}
		kind := head[1]
		switch {
		case kind == 0xff: // fill bytes
			at++
		case kind >= 0xc0 && kind <= 0xc2: // baseline, extended, progressive
			components := int(head[9])
			if components < 1 || components > 4 || n < 10+3*components {
				return none, true
			}
			var sum, largest int64
			for i := range components {
				factors := head[10+3*i+1]
				area := int64(factors>>4) * int64(factors&15)
				sum, largest = sum+area, max(largest, area)
			}
			if largest == 0 {
				return none, true
			}
			return (100*sum + largest - 1) / largest, kind == 0xc2
		default:
			at += 2 + int64(binary.BigEndian.Uint16(head[2:]))
		}
	}
}
