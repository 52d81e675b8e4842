package resnet

// This file prepares pixels.

import (
	"fmt"
	"slices"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/tensors"

	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/keras/layers"
)

// means are those of blue, green and red in the images of ImageNet, as the
// networks were trained in Caffe.
var means = [3]float32{103.939, 116.779, 123.68}

// PreprocessInput returns images as the networks want them: blue, green, red
// with the means of ImageNet taken away. x is one image (height, width, 3) or a
// batch of them, red, green, blue from 0 to 255 in any type of number, as a
// tensor or slices; it is not changed.
func PreprocessInput(x any) (*tensors.Tensor, error) {
	t, err := data.Tensor(x)
	if err != nil {
		return nil, fmt.Errorf("resnet: images: %w", err)
	}
	dims := t.Shape().Dimensions
	if rank := len(dims); rank < 3 || rank > 4 || dims[rank-1] != len(means) {
		return nil, fmt.Errorf("resnet: got images of shape %s, want (height, width, 3) or (batch, height, width, 3)", layers.ShapeText(dims))
	}
	pixels, err := floats(t)
	if err != nil {
		return nil, err
	}
	for pixel := range slices.Chunk(pixels, len(means)) {
		pixel[0], pixel[2] = pixel[2], pixel[0]
		for c, mean := range means {
			pixel[c] -= mean
		}
	}
	return tensors.FromFlatDataAndDimensions(pixels, dims...), nil
}

// floats returns a copy of a tensor's numbers.
func floats(t *tensors.Tensor) (out []float32, err error) {
	err = t.ConstFlatData(func(flat any) {
		switch flat := flat.(type) {
		case []float32:
			out = slices.Clone(flat)
		case []uint8:
			out = converted(flat)
		case []int32:
			out = converted(flat)
		case []int64:
			out = converted(flat)
		}
	})
	if err == nil && out == nil {
		err = fmt.Errorf("resnet: got numbers of type %s, want %s, %s, %s or %s", t.DType(), dtypes.Float32, dtypes.Uint8, dtypes.Int32, dtypes.Int64)
	}
	return out, err
}

func converted[T uint8 | int32 | int64](in []T) []float32 {
	out := make([]float32, len(in))
	for i, v := range in {
		out[i] = float32(v)
	}
	return out
}
