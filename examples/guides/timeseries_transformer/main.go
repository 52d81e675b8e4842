// Timeseries_transformer is the example "Timeseries classification with a Transformer model":
// blocks of attention and convolutions of width 1 read measurements, and the training stops when
// the validation gets no better.
//
//	go run ./examples/guides/timeseries_transformer [-mesh 2x4]
package main

import (
	"context"

	"github.com/gospmd/gospmd/examples/guides/internal/guide"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/callbacks"
	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/optimizers"
)

const samples, length, measurements, nClasses = 45, 16, 4, 3

func main() { guide.Main(program) }

var program = &guide.Guide{
	Name: "timeseries_transformer", Batch: 12, Epochs: 3, Model: model, Data: engines, Train: train,
	Layout: map[string][]string{"dense/kernel": {"", "model"}, "dense_1/kernel": {"model", ""}},
}

func transformerEncoder(inputs *layers.Tensor, headSize, numHeads, ffDim int, dropout float64) *layers.Tensor {
	// Attention and Normalization
	x := inputs.Call(
		layers.MultiHeadAttention(numHeads, headSize, layers.DropoutRate(dropout)),
		layers.Dropout(dropout),
		layers.LayerNormalization(layers.Epsilon(1e-6)),
	)
	res := x.Add(inputs)

	// Feed Forward Part
	x = res.Call(
		layers.Conv1D(ffDim, 1, layers.Activation("relu")),
		layers.Dropout(dropout),
		layers.Conv1D(inputs.Shape()[2], 1),
		layers.LayerNormalization(layers.Epsilon(1e-6)),
	)
	return x.Add(res)
}

func buildModel(inputShape []int, headSize, numHeads, ffDim, numTransformerBlocks int, mlpUnits []int, dropout, mlpDropout float64) (*keras.Model, error) {
	inputs := keras.Input(inputShape)
	x := inputs
	for range numTransformerBlocks {
		x = transformerEncoder(x, headSize, numHeads, ffDim, dropout)
	}

	x = x.Call(layers.GlobalAveragePooling1D(layers.DataFormat("channels_last")))
	for _, dim := range mlpUnits {
		x = x.Call(layers.Dense(dim, layers.Activation("relu")), layers.Dropout(mlpDropout))
	}
	return keras.Functional(inputs, x.Call(layers.Dense(nClasses, layers.Activation("softmax"))))
}

func model() (*keras.Model, error) {
	m := keras.Must(buildModel([]int{length, measurements}, 8, 2, 4, 2, []int{16}, .25, .4))
	return m, m.Compile(
		keras.Loss("sparse_categorical_crossentropy"),
		keras.Optimizer(optimizers.Adam(optimizers.LearningRate(1e-3))),
		keras.Metrics("sparse_categorical_accuracy"),
	)
}

// train fits the model until the validation loss no longer falls, for r.Epochs epochs at most. It
// returns the training losses of all epochs that ran, then the validation losses.
func train(ctx context.Context, r *guide.Run) ([]float64, error) {
	history := keras.Must(r.Model.Fit(
		ctx,
		r.X,
		r.Y,
		keras.ValidationSplit(.2),
		keras.Epochs(r.Epochs),
		keras.BatchSize(r.Batch),
		keras.Callbacks(&callbacks.EarlyStopping{Patience: 1, RestoreBestWeights: true}),
		keras.Shuffle(false),
		keras.Output(r.Out),
	))
	return append(history.Logs["loss"], history.Logs["val_loss"]...), nil
}

func engines() (x, y any, err error) {
	series, err := data.FromFlat(guide.Fractions(samples*length*measurements, 1), samples, length, measurements)
	return series, guide.Classes(samples, 2, nClasses), err
}
