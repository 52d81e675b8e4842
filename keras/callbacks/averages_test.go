package callbacks_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/plainlog"
	"github.com/gospmd/gospmd/internal/testing/runtimetest"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/callbacks"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/optimizers"
)

// TestSwapEMAWeights requires that the callback replaces the weight of y = w·x by its average in
// evaluations, and with SwapOnEpoch at the ends of epochs. The weight goes to 0.8, 0.64, 0.512,
// 0.4096 in the four steps; its average, which each step moves by half, to 0.8, 0.72, 0.616,
// 0.5128. The model must end with the averages. An optimizer without UseEMA must be an error.
func TestSwapEMAWeights(t *testing.T) {
	weights, averages := []float32{0.64, 0.4096}, []float32{0.72, 0.5128}
	for _, onEpoch := range []bool{false, true} {
		m := line(t)
		o := optimizers.SGD(optimizers.LearningRate(0.1), optimizers.UseEMA(), optimizers.EMAMomentum(0.5))
		require.NoError(t, m.Compile(keras.Optimizer(o), keras.Loss("mse"), keras.Client(runtimetest.Open(t, 1))))
		weight := func() float32 {
			flat, err := m.Variables()[0].Value(t.Context())
			require.NoError(t, err)
			return flat.([]float32)[0]
		}
		var tested, atEnd []float32
		swap := &callbacks.SwapEMAWeights{SwapOnEpoch: onEpoch}
		seen := &callbacks.Lambda{
			TestBegin: func(context.Context, *keras.Model) error { tested = append(tested, weight()); return nil },
			EpochEnd:  func(context.Context, int, keras.Logs) error { atEnd = append(atEnd, weight()); return nil },
		}
		x, y := [][]float32{{1}, {1}}, [][]float32{{0}, {0}}
		history, err := m.Fit(t.Context(), x, y, keras.BatchSize(1), keras.Epochs(2), keras.Verbose(0),
			keras.ValidationData(x, y), keras.Callbacks(swap, seen))
		require.NoError(t, err)
		require.InDeltaSlice(t, averages, tested, 1e-6)
		want := weights
		if onEpoch {
			want = averages
		}
		require.InDeltaSlice(t, want, atEnd, 1e-6)
		require.InDelta(t, averages[1]*averages[1], history.Logs["val_loss"][1], 1e-6)
		require.InDelta(t, averages[1], weight(), 1e-6, "the model ends with the averages")
	}
	_, err := fit(t, line(t), 1, &callbacks.SwapEMAWeights{})
	require.ErrorContains(t, err, "SwapEMAWeights: the optimizer sgd keeps no averages: give it the option UseEMA")
}

// TestSwapEMAWeightsFails makes the second of two averages unreadable. The swap must fail, and the
// model must keep its weights, also when the weights are given back later.
func TestSwapEMAWeightsFails(t *testing.T) {
	x := keras.Input([]int{1})
	m, err := keras.NewModel(keras.Tensors(x), keras.Tensors(x.Apply(layers.Dense(1))))
	require.NoError(t, err)
	client := runtimetest.Open(t, 1)
	require.NoError(t, m.Compile(keras.Optimizer(optimizers.SGD(optimizers.UseEMA())), keras.Loss("mse"), keras.Client(client)))
	_, err = fit(t, m, 1)
	require.NoError(t, err)
	weights, averages := m.Optimizer().Averages()
	require.Len(t, averages, 2)
	require.NoError(t, weights[0].Assign(client, []float32{7}))
	averages[1].Array().Release()
	swap := &callbacks.SwapEMAWeights{}
	require.ErrorContains(t, swap.OnTestBegin(t.Context(), m), averages[1].Path())
	require.NoError(t, swap.OnTestEnd(t.Context(), nil))
	kernel, err := weights[0].Value(t.Context())
	require.NoError(t, err)
	require.Equal(t, []float32{7}, kernel)
}

func TestRemoteMonitor(t *testing.T) {
	var paths, bodies, kinds []string
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		text := r.PostFormValue("data")
		if text == "" {
			b, err := io.ReadAll(r.Body)
			require.NoError(t, err)
			text = string(b)
		}
		paths, bodies, kinds = append(paths, r.URL.Path), append(bodies, text), append(kinds, r.Header.Get("X-Kind"))
	}))
	_, err := fit(t, line(t), 1, &callbacks.RemoteMonitor{Root: server.URL, Headers: map[string]string{"X-Kind": "form"}},
		&callbacks.RemoteMonitor{Root: server.URL, Path: "/json", SendAsJSON: true})
	require.NoError(t, err)
	server.Close()
	require.Equal(t, []string{"/publish/epoch/end/", "/json"}, paths)
	require.Equal(t, []string{"form", ""}, kinds)
	for _, text := range bodies {
		var logs map[string]float64
		require.NoError(t, json.Unmarshal([]byte(text), &logs))
		require.Equal(t, 0., logs["epoch"])
		require.InDelta(t, 0.82, logs["loss"], 1e-6) // of 1 and 0.64
	}
	var warnings bytes.Buffer
	_, err = fit(t, line(t), 1, &callbacks.RemoteMonitor{Root: server.URL, Logger: plainlog.New(&warnings)})
	require.NoError(t, err)
	require.Contains(t, warnings.String(), "RemoteMonitor: epoch 0: Post")
}
