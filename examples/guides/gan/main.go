// Gan is the guide's "DCGAN" with a training step of one's own: a discriminator learns to tell real
// images from images that a generator makes from noise. The generator learns to mislead the
// discriminator. Each has an optimizer of its own.
//
//	go run ./examples/guides/gan [-mesh 2x4]
package main

import (
	"context"

	"github.com/gomlx/gomlx/core/tensors"

	"github.com/gospmd/gospmd/examples/guides/internal/guide"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/losses"
	"github.com/gospmd/gospmd/keras/ops"
	"github.com/gospmd/gospmd/keras/optimizers"
	"github.com/gospmd/gospmd/keras/random"
)

const size, samples, latent = 8, 24, 6

func main() { guide.Main(program) }

var program = &guide.Guide{
	Name: "gan", Batch: 12, Epochs: 2, Model: model, Data: digits, Parts: parts, Log: "g_loss", Predict: judge,
	Layout: map[string][]string{"dense_1/kernel": {"", "model"}},
}

// GAN is a model of two models: a discriminator, and a generator of images.
type GAN struct {
	layers.Base
	Discriminator, Generator *keras.Model

	dAdam, gAdam *optimizers.Optimizer
	entropy      *losses.Loss
	seed         *random.SeedGenerator
}

// Compute applies the discriminator: it returns for each image the logit of being generated.
func (m *GAN) Compute(images *layers.Tensor) *layers.Tensor { return m.Discriminator.Apply(images) }

// TrainStep trains the discriminator on real and generated images, and then the generator to
// mislead it. It returns the logs of both losses.
func (m *GAN) TrainStep(s *keras.Step) keras.StepLogs {
	real := s.X[0]
	n := real.Shape()[0]
	made := m.Generator.Apply(s.Normal(m.seed, n, latent))
	ones, zeros := ops.Ones([]int{n, 1}), ops.Zeros([]int{n, 1})
	labels := ops.Concatenate(keras.Tensors(ones, zeros), 0).Add(s.Uniform(m.seed, 2*n, 1).Mul(.05))
	dLoss := s.Loss(m.entropy, labels, m.Discriminator.Apply(ops.Concatenate(keras.Tensors(made, real), 0)))
	s.Minimize(m.dAdam, dLoss, m.Discriminator.TrainableVariables()...)

	made = m.Generator.Apply(s.Normal(m.seed, n, latent))
	gLoss := s.Loss(m.entropy, zeros, m.Discriminator.Apply(made)) // as if all were real
	s.Minimize(m.gAdam, gLoss, m.Generator.TrainableVariables()...)
	return keras.StepLogs{"d_loss": s.Mean("d_loss", dLoss), "g_loss": s.Mean("g_loss", gLoss)}
}

func model() (*keras.Model, error) {
	image, point := keras.Input([]int{size, size, 1}), keras.Input(latent)
	half, same, leaky := layers.Strides(2), layers.Padding("same"), layers.NegativeSlope(.2)
	x := image
	for _, n := range []int{8, 16} {
		x = x.Call(layers.Conv2D(n, 3, half, same), layers.LeakyReLU(leaky))
	}
	discriminator := keras.Must(keras.Functional(image, x.Call(layers.GlobalMaxPooling2D(), layers.Dense(1))))
	x = point.Call(layers.Dense(64), layers.LeakyReLU(leaky), layers.Reshape([]int{2, 2, 16}))
	for range 2 {
		x = x.Call(layers.Conv2DTranspose(16, 4, half, same), layers.LeakyReLU(leaky))
	}
	generator := keras.Must(keras.Functional(point, x.Call(layers.Conv2D(1, 5, layers.Activation("sigmoid"), same))))
	rate := optimizers.LearningRate(3e-4)
	m := keras.Must(keras.NewSubclassed(&GAN{
		Discriminator: discriminator, Generator: generator,
		dAdam: optimizers.Adam(rate), gAdam: optimizers.Adam(rate),
		entropy: losses.BinaryCrossentropy(losses.FromLogits()), seed: random.NewSeedGenerator(1337),
	}))
	return m, m.Compile()
}

// parts returns the discriminator and the generator.
func parts(m *keras.Model) []*keras.Model {
	gan := m.Subclassed().(*GAN)
	return []*keras.Model{gan.Discriminator, gan.Generator}
}

// judge returns one tensor, [images, 1]: the discriminator's logit for each image of the guide's
// data.
func judge(ctx context.Context, r *guide.Run) ([]*tensors.Tensor, error) {
	return parts(r.Model)[0].Predict(ctx, r.X, keras.Verbose(0))
}

func digits() (x, y any, err error) {
	images, err := data.FromFlat(guide.Fractions(samples*size*size, 1), samples, size, size, 1)
	return images, nil, err
}
