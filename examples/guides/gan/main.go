// Gan is the guide's "DCGAN" with a training step of one's own: a discriminator learns to tell real
// images from images that a generator makes from noise. The generator learns to mislead the
// discriminator. Each has an optimizer of its own.
//
//	go run ./examples/guides/gan [-mesh 2x4]
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
	"github.com/gospmd/gospmd/keras/losses"
	"github.com/gospmd/gospmd/keras/metrics"
	"github.com/gospmd/gospmd/keras/optimizers"
	"github.com/gospmd/gospmd/keras/random"
)

const size, samples, latent = 8, 24, 6

func main() { guide.Main(program) }

var program = &guide.Guide{
	Name: "gan", Batch: 12, Epochs: 2, Model: model, Data: digits, Parts: parts, Log: "g_loss", Predict: judge,
	Layout: map[string][]string{"spread/kernel": {"", "model"}},
}

// GAN is both models.
type GAN struct {
	layers.Base
	Discriminator, Generator layers.Layer

	d, g         *keras.Model
	dAdam, gAdam *optimizers.Optimizer
	entropy      *losses.Loss
	seed         *random.SeedGenerator
	dLoss, gLoss *metrics.Metric
}

// Call says of images whether they are made.
func (m *GAN) Call(c *layers.Context, in []*graph.Node) []*graph.Node {
	return []*graph.Node{c.Apply(m.Discriminator, in[0])}
}

// TrainStep trains the discriminator, and then the generator.
func (m *GAN) TrainStep(s *keras.Step) (map[string]*graph.Node, error) {
	real := s.X[0]
	n, g := real.Shape().Dimensions[0], real.Graph()
	fill := func(v float32) *graph.Node { return graph.BroadcastToDims(graph.Const(g, v), n, 1) }
	noise := func() *graph.Node { return s.NextKey(m.seed).Normal(dtypes.Float32, 0, 1, n, latent) }

	images := graph.Concatenate([]*graph.Node{s.Apply(m.Generator, noise()), real}, 0)
	labels := graph.Concatenate([]*graph.Node{fill(1), fill(0)}, 0)
	// an important trick
	labels = graph.Add(labels, graph.MulScalar(s.NextKey(m.seed).Uniform(dtypes.Float32, 0, 1, 2*n, 1), .05))
	dLoss := m.entropy.Value(labels, s.Apply(m.Discriminator, images), nil, nil)
	s.Minimize(m.dAdam, dLoss, m.d.TrainableVariables()...)

	misleading := fill(0) // all are real
	gLoss := m.entropy.Value(misleading, s.Apply(m.Discriminator, s.Apply(m.Generator, noise())), nil, nil)
	s.Minimize(m.gAdam, gLoss, m.g.TrainableVariables()...)

	s.UpdateMean(m.dLoss, dLoss)
	s.UpdateMean(m.gLoss, gLoss)
	return map[string]*graph.Node{"d_loss": s.Result(m.dLoss), "g_loss": s.Result(m.gLoss)}, nil
}

func discriminator() (*keras.Model, error) {
	image := keras.Input([]int{size, size, 1})
	same := layers.Padding("same")
	x := image.Apply(layers.Conv2D(8, 3, layers.Strides(2), same)).Apply(layers.LeakyReLU(layers.NegativeSlope(.2)))
	x = x.Apply(layers.Conv2D(16, 3, layers.Strides(2), same)).Apply(layers.LeakyReLU(layers.NegativeSlope(.2)))
	return keras.NewModel([]*layers.Tensor{image}, []*layers.Tensor{x.Apply(layers.GlobalMaxPooling2D()).Apply(layers.Dense(1))})
}

func generator() (*keras.Model, error) {
	point := keras.Input([]int{latent})
	same := layers.Padding("same")
	x := point.Apply(layers.Dense(2*2*16, layers.Name("spread"))).Apply(layers.LeakyReLU(layers.NegativeSlope(.2))).Apply(layers.Reshape([]int{2, 2, 16}))
	x = x.Apply(layers.Conv2DTranspose(16, 4, layers.Strides(2), same)).Apply(layers.LeakyReLU(layers.NegativeSlope(.2)))
	x = x.Apply(layers.Conv2DTranspose(16, 4, layers.Strides(2), same)).Apply(layers.LeakyReLU(layers.NegativeSlope(.2)))
	return keras.NewModel([]*layers.Tensor{point}, []*layers.Tensor{x.Apply(layers.Conv2D(1, 5, layers.Activation("sigmoid"), same))})
}

func model() (*keras.Model, error) {
	d, err := discriminator()
	if err != nil {
		return nil, err
	}
	g, err := generator()
	if err != nil {
		return nil, err
	}
	m, err := keras.NewSubclassed(&GAN{
		Discriminator: d.AsLayer(), Generator: g.AsLayer(), d: d, g: g,
		dAdam: optimizers.Adam(optimizers.LearningRate(3e-4)), gAdam: optimizers.Adam(optimizers.LearningRate(3e-4)),
		entropy: losses.BinaryCrossentropy(losses.FromLogits()), seed: random.NewSeedGenerator(1337),
		dLoss: metrics.Mean(metrics.Name("d_loss")), gLoss: metrics.Mean(metrics.Name("g_loss")),
	})
	if err != nil {
		return nil, err
	}
	return m, m.Compile()
}

// parts returns discriminator and generator.
func parts(m *keras.Model) []*keras.Model {
	gan := m.Subclassed().(*GAN)
	return []*keras.Model{gan.d, gan.g}
}

// judge returns what the discriminator says of images.
func judge(ctx context.Context, r *guide.Run) ([]*tensors.Tensor, error) {
	return parts(r.Model)[0].Predict(ctx, r.X, keras.Verbose(0))
}

func digits() (x, y any, err error) {
	images, err := data.FromFlat(guide.Fractions(samples*size*size, 1), samples, size, size, 1)
	return images, nil, err
}
