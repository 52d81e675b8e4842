// Speaker_recognition is the example "Speaker Recognition": voices with noise are turned into
// frequencies by a Fourier transform, and a network of one-dimensional convolutions with residuals
// says who speaks.
//
//	go run ./examples/guides/speaker_recognition [-mesh 2x4]
package main

import (
	"github.com/gospmd/gospmd/examples/guides/internal/guide"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/ops"
)

const samples, noises, samplingRate, numSpeakers = 24, 6, 128, 4

func main() { guide.Main(program) }

var program = &guide.Guide{
	Name: "speaker_recognition", Batch: 12, Epochs: 2, Model: model, Data: recordings,
	Layout: map[string][]string{"dense/kernel": {"", "model"}, "dense_1/kernel": {"model", ""}},
}

// addNoise returns audio with noise added to each sample: noises[choice[i]] to sample i, after it
// was scaled so that its largest value is that of the sample, and multiplied by scale. audio is
// [samples, steps, 1], noises [noises, steps, 1], and choice [samples], of integers.
func addNoise(audio, noises, choice *layers.Tensor, scale float64) *layers.Tensor {
	noise := ops.Take(noises, choice, ops.Axis(0))
	prop := ops.Max(audio, ops.Axis(1)).Div(ops.Max(noise, ops.Axis(1)))
	prop = ops.Repeat(ops.ExpandDims(prop, 1), audio.Shape()[1], ops.Axis(1))
	return audio.Add(noise.Mul(prop).Mul(scale))
}

// audioToFFT returns, for audio of the form [batch, steps, 1], the strength of each positive
// frequency, [batch, steps/2, 1]: the absolute values of the first half of the Fourier transform.
func audioToFFT(audio *layers.Tensor) *layers.Tensor {
	audio = ops.Squeeze(audio, ops.Axis(-1))
	re, im := ops.FFT(audio, ops.ZerosLike(audio))
	fft := ops.ExpandDims(ops.Sqrt(ops.Square(re).Add(ops.Square(im))), -1)
	// the first half, which has the positive frequencies
	return fft.GetItem(":", ops.To(audio.Shape()[1]/2))
}

func residualBlock(x *layers.Tensor, filters, convNum int) *layers.Tensor {
	conv := func(size int) layers.Layer { return layers.Conv1D(filters, size, layers.Padding("same")) }
	s := x.Call(conv(1)) // Shortcut
	for range convNum - 1 {
		x = x.Call(conv(3), layers.ReLU())
	}
	x = x.Call(conv(3)).Add(s)
	return x.Call(layers.ReLU(), layers.MaxPooling1D(layers.PoolSize(2), layers.Strides(2)))
}

func buildModel(inputShape []int, numClasses int) (*keras.Model, error) {
	inputs := keras.Input(inputShape, layers.Name("input"))
	x := residualBlock(audioToFFT(inputs), 4, 2)
	x = residualBlock(x, 8, 2)
	x = residualBlock(x, 8, 3)
	outputs := x.Call(
		layers.AveragePooling1D(layers.PoolSize(3), layers.Strides(3)),
		layers.Flatten(),
		layers.Dense(32, layers.Activation("relu")),
		layers.Dense(16, layers.Activation("relu")),
		layers.Dense(numClasses, layers.Activation("softmax"), layers.Name("output")),
	)
	return keras.Functional(inputs, outputs)
}

func model() (*keras.Model, error) {
	m := keras.Must(buildModel([]int{samplingRate, 1}, numSpeakers))
	return m, m.Compile(keras.Optimizer("Adam"), keras.Loss("sparse_categorical_crossentropy"), keras.Metrics("accuracy"))
}

// sounds returns n invented samples of sound, [n, samplingRate, 1], of numbers from -0.5 to about
// 0.5. They depend only on n and seed.
func sounds(n, seed int) (*layers.Tensor, error) {
	t, err := data.FromFlat(guide.Fractions(n*samplingRate, seed), n, samplingRate, 1)
	if err != nil {
		return nil, err
	}
	return ops.Array(t).Sub(.5), nil
}

func recordings() (x, y any, err error) {
	voices, err := sounds(samples, 1)
	if err != nil {
		return nil, nil, err
	}
	noise, err := sounds(noises, 2)
	if err != nil {
		return nil, nil, err
	}
	audio := addNoise(voices, noise, ops.Array(guide.Classes(samples, 3, noises)), .5)
	return audio.Array(), guide.Classes(samples, 4, numSpeakers), audio.Err()
}
