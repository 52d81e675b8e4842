package keras_test

// This file compares training with Keras on JAX, whose runs
// benchmarks/peers/training_reference.py wrote: on one device, and on meshes.

import (
	"context"
	"fmt"
	"log/slog"
	"testing"

	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/testing/longtest"
	"github.com/gospmd/gospmd/internal/testing/runtimetest"
	"github.com/gospmd/gospmd/internal/testing/tracetest"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/distribution"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/mesh"
)

func init() { runtimetest.CompileQuickly() }

// anyTensors returns a *tensors.Tensor for each of the lists, which are nested lists of numbers of
// a reference file.
func anyTensors(lists []any) []any {
	out := make([]any, len(lists))
	for i, l := range lists {
		out[i] = tracetest.Tensor(l)
	}
	return out
}

// meshesOf returns the names of the meshes on which a run of the reference is repeated; "" is one
// device. Two runs have more of them, among them one that divides nothing evenly.
func meshesOf(run string) []string {
	if run == "smaller last batch" || run == "overflow, growth" {
		return []string{"", "data=8,model=1", "data=2,model=4", "data=1,model=3"}
	}
	return []string{"", "data=2,model=4"}
}

// onMesh runs test as onEngine does, on the mesh of that name: on XLA in the long form, and in the
// short one on the Go engine, where no program takes seconds to compile.
func onMesh(t *testing.T, name string, test func(client keras.CompileOption)) {
	t.Helper()
	onEngine(t, longtest.Enabled(), name, test)
}

// onEngine calls test with an option for a client, on XLA if xla is true and otherwise on the Go
// engine. Models that test makes are distributed on the mesh of that name: batches over its axis
// data, and layers whose names end in a by columns over model. The name "" means one device.
func onEngine(t *testing.T, xla bool, name string, test func(client keras.CompileOption)) {
	t.Helper()
	open := func(devices int) keras.CompileOption {
		if !xla {
			return goEngine(t)
		}
		return keras.Client(runtimetest.Open(t, devices))
	}
	if name == "" {
		test(open(1))
		return
	}
	dm := mesh.MustParse(name)
	layouts := distribution.NewLayoutMap(dm)
	require.NoError(t, layouts.Set(".*a/kernel", distribution.None, "model"))
	require.NoError(t, layouts.Set(".*a/bias", "model"))
	d, err := distribution.NewModelParallel(layouts, "data")
	require.NoError(t, err)
	require.NoError(t, distribution.Scope(d, func() error {
		test(open(dm.Size()))
		return nil
	}))
}

