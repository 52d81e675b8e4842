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
	"github.com/gospmd/gospmd/keras/optimizers"
	"github.com/gospmd/gospmd/keras/utils"
)

const (
	steps, measurements = 140, 7
	past, future, every = 20, 6, 2 // a window of 20 steps, of which each second one is read
)

func main() { guide.Main(program) }

var program = &guide.Guide{
	Name: "timeseries_lstm", Batch: 24, Epochs: 2, Model: model, Data: weather, Train: train, Predict: predict,
	Layout: map[string][]string{"lstm/lstm_cell/kernel": {"", "model"}},
}

func model() (*keras.Model, error) {
	x := keras.Input([]int{past / every, measurements})
	m := keras.Must(keras.Functional(x, x.Call(layers.LSTM(32, layers.Name("lstm")), layers.Dense(1, layers.Name("later")))))
	return m, m.Compile(keras.Optimizer(optimizers.Adam(optimizers.LearningRate(.001))), keras.Loss("mse"))
}

// weather returns the inputs, all measurements of each step, and the targets: the measurement to
// forecast, at later steps.
func weather() (x, y any, err error) {
	all, err := data.FromFlat(guide.Fractions(steps*measurements, 1), steps, measurements)
	if err != nil {
		return nil, nil, err
	}
	flat, later := guide.Fractions(steps*measurements, 1), make([]float32, 0, steps)
	for i := past + future; i < steps; i++ {
		later = append(later, flat[i*measurements+1])
	}
	targets, err := data.FromFlat(later, len(later), 1)
	return all, targets, err
}

// windows returns the dataset of windows with their targets.
func windows(r *guide.Run) (*data.Pipeline, error) {
	return utils.TimeseriesDatasetFromArray(r.X, r.Y, past/every, utils.SamplingRate(every), utils.BatchSize(r.Batch))
}

func train(ctx context.Context, r *guide.Run) ([]float64, error) {
	w, err := windows(r)
	if err != nil {
		return nil, err
	}
	h, err := r.Model.Fit(ctx, w, nil, keras.Epochs(r.Epochs), keras.Output(r.Out))
	if err != nil {
		return nil, err
	}
	return h.Logs["loss"], nil
}

func predict(ctx context.Context, r *guide.Run) ([]*tensors.Tensor, error) {
	w, err := windows(r)
	if err != nil {
		return nil, err
	}
	return r.Model.Predict(ctx, w.Take(1), keras.Verbose(0))
}
