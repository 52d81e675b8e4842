package images_test

// This file decodes small files that claim to hold large images. Its fuzz target sets the right
// checksums.

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/budget"
	"github.com/gospmd/gospmd/internal/testing/memtest"
	"github.com/gospmd/gospmd/keras/images"
)

// chunk is a part of a PNG file: its type and its body.
type chunk struct {
	kind string
	body []byte
}

const pngSignature = "\x89PNG\r\n\x1a\n"

// sealed returns the PNG file of chunks, with right checksums; it compresses the bodies of IDAT
// chunks.
func sealed(chunks ...chunk) []byte {
	out := []byte(pngSignature)
	for _, c := range chunks {
		if c.kind == "IDAT" {
			var z bytes.Buffer
			w := zlib.NewWriter(&z)
			w.Write(c.body)
			w.Close()
			c.body = z.Bytes()
		}
		out = binary.BigEndian.AppendUint32(out, uint32(len(c.body)))
		from := len(out)
		out = append(append(out, c.kind...), c.body...)
		out = binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(out[from:]))
	}
	return out
}

// chunks returns the chunks of a PNG file, whatever their checksums are. Pixels are decompressed if
// possible.
func chunks(data []byte) (out []chunk) {
	data = bytes.TrimPrefix(data, []byte(pngSignature))
	for len(data) >= 8 {
		n := min(int(binary.BigEndian.Uint32(data)), len(data)-8)
		c := chunk{string(data[4:8]), data[8:][:n]}
		if z, err := zlib.NewReader(bytes.NewReader(c.body)); err == nil && c.kind == "IDAT" {
			c.body, _ = io.ReadAll(io.LimitReader(z, 1<<24))
		}
		out = append(out, c)
		data = data[min(8+n+4, len(data)):]
	}
	return out
}

func ihdr(width, height uint32, depth, kind, interlace byte) chunk {
	body := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, width), height)
	return chunk{"IHDR", append(body, depth, kind, 0, 0, interlace)}
}

func encoded(t testing.TB, encode func(io.Writer) error) []byte {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, encode(&b))
	return b.Bytes()
}

// resized returns a copy of data, a JPEG or GIF file, with another width and height in its header.
// at is the position of the size there: 6 in a GIF, which stores the width first. order is the
// format's byte order.
func resized(data []byte, at int, order binary.AppendByteOrder, width, height uint16) []byte {
	size := order.AppendUint16(order.AppendUint16(nil, height), width)
	if at == 6 { // GIF stores the width first
		size = order.AppendUint16(order.AppendUint16(nil, width), height)
	}
	return append(append(bytes.Clone(data[:at]), size...), data[at+4:]...)
}

func TestHostileImages(t *testing.T) {
	small := image.NewYCbCr(image.Rect(0, 0, 16, 16), image.YCbCrSubsampleRatio420)
	photo := encoded(t, func(w io.Writer) error { return jpeg.Encode(w, small, nil) })
	sof := bytes.Index(photo, []byte{0xff, 0xc0}) + 5
	progressive := bytes.Clone(photo)
	progressive[sof-4] = 0xc2
	animation := encoded(t, func(w io.Writer) error { return gif.Encode(w, small, nil) })
	end := chunk{kind: "IEND"}
	zeros := func(n int) chunk { return chunk{"IDAT", make([]byte, n)} }
	palette := chunk{"PLTE", []byte{1, 2, 3}}
	for name, data := range map[string][]byte{
		"PNG of 200000x200000":       sealed(ihdr(200000, 200000, 8, 2, 0), end),
		"PNG of 12000x12000":         sealed(ihdr(12000, 12000, 1, 3, 0), palette, zeros(12000*1501), end),
		"gray PNG":                   sealed(ihdr(4000, 4000, 8, 0, 0), zeros(4000*4001), end),
		"interlaced PNG":             sealed(ihdr(2400, 2400, 16, 6, 1), zeros(1<<20), end),
		"PNG of one row":             sealed(ihdr(1<<30, 1, 8, 2, 0), end),
		"PNG of one column":          sealed(ihdr(1, 1<<30, 8, 2, 0), end),
		"PNG of 1x2000000":           sealed(ihdr(1, 2000000, 8, 0, 0), zeros(4000000), end),
		"PNG of no pixels":           sealed(ihdr(1<<31-1, 1<<31-1, 8, 2, 0), end),
		"JPEG of 65535x65535":        resized(photo, sof, binary.BigEndian, 65535, 65535),
		"progressive JPEG":           resized(progressive, sof, binary.BigEndian, 3000, 3000),
		"GIF of 65535x65535":         resized(animation, 6, binary.LittleEndian, 65535, 65535),
		"JPEG of many small columns": resized(photo, sof, binary.BigEndian, 1, 65535),
	} {
		for _, opts := range [][]images.Option{nil, {images.Size(32, 32)}, {images.Size(32, 64), images.PadToAspectRatio()}} {
			t.Run(name, func(t *testing.T) {
				path := filepath.Join(t.TempDir(), "image")
				require.NoError(t, os.WriteFile(path, data, 0o644))
				require.Less(t, len(data), 1<<17)
				memtest.Within(t, len(data), func() {
					_, err := images.Load(path, opts...)
					if name == "JPEG of many small columns" || err == nil { // an image of 64 K pixels
						return
					}
					require.Less(t, len(err.Error()), 1000)
					if name != "gray PNG" && name != "PNG of 1x2000000" && name != "PNG of no pixels" {
						require.ErrorIs(t, err, budget.ErrExceeded)
					}
				})
			})
		}
	}
}

