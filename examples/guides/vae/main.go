// Vae is the example "Variational AutoEncoder": an encoder gives the mean and the variance of
// a point for an image, a decoder an image for a point, and a training step of one's own
// weighs how like the image is against how far the points are from normal ones.
//
//	go run ./examples/guides/vae [-mesh 2x4]
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
	"github.com/gospmd/gospmd/keras/random"
)

const size, samples, latent = 8, 24, 2

func main() { guide.Main(program) }

var program = &guide.Guide{
	Name: "vae", Batch: 12, Epochs: 2, Model: model, Data: digits, Parts: parts, Predict: decode,
	Layout: map[string][]string{"hidden/kernel": {"", "model"}, "spread/kernel": {"", "model"}},
}

// VAE is the model.
type VAE struct {
	layers.Base
	Encoder, Decoder layers.Layer

	seed                      *random.SeedGenerator
	total, reconstruction, kl *metrics.Metric
	entropy                   *losses.Loss
}

// Call encodes images and decodes the means.
func (v *VAE) Call(c *layers.Context, in []*graph.Node) []*graph.Node {
	return []*graph.Node{c.Apply(v.Decoder, c.ApplyAll(v.Encoder, in[0])[0])}
}

// sample draws points around means: Sampling in Keras' example.
func (v *VAE) sample(s *keras.Step, mean, logVar *graph.Node) *graph.Node {
	epsilon := s.NextKey(v.seed).Normal(dtypes.Float32, 0, 1, mean.Shape().Dimensions...)
	return graph.Add(mean, graph.Mul(graph.Exp(graph.MulScalar(logVar, .5)), epsilon))
}

// TrainStep is a step of Fit.
func (v *VAE) TrainStep(s *keras.Step) (map[string]*graph.Node, error) {
	images := s.X[0]
	z := s.ApplyAll(v.Encoder, images)
	mean, logVar := z[0], z[1]
	drawn := s.Apply(v.Decoder, v.sample(s, mean, logVar))
	reconstruction := graph.ReduceAllMean(graph.ReduceSum(v.entropy.Call(images, drawn), 1, 2))
	kl := graph.Sub(graph.Sub(graph.OnePlus(logVar), graph.Square(mean)), graph.Exp(logVar))
	kl = graph.ReduceAllMean(graph.ReduceSum(graph.MulScalar(kl, -.5), 1))
	total := graph.Add(reconstruction, kl)
	s.Minimize(s.Model().Optimizer(), total, s.Model().TrainableVariables()...)
	s.UpdateMean(v.total, total)
	s.UpdateMean(v.reconstruction, reconstruction)
	s.UpdateMean(v.kl, kl)
	return map[string]*graph.Node{"loss": s.Result(v.total), "reconstruction_loss": s.Result(v.reconstruction), "kl_loss": s.Result(v.kl)}, nil
}

func encoder() (*keras.Model, error) {
	image := keras.Input([]int{size, size, 1})
	relu, same := layers.Activation("relu"), layers.Padding("same")
	x := image.Apply(layers.Conv2D(8, 3, layers.Strides(2), relu, same)).Apply(layers.Conv2D(16, 3, layers.Strides(2), relu, same))
	x = x.Apply(layers.Flatten()).Apply(layers.Dense(16, relu, layers.Name("hidden")))
	return keras.NewModel([]*layers.Tensor{image}, []*layers.Tensor{x.Apply(layers.Dense(latent, layers.Name("mean"))), x.Apply(layers.Dense(latent, layers.Name("log_var")))})
}

func decoder() (*keras.Model, error) {
	point := keras.Input([]int{latent})
	relu, same := layers.Activation("relu"), layers.Padding("same")
	x := point.Apply(layers.Dense(2*2*16, relu, layers.Name("spread"))).Apply(layers.Reshape([]int{2, 2, 16}))
	x = x.Apply(layers.Conv2DTranspose(16, 3, layers.Strides(2), relu, same)).Apply(layers.Conv2DTranspose(8, 3, layers.Strides(2), relu, same))
	return keras.NewModel([]*layers.Tensor{point}, []*layers.Tensor{x.Apply(layers.Conv2DTranspose(1, 3, layers.Activation("sigmoid"), same))})
}

func model() (*keras.Model, error) {
	e, err := encoder()
	if err != nil {
		return nil, err
	}
	d, err := decoder()
	if err != nil {
		return nil, err
	}
	m, err := keras.NewSubclassed(&VAE{
		Encoder: e.AsLayer(), Decoder: d.AsLayer(), seed: random.NewSeedGenerator(1337), entropy: losses.BinaryCrossentropy(),
		total: metrics.Mean(metrics.Name("loss")), reconstruction: metrics.Mean(metrics.Name("reconstruction_loss")), kl: metrics.Mean(metrics.Name("kl_loss")),
	})
	if err != nil {
		return nil, err
	}
	return m, m.Compile(keras.Optimizer("adam"))
}

// parts returns encoder and decoder.
func parts(m *keras.Model) []*keras.Model {
	v := m.Subclassed().(*VAE)
	return []*keras.Model{v.Encoder.(*keras.ModelLayer).Model(), v.Decoder.(*keras.ModelLayer).Model()}
}

// decode returns the images of some points, as the plot of Keras' example shows them.
func decode(ctx context.Context, r *guide.Run) ([]*tensors.Tensor, error) {
	return parts(r.Model)[1].Predict(ctx, [][]float32{{-1, -1}, {0, 0}, {1, .5}}, keras.Verbose(0))
}

func digits() (x, y any, err error) {
	images, err := data.FromFlat(guide.Fractions(samples*size*size, 1), samples, size, size, 1)
	return images, nil, err
}
