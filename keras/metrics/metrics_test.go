package metrics_test

import (
	"fmt"
	"testing"

	"github.com/gomlx/compute/dtypes"
	g "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/internal/testing/optiontest"
	"github.com/gospmd/gospmd/internal/testing/runtimetest"
	"github.com/gospmd/gospmd/internal/testing/tracetest"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/keras/losses"
	"github.com/gospmd/gospmd/keras/metrics"
	"github.com/gospmd/gospmd/keras/variable"
	"github.com/gospmd/gospmd/runtime"
	"github.com/gospmd/gospmd/trace"
)

func init() { runtimetest.CompileQuickly() }

// TestKeras updates metrics with some batches, in 153 cases. After each batch the result must equal
// that of Keras on JAX up to 2e-6, which benchmarks/peers/training_reference.py wrote.
func TestKeras(t *testing.T) {
	file := tracetest.ReadJSON[struct {
		Cases []struct {
			Name    string
			Params  map[string]any
			Results []any
			Batches []struct {
				YTrue        any `json:"y_true"`
				YPred        any `json:"y_pred"`
				SampleWeight any `json:"sample_weight"`
			}
		}
	}](t, "../testdata/reference/metrics.json")
	tested := 0
	for i, tc := range file.Cases {
		tested++
		t.Run(fmt.Sprintf("%d %s %v", i, tc.Name, tc.Params), func(t *testing.T) {
			metric, err := metrics.FromConfig(tc.Name, tc.Params)
			require.NoError(t, err)
			shape := func(v any) []int { return tracetest.Tensor(v).Shape().Dimensions }
			require.NoError(t, metric.Build(metric.Name(), nil, shape(tc.Batches[0].YTrue), shape(tc.Batches[0].YPred)))
			var inputs []*tensors.Tensor
			for _, b := range tc.Batches {
				inputs = append(inputs, tracetest.Tensor(b.YTrue), tracetest.Tensor(b.YPred))
				if b.SampleWeight != nil {
					inputs = append(inputs, tracetest.Tensor(b.SampleWeight))
				}
			}
			perBatch := len(inputs) / len(tc.Batches)
			results := run(t, runtimetest.OpenSample(t, 1, i%8 == 0), inputs, func(s *variable.StatelessScope, in []*g.Node) []*g.Node {
				var results []*g.Node
				for ; len(in) > 0; in = in[perBatch:] {
					var weights *g.Node
					if perBatch == 3 {
						weights = in[2]
					}
					metric.Update(s, in[0], in[1], weights)
					results = append(results, metric.Result(s))
				}
				return results
			})
			for i, want := range tc.Results {
				tracetest.RequireClose(t, fmt.Sprint("batch ", i), tracetest.Tensor(want), results[i], 2e-6)
			}
		})
	}
	require.Equal(t, 153, tested)
}

// run computes the float32 values that build returns for these inputs on a client, and returns them
// in that order. in has the inputs; variables that build reads by s begin as 0.
func run(t *testing.T, client *runtime.Client, inputs []*tensors.Tensor, build func(s *variable.StatelessScope, in []*g.Node) []*g.Node) []*tensors.Tensor {
	t.Helper()
	m, err := trace.Record("metric", nil, func(r *trace.Recorder) ([]trace.Output, error) {
		in := make([]*g.Node, len(inputs))
		for i, x := range inputs {
			in[i] = r.Param(fmt.Sprintf("x%d", i), ir.Tensor(x.DType(), x.Shape().Dimensions...), nil)
		}
		var out []trace.Output
		for i, n := range build(variable.NewScope(r), in) {
			out = append(out, trace.Output{Name: fmt.Sprintf("y%d", i), Node: n})
		}
		return out, nil
	})
	require.NoError(t, err)
	p, err := compile.Compile(t.Context(), m, compile.Options{})
	require.NoError(t, err)
	exe, err := client.Load(t.Context(), p)
	require.NoError(t, err)
	args := make([]*runtime.Array, len(p.Inputs))
	for i, info := range p.Inputs {
		flat := dtypes.MakeAnySlice(info.Type.DType, info.Type.Size())
		if i < len(inputs) {
			require.NoError(t, inputs[i].ConstFlatData(func(values any) { flat = values }))
		}
		args[i], err = client.Put(info.Type, nil, flat)
		require.NoError(t, err)
	}
	results, err := exe.Run(args...)
	require.NoError(t, err)
	out := make([]*tensors.Tensor, len(results))
	for i, r := range results {
		flat, err := r.Get(t.Context())
		require.NoError(t, err)
		out[i] = tensors.FromFlatDataAndDimensions(flat.([]float32), r.Type().Dims...)
	}
	return out
}