// TestLargePhotograph resizes a JPEG of 12 million pixels to a small image, within the default
// limit. A small file with a PNG of 9 million pixels must be an error of the budget, unless
// MaxMemory or Size is given. MaxMemory(0) must be an error.
func TestLargePhotograph(t *testing.T) {
	img := image.NewYCbCr(image.Rect(0, 0, 4000, 3000), image.YCbCrSubsampleRatio444)
	for i := range img.Y {
		img.Y[i] = byte(i*i>>7) ^ byte(i>>3)
	}
	path := save(t, filepath.Join(t.TempDir(), "a.jpg"), img)
	info, err := os.Stat(path)
	require.NoError(t, err)
	memtest.Within(t, int(info.Size()), func() {
		x, err := images.Load(path, images.Size(224, 224), images.Antialias())
		require.NoError(t, err)
		require.Equal(t, []int{224, 224, 3}, x.Shape().Dimensions)
	})
	flat := save(t, filepath.Join(t.TempDir(), "b.png"), image.NewGray(image.Rect(0, 0, 3000, 3000)))
	_, err = images.Load(flat)
	require.ErrorIs(t, err, budget.ErrExceeded)
	require.ErrorContains(t, err, "the option MaxMemory allows more, the option Size needs less")
	x, err := images.Load(flat, images.MaxMemory(1<<30))
	require.NoError(t, err)
	require.Equal(t, []int{3000, 3000, 3}, x.Shape().Dimensions)
	_, err = images.Load(flat, images.Size(10, 10))
	require.NoError(t, err)
	_, err = images.Load(flat, images.MaxMemory(0))
	require.ErrorContains(t, err, "MaxMemory: got 0, want a positive number of bytes")
}

// FuzzLoad decodes changed files whose checksums are right: of a PNG file it computes them again,
// and compresses the changed pixels. That may return an error, but must not panic or take too much
// memory.
func FuzzLoad(f *testing.F) {
	r := image.Rect(0, 0, 9, 5)
	palette := image.NewPaletted(r, color.Palette{color.Black, color.White, color.Transparent})
	for _, img := range []image.Image{image.NewGray(r), image.NewNRGBA(r), image.NewRGBA64(r), palette, image.NewGray16(r)} {
		f.Add(encoded(f, func(w io.Writer) error { return png.Encode(w, img) }))
		f.Add(encoded(f, func(w io.Writer) error { return gif.Encode(w, img, nil) }))
		f.Add(encoded(f, func(w io.Writer) error { return jpeg.Encode(w, img, nil) }))
	}
	f.Add(sealed(ihdr(9, 5, 8, 2, 1), chunk{"IDAT", make([]byte, 400)}, chunk{kind: "IEND"}))
	path := filepath.Join(f.TempDir(), "image")
	f.Fuzz(func(t *testing.T, data []byte) {
		if bytes.HasPrefix(data, []byte(pngSignature)) {
			data = sealed(chunks(data)...)
		}
		require.NoError(t, os.WriteFile(path, data, 0o644))
		for _, opts := range [][]images.Option{nil, {images.Size(8, 8), images.PadToAspectRatio()}} {
			memtest.Within(t, len(data), func() { _, _ = images.Load(path, opts...) })
		}
	})
}
