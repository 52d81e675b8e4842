package images_test

import (
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/keras/images"
)

// save writes an image in the format that the name ends in and returns its
// path.
func save(t testing.TB, path string, img image.Image) string {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	f, err := os.Create(path)
	require.NoError(t, err)
	switch filepath.Ext(path) {
	case ".jpg", ".JPEG":
		err = jpeg.Encode(f, img, &jpeg.Options{Quality: 100})
	case ".gif":
		err = gif.Encode(f, img, nil)
	default:
		err = png.Encode(f, img)
	}
	require.NoError(t, err)
	require.NoError(t, f.Close())
	return path
}

// filled returns an image that set has drawn two pixels on, one below the other.
func filled[T interface {
	image.Image
	Set(x, y int, c color.Color)
}](img T) T {
	img.Set(0, 0, color.NRGBA{200, 100, 50, 255})
	img.Set(0, 1, color.NRGBA{10, 20, 30, 128})
	return img
}

func TestLoad(t *testing.T) {
	r := image.Rect(0, 0, 1, 2)
	dir := t.TempDir()
	translucent := save(t, filepath.Join(dir, "translucent.png"), filled(image.NewNRGBA(r)))
	opaque := image.NewNRGBA(r)
	opaque.Set(0, 0, color.NRGBA{200, 100, 50, 255})
	opaque.Set(0, 1, color.NRGBA{10, 20, 30, 255})
	plain := save(t, filepath.Join(dir, "plain.png"), opaque)
	grey := image.NewGray(r)
	grey.Set(0, 0, color.Gray{77})
	deep := image.NewNRGBA64(r)
	deep.Set(0, 0, color.NRGBA64{0x1234, 0x5678, 0x9abc, 0xffff})
	deep.Set(0, 1, color.NRGBA64{0, 0, 0, 0xffff})
	for _, tc := range []struct {
		name, path string
		opts       []images.Option
		want       []float32
		delta      float64
	}{
		{name: "colors", path: plain, want: []float32{200, 100, 50, 10, 20, 30}},
		{name: "with opacity", path: plain, opts: []images.Option{images.ColorMode("rgba")}, want: []float32{200, 100, 50, 255, 10, 20, 30, 255}},
		{name: "brightness", path: plain, opts: []images.Option{images.ColorMode("grayscale")}, want: []float32{124, 18}},
		{name: "translucent", path: translucent, want: []float32{200, 100, 50, 10, 20, 30}},
		{name: "translucent, with opacity", path: translucent, opts: []images.Option{images.ColorMode("rgba")}, want: []float32{200, 100, 50, 255, 10, 20, 30, 128}},
		{name: "grey", path: save(t, filepath.Join(dir, "grey.png"), grey), want: []float32{77, 77, 77, 0, 0, 0}},
		{name: "grey as brightness", path: filepath.Join(dir, "grey.png"), opts: []images.Option{images.ColorMode("grayscale")}, want: []float32{77, 0}},
		{name: "16 bits", path: save(t, filepath.Join(dir, "deep.png"), deep), want: []float32{0x12, 0x56, 0x9a, 0, 0, 0}},
		{name: "GIF", path: save(t, filepath.Join(dir, "a.gif"), image.NewGray(r)), want: make([]float32, 6)},
		{name: "JPEG", path: save(t, filepath.Join(dir, "a.jpg"), image.NewGray(r)), want: make([]float32, 6), delta: 2},
		{name: "resized", path: plain, opts: []images.Option{images.Size(1, 1)}, want: []float32{105, 60, 40}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, err := images.Load(tc.path, tc.opts...)
			require.NoError(t, err)
			require.Equal(t, len(tc.want), got.Shape().Size())
			require.InDeltaSlice(t, tc.want, tensors.MustCopyFlatData[float32](got), tc.delta)
		})
	}
}

func TestLoadErrors(t *testing.T) {
	dir := t.TempDir()
	whole, err := os.ReadFile(save(t, filepath.Join(dir, "a.png"), image.NewGray(image.Rect(0, 0, 9, 9))))
	require.NoError(t, err)
	cut, text := filepath.Join(dir, "cut.png"), filepath.Join(dir, "text.png")
	require.NoError(t, os.WriteFile(cut, whole[:len(whole)-20], 0o644))
	require.NoError(t, os.WriteFile(text, []byte("no image"), 0o644))
	for _, tc := range []struct {
		name, path string
		opts       []images.Option
		want       string
	}{
		{"absent", filepath.Join(dir, "b.png"), nil, "no such file"},
		{"cut off", cut, nil, "cut.png: png: invalid format: unexpected EOF: want a whole PNG, JPEG or GIF file"},
		{"no image", text, nil, "text.png: image: unknown format: want a whole PNG, JPEG or GIF file"},
		{"color mode", cut, []images.Option{images.ColorMode("bgr")}, `ColorMode: got "bgr"`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := images.Load(tc.path, tc.opts...)
			require.ErrorContains(t, err, "images: ")
			require.ErrorContains(t, err, tc.want)
		})
	}
}
