package images_test

import (
	"encoding/json"
	"fmt"
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

// save writes img to path and returns path: JPEG for .jpg and .JPEG, GIF for .gif, else PNG. It
// makes the directory.
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

// filled sets the upper two pixels of the left column of img, the first opaque and the second half
// transparent, and returns img.
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
	complete, err := os.ReadFile(save(t, filepath.Join(dir, "a.png"), image.NewGray(image.Rect(0, 0, 9, 9))))
	require.NoError(t, err)
	cut, text := filepath.Join(dir, "cut.png"), filepath.Join(dir, "text.png")
	require.NoError(t, os.WriteFile(cut, complete[:len(complete)-20], 0o644))
	require.NoError(t, os.WriteFile(text, []byte("no image"), 0o644))
	for _, tc := range []struct {
		name, path string
		opts       []images.Option
		want       string
	}{
		{"absent", filepath.Join(dir, "b.png"), nil, "no such file"},
		{"cut off", cut, nil, "cut.png: png: invalid format: unexpected EOF: want a complete PNG, JPEG or GIF file"},
		{"no image", text, nil, "text.png: image: unknown format: want a complete PNG, JPEG or GIF file"},
		{"color mode", cut, []images.Option{images.ColorMode("bgr")}, `ColorMode: got "bgr"`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := images.Load(tc.path, tc.opts...)
			require.ErrorContains(t, err, "images: ")
			require.ErrorContains(t, err, tc.want)
		})
	}
}

// numbers returns the image of 7x9 pixels with 2 channels that images_reference.py resizes.
func numbers() *tensors.Tensor {
	flat := make([]uint8, 7*9*2)
	for i := range flat {
		flat[i] = uint8(i * 37)
	}
	return tensors.FromFlatDataAndDimensions(flat, 7, 9, 2)
}

// TestResize requires that resized images are those of Keras up to 1e-3 of 255, for all
// interpolations, and with antialiasing, cropping and padding.
func TestResize(t *testing.T) {
	text, err := os.ReadFile("testdata/resize.json")
	require.NoError(t, err)
	var reference struct {
		Cases []struct {
			Method          string
			Size            [2]int
			Antialias, Crop bool
			Pad             *float64
			Image           []float32
		}
	}
	require.NoError(t, json.Unmarshal(text, &reference))
	require.NotEmpty(t, reference.Cases)
	for _, tc := range reference.Cases {
		t.Run(fmt.Sprintf("%s %v antialias %v crop %v pad %v", tc.Method, tc.Size, tc.Antialias, tc.Crop, tc.Pad != nil), func(t *testing.T) {
			opts := []images.Option{images.Interpolation(tc.Method)}
			if tc.Antialias {
				opts = append(opts, images.Antialias())
			}
			if tc.Crop {
				opts = append(opts, images.CropToAspectRatio())
			}
			if tc.Pad != nil {
				opts = append(opts, images.PadToAspectRatio(), images.FillValue(*tc.Pad))
			}
			got, err := images.Resize(numbers(), tc.Size[0], tc.Size[1], opts...)
			require.NoError(t, err)
			require.Equal(t, []int{tc.Size[0], tc.Size[1], 2}, got.Shape().Dimensions)
			require.InDeltaSlice(t, tc.Image, tensors.MustCopyFlatData[float32](got), 1e-3, "of 255")
		})
	}
}

// TestResizeBatch requires that a batch is resized image by image.
func TestResizeBatch(t *testing.T) {
	opts := []images.Option{images.Interpolation("nearest"), images.Antialias()}
	_, err := images.Resize(numbers(), 3, 4, opts[:1]...)
	require.NoError(t, err)
	require.Equal(t, "Antialias", opts[1].Name, "options of the caller stay")
	one, err := images.Resize(numbers(), 3, 4)
	require.NoError(t, err)
	flat := tensors.MustCopyFlatData[uint8](numbers())
	batch := tensors.FromFlatDataAndDimensions(append(make([]uint8, len(flat)), flat...), 2, 7, 9, 2)
	both, err := images.Resize(batch, 3, 4)
	require.NoError(t, err)
	require.Equal(t, []int{2, 3, 4, 2}, both.Shape().Dimensions)
	got := tensors.MustCopyFlatData[float32](both)
	require.Equal(t, make([]float32, 3*4*2), got[:3*4*2])
	require.Equal(t, tensors.MustCopyFlatData[float32](one), got[3*4*2:])
}

func TestResizeErrors(t *testing.T) {
	for _, tc := range []struct {
		name          string
		image         *tensors.Tensor
		height, width int
		opts          []images.Option
		want          string
	}{
		{"size", numbers(), 0, 4, nil, "Size: got 0x4, want positive numbers"},
		{"rank", tensors.FromScalar(float32(1)), 3, 4, nil, "got a tensor of shape [], want (height, width, channels) or (batch, height, width, channels)"},
		{"no pixels", tensors.FromFlatDataAndDimensions([]float32{}, 0, 4, 3), 3, 4, nil, "got a tensor of shape [0 4 3]"},
		{"type", tensors.FromFlatDataAndDimensions([]bool{true}, 1, 1, 1), 3, 4, nil, "got numbers of type Bool"},
		{"interpolation", numbers(), 3, 4, []images.Option{images.Interpolation("bilinar")}, `Interpolation: got "bilinar" (did you mean "bilinear"?), want one of ["bilinear" "nearest" "bicubic" "lanczos3" "lanczos5"]`},
		{"crop and pad", numbers(), 3, 4, []images.Option{images.CropToAspectRatio(), images.PadToAspectRatio()}, "Resize: got both CropToAspectRatio and PadToAspectRatio: want one of them"},
		{"option of another function", numbers(), 3, 4, []images.Option{images.BatchSize(3)}, "Resize takes no option BatchSize"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := images.Resize(tc.image, tc.height, tc.width, tc.opts...)
			require.ErrorContains(t, err, "images: ")
			require.ErrorContains(t, err, tc.want)
		})
	}
}