func TestAccuracyByShape(t *testing.T) {
	for _, tc := range []struct {
		name        string
		yTrue       any
		yPred       [][]float32
		want        float32
		description string
	}{
		{"one column", [][]float32{{1}}, [][]float32{{0.7}}, 1, "binary"},
		{"class numbers", []int32{1}, [][]float32{{0.2, 0.8}}, 1, "sparse categorical"},
		{"class numbers in a column", [][]int32{{0}}, [][]float32{{0.2, 0.8}}, 0, "sparse categorical"},
		{"one-hot", [][]float32{{0, 1}}, [][]float32{{0.2, 0.8}}, 1, "categorical"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			yTrue, err := tensors.FromAnyValue(tc.yTrue)
			require.NoError(t, err)
			yPred := tensors.FromValue(tc.yPred)
			m, err := metrics.Get("accuracy", yTrue.Shape().Dimensions, yPred.Shape().Dimensions)
			require.NoError(t, err)
			require.Equal(t, "accuracy", m.Name())
			require.NoError(t, m.Build("accuracy", nil, yTrue.Shape().Dimensions, yPred.Shape().Dimensions))
			out := run(t, runtimetest.Open(t, 1), []*tensors.Tensor{yTrue, yPred}, func(s *variable.StatelessScope, in []*g.Node) []*g.Node {
				m.Update(s, in[0], in[1], nil)
				return []*g.Node{m.Result(s)}
			})
			require.Equal(t, tc.want, tensors.MustCopyFlatData[float32](out[0])[0], tc.description)
		})
	}
}

// There must be at least 28 functions that return an Option. Each has a name that is a field of the
// options of some class, so that a metric takes it.
func TestEveryOptionIsTaken(t *testing.T) { optiontest.RequireTaken(t, 28, metrics.AnyTakes) }

func TestErrors(t *testing.T) {
	require.ErrorContains(t, metrics.Check("acuracy"), `unknown metric "acuracy": want a metrics.Metric, a losses.Loss, a function or a name of metrics.Names; did you mean "accuracy"`)
	require.ErrorContains(t, metrics.Check(1.5), "metric is a float64")
	for _, m := range []any{metrics.Mean(), metrics.Sum(), "mean", "Sum"} {
		require.ErrorContains(t, metrics.Check(m), "takes values, not labels and predictions, as in Keras: give a function")
	}
	_, err := metrics.Get(metrics.Mean(), nil, nil)
	require.NoError(t, err, "a step of one's own updates it with values")
	require.ErrorContains(t, metrics.Check("MeanIoU"), "metric MeanIoU takes an argument: give metrics.MeanIoU(numClasses) instead of the name")
	require.ErrorContains(t, metrics.Check(metrics.AUC(metrics.Curve("roc"))), `AUC: Curve: got "roc" (did you mean "ROC"?), want one of ["ROC" "PR" "PRGAIN"]`)
	require.ErrorContains(t, metrics.Check(metrics.Recall(metrics.K(3))), "Recall takes no option K: it takes Name, Thresholds, TopK, ClassID")
	require.ErrorContains(t, metrics.Check(metrics.IoU(2, []int{2})), "got the target class 2, want one below the number of classes, 2")
	require.ErrorContains(t, metrics.F1Score().Build("f1", nil, []int{4}, []int{4}), "metric f1_score: labels have shape [4]")
	require.ErrorContains(t, metrics.Check(metrics.Func(nil)), "metric is a function that is nil")
}

// Functions that change the state of a metric panic with an error that says what to call, if the
// metric is of another kind or not built.
func TestUpdateErrors(t *testing.T) {
	values := func(m *metrics.Metric, s *variable.StatelessScope, x *g.Node) { m.UpdateValues(s, x, nil) }
	labels := func(m *metrics.Metric, s *variable.StatelessScope, x *g.Node) { m.Update(s, x, x, nil) }
	mean := func(m *metrics.Metric, s *variable.StatelessScope, x *g.Node) { m.UpdateMean(s, g.ReduceAllMean(x), 2) }
	for _, tc := range []struct {
		metric *metrics.Metric
		update func(*metrics.Metric, *variable.StatelessScope, *g.Node)
		want   string
	}{
		{metrics.Mean(), labels, "metric Mean takes values, not labels and predictions, as in Keras: give a function"},
		{metrics.Sum(), labels, "metric Sum takes values"},
		{metrics.Sum(), mean, `metric sum has no "count" in its state, but total: UpdateValues is for a Mean or a Sum`},
		{metrics.Recall(metrics.Name("recall")), values, `metric recall has no "total" in its state, but true_positives, false_negatives`},
	} {
		require.NoError(t, tc.metric.Build("m", nil, []int{2}, []int{2}))
		run(t, runtimetest.Open(t, 1), []*tensors.Tensor{tensors.FromValue([]float32{1, 0})}, func(s *variable.StatelessScope, in []*g.Node) []*g.Node {
			requirePanics(t, tc.want, func() { tc.update(tc.metric, s, in[0]) })
			return in
		})
	}
	requirePanics(t, "metric mean has no state: call Build first", func() { metrics.Mean().Result(nil) })
}

