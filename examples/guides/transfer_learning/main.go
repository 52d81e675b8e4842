// Transfer_learning is the guide "Transfer learning & fine-tuning": a model that was trained
// before is frozen under a new last layer, which is trained; then all is trained a little.
//
//	go run ./examples/guides/transfer_learning [-mesh 2x4]
package main

import (
	"context"

	"github.com/gospmd/gospmd/examples/guides/internal/guide"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/losses"
	"github.com/gospmd/gospmd/keras/optimizers"
)

const size, samples = 12, 48

func main() { guide.Main(program) }

var program = &guide.Guide{
	Name: "transfer_learning", Batch: 12, Epochs: 2, Model: model, Data: animals, Train: train,
	Layout: map[string][]string{"conv2d_1/kernel": {"", "", "", "model"}, "dense/kernel": {"model", ""}},
}

func model() (*keras.Model, error) {
	x := keras.Input([]int{size, size, 3})
	relu := layers.Activation("relu")
	y := x.Call(layers.Conv2D(8, 3, layers.Strides(2), relu), layers.BatchNormalization())
	y = y.Call(layers.Conv2D(16, 3, relu), layers.BatchNormalization())
	base := keras.Must(keras.Functional(x, y, keras.Name("base")))
	base.SetTrainable(false)

	x = keras.Input([]int{size, size, 3})
	y = x.Call(layers.Rescaling(2, layers.Offset(-1)), layers.WithTraining(base.AsLayer(), false))
	y = y.Call(layers.GlobalAveragePooling2D(), layers.Dropout(0), layers.Dense(1))
	m := keras.Must(keras.Functional(x, y))
	return m, compile(m, 1e-2)
}

func compile(m *keras.Model, rate float64) error {
	return m.Compile(keras.Optimizer(optimizers.Adam(optimizers.LearningRate(rate))), keras.Loss(losses.BinaryCrossentropy(losses.FromLogits())), keras.Metrics("accuracy"))
}

// train trains the last layer, and then, for one epoch, all layers at a low rate. It returns the
// losses of all epochs.
func train(ctx context.Context, r *guide.Run) ([]float64, error) {
	losses := keras.Must(r.Fit(ctx, r.Epochs))
	keras.Must(r.Model.Layer("base")).SetTrainable(true)
	if err := compile(r.Model, 1e-4); err != nil {
		return nil, err
	}
	second, err := r.Fit(ctx, 1)
	return append(losses, second...), err
}

func animals() (x, y any, err error) {
	images, err := data.FromFlat(guide.Fractions(samples*size*size*3, 1), samples, size, size, 3)
	return images, guide.Classes(samples, 2, 2), err
}
