package metrics_test

import (
	"fmt"
	"testing"

	g "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/keras/losses"
	"github.com/gospmd/gospmd/keras/metrics"
	"github.com/gospmd/gospmd/keras/variable"
	"github.com/gospmd/gospmd/runtime"
	"github.com/gospmd/gospmd/runtime/runtimetest"
	"github.com/gospmd/gospmd/trace"
	"github.com/gospmd/gospmd/trace/tracetest"
)

// TestKeras compares the mean of a metric's values over growing numbers of
// samples with what Keras on JAX reports after each batch;
// benchmarks/peers/training_reference.py wrote the file.
func TestKeras(t *testing.T) {
	file := tracetest.ReadJSON[struct {
		Cases []struct {
			Name    string
			Params  map[string]any
			Results []float64
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
			metric := newMetric(t, tc.Name, tc.Params, tracetest.Tensor(tc.Batches[0].YTrue), tracetest.Tensor(tc.Batches[0].YPred))
			require.NoError(t, metric.Build(nil))
			var inputs []*tensors.Tensor
			for _, b := range tc.Batches {
				inputs = append(inputs, tracetest.Tensor(b.YTrue), tracetest.Tensor(b.YPred))
				if b.SampleWeight != nil {
					inputs = append(inputs, tracetest.Tensor(b.SampleWeight))
				}
			}
			perBatch := len(inputs) / len(tc.Batches)
			results := run(t, inputs, func(s *variable.StatelessScope, in []*g.Node) []*g.Node {
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
			require.InDeltaSlice(t, tc.Results, results, 1e-6)
		})
	}
	require.Equal(t, 28, tested)
}

// run returns the scalars that build computes; variables that it reads are 0.
func run(t *testing.T, inputs []*tensors.Tensor, build func(s *variable.StatelessScope, in []*g.Node) []*g.Node) []float64 {
	t.Helper()
	client := runtimetest.Open(t, 1)
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
	p, err := compile.Compile(m, compile.Options{})
	require.NoError(t, err)
	exe, err := client.Load(t.Context(), p)
	require.NoError(t, err)
	args := make([]*runtime.Array, len(p.Inputs))
	for i, info := range p.Inputs {
		flat := any(make([]float32, info.Type.Size()))
		if i < len(inputs) {
			flat = tensors.MustCopyFlatData[float32](inputs[i])
		}
		args[i], err = client.Put(info.Type, nil, flat)
		require.NoError(t, err)
	}
	results, err := exe.Run(args...)
	require.NoError(t, err)
	out := make([]float64, len(results))
	for i, r := range results {
		flat, err := r.Get(t.Context())
		require.NoError(t, err)
		out[i] = float64(flat.([]float32)[0])
	}
	return out
}

// newMetric makes a metric of the reference file.
func newMetric(t *testing.T, name string, params map[string]any, yTrue, yPred *tensors.Tensor) *metrics.Metric {
	t.Helper()
	switch {
	case name == "Accuracy":
		return metrics.New("accuracy", metrics.Accuracy)
	case params["threshold"] != nil:
		return metrics.New("m", metrics.BinaryAccuracyAt(params["threshold"].(float64)))
	case params["from_logits"] == true:
		return metrics.New("m", losses.CategoricalCrossentropy(losses.FromLogits()).Call)
	case name == "TopKCategoricalAccuracy":
		return metrics.New("m", metrics.TopKCategoricalAccuracy(int(params["k"].(float64))))
	case name == "SparseTopKCategoricalAccuracy":
		return metrics.New("m", metrics.SparseTopKCategoricalAccuracy(int(params["k"].(float64))))
	}
	m, err := metrics.Get(name, yTrue.Shape().Dimensions, yPred.Shape().Dimensions)
	require.NoError(t, err)
	return m
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
			out := tracetest.Run(t, func(in []*g.Node) []*g.Node { return []*g.Node{m.Values(in[0], in[1])} }, yTrue, yPred)
			require.Equal(t, tc.want, tensors.MustCopyFlatData[float32](out[0])[0], tc.description)
		})
	}
}

func TestErrors(t *testing.T) {
	require.ErrorContains(t, metrics.Check("acuracy"), `unknown metric "acuracy" (did you mean "accuracy"?)`)
	require.ErrorContains(t, metrics.Check(1.5), "metric is a float64")
	require.NoError(t, metrics.Check(metrics.Mean("m")))
}

func Example() {
	m, err := metrics.Get("acc", []int{32}, []int{32, 10})
	fmt.Println(m.Name(), err)
	// Output: acc <nil>
}
