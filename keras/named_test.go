package keras_test

// This file compares a model whose inputs and outputs have names of their own with Keras'
// model of dicts, whose runs benchmarks/peers/training_reference.py wrote.

import (
	"context"
	"maps"
	"testing"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/testing/runtimetest"
	"github.com/gospmd/gospmd/internal/testing/tracetest"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/callbacks"
	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/keras/layers"
)

// dictModel returns the model of these tests, not compiled. Its inputs are right (2 numbers) and
// left (3 numbers). Its outputs are tag, three shares of the layer group, and amount, two numbers
// of the layer value.
func dictModel(t *testing.T) *keras.Model {
	t.Helper()
	left, right := keras.Input([]int{3}, layers.Name("left")), keras.Input([]int{2}, layers.Name("right"))
	hidden := layers.Apply(layers.Concatenate(), left, right).Apply(layers.Dense(4, layers.Name("hidden"), layers.Activation("tanh")))
	value := hidden.Apply(layers.Dense(2, layers.Name("value")))
	group := hidden.Apply(layers.Dense(3, layers.Name("group"), layers.Activation("softmax")))
	m, err := keras.NewModel(keras.Tensors(right, left), keras.Tensors(group, value),
		keras.Name("dicts"), keras.InputNames("right", "left"), keras.OutputNames("tag", "amount"))
	require.NoError(t, err)
	return m
}

// tensorsOf returns the tensors of file, a map of names to nested lists of numbers as JSON has
// them, by the same names.
func tensorsOf(file map[string]any) map[string]any {
	out := make(map[string]any, len(file))
	for name, v := range file {
		out[name] = tracetest.Tensor(v)
	}
	return out
}

func TestDictsAgainstKeras(t *testing.T) {
	file := tracetest.ReadJSON[struct {
		X, Y, Weights map[string]any
		Start         []any
		Cases         map[string]struct {
			History     map[string][]float64
			Weights     []any
			Predictions map[string]any
		}
	}](t, "testdata/reference/named.json")
	require.Len(t, file.Cases, 2)
	x, y, weights := tensorsOf(file.X), tensorsOf(file.Y), tensorsOf(file.Weights)
	for name, want := range file.Cases {
		for _, meshName := range []string{"", "data=2,model=4", "data=3,model=2"} {
			t.Run(name+" on "+meshName, func(t *testing.T) {
				onMesh(t, meshName, func(client keras.CompileOption) {
					m := dictModel(t)
					require.Equal(t, "dicts", m.Name())
					require.Equal(t, []string{"amount", "tag"}, m.OutputNames(), "Keras sorts the values of a dict")
					require.NoError(t, m.SetWeights(t.Context(), anyTensors(file.Start)...))
					require.NoError(t, m.Compile(keras.Optimizer("sgd"), client, quiet, keras.LossWeights(map[string]any{"amount": .5, "tag": 2}),
						keras.Loss(map[string]any{"amount": "mse", "tag": "sparse_categorical_crossentropy"}),
						keras.Metrics(map[string]any{"tag": "accuracy"}), keras.WeightedMetrics(map[string]any{"amount": "mae"})))
					run := []keras.RunOption{keras.Epochs(2), keras.Shuffle(false), keras.Verbose(0)}
					var history *keras.History
					var err error
					if name == "dataset" {
						history, err = m.Fit(t.Context(), data.FromTensorSlices(x, y, weights).Batch(8), nil, run...)
					} else {
						history, err = m.Fit(t.Context(), x, y, append(run, keras.BatchSize(8), keras.SampleWeight(weights))...)
					}
					require.NoError(t, err)
					require.Len(t, history.Logs, len(want.History))
					for log, values := range want.History {
						require.InDeltaSlice(t, values, history.Logs[log], runtimetest.Tolerance(2e-5), log)
					}
					requireWeights(t, m, want.Weights, runtimetest.Tolerance(1e-5))
					out, err := m.Predict(t.Context(), x, keras.Verbose(0))
					require.NoError(t, err)
					for output, got := range m.Named(out) {
						require.InDeltaSlice(t, flat32(t, tracetest.Tensor(want.Predictions[output])), flat32(t, got), runtimetest.Tolerance(1e-5), output)
					}
				})
			})
		}
	}
}

func flat32(t *testing.T, x *tensors.Tensor) []float32 {
	t.Helper()
	flat, err := data.Floats(x)
	require.NoError(t, err)
	return flat
}

// TestNamesOfBatches trains on datasets whose names do not fit the inputs or outputs. The errors
// must list the names, and suggest the one that is meant. Labels of an output without a loss may be
// missing. InputNames, OutputNames and Name that do not fit are errors.
func TestNamesOfBatches(t *testing.T) {
	m := dictModel(t)
	require.NoError(t, m.Compile(keras.Loss("mse", nil), keras.Client(runtimetest.Open(t, 1)), quiet))
	x := map[string]any{"left": [][]float32{{1, 2, 3}}, "right": [][]float32{{1, 2}}}
	amount := map[string]any{"amount": [][]float32{{1, 2}}}
	fit := func(x, y any) error {
		_, err := m.Fit(t.Context(), data.FromTensorSlices(x, y).Batch(1), nil, keras.Verbose(0))
		return err
	}
	require.NoError(t, fit(x, amount), "tag has no loss")
	wrong := maps.Clone(x)
	delete(wrong, "left")
	require.ErrorContains(t, fit(wrong, amount), `batch 0: x: got nothing for "left": give all of "left", "right"`)
	wrong["lefd"] = x["left"]
	require.ErrorContains(t, fit(wrong, amount), `batch 0: x: there is no "lefd" (did you mean "left"?): the names are "left", "right"`)

	in := keras.Input([]int{2})
	for _, tc := range []struct {
		o    keras.ModelOption
		want string
	}{
		{keras.InputNames("a", "b"), "InputNames: got 2 names for 1 tensors: want one for each"},
		{keras.OutputNames(""), `OutputNames: got the name "" for tensor 0`},
		{keras.Name("a/b"), `Name: got "a/b", want a name without "/"`},
	} {
		_, err := keras.NewModel(keras.Tensors(in), keras.Tensors(in.Apply(layers.Dense(1))), tc.o)
		require.ErrorContains(t, err, tc.want)
	}
}

