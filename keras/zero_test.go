package keras_test

// This file gives zero values and nil to functions that want what a constructor makes: a model, a
// dataset, an optimizer and others.

import (
	"context"
	"log/slog"
	"testing"

	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/checkpoint"
	compiler "github.com/gospmd/gospmd/compile"
	fits "github.com/gospmd/gospmd/fit"
	"github.com/gospmd/gospmd/internal/testing/runtimetest"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/keras/distribution"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/losses"
	"github.com/gospmd/gospmd/keras/metrics"
	"github.com/gospmd/gospmd/keras/optimizers"
	"github.com/gospmd/gospmd/keras/saving"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/runtime"
)

// TestZero gives zero values and nil to the functions of a training: an error that names
// what is wrong and what makes it, no panic and no stack.
func TestZero(t *testing.T) {
	x := layers.Input([]int{4})
	client := runtimetest.Open(t, 1)
	compiled := func(opts ...keras.CompileOption) (*keras.Model, error) {
		m := model(t, x, x.Apply(layers.Dense(1)))
		return m, m.Compile(append([]keras.CompileOption{keras.Loss("mse"), keras.Client(client), keras.Logger(slog.New(slog.DiscardHandler))}, opts...)...)
	}
	compile := func(o keras.CompileOption) error { _, err := compiled(o); return err }
	xs, ys := [][]float32{{1, 2, 3, 4}}, [][]float32{{1}}
	usual, err := compiled()
	require.NoError(t, err)
	fit := func(m *keras.Model, ctx context.Context, x any, opts ...keras.RunOption) error {
		var y any = ys
		if _, ok := x.(data.Dataset); ok {
			y = nil
		}
		_, err := m.Fit(ctx, x, y, append([]keras.RunOption{keras.Verbose(0)}, opts...)...)
		return err
	}
	scope := func(d distribution.Distribution) error {
		return distribution.Scope(d, func() error {
			m := model(t, x, x.Apply(layers.Dense(1)))
			if err := m.Compile(keras.Loss("mse"), keras.Client(client)); err != nil {
				return err
			}
			return fit(m, t.Context(), xs)
		})
	}
	var none context.Context
	for _, tc := range []struct {
		name string
		do   func() error
		want string
	}{
		{"context of Fit", func() error { return fit(usual, none, xs) }, "the context is nil: want one such as context.Background()"},
		{"context of Evaluate", func() error { _, err := usual.Evaluate(none, xs, ys); return err }, "the context is nil"},
		{"context of Predict", func() error { _, err := usual.Predict(none, xs); return err }, "the context is nil"},
		{"context of TrainOnBatch", func() error { _, err := usual.TrainOnBatch(none, xs, ys); return err }, "the context is nil"},
		{"context of TestOnBatch", func() error { _, err := usual.TestOnBatch(none, xs, ys); return err }, "the context is nil"},
		{"context of PredictOnBatch", func() error { _, err := usual.PredictOnBatch(none, xs); return err }, "the context is nil"},
		{"context of Weights", func() error { _, err := usual.Weights(none); return err }, "the context is nil"},
		{"context of SetWeights", func() error { return usual.SetWeights(none) }, "the context is nil"},
		{"context of Open", func() error { _, err := runtime.Open(none, runtime.Options{}); return err }, "the context is nil"},
		{"context of FitsOn", func() error { _, err := usual.FitsOn(none, data.Batch{}, fits.Options{}); return err }, "the context is nil"},
		{"context of Initialize", func() error { return distribution.Initialize(none, distribution.Options{}) }, "the context is nil"},
		{"context of distribution.Client", func() error { _, err := distribution.Client(none); return err }, "the context is nil"},
		{"context of DistributeTensor", func() error { _, err := distribution.DistributeTensor(none, nil, nil); return err }, "the context is nil"},
		{"context of SaveModel", func() error { return saving.SaveModel(none, usual, "m.keras") }, "the context is nil"},
		{"context of LoadModel", func() error { _, err := saving.LoadModel(none, "m.keras"); return err }, "the context is nil"},
		{"context of SaveWeights", func() error { return saving.SaveWeights(none, usual, "m.weights.h5") }, "the context is nil"},
		{"context of LoadWeights", func() error { return saving.LoadWeights(none, usual, "m.weights.h5") }, "the context is nil"},
		{"context of compile.Compile", func() error { _, err := compiler.Compile(none, nil, compiler.Options{}); return err }, "the context is nil"},
		{"context of checkpoint.Save", func() error { return checkpoint.Save(none, "c", nil, nil) }, "the context is nil"},
		{"nil model", func() error { return fit(nil, t.Context(), xs) }, "the model is nil: make one by NewModel"},
		{"nil model, Compile", func() error { return (*keras.Model)(nil).Compile() }, "the model is nil"},
		{"nil model, Evaluate", func() error { _, err := (*keras.Model)(nil).Evaluate(t.Context(), xs, ys); return err }, "the model is nil"},
		{"nil model, Predict", func() error { _, err := (*keras.Model)(nil).Predict(t.Context(), xs); return err }, "the model is nil"},
		{"zero model", func() error { return new(keras.Model).Compile() }, "the model is a zero keras.Model: make one by NewModel"},
		{"zero model, Fit", func() error { return fit(new(keras.Model), t.Context(), xs) }, "the model is a zero keras.Model"},
		{"zero model, Predict", func() error { _, err := new(keras.Model).Predict(t.Context(), xs); return err }, "the model is a zero keras.Model"},
		{"nil dataset", func() error { return fit(usual, t.Context(), (*data.Pipeline)(nil)) }, "the dataset is nil"},
		{"zero dataset", func() error { return fit(usual, t.Context(), new(data.Pipeline)) }, "the dataset is a zero data.Pipeline: make one by data.FromTensorSlices"},
		{"nil validation", func() error { return fit(usual, t.Context(), xs, keras.ValidationData((*data.Pipeline)(nil), nil)) }, "the dataset is nil"},
		{"nil tensor", func() error { return fit(usual, t.Context(), (*tensors.Tensor)(nil)) }, "nil"},
		{"zero optimizer", func() error { return compile(keras.Optimizer(new(optimizers.Optimizer))) }, "the optimizer is a zero optimizers.Optimizer: make one such as optimizers.Adam()"},
		{"zero loss", func() error { return compile(keras.Loss(new(losses.Loss))) }, "the loss is a zero losses.Loss: make one such as losses.MeanSquaredError()"},
		{"zero metric", func() error { return compile(keras.Metrics(new(metrics.Metric))) }, "the metric is a zero metrics.Metric: make one such as metrics.Accuracy()"},
		{"nil metric", func() error { return compile(keras.Metrics((*metrics.Metric)(nil))) }, "nil"},
		{"nil client", func() error { return compile(keras.Client(nil)) }, "the client is nil: open one by runtime.Open"},
		{"zero client", func() error { return compile(keras.Client(new(runtime.Client))) }, "a zero runtime.Client: open one by runtime.Open"},
		{"zero distribution", func() error { return scope(new(distribution.DataParallel)) }, "a zero distribution.DataParallel: make one by NewDataParallel"},
		{"zero model parallel", func() error { return scope(new(distribution.ModelParallel)) }, "a zero distribution.ModelParallel: make one by NewModelParallel"},
		{"nil distribution", func() error { return scope((*distribution.DataParallel)(nil)) }, "the distribution is nil: make one by NewDataParallel"},
		{"nil mesh", func() error {
			_, err := distribution.NewModelParallel(distribution.NewLayoutMap(nil), "data")
			return err
		}, "mesh"},
		{"zero mesh", func() error {
			_, err := distribution.NewModelParallel(distribution.NewLayoutMap(new(mesh.DeviceMesh)), "data")
			return err
		}, "mesh"},
		{"nil layout map", func() error { _, err := distribution.NewModelParallel(nil, "data"); return err }, "layout map"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var err error
			require.NotPanics(t, func() { err = tc.do() })
			require.ErrorContains(t, err, tc.want)
			require.NotContains(t, err.Error(), "goroutine ")
		})
	}
}
