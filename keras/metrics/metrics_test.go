package metrics_test

import (
	"encoding/json"
	"fmt"
	"os"
	"testing"

	g "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/tracetest"
	"github.com/gospmd/gospmd/keras/metrics"
)

// TestKeras compares the mean of a metric's values over growing numbers of
// samples with what Keras on JAX reports after each batch;
// benchmarks/peers/training_reference.py wrote the file.
func TestKeras(t *testing.T) {
	text, err := os.ReadFile("../testdata/reference/metrics.json")
	require.NoError(t, err)
	var file struct {
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
	}
	require.NoError(t, json.Unmarshal(text, &file))
	tested := 0
	for i, tc := range file.Cases {
		if len(tc.Params) > 0 || tc.Batches[0].SampleWeight != nil || metrics.Check(tc.Name) != nil {
			continue
		}
		tested++
		t.Run(fmt.Sprintf("%d %s", i, tc.Name), func(t *testing.T) {
			sum, count := 0.0, 0
			for b, batch := range tc.Batches {
				yTrue, yPred := tracetest.Tensor(batch.YTrue), tracetest.Tensor(batch.YPred)
				metric, err := metrics.Get(tc.Name, yTrue.Shape().Dimensions, yPred.Shape().Dimensions)
				require.NoError(t, err)
				out := tracetest.Run(t, func(in []*g.Node) []*g.Node { return []*g.Node{metric.Values(in[0], in[1])} }, yTrue, yPred)
				values := tensors.MustCopyFlatData[float32](out[0])
				samples := yPred.Shape().Dimensions[0]
				for _, v := range values {
					sum += float64(v) / float64(len(values)/samples)
				}
				count += samples
				require.InDelta(t, tc.Results[b], sum/float64(count), 1e-6, "after batch %d", b)
			}
		})
	}
	require.Equal(t, 8, tested)
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
	require.ErrorContains(t, metrics.Check("acuracy"), `unknown metric "acuracy"`)
	require.ErrorContains(t, metrics.Check(1.5), "metric is a float64")
	require.NoError(t, metrics.Check(metrics.Mean("m")))
}

func Example() {
	m, err := metrics.Get("acc", []int{32}, []int{32, 10})
	fmt.Println(m.Name(), err)
	// Output: acc <nil>
}
