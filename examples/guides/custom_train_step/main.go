// Custom_train_step is the guide "Customizing what happens in fit()": Fit with a custom training
// step, which computes the loss and the metrics itself.
//
//	go run ./examples/guides/custom_train_step [-mesh 2x4]
package main

import (
	"github.com/gospmd/gospmd/examples/guides/internal/guide"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/metrics"
)

const samples, features = 48, 32

func main() { guide.Main(program) }

var program = &guide.Guide{
	Name: "custom_train_step", Batch: 12, Epochs: 3, Model: model, Data: numbers,
	Layout: map[string][]string{"hidden/kernel": {"", "model"}, "one/kernel": {"model", ""}},
}

func model() (*keras.Model, error) {
	x := keras.Input(features)
	m := keras.Must(keras.Functional(x, x.Call(layers.Dense(32, layers.Activation("relu"), layers.Name("hidden")), layers.Dense(1, layers.Name("one")))))
	mae := metrics.MeanAbsoluteError(metrics.Name("mae"))
	trainStep := func(s *keras.Step) keras.StepLogs {
		predictions := s.Call(s.X...)
		loss := s.Loss("mse", s.Y[0], predictions[0])
		gradients := s.Gradients(loss, m.TrainableVariables()...)
		s.ApplyGradients(m.Optimizer(), gradients, m.TrainableVariables()...)
		s.Update(mae, s.Y[0], predictions[0], nil)
		return keras.StepLogs{"loss": s.Mean("loss", loss), "mae": s.Result(mae)}
	}
	return m, m.Compile(keras.Optimizer("adam"), keras.TrainStep(trainStep))
}

func numbers() (x, y any, err error) {
	in, err := data.FromFlat(guide.Fractions(samples*features, 1), samples, features)
	if err != nil {
		return nil, nil, err
	}
	out, err := data.FromFlat(guide.Fractions(samples, 2), samples, 1)
	return in, out, err
}
