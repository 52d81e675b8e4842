package keras_test

// This file compares models with several inputs and outputs with Keras on JAX, whose runs
// benchmarks/peers/training_reference.py wrote.

import (
	"context"
	"fmt"
	"testing"

	g "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/testing/runtimetest"
	"github.com/gospmd/gospmd/internal/testing/tracetest"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/callbacks"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/losses"
	"github.com/gospmd/gospmd/keras/metrics"
	"github.com/gospmd/gospmd/keras/random"
)

// twoOutputs returns the model of these tests: inputs x [3] and z [2], outputs value [2] and group,
// a softmax of 3 classes.
func twoOutputs(t *testing.T) *keras.Model {
	t.Helper()
	x, z := keras.Input([]int{3}, layers.Name("x")), keras.Input([]int{2}, layers.Name("z"))
	hidden := layers.Apply(layers.Concatenate(), x, z).Apply(layers.Dense(4, layers.Name("hidden"), layers.Activation("tanh")))
	value := hidden.Apply(layers.Dense(2, layers.Name("value")))
	group := hidden.Apply(layers.Dense(3, layers.Name("group"), layers.Activation("softmax")))
	m, err := keras.NewModel([]*layers.Tensor{x, z}, []*layers.Tensor{value, group})
	require.NoError(t, err)
	return m
}

// arguments returns v, an argument of Keras' compile in a reference file, as the arguments of an
// option here: its elements if it is a list.
func arguments(v any) []any {
	if list, ok := v.([]any); ok {
		return list
	}
	return []any{v}
}

func TestOutputsAgainstKeras(t *testing.T) {
	file := tracetest.ReadJSON[struct {
		A, B, Value, Group any
		Weights            []any
		Start              []any
		Cases              []struct {
			Name, Weighted string
			Compile        map[string]any
			History        map[string][]float64
			Weights        []any
		}
	}](t, "testdata/reference/outputs.json")
	require.Len(t, file.Cases, 12)
	a, b, value, group := tracetest.Tensor(file.A), tracetest.Tensor(file.B), tracetest.Tensor(file.Value), tracetest.Tensor(file.Group)
	for i, tc := range file.Cases {
		meshNames := []string{""}
		if i < 6 {
			meshNames = append(meshNames, "data=2,model=4", "data=3,model=2")
		}
		for _, meshName := range meshNames {
			t.Run(fmt.Sprintf("%s, weighted %q on %q", tc.Name, tc.Weighted, meshName), func(t *testing.T) {
				onMesh(t, meshName, func(client keras.CompileOption) {
					m := twoOutputs(t)
					require.NoError(t, m.SetWeights(t.Context(), anyTensors(file.Start)...))
					opts := []keras.CompileOption{keras.Optimizer("sgd"), client, quiet}
					for key, option := range map[string]func(...any) keras.CompileOption{
						"loss": keras.Loss, "loss_weights": keras.LossWeights, "metrics": keras.Metrics, "weighted_metrics": keras.WeightedMetrics,
					} {
						if v := tc.Compile[key]; v != nil {
							opts = append(opts, option(arguments(v)...))
						}
					}
					require.NoError(t, m.Compile(opts...))
					run := []keras.RunOption{keras.BatchSize(8), keras.Epochs(3), keras.Shuffle(false), keras.Verbose(0),
						keras.ValidationData([]any{rows(a, 9), rows(b, 9)}, []any{rows(value, 9), group.Value().([]float32)[:9]})}
					weights := anyTensors(file.Weights)
					var x, y any = []any{a, b}, []any{value, group}
					if tc.Name == "by name" {
						x, y = map[string]any{"z": b, "x": a}, map[string]any{"group": group, "value": value}
					}
					switch {
					case tc.Weighted == "one":
						run = append(run, keras.SampleWeight(weights[0]))
					case tc.Weighted == "each" && tc.Name == "by name":
						run = append(run, keras.SampleWeight(map[string]any{"value": weights[0], "group": weights[1]}))
					case tc.Weighted == "each":
						run = append(run, keras.SampleWeight(weights))
					}
					history, err := m.Fit(t.Context(), x, y, run...)
					require.NoError(t, err)
					require.Len(t, history.Logs, len(tc.History))
					for name, want := range tc.History {
						require.InDeltaSlice(t, want, history.Logs[name], runtimetest.Tolerance(2e-5), name)
					}
					requireWeights(t, m, tc.Weights, runtimetest.Tolerance(1e-5))
				})
			})
		}
	}
}

