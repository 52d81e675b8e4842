package keras_test

// This file compares the events that callbacks get with those of Keras.

import (
	"context"
	"fmt"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/testing/tracetest"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/callbacks"
	"github.com/gospmd/gospmd/keras/layers"
)

// recorder returns a callback that appends the name of each event, with its epoch or batch, such as
// "epoch_end 0", to seen. At the end of a batch it fails unless there is just one log, or one
// output of a prediction.
func recorder(seen *[]string) *callbacks.Lambda {
	note := func(format string, args ...any) error {
		*seen = append(*seen, fmt.Sprintf(format, args...))
		return nil
	}
	of := func(name string) func(context.Context, int) error {
		return func(_ context.Context, batch int) error { return note("%s %d", name, batch) }
	}
	withLogs := func(name string) func(context.Context, int, *keras.BatchLogs) error {
		return func(ctx context.Context, batch int, logs *keras.BatchLogs) error {
			if l, err := logs.Get(ctx); err != nil || len(l) != 1 {
				return fmt.Errorf("logs %v, %w", l, err)
			}
			return note("%s %d", name, batch)
		}
	}
	begin := func(name string) func(context.Context, *keras.Model) error {
		return func(context.Context, *keras.Model) error { return note("%s", name) }
	}
	end := func(name string) func(context.Context) error {
		return func(context.Context) error { return note("%s", name) }
	}
	return &callbacks.Lambda{
		TrainBegin: begin("train_begin"), TrainEnd: end("train_end"), TrainBatchBegin: of("train_batch_begin"), TrainBatchEnd: withLogs("train_batch_end"),
		EpochBegin: of("epoch_begin"), EpochEnd: func(_ context.Context, epoch int, _ keras.Logs) error { return note("epoch_end %d", epoch) },
		TestBegin: begin("test_begin"), TestEnd: func(context.Context, keras.Logs) error { return note("test_end") },
		TestBatchBegin: of("test_batch_begin"), TestBatchEnd: withLogs("test_batch_end"),
		PredictBegin: begin("predict_begin"), PredictEnd: end("predict_end"), PredictBatchBegin: of("predict_batch_begin"), PredictBatchEnd: func(ctx context.Context, batch int, outputs *keras.BatchOutputs) error {
			if out, err := outputs.Get(ctx); err != nil || len(out) != 1 {
				return fmt.Errorf("outputs %v, %w", out, err)
			}
			return note("predict_batch_end %d", batch)
		},
	}
}

func TestEventsAgainstKeras(t *testing.T) {
	file := tracetest.ReadJSON[struct{ Events map[string][]string }](t, "testdata/reference/train_step.json")
	require.Len(t, file.Events, 2)
	for n, want := range file.Events {
		perExecution, err := strconv.Atoi(n)
		require.NoError(t, err)
		m, err := keras.NewSequential(layers.Dense(1))
		require.NoError(t, err)
		require.NoError(t, m.Compile(keras.Loss("mse"), keras.StepsPerExecution(perExecution), goEngine(t)))
		var seen []string
		opts := []keras.RunOption{keras.BatchSize(2), keras.Verbose(0), keras.Callbacks(recorder(&seen))}
		x, y := ramp(7, 2), ramp(7, 1)
		_, err = m.Fit(t.Context(), x, y, append(opts, keras.Epochs(2), keras.ValidationData(ramp(4, 2), ramp(4, 1)))...)
		require.NoError(t, err)
		_, err = m.Evaluate(t.Context(), x, y, opts...)
		require.NoError(t, err)
		_, err = m.Predict(t.Context(), x, opts...)
		require.NoError(t, err)
		require.Equal(t, want, seen, "%d steps in an execution", perExecution)
	}
}

// An error of a callback at a batch ends Evaluate and Predict, which return it.
func TestEventErrors(t *testing.T) {
	m, err := keras.NewSequential(layers.Dense(1))
	require.NoError(t, err)
	require.NoError(t, m.Compile(keras.Loss("mse"), goEngine(t)))
	refuse := func(context.Context, int) error { return fmt.Errorf("refused") }
	_, err = m.Evaluate(t.Context(), ramp(2, 2), ramp(2, 1), keras.Verbose(0), keras.Callbacks(&callbacks.Lambda{TestBatchBegin: refuse}))
	require.ErrorContains(t, err, "evaluate: refused")
	_, err = m.Predict(t.Context(), ramp(2, 2), keras.Verbose(0), keras.Callbacks(&callbacks.Lambda{PredictBatchBegin: refuse}))
	require.ErrorContains(t, err, "predict: refused")
}
