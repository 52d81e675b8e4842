package applications

// This file finds the shape of a model's input, as Keras'
// imagenet_utils.obtain_input_shape does.

import (
	"fmt"
	"slices"

	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/layers"
)

const (
	defaultSize = 224 // of images, with the top
	minSize     = 32  // below that nothing is left of an image
	colors      = 3
)

// shape returns the shape of the images.
func (c *config) shape() ([]int, error) {
	shape, whole := c.inputShape, []int{defaultSize, defaultSize, colors}
	if c.inputTensor != nil && shape == nil {
		if err := c.inputTensor.Err(); err != nil {
			return nil, err
		}
		shape = c.inputTensor.Shape()[1:]
	}
	text := layers.ShapeText(shape)
	switch {
	case shape == nil && c.includeTop:
		return whole, nil
	case shape == nil:
		return []int{layers.None, layers.None, colors}, nil
	case len(shape) != 3:
		return nil, fmt.Errorf("got an input of shape %s, want height, width and channels", text)
	case c.weights == imagenet && c.includeTop && !slices.Equal(shape, whole):
		return nil, fmt.Errorf("got the input shape %s, the weights of ImageNet with the top want %s: resize the images, or use IncludeTop(false)", text, layers.ShapeText(whole))
	case c.weights == imagenet && shape[2] != colors:
		return nil, fmt.Errorf("got the input shape %s, the weights of ImageNet want %d channels", text, colors)
	case shape[2] < 1:
		return nil, fmt.Errorf("got the input shape %s: the number of channels cannot be open, because the first kernel depends on it", text)
	}
	for _, size := range shape[:2] {
		if size != layers.None && size < minSize {
			return nil, fmt.Errorf("got the input shape %s, want images of at least %dx%d", text, minSize, minSize)
		}
		if size == layers.None && c.includeTop {
			return nil, fmt.Errorf("got the input shape %s: with the top height and width cannot be open; give InputShape numbers, or use IncludeTop(false)", text)
		}
	}
	return shape, nil
}

// inputs returns the model's inputs and the tensor that its first layer sees.
func (c *config) inputs() (inputs []*layers.Tensor, x *layers.Tensor, err error) {
	shape, err := c.shape()
	if err != nil {
		return nil, nil, err
	}
	if c.inputTensor == nil {
		x = keras.Input(shape)
		return []*layers.Tensor{x}, x, nil
	}
	if got := c.inputTensor.Shape()[1:]; !slices.Equal(got, shape) {
		return nil, nil, fmt.Errorf("got an input tensor of shape %s beside the input shape %s: give one of them", layers.ShapeText(got), layers.ShapeText(shape))
	}
	return sources(c.inputTensor), c.inputTensor, nil
}

// sources returns the inputs that t depends on.
func sources(t *layers.Tensor) (inputs []*layers.Tensor) {
	seen := make(map[*layers.Node]bool)
	var walk func(n *layers.Node)
	walk = func(n *layers.Node) {
		if seen[n] {
			return
		}
		seen[n] = true
		if n.IsInput() {
			inputs = append(inputs, n.Outputs...)
		}
		for _, in := range n.Inputs {
			walk(in.Producer())
		}
	}
	walk(t.Producer())
	return inputs
}
