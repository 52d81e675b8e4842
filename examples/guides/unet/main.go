// Unet is the example "Image segmentation with a U-Net-like architecture": separable
// convolutions with residuals on the way down, transposed ones on the way up, and a class
// for every pixel.
//
//	go run ./examples/guides/unet [-mesh 2x4]
package main

import (
	"fmt"

	"github.com/gospmd/gospmd/examples/guides/internal/guide"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/optimizers"
)

const size, samples, classes = 16, 12, 3

func main() { guide.Main(program) }

var program = &guide.Guide{
	Name: "unet", Batch: 6, Epochs: 2, Shown: 2, Model: model, Data: pets,
	Layout: map[string][]string{"up16a/kernel": {"", "", "model", ""}, "classes/kernel": {"", "", "model", ""}},
}

func model() (*keras.Model, error) {
	image := keras.Input([]int{size, size, 3})
	same := layers.Padding("same")
	norm := func(x *layers.Tensor) *layers.Tensor { return x.Apply(layers.BatchNormalization()) }
	relu := func(x *layers.Tensor) *layers.Tensor { return x.Apply(layers.NewActivation("relu")) }

	x := relu(norm(image.Apply(layers.Conv2D(8, 3, layers.Strides(2), same, layers.Name("entry")))))
	previous := x
	for _, filters := range []int{16} { // smaller and smaller
		name := func(part string) layers.Option { return layers.Name(fmt.Sprintf("down%d%s", filters, part)) }
		x = norm(relu(x).Apply(layers.SeparableConv2D(filters, 3, same, name("a"))))
		x = norm(relu(x).Apply(layers.SeparableConv2D(filters, 3, same, name("b"))))
		x = x.Apply(layers.MaxPooling2D(layers.PoolSize(3), layers.Strides(2), same))
		residual := previous.Apply(layers.Conv2D(filters, 1, layers.Strides(2), same, name("residual")))
		x = layers.Apply(layers.Add(), x, residual)
		previous = x
	}
	for _, filters := range []int{16, 8} { // and larger again
		name := func(part string) layers.Option { return layers.Name(fmt.Sprintf("up%d%s", filters, part)) }
		x = norm(relu(x).Apply(layers.Conv2DTranspose(filters, 3, same, name("a"))))
		x = norm(relu(x).Apply(layers.Conv2DTranspose(filters, 3, same, name("b"))))
		x = x.Apply(layers.UpSampling2D())
		residual := previous.Apply(layers.UpSampling2D()).Apply(layers.Conv2D(filters, 1, same, name("residual")))
		x = layers.Apply(layers.Add(), x, residual)
		previous = x
	}
	y := x.Apply(layers.Conv2D(classes, 3, layers.Activation("softmax"), same, layers.Name("classes")))
	m, err := keras.NewModel([]*layers.Tensor{image}, []*layers.Tensor{y})
	if err != nil {
		return nil, err
	}
	return m, m.Compile(keras.Optimizer(optimizers.Adam(optimizers.LearningRate(1e-4))), keras.Loss("sparse_categorical_crossentropy"))
}

// pets returns images and the class of each of their pixels.
func pets() (x, y any, err error) {
	images, err := data.FromFlat(guide.Fractions(samples*size*size*3, 1), samples, size, size, 3)
	if err != nil {
		return nil, nil, err
	}
	masks, err := data.FromFlat(guide.Classes(samples*size*size, 2, classes), samples, size, size, 1)
	return images, masks, err
}
