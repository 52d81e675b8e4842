// Ddim is the example "Denoising Diffusion Implicit Models": a U-Net learns to tell the noise in
// images, and moving averages of its weights make images of noise, step by step.
//
//	go run ./examples/guides/ddim [-mesh 2x4]
package main

import (
	"context"
	"math"
	"slices"

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

const (
	samples, imageSize, blockDepth        = 24, 8, 1
	embeddingDims, embeddingMaxFrequency  = 8, 20.
	minSignalRate, maxSignalRate, emaRate = .02, .95, .9
)

var widths = []int{4, 8}

func main() { guide.Main(program) }

var program = &guide.Guide{
	Name: "ddim", Batch: 12, Epochs: 2, Model: model, Data: flowers, Parts: parts, Log: "n_loss", Predict: denoised,
	Layout: map[string][]string{"conv2d/kernel": {"", "", "", "model"}},
}

func sinusoidalEmbedding(x *layers.Tensor) *layers.Tensor {
	const embeddingMinFrequency = 1.
	frequencies := ops.Exp(ops.Linspace(math.Log(embeddingMinFrequency), math.Log(embeddingMaxFrequency), embeddingDims/2))
	angles := x.Mul(frequencies.Mul(2 * math.Pi))
	return ops.Concatenate(keras.Tensors(ops.Sin(angles), ops.Cos(angles)), 3)
}

func residualBlock(x *layers.Tensor, width int) *layers.Tensor {
	residual := x
	if inputWidth := x.Shape()[3]; inputWidth != width {
		residual = x.Call(layers.Conv2D(width, 1))
	}
	x = x.Call(
		layers.BatchNormalization(layers.Center(false), layers.Scale(false)),
		layers.Conv2D(width, 3, layers.Padding("same"), layers.Activation("swish")),
		layers.Conv2D(width, 3, layers.Padding("same")),
	)
	return x.Add(residual)
}

func downBlock(x *layers.Tensor, skips *[]*layers.Tensor, width, blockDepth int) *layers.Tensor {
	for range blockDepth {
		x = residualBlock(x, width)
		*skips = append(*skips, x)
	}
	return x.Call(layers.AveragePooling2D(layers.PoolSize(2)))
}

func upBlock(x *layers.Tensor, skips *[]*layers.Tensor, width, blockDepth int) *layers.Tensor {
	x = x.Call(layers.UpSampling2D(layers.Size(2), layers.Interpolation("bilinear")))
	for range blockDepth {
		last := len(*skips) - 1
		x = residualBlock(layers.Apply(layers.Concatenate(), x, (*skips)[last]), width)
		*skips = (*skips)[:last]
	}
	return x
}

func network(imageSize int, widths []int, blockDepth int) *keras.Model {
	noisyImages := keras.Input([]int{imageSize, imageSize, 3})
	noiseVariances := keras.Input([]int{1, 1, 1})

	e := sinusoidalEmbedding(noiseVariances).Call(layers.UpSampling2D(layers.Size(imageSize), layers.Interpolation("nearest")))
	x := layers.Apply(layers.Concatenate(), noisyImages.Call(layers.Conv2D(widths[0], 1)), e)

	outer, innermost := widths[:len(widths)-1], widths[len(widths)-1]
	var skips []*layers.Tensor
	for _, width := range outer {
		x = downBlock(x, &skips, width, blockDepth)
	}
	for range blockDepth {
		x = residualBlock(x, innermost)
	}
	for _, width := range slices.Backward(outer) {
		x = upBlock(x, &skips, width, blockDepth)
	}
	x = x.Call(layers.Conv2D(3, 1, layers.KernelInitializer("zeros")))
	return keras.Must(keras.Functional(keras.Tensors(noisyImages, noiseVariances), x))
}

// DiffusionModel learns to remove noise from images, for the DDIM guide. It has two networks: the
// weights of the second one are moving averages of those of the first one.
type DiffusionModel struct {
	layers.Base
	Normalizer, Denormalizer *layers.NormalizationLayer
	Network, EMANetwork      *keras.Model

	loss *losses.Loss
	seed *random.SeedGenerator
}

func diffusionSchedule(diffusionTimes *layers.Tensor) (noiseRates, signalRates *layers.Tensor) {
	startAngle, endAngle := math.Acos(maxSignalRate), math.Acos(minSignalRate)
	diffusionAngles := diffusionTimes.Mul(endAngle - startAngle).Add(startAngle)
	return ops.Sin(diffusionAngles), ops.Cos(diffusionAngles)
}

func denoise(network *keras.Model, noisyImages, noiseRates, signalRates *layers.Tensor) (predNoises, predImages *layers.Tensor) {
	predNoises = network.Apply(noisyImages, ops.Square(noiseRates))
	return predNoises, noisyImages.Sub(noiseRates.Mul(predNoises)).Div(signalRates)
}

func (m *DiffusionModel) reverseDiffusion(initialNoise *layers.Tensor, diffusionSteps int) (predImages *layers.Tensor) {
	stepSize := 1 / float64(diffusionSteps)
	nextNoisyImages := initialNoise
	for step := range diffusionSteps {
		diffusionTimes := ops.Filled([]int{initialNoise.Shape()[0], 1, 1, 1}, 1-float64(step)*stepSize)
		noiseRates, signalRates := diffusionSchedule(diffusionTimes)
		var predNoises *layers.Tensor
		predNoises, predImages = denoise(m.EMANetwork, nextNoisyImages, noiseRates, signalRates)
		nextNoiseRates, nextSignalRates := diffusionSchedule(diffusionTimes.Sub(stepSize))
		nextNoisyImages = nextSignalRates.Mul(predImages).Add(nextNoiseRates.Mul(predNoises))
	}
	return predImages
}

// Compute makes images, with numbers from 0 to 1, from noise, in two steps.
func (m *DiffusionModel) Compute(initialNoise *layers.Tensor) *layers.Tensor {
	return ops.Clip(m.reverseDiffusion(initialNoise, 2).Call(m.Denormalizer), 0, 1)
}

// TrainStep adds random noise to a batch of images, trains the network to predict the noise, and
// updates the moving averages of the weights. It returns the logs of both losses.
func (m *DiffusionModel) TrainStep(s *keras.Step) keras.StepLogs {
	images := s.X[0].Call(m.Normalizer)
	noises := s.Normal(m.seed, images.Shape()...)
	diffusionTimes := s.Uniform(m.seed, images.Shape()[0], 1, 1, 1)
	noiseRates, signalRates := diffusionSchedule(diffusionTimes)
	noisyImages := signalRates.Mul(images).Add(noiseRates.Mul(noises))
	predNoises, predImages := denoise(m.Network, noisyImages, noiseRates, signalRates)
	noiseLoss := s.Loss(m.loss, noises, predNoises)
	imageLoss := s.Loss(m.loss, images, predImages)
	s.Minimize(s.Model().Optimizer(), noiseLoss, m.Network.TrainableVariables()...)

	averages := m.EMANetwork.Variables()
	for i, weight := range m.Network.Variables() {
		average := s.Weight(averages[i]).Mul(emaRate).Add(s.Weight(weight).Mul(1 - emaRate))
		s.Assign(averages[i], average.Node())
	}
	return keras.StepLogs{"n_loss": s.Mean("n_loss", noiseLoss), "i_loss": s.Mean("i_loss", imageLoss)}
}

func model() (*keras.Model, error) {
	images, _, err := flowers()
	if err != nil {
		return nil, err
	}
	diffusion := &DiffusionModel{
		Normalizer: layers.Normalization(), Denormalizer: layers.Normalization(layers.Invert(true)),
		Network: network(imageSize, widths, blockDepth), EMANetwork: network(imageSize, widths, blockDepth),
		loss: losses.MeanAbsoluteError(), seed: random.NewSeedGenerator(5),
	}
	for _, l := range []*layers.NormalizationLayer{diffusion.Normalizer, diffusion.Denormalizer} {
		if err := l.Adapt(images); err != nil {
			return nil, err
		}
	}
	m := keras.Must(keras.NewSubclassed(diffusion))
	return m, m.Compile(keras.Optimizer(optimizers.AdamW(optimizers.LearningRate(1e-3), optimizers.WeightDecay(1e-4))))
}

// parts returns the network that is trained, and the one with the moving averages of its weights.
func parts(m *keras.Model) []*keras.Model {
	diffusion := m.Subclassed().(*DiffusionModel)
	return []*keras.Model{diffusion.Network, diffusion.EMANetwork}
}

// denoised returns the images that the model makes of two images of fixed noise.
func denoised(ctx context.Context, r *guide.Run) ([]*tensors.Tensor, error) {
	initialNoise, err := data.FromFlat(guide.Fractions(2*imageSize*imageSize*3, 7), 2, imageSize, imageSize, 3)
	if err != nil {
		return nil, err
	}
	return r.Model.Predict(ctx, ops.Array(initialNoise).Mul(2).Sub(1).Array(), keras.Verbose(0))
}

func flowers() (x, y any, err error) {
	images, err := data.FromFlat(guide.Fractions(samples*imageSize*imageSize*3, 1), samples, imageSize, imageSize, 3)
	return images, nil, err
}
