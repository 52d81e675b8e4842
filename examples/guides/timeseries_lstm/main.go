// Timeseries_lstm is the example "Timeseries forecasting for weather prediction": an LSTM reads a
// window of several measurements and predicts one of them some steps later.
//
//	go run ./examples/guides/timeseries_lstm [-mesh 2x4]
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
	"github.com/gospmd/gospmd/keras/utils"
)

const (
	steps, measurements = 140, 7
	past, future, every = 20, 6, 2 // a window of 20 steps, of which each second one is read
)

func main() { guide.Main(program) }

var program = &guide.Guide{
	Name: "timeseries_lstm", Batch: 24, Epochs: 2, Model: model, Data: weather, Predict: predict,
	Layout: map[string][]string{"lstm/lstm_cell/kernel": {"", "model"}},
}

func model() (*keras.Model, error) {
	x := keras.Input([]int{past / every, measurements})
	m := keras.Must(keras.Functional(x, x.Call(layers.LSTM(32), layers.Dense(1, layers.Name("later")))))
	return m, m.Compile(keras.Optimizer(optimizers.Adam(optimizers.LearningRate(.001))), keras.Loss("mse"))
}

// weather returns, as x, the dataset of windows of all measurements, each with the measurement to
// forecast at a later step; y is nil.
func weather() (x, y any, err error) {
	all := ops.Reshape(ops.Array(guide.Fractions(steps*measurements, 1)), steps, measurements)
	targets := all.GetItem(ops.From(past+future), "1:2")
	windows, err := utils.TimeseriesDatasetFromArray(all.Array(), targets.Array(), past/every, utils.SamplingRate(every), utils.BatchSize(24))
	return windows, nil, err
}

func predict(ctx context.Context, r *guide.Run) ([]*tensors.Tensor, error) {
	return r.Model.Predict(ctx, r.X.(*data.Pipeline).Take(1), keras.Verbose(0))
}
