package keras_test

// This file tests models that begin within another model's graph.

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/ops"
)

// TestModelFromWithin makes a model that begins behind a layer of another model. It computes the
// same values as the other model there, with the same variables. Its inputs follow Keras' rules.
func TestModelFromWithin(t *testing.T) {
	layers.ClearSession()
	x := keras.Input(3)
	a := x.Call(layers.Dense(4, layers.Activation("tanh"), layers.Name("a")))
	b := a.Call(layers.Dense(4, layers.Name("b"))).Add(a)
	y := b.Call(layers.Dense(2, layers.Name("c")))
	whole := keras.Must(keras.Functional(x, y))
	first, rest := keras.Must(keras.Functional(x, a)), keras.Must(keras.Functional(a, y))
	require.Equal(t, whole.Variables()[2:], rest.Variables())
	client := goEngine(t)
	for _, m := range []*keras.Model{whole, first, rest} {
		require.NoError(t, m.Compile(keras.Loss("mse"), client, quiet))
	}
	want, err := whole.Predict(t.Context(), ramp(5, 3), keras.Verbose(0))
	require.NoError(t, err)
	between, err := first.Predict(t.Context(), ramp(5, 3), keras.Verbose(0))
	require.NoError(t, err)
	got, err := rest.Predict(t.Context(), between[0], keras.Verbose(0))
	require.NoError(t, err)
	require.Equal(t, want[0].Value(), got[0].Value())

	_, err = keras.Functional(b, y.Add(a.GetItem(":", "0:2")))
	require.ErrorContains(t, err, "an output depends on input_layer, which is not among the inputs")
	_, err = keras.Functional(keras.Tensors(b, b), y)
	require.ErrorContains(t, err, "is listed twice")
}

// halfError is a loss and a metric of one's own, on Tensors: half of the mean squared error of each
// sample.
func halfError(yTrue, yPred *layers.Tensor) *layers.Tensor {
	return ops.Mean(ops.Square(yTrue.Sub(yPred)), ops.Axis(-1)).Mul(0.5)
}

// TestFunctionsOfTensors evaluates a model with functions of Tensors as loss, metric and
// regularizer: the logs must have their values. With a loss that applies a layer, Evaluate must
// return an error.
func TestFunctionsOfTensors(t *testing.T) {
	layers.ClearSession()
	size := func(w *layers.Tensor) *layers.Tensor { return ops.Sum(ops.Absolute(w)) }
	x := keras.Input(3)
	m := keras.Must(keras.Functional(x, x.Call(layers.Dense(2, layers.KernelInitializer("ones"), layers.KernelRegularizer(size)))))
	require.NoError(t, m.Compile(keras.Loss(halfError), keras.Metrics(halfError, "mse"), goEngine(t), quiet))
	logs, err := m.Evaluate(t.Context(), [][]float32{{1, 2, 3}}, [][]float32{{4, 6}}, keras.Verbose(0))
	require.NoError(t, err)
	require.Equal(t, keras.Logs{{Name: "half_error", Value: 1}, {Name: "loss", Value: 1 + 6}, {Name: "mse", Value: 2}}, logs)

	applies := func(yTrue, yPred *layers.Tensor) *layers.Tensor { return yPred.Call(layers.Dense(1)) }
	require.NoError(t, m.Compile(keras.Loss(applies), goEngine(t), quiet))
	_, err = m.Evaluate(t.Context(), [][]float32{{1, 2, 3}}, [][]float32{{4, 6}}, keras.Verbose(0))
	require.ErrorContains(t, err, "a metric or a regularizer applies the layer *layers.DenseLayer: use operations only")
}
