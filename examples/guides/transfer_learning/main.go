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
	Layout: map[string][]string{"c2/kernel": {"", "", "", "model"}, "cat_or_dog/kernel": {"model", ""}},
}

// base returns the model that was trained before.
func base() (*keras.Model, error) {
	x := keras.Input([]int{size, size, 3})
	y := x.Apply(layers.Conv2D(8, 3, layers.Strides(2), layers.Activation("relu"), layers.Name("c1"))).Apply(layers.BatchNormalization(layers.Name("n1")))
	y = y.Apply(layers.Conv2D(16, 3, layers.Activation("relu"), layers.Name("c2"))).Apply(layers.BatchNormalization(layers.Name("n2")))
	return keras.NewModel([]*layers.Tensor{x}, []*layers.Tensor{y})
}

func model() (*keras.Model, error) {
	trained, err := base()
	if err != nil {
		return nil, err
	}
	if err := trained.SetName("base"); err != nil {
		return nil, err
	}
	trained.SetTrainable(false)

	x := keras.Input([]int{size, size, 3})
	y := x.Apply(layers.Rescaling(2, layers.Offset(-1))) // from 0 to 1 to -1 to 1
	y = y.Apply(layers.WithTraining(trained.AsLayer(), false))
	y = y.Apply(layers.GlobalAveragePooling2D()).Apply(layers.Dropout(0)).Apply(layers.Dense(1, layers.Name("cat_or_dog")))
	m, err := keras.NewModel([]*layers.Tensor{x}, []*layers.Tensor{y})
	if err != nil {
		return nil, err
	}
	return m, compile(m, 1e-2)
}

func compile(m *keras.Model, rate float64) error {
	return m.Compile(keras.Optimizer(optimizers.Adam(optimizers.LearningRate(rate))), keras.Loss(losses.BinaryCrossentropy(losses.FromLogits())), keras.Metrics("accuracy"))
}

// train trains the last layer, and then all layers at a low rate.
func train(ctx context.Context, r *guide.Run) ([]float64, error) {
	first, err := r.Fit(ctx, r.Epochs)
	if err != nil {
		return nil, err
	}
	keras.Must(r.Model.Layer("base")).SetTrainable(true)
	if err := compile(r.Model, 1e-4); err != nil {
		return nil, err
	}
	second, err := r.Fit(ctx, 1)
	return append(first, second...), err
}

func animals() (x, y any, err error) {
	images, err := data.FromFlat(guide.Fractions(samples*size*size*3, 1), samples, size, size, 3)
	return images, guide.Classes(samples, 2, 2), err
}