// watched is a layer of a user's own that returns its input, and adds the mean of its squares as a
// metric called Log.
type watched struct {
	layers.Base
	Log string
}

func (l *watched) Call(c *layers.Context, in []*graph.Node) []*graph.Node {
	c.AddMetric(l.Log, c.Tensor(graph.ReduceAllMean(graph.Square(in[0]))))
	return in
}

// TestAddMetric lets a layer add a metric. It must be logged in training, validation and
// evaluation, and a callback can watch it, also in a model that its first batch builds. Two layers
// that add metrics of one name are an error of Compile.
func TestAddMetric(t *testing.T) {
	x := keras.Input([]int{2})
	inner, err := keras.NewSequential(&watched{Log: "energy"})
	require.NoError(t, err)
	m := model(t, x, x.Apply(inner.AsLayer()).Apply(layers.Dense(1)))
	require.NoError(t, m.Compile(keras.Loss("mse"), keras.Client(runtimetest.Open(t, 1))))
	xs, ys := [][]float32{{1, 1}, {1, 3}, {2, 2}, {2, 2}}, [][]float32{{1}, {2}, {3}, {4}}
	history, err := m.Fit(t.Context(), xs, ys, keras.BatchSize(2), keras.Epochs(3), keras.Shuffle(false), keras.Verbose(0),
		keras.ValidationData(xs[:2], ys[:2]), keras.Callbacks(&callbacks.EarlyStopping{Monitor: "val_energy", Mode: callbacks.Min, Patience: 1}))
	require.NoError(t, err)
	require.Equal(t, []float64{3.5, 3.5}, history.Logs["energy"], "the mean of 3 and 4; stopped in epoch 1")
	require.Equal(t, []float64{3, 3}, history.Logs["val_energy"])

	// is built by its first batch
	late, err := keras.NewSequential(&watched{Log: "energy"}, layers.Dense(1))
	require.NoError(t, err)
	require.NoError(t, late.Compile(keras.Loss("mse"), goEngine(t)))
	history, err = late.Fit(t.Context(), xs, ys, keras.BatchSize(2), keras.Shuffle(false), keras.Verbose(0))
	require.NoError(t, err)
	require.Equal(t, []float64{3.5}, history.Logs["energy"])

	y := x.Apply(&watched{Log: "energy"}).Apply(&watched{Log: "energy"})
	twice, err := keras.NewModel(keras.Tensors(x), keras.Tensors(y))
	require.NoError(t, err)
	require.ErrorContains(t, twice.Compile(keras.Loss("mse")), `layer watched_3: AddMetric: there is a log "energy" already: give it another name, such as "watched_3_energy"`)
}

// total is a layer of a user's own that computes one number for a whole batch: the sum of its
// elements.
type total struct{ layers.Base }

func (*total) Call(_ *layers.Context, in []*graph.Node) []*graph.Node {
	return []*graph.Node{graph.ReduceAllSum(in[0])}
}

// TestPredictNumber predicts with a model whose output is one number for a whole batch. One batch
// gives the number; several are an error.
func TestPredictNumber(t *testing.T) {
	x := keras.Input([]int{2})
	m := model(t, x, x.Apply(&total{}))
	require.NoError(t, m.Compile(keras.Client(runtimetest.Open(t, 1))))
	xs := [][]float32{{1, 2}, {3, 4}}
	out, err := m.PredictOnBatch(t.Context(), xs)
	require.NoError(t, err)
	require.Equal(t, float32(10), out[0].Value())
	_, err = m.Predict(t.Context(), xs, keras.BatchSize(1), keras.Verbose(0))
	require.ErrorContains(t, err, "output 0 is one number for each batch, not for each sample, so the 2 batches do not fit into one tensor")
}

// TestBatchOutputs requires that callbacks of Predict get the outputs of each batch, also in
// executions of several steps.
func TestBatchOutputs(t *testing.T) {
	for steps, want := range map[int][][][]float32{1: {{{2}, {4}}, {{6}, {8}}, {{10}}}, 2: {{{2}, {4}, {6}, {8}}, {{10}}}} {
		x := keras.Input([]int{1})
		m := model(t, x, x.Add(x))
		require.NoError(t, m.Compile(keras.Client(runtimetest.Open(t, 1)), keras.StepsPerExecution(steps)))
		var seen [][][]float32
		out, err := m.Predict(t.Context(), [][]float32{{1}, {2}, {3}, {4}, {5}}, keras.BatchSize(2), keras.Verbose(0), keras.Callbacks(&callbacks.Lambda{
			PredictBatchEnd: func(ctx context.Context, _ int, outputs *keras.BatchOutputs) error {
				got, err := outputs.Get(ctx)
				if err == nil {
					seen = append(seen, got[0].Value().([][]float32))
				}
				return err
			}}))
		require.NoError(t, err)
		require.Equal(t, want, seen)
		require.Equal(t, [][]float32{{2}, {4}, {6}, {8}, {10}}, out[0].Value())
	}
}
