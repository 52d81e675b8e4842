package keras_test

// This file compares trainings with regularizers and constraints with Keras on JAX, whose
// runs benchmarks/peers/training_reference.py wrote.

import (
	"strings"
	"testing"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/testing/runtimetest"
	"github.com/gospmd/gospmd/internal/testing/tracetest"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/constraints"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/optimizers"
	"github.com/gospmd/gospmd/keras/regularizers"
)

// limitOption returns the option of a layer, named by key as in Keras, for the regularizer or the
// constraint that given describes by its class and config.
func limitOption(t *testing.T, key string, given []any) layers.Option {
	t.Helper()
	class, config := given[0].(string), given[1].(map[string]any)
	if strings.HasSuffix(key, "constraint") {
		c, err := constraints.FromConfig(class, config)
		require.NoError(t, err)
		return map[string]func(any) layers.Option{"kernel_constraint": layers.KernelConstraint, "bias_constraint": layers.BiasConstraint}[key](c)
	}
	r, err := regularizers.FromConfig(class, config)
	require.NoError(t, err)
	return map[string]func(any) layers.Option{
		"kernel_regularizer": layers.KernelRegularizer, "bias_regularizer": layers.BiasRegularizer, "activity_regularizer": layers.ActivityRegularizer,
	}[key](r)
}

func TestPenaltiesAgainstKeras(t *testing.T) {
	file := tracetest.ReadJSON[struct {
		X, Y  any
		Start []any
		Cases []struct {
			Name     string
			Options  map[string][]any
			Losses   []float64
			Evaluate float64
			Weights  []any
		}
	}](t, "testdata/reference/limits.json")
	require.Len(t, file.Cases, 7)
	for _, tc := range file.Cases {
		for _, meshName := range []string{"", "data=2,model=4", "data=3,model=2"} {
			t.Run(tc.Name+" on "+meshName, func(t *testing.T) {
				onMesh(t, meshName, func(client keras.CompileOption) {
					opts := []layers.Option{layers.Name("a"), layers.Activation("tanh")}
					for key, given := range tc.Options {
						opts = append(opts, limitOption(t, key, given))
					}
					x := layers.Input([]int{4})
					m := model(t, x, x.Apply(layers.Dense(3, opts...)).Apply(layers.Dense(2, layers.Name("b"))))
					require.NoError(t, m.SetWeights(t.Context(), anyTensors(file.Start)...))
					require.NoError(t, m.Compile(keras.Optimizer(optimizers.SGD(optimizers.LearningRate(0.1), optimizers.Momentum(0.9))), keras.Loss("mse"), client, quiet))
					history, err := m.Fit(t.Context(), tracetest.Tensor(file.X), tracetest.Tensor(file.Y), keras.BatchSize(4), keras.Epochs(3), keras.Shuffle(false), keras.Verbose(0))
					require.NoError(t, err)
					require.InDeltaSlice(t, tc.Losses, history.Logs["loss"], 5e-6)
					logs, err := m.Evaluate(t.Context(), tracetest.Tensor(file.X), tracetest.Tensor(file.Y), keras.BatchSize(4), keras.Verbose(0))
					require.NoError(t, err)
					loss, _ := logs.Get("loss")
					require.InDelta(t, tc.Evaluate, loss, 5e-6)
					requireWeights(t, m, tc.Weights, runtimetest.Tolerance(1e-5))
				})
			})
		}
	}
}

// halved is a layer of a user's own that returns its input, and adds half of the sum of its
// elements to the loss.
type halved struct{ layers.Base }

func (l *halved) Call(c *layers.Context, in []*graph.Node) []*graph.Node {
	c.AddLoss(c.Tensor(graph.MulScalar(graph.ReduceAllSum(in[0]), 0.5)))
	return in
}

// The loss that TestOnBatch returns contains what a layer adds to the loss.
func TestAddLoss(t *testing.T) {
	x := layers.Input([]int{2})
	m := model(t, x, x.Apply(&halved{}))
	require.NoError(t, m.Compile(keras.Loss("mse"), keras.Client(runtimetest.Open(t, 1))))
	logs, err := m.TestOnBatch(t.Context(), [][]float32{{1, 2}, {3, 4}}, [][]float32{{1, 2}, {3, 4}})
	require.NoError(t, err)
	loss, _ := logs.Get("loss")
	require.Equal(t, 5.0, loss)
}
