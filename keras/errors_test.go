package keras_test

// This file tests the errors of models that are put together wrongly: each names the
// layer and the line, and all of them come at once.

import (
	"testing"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/testing/runtimetest"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/callbacks"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/losses"
	"github.com/gospmd/gospmd/keras/optimizers"
)

func TestErrorsOfAllLayers(t *testing.T) {
	x := layers.Input([]int{4})
	a := x.Apply(layers.Dense(3, layers.Name("first"), layers.Activation("rellu")))
	b := x.Apply(layers.Reshape([]int{7}, layers.Name("second")))
	c := a.Apply(layers.Dense(0, layers.Name("third"))).Apply(layers.Dropout(0.5))
	_, err := keras.NewModel([]*layers.Tensor{x}, []*layers.Tensor{a, b, c})
	require.ErrorContains(t, err, `errors_test.go:22: layer first: Dense: Activation: unknown activation "rellu"`)
	require.Regexp(t, `(?s)rellu.*\nerrors_test.go:23: layer second \(reshape\): .* do not fit the target shape \[7\]\nerrors_test.go:24: layer third: Dense: Units: got 0, want a positive number of at most 2147483647$`, err.Error())

	_, err = keras.NewSequential(layers.Dense(-1), layers.Dropout(2), nil)
	require.Regexp(t, `errors_test.go:29: layer dense\w*: Dense: Units: got -1, want a positive number of at most 2147483647\nerrors_test.go:29: layer dropout\w*: Dropout: Rate: got 2, .*\nlayer 2 is nil`, err.Error())
}

// nilBlock is a layer that consists of another one, Inner, which is nil.
type nilBlock struct {
	layers.Base
	Inner *layers.DenseLayer
}

func (b *nilBlock) Call(c *layers.Context, in []*graph.Node) []*graph.Node {
	return []*graph.Node{c.Apply(b.Inner, in[0])}
}

// TestNil gives nil for layers, tensors, and arguments of options. Each error says what is nil.
func TestNil(t *testing.T) {
	x := layers.Input([]int{4})
	newModel := func(y *layers.Tensor) error {
		_, err := keras.NewModel([]*layers.Tensor{x}, []*layers.Tensor{y})
		return err
	}
	compile := func(o keras.CompileOption) error {
		return model(t, x, x.Apply(layers.Dense(1))).Compile(keras.Loss("mse"), o)
	}
	fit := func(o keras.RunOption) error {
		m := model(t, x, x.Apply(layers.Dense(1)))
		require.NoError(t, m.Compile(keras.Loss("mse"), keras.Client(runtimetest.Open(t, 1))))
		_, err := m.Fit(t.Context(), [][]float32{{1, 2, 3, 4}}, [][]float32{{1}}, o)
		return err
	}
	var dense *layers.DenseLayer
	var stopping *callbacks.EarlyStopping
	for _, tc := range []struct {
		name string
		do   func() error
		want string
	}{
		{"a layer", func() error { return newModel(x.Apply(nil)) }, "the layer is nil: want a layer, such as layers.Dense(10)"},
		{"a layer's pointer", func() error { return newModel(x.Apply(dense)) }, "the layer is nil"},
		{"a layer after it", func() error { return newModel(x.Apply(nil).Apply(layers.Dense(1))) }, "errors_test.go:68: the layer is nil"},
		{"a tensor", func() error { return newModel(layers.Apply(layers.Dense(1), x, nil)) }, "input 1 is nil"},
		{"an output", func() error { return newModel(nil) }, "tensor 1 is nil"},
		{"a layer of a list", func() error { _, err := keras.NewSequential(dense); return err }, "layer 0 is nil"},
		{"a layer of a block", func() error { return newModel(x.Apply(&nilBlock{})) }, "applies a layer that is nil"},
		{"a subclassed model", func() error { _, err := keras.NewSubclassed(dense); return err }, "NewSubclassed got no layer"},
		{"an optimizer", func() error { return compile(keras.Optimizer((*optimizers.Optimizer)(nil))) }, "the optimizer is nil"},
		{"a loss's pointer", func() error { return compile(keras.Loss((*losses.Loss)(nil))) }, "the loss is nil"},
		{"a metric", func() error { return compile(keras.Metrics(nil)) }, "metric is a <nil>"},
		{"a callback", func() error { return fit(keras.Callbacks(nil)) }, "callback 0 is nil"},
		{"a callback's pointer", func() error { return fit(keras.Callbacks(&callbacks.TerminateOnNaN{}, stopping)) }, "callback 1 is nil"},
		{"output", func() error { return fit(keras.Output(nil)) }, "got no writer"},
	} {
		t.Run(tc.name, func(t *testing.T) { require.ErrorContains(t, tc.do(), tc.want) })
	}
}
