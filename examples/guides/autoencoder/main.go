// Autoencoder is the example "Convolutional autoencoder for image denoising": convolutions
// and poolings make an image small, transposed convolutions large again, and the network
// learns to leave out the noise.
//
//	go run ./examples/guides/autoencoder [-mesh 2x4]
package main

import (
	"github.com/gomlx/gomlx/core/tensors"

	"github.com/gospmd/gospmd/examples/guides/internal/guide"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/keras/layers"
)

const size, samples, filters = 12, 24, 8

func main() { guide.Main(program) }

var program = &guide.Guide{
	Name: "autoencoder", Batch: 12, Epochs: 2, Model: model, Data: images,
	Layout: map[string][]string{"conv2d_1/kernel": {"", "", "", "model"}, "conv2d_transpose/kernel": {"", "", "", "model"}},
}

func model() (*keras.Model, error) {
	image := keras.Input([]int{size, size, 1})
	relu, same := layers.Activation("relu"), layers.Padding("same")
	x := image
	for range 2 {
		x = x.Call(layers.Conv2D(filters, 3, relu, same), layers.MaxPooling2D(same))
	}
	for range 2 {
		x = x.Call(layers.Conv2DTranspose(filters, 3, layers.Strides(2), relu, same))
	}
	x = x.Call(layers.Conv2D(1, 3, layers.Activation("sigmoid"), same))
	m := keras.Must(keras.Functional(image, x))
	return m, m.Compile(keras.Optimizer("adam"), keras.Loss("binary_crossentropy"))
}

// images returns, as x, invented images with noise, and, as y, the same images without noise. Both
// have the form [samples, size, size, 1] and numbers from 0 to 1.
func images() (x, y any, err error) {
	clean, noise := guide.Fractions(samples*size*size, 1), guide.Fractions(samples*size*size, 2)
	noisy := make([]float32, len(clean))
	for i := range noisy {
		noisy[i] = min(clean[i]+.4*noise[i], 1)
	}
	both := make([]*tensors.Tensor, 2)
	for i, flat := range [][]float32{noisy, clean} {
		if both[i], err = data.FromFlat(flat, samples, size, size, 1); err != nil {
			return nil, nil, err
		}
	}
	return both[0], both[1], nil
}
