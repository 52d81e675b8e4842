package resnet

// This file prepares pixels.

import (
	"fmt"
	"slices"

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
	pixels, err := data.Floats(t)
	if err != nil {
		return nil, fmt.Errorf("resnet: images: %w", err)
	}
	for pixel := range slices.Chunk(pixels, len(means)) {
		pixel[0], pixel[2] = pixel[2], pixel[0]
		for c, mean := range means {
			pixel[c] -= mean
		}
	}
	return tensors.FromFlatDataAndDimensions(pixels, dims...), nil
}