func TestFitAgainstKeras(t *testing.T) {
	file := tracetest.ReadJSON[struct {
		Cases []struct {
			Name            string
			FinalActivation *string `json:"final_activation"`
			Loss            string
			Metrics         []any
			Optimizer       string
			Batch, Epochs   int
			Dropout         *float64
			X, Y            any
			Start           []any
			SampleWeight    any       `json:"sample_weight"`
			ClassWeight     []float64 `json:"class_weight"`
			WeightedMetrics []any     `json:"weighted_metrics"`
			ValidationX     any       `json:"validation_x"`
			ValidationY     any       `json:"validation_y"`
			History         map[string][]float64
			Evaluate        map[string]float64
			Predict         any
			Weights         []any
		}
	}](t, "testdata/reference/fit.json")
	for _, tc := range file.Cases {
		for _, meshName := range meshesOf(tc.Name) {
			t.Run(fmt.Sprintf("%s on %q", tc.Name, meshName), func(t *testing.T) {
				xla := longtest.Enabled() || tc.Name == "regression" || tc.Name == "dropout"
				onEngine(t, xla, meshName, func(client keras.CompileOption) {
					final := "linear"
					if tc.FinalActivation != nil {
						final = *tc.FinalActivation
					}
					x := layers.Input([]int{6})
					y := x.Apply(layers.Dense(5, layers.Name("a"), layers.Activation("relu")))
					if tc.Dropout != nil {
						y = y.Apply(layers.Dropout(*tc.Dropout, layers.Seed(7)))
					}
					y = y.Apply(layers.Dense(4, layers.Name("b"), layers.Activation(final)))
					m := model(t, x, y)
					setTrainable(t, m, tc.Start)
					require.NoError(t, m.Compile(keras.Optimizer(tc.Optimizer), keras.Loss(tc.Loss), keras.Metrics(tc.Metrics...), keras.WeightedMetrics(tc.WeightedMetrics...), client, quiet))
					opts := []keras.RunOption{keras.BatchSize(tc.Batch), keras.Epochs(tc.Epochs), keras.Shuffle(false), keras.Verbose(0)}
					if tc.ValidationX != nil {
						opts = append(opts, keras.ValidationData(tracetest.Tensor(tc.ValidationX), tracetest.Tensor(tc.ValidationY)))
					}
					evaluate := []keras.RunOption{keras.BatchSize(tc.Batch), keras.Verbose(0)}
					if tc.SampleWeight != nil {
						weights := tensors.MustCopyFlatData[float32](tracetest.Tensor(tc.SampleWeight))
						opts = append(opts, keras.SampleWeight(weights), keras.ValidationSampleWeight(weights[:20]))
						evaluate = append(evaluate, keras.SampleWeight(weights))
					}
					if tc.ClassWeight != nil {
						weights := make(map[int]float64)
						for class, w := range tc.ClassWeight {
							weights[class] = w
						}
						opts = append(opts, keras.ClassWeight(weights))
					}
					trainX, trainY := tracetest.Tensor(tc.X), tracetest.Tensor(tc.Y)
					history, err := m.Fit(t.Context(), trainX, trainY, opts...)
					require.NoError(t, err)
					require.Len(t, history.Logs, len(tc.History))
					for name, want := range tc.History {
						require.InDeltaSlice(t, want, history.Logs[name], runtimetest.Tolerance(2e-5), name)
					}
					logs, err := m.Evaluate(t.Context(), trainX, trainY, evaluate...)
					require.NoError(t, err)
					require.Len(t, logs, len(tc.Evaluate))
					for _, l := range logs {
						require.InDelta(t, tc.Evaluate[l.Name], l.Value, runtimetest.Tolerance(2e-5), l.Name)
					}
					first := rows(trainX, 3)
					predictions, err := m.Predict(t.Context(), first, keras.Verbose(0))
					require.NoError(t, err)
					tracetest.RequireClose(t, "predictions", tracetest.Tensor(tc.Predict), predictions[0], runtimetest.Tolerance(1e-5))
					if tc.Dropout == nil {
						requireWeights(t, m, tc.Weights, runtimetest.Tolerance(1e-5))
					}
				})
			})
		}
	}
}

// rows returns a copy of the first n rows of x, a float32 matrix.
func rows(x *tensors.Tensor, n int) *tensors.Tensor {
	width := x.Shape().Dimensions[1]
	return tensors.FromFlatDataAndDimensions(tensors.MustCopyFlatData[float32](x)[:n*width], n, width)
}

func model(t *testing.T, x, y *layers.Tensor) *keras.Model {
	t.Helper()
	m, err := keras.NewModel([]*layers.Tensor{x}, []*layers.Tensor{y})
	require.NoError(t, err)
	return m
}

// setTrainable sets the trainable variables of m, in their order, to values: nested lists of
// numbers of a reference file, one for each.
func setTrainable(t *testing.T, m *keras.Model, values []any) {
	t.Helper()
	vs := m.TrainableVariables()
	require.Len(t, vs, len(values))
	for i, v := range vs {
		require.NoError(t, v.Assign(nil, tensors.MustCopyFlatData[float32](tracetest.Tensor(values[i]))))
	}
}

func requireWeights(t *testing.T, m *keras.Model, want []any, tolerance float64) {
	t.Helper()
	got, err := m.Weights(context.Background())
	require.NoError(t, err)
	require.Len(t, got, len(want))
	for i := range want {
		tracetest.RequireClose(t, m.Variables()[i].Path(), tracetest.Tensor(want[i]), got[i], tolerance)
	}
}

// quiet discards warnings. Then layouts are not checked, which would take half of the tests' time.
var quiet = keras.Logger(slog.New(slog.DiscardHandler))