// requirePanics fails the test unless f panics with an error that contains want.
func requirePanics(t *testing.T, want string, f func()) {
	t.Helper()
	defer func() {
		t.Helper()
		err, _ := recover().(error)
		require.ErrorContains(t, err, want)
	}()
	f()
}

// An AUC refuses predictions of another number of labels than its options say.
func TestNumLabels(t *testing.T) {
	both := []metrics.Option{metrics.MultiLabel(), metrics.Name("auc")}
	three, weights := metrics.AUC(append(both, metrics.NumLabels(3))...), metrics.LabelWeights(1, 2, 3)
	require.NoError(t, three.Build("auc", nil, []int{4, 3}, []int{4, 3}))
	require.EqualError(t, three.Build("auc", nil, []int{4, 2}, []int{4, 2}), "metric auc: predictions have shape [4 2], want 3 labels, the number that NumLabels says")
	for _, m := range []*metrics.Metric{metrics.AUC(append(both, weights)...), metrics.AUC(weights)} {
		require.NoError(t, m.Build("auc", nil, []int{4, 3}, []int{4, 3}))
		require.ErrorContains(t, m.Build("auc", nil, []int{4, 2}, []int{4, 2}), "predictions have shape [4 2], want 3 labels, as many as LabelWeights has")
	}
}

// TestLabels: class numbers given to metrics of one-hot labels, and the other way around, are
// errors that name what fits.
func TestLabels(t *testing.T) {
	for _, tc := range []struct {
		metric              *metrics.Metric
		labels, predictions []int
		want                string
	}{
		{metrics.AUC(metrics.Name("auc")), []int{4}, []int{-1, 3}, "metric auc: got labels of shape [4], the numbers of classes, and 3 predictions for each: it takes 0 or 1 for each class: make the labels one-hot by utils.ToCategorical"},
		{metrics.F1Score(), []int{4, 1}, []int{-1, 3}, "metric f1_score: got labels of shape [4 1], the numbers of classes, and 3 predictions for each: it takes 0 or 1 for each class: make the labels one-hot by utils.ToCategorical"},
		{metrics.CategoricalAccuracy(), []int{4, 5}, []int{-1, 5, 3}, "or use SparseCategoricalAccuracy"},
		{metrics.SparseCategoricalAccuracy(), []int{4, 3}, []int{-1, 3}, "got one-hot labels of shape [4 3]: it takes the numbers of classes: use CategoricalAccuracy"},
		{metrics.AUC(), []int{4}, []int{-1, 1}, ""},
		{metrics.AUC(), []int{4, 3}, []int{-1, 3}, ""},
		{metrics.SparseCategoricalAccuracy(), []int{4, 1}, []int{-1, 3}, ""},
		{metrics.MeanSquaredError(), []int{4}, []int{-1, 3}, ""}, // the loss says what does not fit
	} {
		err := tc.metric.Build("m", nil, tc.labels, tc.predictions)
		if tc.want == "" {
			require.NoError(t, err, tc.metric.Name())
		} else {
			require.ErrorContains(t, err, tc.want)
		}
	}
}

type scores struct{}

func (scores) TopError(yTrue, yPred *g.Node) *g.Node { return g.Sub(yTrue, yPred) }

func meanGap(yTrue, yPred *g.Node) *g.Node { return g.Sub(yTrue, yPred) }

// TestFunctions requires that functions, methods and losses are metrics, too. A function or method
// has the name of the Go function in snake case, one without a name is "metric", and a loss keeps
// its name.
func TestFunctions(t *testing.T) {
	for _, tc := range []struct {
		metric any
		name   string
	}{
		{meanGap, "mean_gap"},
		{metrics.Func(meanGap), "mean_gap"},
		{scores{}.TopError, "top_error"},
		{func(yTrue, yPred *g.Node) *g.Node { return yPred }, "metric"},
		{losses.MeanSquaredError(), "mean_squared_error"},
	} {
		require.NoError(t, metrics.Check(tc.metric))
		m, err := metrics.Get(tc.metric, nil, nil)
		require.NoError(t, err)
		require.Equal(t, tc.name, m.Name())
	}
}

func Example() {
	m, err := metrics.Get("acc", []int{32}, []int{32, 10})
	fmt.Println(m.Name(), err)
	// Output: acc <nil>
}

// TestConfig makes each metric of Keras again from its config, as a file holds it. Name and config
// must stay the same.
func TestConfig(t *testing.T) {
	for _, name := range metrics.Names() {
		m, err := metrics.Get(name, []int{4, 3}, []int{4, 3})
		require.NoError(t, err)
		class, config := m.Config()
		again, err := metrics.FromConfig(class, config)
		require.NoError(t, err, name)
		require.Equal(t, name, again.Name())
		_, same := again.Config()
		require.Equal(t, config, same)
	}
	class, _ := metrics.New("accuracy", nil).Config()
	require.Empty(t, class, "a metric of one's own has no class in Keras")
}
