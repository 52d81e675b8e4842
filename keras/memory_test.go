package keras_test

import (
	"fmt"
	"io"
	"log/slog"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile/report"
	"github.com/gospmd/gospmd/internal/testing/runtimetest"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/distribution"
	"github.com/gospmd/gospmd/keras/initializers"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/program"
)

// A model that is made to fit a memory limit must train as without the limit, with a smaller peak;
// a limit that it cannot fit, and a text that is no size, are errors.
func TestMemory(t *testing.T) {
	var step *program.Program
	loss := func(opts ...keras.CompileOption) (float64, error) {
		layers.ClearSession()
		x := keras.Input([]int{8})
		y := x
		for range 6 {
			y = y.Apply(layers.Dense(8, layers.Activation("gelu"), layers.KernelInitializer("ones")))
		}
		m, err := keras.NewModel([]*layers.Tensor{x}, []*layers.Tensor{y})
		require.NoError(t, err)
		opts = append(opts, keras.Loss("mse"), keras.Client(runtimetest.Open(t, 1)), keras.Logger(slog.New(slog.DiscardHandler)))
		if err := m.Compile(opts...); err != nil {
			return 0, err
		}
		batch := make([][]float32, 256)
		for i := range batch {
			batch[i] = []float32{1, 2, 3, 4, 5, 6, 7, float32(i) / 256}
		}
		h, err := m.Fit(t.Context(), batch, batch, keras.BatchSize(256), keras.Epochs(2), keras.Verbose(0))
		if err != nil {
			return 0, err
		}
		step = m.Programs()[0]
		return h.Logs["loss"][1], nil
	}
	want, err := loss()
	require.NoError(t, err)
	limit := report.New(step).Memory.Peak * 8 / 10
	got, err := loss(keras.Memory(fmt.Sprint(limit)))
	require.NoError(t, err)
	require.InEpsilon(t, want, got, runtimetest.Tolerance(1e-6))
	require.LessOrEqual(t, step.Fitting.After, limit)
	require.Greater(t, step.Fitting.Before, limit)

	_, err = loss(keras.Memory("20kB"))
	var over *report.OverBudgetError
	require.ErrorAs(t, err, &over)
	require.ErrorContains(t, err, "does not fit")
	_, err = loss(keras.Memory("much"))
	require.ErrorContains(t, err, `the memory of a device: got size "much"`)
}

// A limit shards the slots of the optimizer, and then the weights, where the step needs that, and the
// losses stay the same. The program for the last batch, which is smaller, has both in the same
// layouts.
func TestMemoryOfState(t *testing.T) {
	useDevices(t, 4)
	train := func(opts ...keras.CompileOption) ([]float64, *keras.Model) {
		d, err := distribution.NewDataParallel()
		require.NoError(t, err)
		var m *keras.Model
		var losses []float64
		require.NoError(t, distribution.Scope(d, func() error {
			layers.ClearSession()
			x := keras.Input([]int{64})
			y := x.Apply(layers.Dense(64, layers.KernelInitializer(initializers.GlorotUniform(initializers.Seed(1)))))
			m = model(t, x, y.Apply(layers.Dense(2, layers.KernelInitializer("ones"))))
			require.NoError(t, m.Compile(append(opts, keras.Loss("mse"), keras.Optimizer("adam"), quiet)...))
			in, out := make([][]float32, 22), make([][]float32, 22)
			for i := range in {
				in[i], out[i] = make([]float32, 64), []float32{float32(i%5) / 4, 1}
				in[i][i], in[i][2*i] = 1, float32(i)/8
			}
			h, err := m.Fit(t.Context(), in, out, keras.BatchSize(16), keras.Epochs(3), keras.Shuffle(false), keras.Output(io.Discard))
			require.NoError(t, err)
			losses = h.Logs["loss"]
			return nil
		}))
		return losses, m
	}
	want, free := train()
	peak := report.New(free.Programs()[0]).Memory.Peak
	state := func(p *program.Program) [2]int {
		m := report.New(p).Memory
		return [2]int{m.Parameters, m.Optimizer}
	}
	before := state(free.Programs()[0])
	for _, tc := range []struct {
		percent int
		weights bool
	}{{70, false}, {45, true}} {
		got, m := train(keras.Memory(fmt.Sprint(peak * tc.percent / 100)))
		require.InEpsilonSlice(t, want, got, runtimetest.Tolerance(1e-5))
		first, last := m.Programs()[0], m.Programs()[1]
		require.True(t, first.Fitting.Placement.Sharded)
		require.Equal(t, tc.weights, first.Fitting.Placement.Weights)
		require.Nil(t, last.Fitting.Placement)
		require.Equal(t, state(first), state(last))
		require.Less(t, state(first)[1], before[1]/3)
		if tc.weights {
			require.Less(t, state(first)[0], before[0]/3)
		}
	}
}

// A model that trains in micro-batches trains as with the whole batch, within 1e-5, also with batch
// normalizations. The last batch of an epoch is included: 4 does not divide its 6 samples, and it has
// 3 parts. Nine batch normalizations, 0 parts, and MicroBatches beside StepsPerExecution are errors.
func TestMicroBatches(t *testing.T) {
	train := func(normalizations int, opts ...keras.CompileOption) ([]float64, *keras.Model, error) {
		layers.ClearSession()
		x := keras.Input([]int{4})
		y := x.Apply(layers.Dense(16, layers.Activation("relu"), layers.KernelInitializer("ones")))
		y = y.Apply(layers.Dropout(0.25, layers.Seed(3)))
		for range normalizations {
			y = y.Apply(layers.BatchNormalization())
		}
		y = y.Apply(layers.Dense(2, layers.KernelInitializer("ones")))
		m, err := keras.NewModel([]*layers.Tensor{x}, []*layers.Tensor{y})
		require.NoError(t, err)
		opts = append(opts, keras.Loss("mse"), keras.Metrics("mae"), keras.Optimizer("adam"), keras.Client(runtimetest.Open(t, 1)), keras.Logger(slog.New(slog.DiscardHandler)))
		if err := m.Compile(opts...); err != nil {
			return nil, nil, err
		}
		in, out := make([][]float32, 22), make([][]float32, 22)
		for i := range in {
			in[i], out[i] = []float32{1, 2, float32(i) / 8, -1}, []float32{float32(i%5) / 4, 1}
		}
		h, err := m.Fit(t.Context(), in, out, keras.BatchSize(16), keras.Epochs(3), keras.Shuffle(false), keras.Verbose(0))
		if err != nil {
			return nil, nil, err
		}
		return append(h.Logs["loss"], h.Logs["mae"]...), m, nil
	}
	for _, normalizations := range []int{0, 2} {
		want, _, err := train(normalizations)
		require.NoError(t, err)
		got, m, err := train(normalizations, keras.MicroBatches(4))
		require.NoError(t, err)
		require.InEpsilonSlice(t, want, got, runtimetest.Tolerance(1e-5))
		require.Equal(t, 4, m.Programs()[0].Fitting.MicroBatches)
		require.Equal(t, 3, m.Programs()[1].Fitting.MicroBatches)
	}

	_, _, err := train(9, keras.MicroBatches(4))
	require.ErrorContains(t, err, "the step cannot be divided into micro-batches: more than 16 results of the whole batch depend on each other")
	_, _, err = train(0, keras.MicroBatches(0))
	require.ErrorContains(t, err, "got 0, want a positive number of micro-batches")
	_, _, err = train(0, keras.MicroBatches(2), keras.StepsPerExecution(4))
	require.ErrorContains(t, err, "got MicroBatches(2) and StepsPerExecution(4)")
}
