// Wgan_gp is the example "WGAN-GP overriding Model.train_step": a critic is trained twice for
// each step of the generator, and how far its gradient is from 1 is part of its loss.
//
//	go run ./examples/guides/wgan_gp [-mesh 2x4]
package main

import (
	"context"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"

	"github.com/gospmd/gospmd/examples/guides/internal/guide"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/metrics"
	"github.com/gospmd/gospmd/keras/optimizers"
	"github.com/gospmd/gospmd/keras/random"
)

const size, samples, latent = 8, 24, 6

func main() { guide.Main(program) }

var program = &guide.Guide{
	Name: "wgan_gp", Batch: 12, Epochs: 2, Model: model, Data: clothes, Parts: parts, Log: "g_loss", Predict: judge,
	Layout: map[string][]string{"spread/kernel": {"", "model"}},
}

// WGAN is both models.
type WGAN struct {
	layers.Base
	Critic, Generator layers.Layer

	d, g         *keras.Model
	dAdam, gAdam *optimizers.Optimizer
	seed         *random.SeedGenerator
	gLoss        *metrics.Metric
}

// Call says how real images are.
func (m *WGAN) Call(c *layers.Context, in []*graph.Node) []*graph.Node {
	return []*graph.Node{c.Apply(m.Critic, in[0])}
}

// penalty says how far the critic's gradient is from 1 between real and made images.
func (m *WGAN) penalty(s *keras.Step, real, fake *graph.Node) *graph.Node {
	share := s.NextKey(m.seed).Uniform(dtypes.Float32, 0, 1, real.Shape().Dimensions[0], 1, 1, 1)
	between := graph.Add(real, graph.Mul(share, graph.Sub(fake, real)))
	slope := s.Recorder.Gradient(graph.ReduceAllSum(s.Apply(m.Critic, between)), between)[0]
	norm := graph.Sqrt(graph.ReduceSum(graph.Square(slope), 1, 2, 3))
	return graph.ReduceAllMean(graph.Square(graph.AddScalar(norm, -1)))
}

// TrainStep trains the critic twice, and then the generator.
func (m *WGAN) TrainStep(s *keras.Step) (map[string]*graph.Node, error) {
	real := s.X[0]
	noise := func() *graph.Node {
		return s.NextKey(m.seed).Normal(dtypes.Float32, 0, 1, real.Shape().Dimensions[0], latent)
	}
	for range 2 {
		fake := s.Apply(layers.WithTraining(m.Generator, false), noise())
		loss := graph.Sub(graph.ReduceAllMean(s.Apply(m.Critic, fake)), graph.ReduceAllMean(s.Apply(m.Critic, real)))
		loss = graph.Add(loss, graph.MulScalar(m.penalty(s, real, fake), 10))
		s.Minimize(m.dAdam, loss, m.d.TrainableVariables()...)
	}
	loss := graph.Neg(graph.ReduceAllMean(s.Apply(m.Critic, s.Apply(m.Generator, noise()))))
	s.Minimize(m.gAdam, loss, m.g.TrainableVariables()...)
	s.UpdateMean(m.gLoss, loss)
	return map[string]*graph.Node{"g_loss": s.Result(m.gLoss)}, nil
}

func leakyReLU() layers.Layer { return layers.LeakyReLU(layers.NegativeSlope(.2)) }

func critic() (*keras.Model, error) {
	image := keras.Input([]int{size, size, 1})
	x := image
	for _, n := range []int{8, 16} {
		x = x.Apply(layers.Conv2D(n, 5, layers.Strides(2), layers.Padding("same"))).Apply(leakyReLU())
	}
	return keras.NewModel(keras.Tensors(image), keras.Tensors(x.Apply(layers.Flatten()).Apply(layers.Dense(1))))
}

func generator() (*keras.Model, error) {
	point := keras.Input([]int{latent})
	same := layers.Padding("same")
	x := point.Apply(layers.Dense(2*2*16, layers.UseBias(false), layers.Name("spread"))).Apply(layers.BatchNormalization()).Apply(leakyReLU())
	x = x.Apply(layers.Reshape([]int{2, 2, 16})).Apply(layers.UpSampling2D())
	x = x.Apply(layers.Conv2D(8, 3, same, layers.UseBias(false))).Apply(layers.LayerNormalization()).Apply(leakyReLU())
	return keras.NewModel(keras.Tensors(point), keras.Tensors(x.Apply(layers.UpSampling2D()).Apply(layers.Conv2D(1, 3, same, layers.Activation("tanh")))))
}

func model() (*keras.Model, error) {
	d, err := critic()
	if err != nil {
		return nil, err
	}
	g, err := generator()
	if err != nil {
		return nil, err
	}
	adam := func() *optimizers.Optimizer {
		return optimizers.Adam(optimizers.LearningRate(2e-4), optimizers.Beta1(.5), optimizers.Beta2(.9))
	}
	m, err := keras.NewSubclassed(&WGAN{
		Critic: d.AsLayer(), Generator: g.AsLayer(), d: d, g: g, dAdam: adam(), gAdam: adam(),
		seed: random.NewSeedGenerator(11), gLoss: metrics.Mean(metrics.Name("g_loss")),
	})
	if err != nil {
		return nil, err
	}
	return m, m.Compile()
}

// parts returns critic and generator.
func parts(m *keras.Model) []*keras.Model {
	wgan := m.Subclassed().(*WGAN)
	return []*keras.Model{wgan.d, wgan.g}
}

// judge returns what the critic says of images, and images that the generator makes.
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
