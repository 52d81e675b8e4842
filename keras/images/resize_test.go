package images_test

import (
	"encoding/json"
	"fmt"
	"os"
	"testing"

	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/keras/images"
)

// numbers returns the image of images_reference.py as bytes.
func numbers() *tensors.Tensor {
	flat := make([]uint8, 7*9*2)
	for i := range flat {
		flat[i] = uint8(i * 37)
	}
	return tensors.FromFlatDataAndDimensions(flat, 7, 9, 2)
}

// TestResize compares with Keras.
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

// A batch is resized image by image.
func TestResizeBatch(t *testing.T) {
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
