// Vae is the example "Variational AutoEncoder": an encoder gives the mean and the variance of
// a point for an image, a decoder an image for a point, and a training step of one's own
// weighs how like the image is against how far the points are from normal ones.
//
//	go run ./examples/guides/vae [-mesh 2x4]
package main

import (
	"context"

	"github.com/gomlx/gomlx/core/tensors"

	"github.com/gospmd/gospmd/examples/guides/internal/guide"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/ops"
	"github.com/gospmd/gospmd/keras/random"
)

const size, samples, latent = 8, 24, 2

func main() { guide.Main(program) }

var program = &guide.Guide{
	Name: "vae", Batch: 12, Epochs: 2, Model: model, Data: digits, Parts: parts, Predict: decode,
	Layout: map[string][]string{"dense/kernel": {"", "model"}, "dense_3/kernel": {"", "model"}},
}

// VAE is the model of the guide: an encoder and a decoder.
type VAE struct {
	layers.Base
	Encoder, Decoder *keras.Model

	seed *random.SeedGenerator
}

// encode returns, for each image, the mean and the logarithm of the variance of its point.
func (v *VAE) encode(images *layers.Tensor) (mean, logVar *layers.Tensor) {
	out := layers.ApplyAll(v.Encoder.AsLayer(), images)
	return out[0], out[1]
}

// Compute returns the images that the decoder makes of the means of the given images' points.
func (v *VAE) Compute(images *layers.Tensor) *layers.Tensor {
	mean, _ := v.encode(images)
	return v.Decoder.Apply(mean)
}

// TrainStep draws a point around the mean of each image and decodes it. It trains both networks to
// make the result like the image and the points normally distributed. It returns the log of the
// loss.
func (v *VAE) TrainStep(s *keras.Step) keras.StepLogs {
	images := s.X[0]
	mean, logVar := v.encode(images)
	epsilon := s.Normal(v.seed, mean.Shape()...)
	out := v.Decoder.Apply(mean.Add(ops.Exp(logVar.Mul(.5)).Mul(epsilon)))
	like := ops.Mean(ops.Sum(ops.BinaryCrossentropy(images, out), ops.Axis(1, 2, 3)))
	kl := logVar.Add(1).Sub(ops.Square(mean)).Sub(ops.Exp(logVar)).Mul(-.5)
	loss := like.Add(ops.Mean(ops.Sum(kl, ops.Axis(1))))
	s.Optimize(loss)
	return keras.StepLogs{"loss": s.Mean("loss", loss)}
}

func model() (*keras.Model, error) {
	image, point := keras.Input([]int{size, size, 1}), keras.Input(latent)
	half, relu, same := layers.Strides(2), layers.Activation("relu"), layers.Padding("same")
	x := image.Call(layers.Conv2D(8, 3, half, relu, same), layers.Conv2D(16, 3, half, relu, same))
	x = x.Call(layers.Flatten(), layers.Dense(16, relu))
	moments := keras.Tensors(x.Call(layers.Dense(latent)), x.Call(layers.Dense(latent)))
	encoder := keras.Must(keras.Functional(image, moments))
	x = point.Call(layers.Dense(64, relu), layers.Reshape([]int{2, 2, 16}))
	x = x.Call(layers.Conv2DTranspose(16, 3, half, relu, same), layers.Conv2DTranspose(8, 3, half, relu, same))
	decoder := keras.Must(keras.Functional(point, x.Call(layers.Conv2DTranspose(1, 3, layers.Activation("sigmoid"), same))))
	m := keras.Must(keras.NewSubclassed(&VAE{Encoder: encoder, Decoder: decoder, seed: random.NewSeedGenerator(1337)}))
	return m, m.Compile(keras.Optimizer("adam"))
}

// parts returns the encoder and the decoder.
func parts(m *keras.Model) []*keras.Model {
	v := m.Subclassed().(*VAE)
	return []*keras.Model{v.Encoder, v.Decoder}
}

// decode returns the images that the decoder makes of three points, as the plot of Keras' example
// shows such images.
func decode(ctx context.Context, r *guide.Run) ([]*tensors.Tensor, error) {
	return parts(r.Model)[1].Predict(ctx, [][]float32{{-1, -1}, {0, 0}, {1, .5}}, keras.Verbose(0))
}

func digits() (x, y any, err error) {
	images, err := data.FromFlat(guide.Fractions(samples*size*size, 1), samples, size, size, 1)
	return images, nil, err
}
