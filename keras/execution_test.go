package keras_test

// This file runs several steps as one program, and compares them with Keras' runs and
// with steps one by one.

import (
	"context"
	"testing"

	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/internal/testing/runtimetest"
	"github.com/gospmd/gospmd/internal/testing/tracetest"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/callbacks"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/random"
	"github.com/gospmd/gospmd/runtime"
	"github.com/gospmd/gospmd/target"
)

// TestStepsPerExecutionAgainstKeras trains in executions of two steps, with batches left over. The
// logs must be Keras' within 2e-5. Evaluate and Predict in such executions must give what one batch
// of all samples gives, within 1e-5.
func TestStepsPerExecutionAgainstKeras(t *testing.T) {
	f := tracetest.ReadJSON[stepsFile](t, "testdata/reference/steps.json")
	x, y := tracetest.Tensor(f.X), tracetest.Tensor(f.Y)
	for _, meshName := range []string{"", "data=2,model=4", "data=3,model=2"} {
		t.Run("on "+meshName, func(t *testing.T) {
			onMesh(t, meshName, func(client keras.CompileOption) {
				if meshName != "" {
					client = goEngine(t)
				}
				m := stepsModel(t, f, client, keras.StepsPerExecution(2))
				var batches []int
				seen := &callbacks.Lambda{TrainBatchEnd: func(_ context.Context, batch int, _ *keras.BatchLogs) error {
					batches = append(batches, batch)
					return nil
				}}
				history, err := m.Fit(t.Context(), x, y, keras.BatchSize(4), keras.Epochs(4), keras.Shuffle(false), keras.Verbose(0),
					keras.SampleWeight(f.Weights), keras.ValidationSplit(0.3), keras.ValidationFreq(2), keras.ValidationBatchSize(5), keras.Callbacks(seen))
				require.NoError(t, err)
				want := f.Fits["split"]
				require.Len(t, history.Logs, len(want))
				for name := range want {
					require.InDeltaSlice(t, want[name], history.Logs[name], runtimetest.Tolerance(2e-5), name)
				}
				require.NotContains(t, batches, 0, "the first batches of an epoch are one execution")

				m = stepsModel(t, f, client, keras.StepsPerExecution(2))
				logs, err := m.Evaluate(t.Context(), x, y, keras.BatchSize(3), keras.Verbose(0))
				require.NoError(t, err)
				whole, err := m.TestOnBatch(t.Context(), x, y)
				require.NoError(t, err)
				for i, l := range whole {
					require.InDelta(t, l.Value, logs[i].Value, runtimetest.Tolerance(1e-5), l.Name)
				}
				parts, err := m.Predict(t.Context(), x, keras.BatchSize(3), keras.Verbose(0))
				require.NoError(t, err)
				all, err := m.PredictOnBatch(t.Context(), x)
				require.NoError(t, err)
				require.True(t, all[0].InDelta(parts[0], runtimetest.Tolerance(1e-5)), "got %v, want %v", parts[0], all[0])
			})
		})
	}
}

// Random numbers of training steps go on from step to step: with executions of three steps, also
// where steps are left over and run one by one, the losses are those of single steps.
func TestStepsPerExecutionDraws(t *testing.T) {
	onMesh(t, "data=2,model=4", func(keras.CompileOption) {
		client := goEngine(t)
		losses := map[int][]float64{}
		for _, n := range []int{1, 3} {
			layers.ClearSession()
			random.SetRandomSeed(3)
			x := keras.Input([]int{6})
			m := model(t, x, x.Apply(layers.Dense(8, layers.Activation("relu"))).Apply(layers.Dropout(0.5)).Apply(layers.Dense(2)))
			require.NoError(t, m.Compile(keras.Loss("mse"), keras.Optimizer("adam"), client, quiet, keras.StepsPerExecution(n)))
			history, err := m.Fit(t.Context(), ramp(30, 6), ramp(30, 2), keras.BatchSize(4), keras.Epochs(2), keras.ShuffleSeed(1), keras.Verbose(0))
			require.NoError(t, err)
			losses[n] = history.Logs["loss"]
			if n > 1 {
				require.Equal(t, 1, loopsOf(m), "one program of three steps, and two of the batches that are left over")
				require.Len(t, m.Programs(), 3)
			}
		}
		require.InDeltaSlice(t, losses[1], losses[3], runtimetest.Tolerance(1e-6))
	})
}

// The steps of an execution run one by one where the compiler that gets them is slow at
// convolutions in loops, as package target says, and else as one program.
func TestLoopedConvolutions(t *testing.T) {
	for _, of := range target.Targets() {
		t.Run(of.Name, func(t *testing.T) {
			layers.ClearSession()
			x := keras.Input([]int{6, 1})
			m := model(t, x, x.Apply(layers.Conv1D(2, 3)).Apply(layers.Flatten()).Apply(layers.Dense(2)))
			require.NoError(t, m.Compile(keras.Loss("mse"), goEngine(t), quiet, keras.StepsPerExecution(2), keras.Compiler(compile.Options{Platform: of.Name})))
			_, err := m.Fit(t.Context(), ramp(16, 6), ramp(16, 2), keras.BatchSize(4), keras.Verbose(0))
			require.NoError(t, err)
			want := 1
			if of.Has(target.SlowLoopedConvolutions) {
				want = 0
			}
			require.Equal(t, want, loopsOf(m))
		})
	}
}

// loopsOf returns how many loops are in the programs that the model has run so far.
func loopsOf(m *keras.Model) (n int) {
	for _, p := range m.Programs() {
		p.Module.Main().Walk(func(op *ir.Op) {
			if op.Kind == ir.OpWhile {
				n++
			}
		})
	}
	return n
}

// goEngine returns a Compile option that runs the model on 8 devices of the engine written in Go,
// which takes no time to compile. The client is closed when the test ends.
func goEngine(t *testing.T) keras.CompileOption {
	t.Helper()
	c, err := runtime.Open(t.Context(), runtime.Options{Platform: "cpu", Engine: runtime.EngineGo, Devices: 8})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, c.Close()) })
	return keras.Client(c)
}

// ramp returns a tensor of dims[0] x dims[1] float32 numbers in [0, 1], always the same ones.
func ramp(dims ...int) *tensors.Tensor {
	flat := make([]float32, dims[0]*dims[1])
	for i := range flat {
		flat[i] = float32(i*7%31) / 31
	}
	return tensors.FromFlatDataAndDimensions(flat, dims...)
}

// TestPassed: with executions of three steps, Progress.Passed must be true after the executions in
// which the tenth, the twentieth and the thirtieth step was done.
func TestPassed(t *testing.T) {
	var due []int
	for step := 3; step <= 30; step += 3 {
		if (keras.Progress{Step: step, Last: 3}).Passed(10) {
			due = append(due, step)
		}
	}
	require.Equal(t, []int{12, 21, 30}, due)
}

func TestStepsPerExecutionErrors(t *testing.T) {
	x := keras.Input([]int{3})
	err := model(t, x, x.Apply(layers.Dense(1))).Compile(keras.StepsPerExecution(0))
	require.ErrorContains(t, err, "StepsPerExecution: got 0, want a positive number of steps")
}