// TestOutputsByName gives losses, weights, metrics and data with wrong names or numbers of outputs,
// or of wrong kinds. Each is an error that says what is wanted, and for a wrong name lists the
// right ones.
func TestOutputsByName(t *testing.T) {
	m := twoOutputs(t)
	client := keras.Client(runtimetest.Open(t, 1))
	for _, tc := range []struct {
		name string
		o    keras.CompileOption
		want string
	}{
		{"loss", keras.Loss(map[string]any{"valu": "mse"}), `got losses for an output "valu" (did you mean "value"?): the outputs are "value", "group"`},
		{"losses", keras.Loss("mse", "mse", "mse"), "got 3 losses for 2 outputs: give one for each output (nil for none), or a map by the names of the outputs"},
		{"metrics", keras.Metrics("mae"), "got 1 metrics for 2 outputs"},
		{"weights", keras.LossWeights("a", 1), "got a, a string, want numbers"},
		{"metric", keras.Metrics(map[string]any{"value": []any{"maee"}}), `unknown metric "maee"`},
	} {
		t.Run(tc.name, func(t *testing.T) { require.ErrorContains(t, m.Compile(client, keras.Loss("mse"), tc.o), tc.want) })
	}
	require.NoError(t, m.Compile(client, keras.Loss(map[string]string{"value": "mse"}), keras.Metrics(nil, metrics.SparseCategoricalAccuracy())))
	require.Equal(t, []string{"x", "z"}, m.InputNames())
	require.Equal(t, []string{"value", "group"}, m.OutputNames())
	x := map[string]any{"x": [][]float32{{1, 2, 3}}, "z": [][]float32{{1, 2}}}
	_, err := m.Fit(t.Context(), x, map[string]any{"value": [][]float32{{1, 2}}}, keras.Verbose(0))
	require.ErrorContains(t, err, `y: got nothing for "group": give all of "value", "group"`)
	_, err = m.Fit(t.Context(), map[string]any{"x": x["x"], "y": x["z"]}, nil, keras.Verbose(0))
	require.ErrorContains(t, err, `x: there is no "y" (did you mean "x"?): the names are "x", "z"`)
	_, err = m.Fit(t.Context(), x, [][]float32{{1, 2}}, keras.Verbose(0))
	require.ErrorContains(t, err, "got 1 label tensors, the model has 2 outputs")
}

// TestMetricsOfSeveralNumbers trains with metrics that have a number for each class, or for each
// threshold. Each number must have a log of its own, and a callback can watch one of them.
func TestMetricsOfSeveralNumbers(t *testing.T) {
	x := keras.Input([]int{2})
	m := model(t, x, x.Apply(layers.Dense(3, layers.Activation("softmax"))))
	require.NoError(t, m.Compile(keras.Loss("categorical_crossentropy"), keras.Metrics(metrics.F1Score(), metrics.Recall(metrics.Name("r"), metrics.Thresholds(0.2, 0.7))),
		keras.Client(runtimetest.Open(t, 1))))
	var names []string
	history, err := m.Fit(t.Context(), [][]float32{{1, 2}, {3, 4}}, [][]float32{{0, 1, 0}, {0, 0, 1}}, keras.Verbose(0), keras.Callbacks(
		&callbacks.Lambda{TrainBegin: func(_ context.Context, m *keras.Model) error { names, _ = m.Training().LogNames(); return nil }},
		&callbacks.EarlyStopping{Monitor: "f1_score_1", Mode: callbacks.Max}))
	require.NoError(t, err)
	require.Equal(t, []string{"f1_score_0", "f1_score_1", "f1_score_2", "loss", "r_0", "r_1"}, names)
	require.Len(t, history.Logs, len(names))
	for _, name := range names {
		require.Len(t, history.Logs[name], 1, name)
	}
}

func distance(yTrue, yPred *g.Node) *g.Node { return g.ReduceMean(g.Abs(g.Sub(yTrue, yPred)), -1) }

// Functions are losses and metrics: a training with a function of nodes, on weighted samples, has
// the numbers and the log names of a training with Keras' loss.
func TestFunctionsInCompile(t *testing.T) {
	var histories []map[string][]float64
	for _, f := range []any{distance, losses.MeanAbsoluteError(losses.Name("distance"))} {
		layers.ClearSession()
		random.SetRandomSeed(6)
		m := mustModel(keras.NewSequential(layers.Dense(2)))
		require.NoError(t, m.Compile(keras.Loss(f), keras.Metrics(f), keras.WeightedMetrics(f), goEngine(t), quiet))
		h, err := m.Fit(t.Context(), ramp(12, 4), ramp(12, 2), keras.SampleWeight([]float32{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}), keras.Shuffle(false), keras.Verbose(0))
		require.NoError(t, err)
		require.Contains(t, h.Logs, "distance")
		require.Contains(t, h.Logs, "weighted_distance")
		require.NotZero(t, h.Logs["loss"][0])
		require.NotEqual(t, h.Logs["distance"], h.Logs["weighted_distance"])
		histories = append(histories, h.Logs)
	}
	require.Equal(t, histories[0], histories[1])
}

// TestLabelsOfMetrics: labels that a metric cannot take are an error that names what fits.
func TestLabelsOfMetrics(t *testing.T) {
	m := mustModel(keras.NewSequential(layers.Dense(3, layers.Activation("softmax"))))
	require.NoError(t, m.Compile(keras.Loss("sparse_categorical_crossentropy"), keras.Metrics("AUC"), goEngine(t), quiet))
	_, err := m.Fit(t.Context(), ramp(6, 4), []int32{0, 1, 2, 0, 1, 2}, keras.Verbose(0))
	require.ErrorContains(t, err, "metric AUC: got labels of shape [6], the numbers of classes, and 3 predictions for each: it takes 0 or 1 for each class: make the labels one-hot")
}
