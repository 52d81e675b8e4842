// Captcha_ocr is the example "OCR model for reading Captchas": convolutions and bidirectional LSTMs
// read an image from left to right, and a layer adds the CTC loss, which needs no places of the
// characters.
//
//	go run ./examples/guides/captcha_ocr [-mesh 2x4]
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
)

const samples, imgWidth, imgHeight, maxLength, numCharacters = 24, 32, 12, 3, 7

func main() { guide.Main(program) }

var program = &guide.Guide{
	Name: "captcha_ocr", Batch: 12, Epochs: 2, Model: model, Data: captchas, Predict: decode,
	Layout: map[string][]string{"dense1/kernel": {"", "model"}},
}

func ctcBatchCost(yTrue, yPred, inputLength, labelLength *layers.Tensor) *layers.Tensor {
	yPred = ops.Log(yPred.Add(1e-7))
	return ops.CTCLoss(yTrue, yPred, labelLength, inputLength, numCharacters)
}

// CTCLayer is a layer that adds the CTC loss of predictions to the losses of the model.
type CTCLayer struct{ layers.Base }

// Compute adds the CTC loss of the predictions for the labels to the losses of the model, and
// returns the predictions unchanged.
func (*CTCLayer) Compute(c *layers.Context, yTrue, yPred *layers.Tensor) *layers.Tensor {
	length := func(x *layers.Tensor) *layers.Tensor {
		return ops.Filled([]int{x.Shape()[0]}, float64(x.Shape()[1]), ops.DType("int32"))
	}
	c.AddLoss(ops.Mean(ctcBatchCost(yTrue, yPred, length(yPred), length(yTrue))))
	return yPred
}

func model() (*keras.Model, error) {
	inputImg := keras.Input([]int{imgWidth, imgHeight, 1}, layers.Name("image"))
	labels := keras.Input(layers.None, layers.Name("label"), layers.DType("int32"))
	conv := func(filters int, name string) layers.Layer {
		return layers.Conv2D(
			filters,
			3,
			layers.Activation("relu"),
			layers.KernelInitializer("he_normal"),
			layers.Padding("same"),
			layers.Name(name),
		)
	}
	lstm := func() layers.Layer {
		return layers.Bidirectional(layers.LSTM(8, layers.ReturnSequences(), layers.DropoutRate(.25)))
	}
	x := inputImg.Call(conv(4, "Conv1"), layers.MaxPooling2D(layers.PoolSize(2), layers.Name("pool1")))
	x = x.Call(conv(8, "Conv2"), layers.MaxPooling2D(layers.PoolSize(2), layers.Name("pool2")))
	x = x.Call(
		layers.Reshape([]int{imgWidth / 4, (imgHeight / 4) * 8}, layers.Name("reshape")),
		layers.Dense(16, layers.Activation("relu"), layers.Name("dense1")),
		layers.Dropout(.2),
		lstm(),
		lstm(),
		layers.Dense(numCharacters+1, layers.Activation("softmax"), layers.Name("dense2")),
	)
	output := layers.Apply(&CTCLayer{}, labels, x)
	m := keras.Must(keras.Functional(keras.Tensors(inputImg, labels), output, keras.Name("ocr_model_v1")))
	return m, m.Compile(keras.Optimizer(optimizers.Adam()))
}

// decode returns the predictions of the model for the first six images, and the characters that
// CTC's decoder reads in them.
func decode(ctx context.Context, r *guide.Run) ([]*tensors.Tensor, error) {
	output, err := r.Model.Output("dense2")
	if err != nil {
		return nil, err
	}
	predictionModel, err := keras.NewModel(r.Model.Inputs()[:1], keras.Tensors(output))
	if err != nil {
		return nil, err
	}
	images, err := data.Slice(r.X.([]any)[0].(*tensors.Tensor), 0, 6)
	if err != nil {
		return nil, err
	}
	pred, err := predictionModel.Predict(ctx, images, keras.Verbose(0))
	if err != nil {
		return nil, err
	}
	dims := pred[0].Shape().Dimensions
	inputLen := ops.Filled(dims[:1], float64(dims[1]), ops.DType("int32"))
	results, _ := ops.CTCDecode(ops.Array(pred[0]), inputLen, true, numCharacters)
	return append(pred, results.Array()), results.Err()
}

func captchas() (x, y any, err error) {
	images, err := data.FromFlat(guide.Fractions(samples*imgWidth*imgHeight, 1), samples, imgWidth, imgHeight, 1)
	if err != nil {
		return nil, nil, err
	}
	labels, err := data.FromFlat(guide.Classes(samples*maxLength, 2, numCharacters), samples, maxLength)
	return []any{images, labels}, nil, err
}
