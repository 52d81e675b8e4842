// Super_resolution is the example "Image Super-Resolution using an Efficient Sub-Pixel CNN":
// convolutions on a small image compute the pixels of a large one as channels. The model takes
// images of any size.
//
//	go run ./examples/guides/super_resolution [-mesh 2x4]
package main

import (
	"context"
	"math"

	"github.com/gomlx/gomlx/core/tensors"

	"github.com/gospmd/gospmd/examples/guides/internal/guide"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/losses"
	"github.com/gospmd/gospmd/keras/ops"
	"github.com/gospmd/gospmd/keras/optimizers"
)

const (
	samples, validated      = 24, 12
	cropSize, upscaleFactor = 12, 3
	inputSize, channels     = cropSize / upscaleFactor, 1
)

func main() { guide.Main(program) }

var program = &guide.Guide{
	Name: "super_resolution", Batch: 12, Epochs: 2, Model: model, Data: photos, Train: train, Predict: enlarge,
	Layout: map[string][]string{"conv2d/kernel": {"", "", "", "model"}},
}

// DepthToSpace is a layer that makes blocks of pixels from the channels of each pixel.
type DepthToSpace struct {
	layers.Base
	blockSize int
}

// Compute returns images whose height and width are larger by the factor blockSize, and that have
// fewer channels by its square. The channels of a pixel become a block of pixels, row by row.
func (l *DepthToSpace) Compute(input *layers.Tensor) *layers.Tensor {
	shape, block := input.Shape(), l.blockSize
	batch, height, width, depth := shape[0], shape[1], shape[2], shape[3]/(block*block)
	x := ops.Reshape(input, batch, height, width, block, block, depth)
	x = ops.Transpose(x, 0, 1, 3, 2, 4, 5)
	return ops.Reshape(x, batch, height*block, width*block, depth)
}

// ESPCNCallback keeps in means the mean PSNR of the validation batches, for each epoch.
type ESPCNCallback struct {
	keras.BaseCallback
	psnr, means []float64
}

// OnEpochBegin removes the PSNRs of the epoch before.
func (c *ESPCNCallback) OnEpochBegin(context.Context, int) error {
	c.psnr = nil
	return nil
}

// OnEpochEnd appends the mean of the epoch's PSNRs to the means.
func (c *ESPCNCallback) OnEpochEnd(context.Context, int, keras.Logs) error {
	sum := 0.
	for _, v := range c.psnr {
		sum += v
	}
	c.means = append(c.means, sum/float64(len(c.psnr)))
	return nil
}

// OnTestBatchEnd appends the PSNR of a batch, which it computes from the batch's loss.
func (c *ESPCNCallback) OnTestBatchEnd(ctx context.Context, _ int, batch *keras.BatchLogs) error {
	loss, err := batch.Value(ctx, "loss")
	c.psnr = append(c.psnr, 10*math.Log10(1/loss))
	return err
}

func model() (*keras.Model, error) {
	inputs := keras.Input([]int{layers.None, layers.None, channels})
	conv := func(filters, size int) layers.Layer {
		return layers.Conv2D(filters, size, layers.Activation("relu"), layers.KernelInitializer("orthogonal"), layers.Padding("same"))
	}
	outputs := inputs.Call(
		conv(16, 5),
		conv(16, 3),
		conv(8, 3),
		conv(channels*upscaleFactor*upscaleFactor, 3),
		&DepthToSpace{blockSize: upscaleFactor},
	)
	m := keras.Must(keras.Functional(inputs, outputs))
	return m, m.Compile(keras.Optimizer(optimizers.Adam(optimizers.LearningRate(.001))), keras.Loss(losses.MeanSquaredError()))
}

// train fits the model, and returns the training losses of all epochs, then their validation PSNRs.
func train(ctx context.Context, r *guide.Run) ([]float64, error) {
	espcnCallback := &ESPCNCallback{}
	loss, err := r.Fit(ctx, r.Epochs, keras.Callbacks(espcnCallback), keras.ValidationData(crops(validated, 2)))
	return append(loss, espcnCallback.means...), err
}

// enlarge returns the model's enlargements of two images of 7x5 pixels, a size that differs from
// the training images.
func enlarge(ctx context.Context, r *guide.Run) ([]*tensors.Tensor, error) {
	images, err := data.FromFlat(guide.Fractions(2*7*5, 5), 2, 7, 5, 1)
	if err != nil {
		return nil, err
	}
	return r.Model.Predict(ctx, images, keras.Verbose(0))
}

// crops returns n crops as the model's inputs x, made smaller by the factor upscaleFactor, and as
// its targets y, in full size. They depend only on n and seed.
func crops(n, seed int) (x, y any) {
	target := keras.Must(data.FromFlat(guide.Fractions(n*cropSize*cropSize, seed), n, cropSize, cropSize, 1))
	return ops.Resize(ops.Array(target), inputSize, inputSize, "bicubic", ops.Antialias(true)).Array(), target
}

func photos() (x, y any, err error) {
	x, y = crops(samples, 1)
	return x, y, nil
}
