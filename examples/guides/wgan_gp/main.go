// Wgan_gp is the example "WGAN-GP overriding Model.train_step": a critic is trained twice for
// each step of the generator, and how far its gradient is from 1 is part of its loss.
//
//	go run ./examples/guides/wgan_gp [-mesh 2x4]
package main

import (
	"context"

	"github.com/gomlx/gomlx/core/tensors"

	"github.com/gospmd/gospmd/examples/guides/internal/guide"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/ops"
	"github.com/gospmd/gospmd/keras/optimizers"
	"github.com/gospmd/gospmd/keras/random"
)

const size, samples, latent = 8, 24, 6

func main() { guide.Main(program) }

var program = &guide.Guide{
	Name: "wgan_gp", Batch: 12, Epochs: 2, Model: model, Data: clothes, Parts: parts, Log: "g_loss", Predict: judge,
	Layout: map[string][]string{"dense_1/kernel": {"", "model"}},
}

// WGAN is a model of two models: a critic, and a generator of images.
type WGAN struct {
	layers.Base
	Critic, Generator *keras.Model

	dAdam, gAdam *optimizers.Optimizer
	seed         *random.SeedGenerator
}

// Compute returns the critic's scores: the higher, the more real it takes an image to be.
func (m *WGAN) Compute(images *layers.Tensor) *layers.Tensor { return m.Critic.Apply(images) }

// penalty returns the gradient penalty of a WGAN: the mean over the batch of (n-1)², where n is the
// norm of the critic's gradient at a random point between a real and a generated image.
func (m *WGAN) penalty(s *keras.Step, real, fake *layers.Tensor) *layers.Tensor {
	between := real.Add(s.Uniform(m.seed, real.Shape()[0], 1, 1, 1).Mul(fake.Sub(real)))
	slope := s.Gradient(m.Critic.Apply(between), between)
	norm := ops.Sqrt(ops.Sum(ops.Square(slope), ops.Axis(1, 2, 3)))
	return ops.Mean(ops.Square(norm.Sub(1)))
}

// TrainStep trains the critic twice, and then the generator. It returns the log of the generator's
// loss.
func (m *WGAN) TrainStep(s *keras.Step) keras.StepLogs {
	real := s.X[0]
	noise := func() *layers.Tensor { return s.Normal(m.seed, real.Shape()[0], latent) }
	for range 2 {
		fake := noise().Call(layers.WithTraining(m.Generator.AsLayer(), false))
		loss := ops.Mean(m.Critic.Apply(fake)).Sub(ops.Mean(m.Critic.Apply(real)))
		loss = loss.Add(m.penalty(s, real, fake).Mul(10))
		s.Minimize(m.dAdam, loss, m.Critic.TrainableVariables()...)
	}
	loss := ops.Mean(m.Critic.Apply(m.Generator.Apply(noise()))).Neg()
	s.Minimize(m.gAdam, loss, m.Generator.TrainableVariables()...)
	return keras.StepLogs{"g_loss": s.Mean("g_loss", loss)}
}

func leakyReLU() layers.Layer { return layers.LeakyReLU(layers.NegativeSlope(.2)) }

func critic() *keras.Model {
	image := keras.Input([]int{size, size, 1})
	x := image
	for _, n := range []int{8, 16} {
		x = x.Call(layers.Conv2D(n, 5, layers.Strides(2), layers.Padding("same")), leakyReLU())
	}
	return keras.Must(keras.Functional(image, x.Call(layers.Flatten(), layers.Dense(1))))
}

func generator() *keras.Model {
	point := keras.Input(latent)
	same, noBias := layers.Padding("same"), layers.UseBias(false)
	x := point.Call(layers.Dense(64, noBias), layers.BatchNormalization(), leakyReLU())
	x = x.Call(layers.Reshape([]int{2, 2, 16}), layers.UpSampling2D())
	x = x.Call(layers.Conv2D(8, 3, same, noBias), layers.LayerNormalization(), leakyReLU())
	return keras.Must(keras.Functional(point, x.Call(layers.UpSampling2D(), layers.Conv2D(1, 3, same, layers.Activation("tanh")))))
}

func model() (*keras.Model, error) {
	adam := func() *optimizers.Optimizer {
		return optimizers.Adam(optimizers.LearningRate(2e-4), optimizers.Beta1(.5), optimizers.Beta2(.9))
	}
	m := keras.Must(keras.NewSubclassed(&WGAN{
		Critic: critic(), Generator: generator(), dAdam: adam(), gAdam: adam(), seed: random.NewSeedGenerator(11),
	}))
	return m, m.Compile()
}

// parts returns the critic and the generator.
func parts(m *keras.Model) []*keras.Model {
	wgan := m.Subclassed().(*WGAN)
	return []*keras.Model{wgan.Critic, wgan.Generator}
}

// judge returns two tensors: the critic's scores of six images of the data, [6, 1], and three
// images that the generator makes of fixed points.
func judge(ctx context.Context, r *guide.Run) ([]*tensors.Tensor, error) {
	images, err := data.Slice(r.X.(*tensors.Tensor), 0, 6)
	if err != nil {
		return nil, err
	}
	says, err := parts(r.Model)[0].Predict(ctx, images, keras.Verbose(0))
	if err != nil {
		return nil, err
	}
	points, err := data.FromFlat(guide.Fractions(3*latent, 9), 3, latent)
	if err != nil {
		return nil, err
	}
	made, err := parts(r.Model)[1].Predict(ctx, points, keras.Verbose(0))
	return append(says, made...), err
}

func clothes() (x, y any, err error) {
	images, err := data.FromFlat(guide.Fractions(samples*size*size, 1), samples, size, size, 1)
	return images, nil, err
}
