// Unet is the example "Image segmentation with a U-Net-like architecture": separable
// convolutions with residuals on the way down, transposed ones on the way up, and a class
// for every pixel.
//
//	go run ./examples/guides/unet [-mesh 2x4]
package main

import (
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
	Layout: map[string][]string{"conv2d_transpose/kernel": {"", "", "model", ""}, "conv2d_4/kernel": {"", "", "model", ""}},
}

func model() (*keras.Model, error) {
	image := keras.Input([]int{size, size, 3})
	same, halved := layers.Padding("same"), layers.Strides(2)
	x := image.Call(layers.Conv2D(8, 3, halved, same), layers.BatchNormalization(), layers.ReLU())
	previous := x
	for _, n := range []int{16} { // smaller and smaller
		for range 2 {
			x = x.Call(layers.ReLU(), layers.SeparableConv2D(n, 3, same), layers.BatchNormalization())
		}
		x = x.Call(layers.MaxPooling2D(layers.PoolSize(3), halved, same))
		x = x.Add(previous.Call(layers.Conv2D(n, 1, halved, same)))
		previous = x
	}
	for _, n := range []int{16, 8} { // and larger again
		for range 2 {
			x = x.Call(layers.ReLU(), layers.Conv2DTranspose(n, 3, same), layers.BatchNormalization())
		}
		residual := previous.Call(layers.UpSampling2D(), layers.Conv2D(n, 1, same))
		x = x.Call(layers.UpSampling2D()).Add(residual)
		previous = x
	}
	m := keras.Must(keras.Functional(image, x.Call(layers.Conv2D(classes, 3, layers.Activation("softmax"), same))))
	return m, m.Compile(keras.Optimizer(optimizers.Adam(optimizers.LearningRate(1e-4))), keras.Loss("sparse_categorical_crossentropy"))
}

// pets returns, as x, invented images of the form [samples, size, size, 3], and, as y, the class of
// each of their pixels, [samples, size, size, 1].
func pets() (x, y any, err error) {
	images, err := data.FromFlat(guide.Fractions(samples*size*size*3, 1), samples, size, size, 3)
	if err != nil {
		return nil, nil, err
	}
	masks, err := data.FromFlat(guide.Classes(samples*size*size, 2, classes), samples, size, size, 1)
	return images, masks, err
}
