package keras_test

// This file compares epochs of a number of steps, and single steps, with Keras
// on JAX, whose runs benchmarks/peers/training_reference.py wrote.

import (
	"context"
	"fmt"
	"iter"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/checkpoint"
	"github.com/gospmd/gospmd/internal/plainlog"
	"github.com/gospmd/gospmd/internal/testing/runtimetest"
	"github.com/gospmd/gospmd/internal/testing/tracetest"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/keras/layers"
)

// stepsFile is the reference file of Keras: data to train on and to validate on (V, VY), sample
// weights for the first (Weights), and the model's first weights (Start). The rest is what Keras
// computes with them: Fits has the logs of epochs by the name of the test case.
type stepsFile struct {
	X, Y, V, VY    any
	Weights        []float32
	Start          []any
	Fits           map[string]map[string][]float64
	OnBatch        []map[string]float64 `json:"on_batch"`
	PredictOnBatch any                  `json:"predict_on_batch"`
	Evaluate       map[string]float64
	Predict        any
}

// stepsModel returns the model of the reference file f, of 6 inputs and 4 outputs, with its first
// weights. It is compiled with sgd, mse, mae and then opts.
func stepsModel(t *testing.T, f stepsFile, opts ...keras.CompileOption) *keras.Model {
	t.Helper()
	x := layers.Input([]int{6})
	m := model(t, x, x.Apply(layers.Dense(5, layers.Name("a"), layers.Activation("relu"))).Apply(layers.Dense(4, layers.Name("b"))))
	require.NoError(t, m.SetWeights(t.Context(), anyTensors(f.Start)...))
	require.NoError(t, m.Compile(append([]keras.CompileOption{keras.Optimizer("sgd"), keras.Loss("mse"), keras.Metrics("mae"), quiet}, opts...)...))
	return m
}

func requireLogs(t *testing.T, want map[string]float64, got keras.Logs) {
	t.Helper()
	require.Len(t, got, len(want))
	for _, l := range got {
		require.InDelta(t, want[l.Name], l.Value, runtimetest.Tolerance(2e-5), l.Name)
	}
}

func TestStepsAgainstKeras(t *testing.T) {
	f := tracetest.ReadJSON[stepsFile](t, "testdata/reference/steps.json")
	x, y, v, vy := tracetest.Tensor(f.X), tracetest.Tensor(f.Y), tracetest.Tensor(f.V), tracetest.Tensor(f.VY)
	quietly := []keras.RunOption{keras.Shuffle(false), keras.Verbose(0)}
	for _, tc := range []struct {
		name    string
		x, y    any
		opts    []keras.RunOption
		warning string
	}{
		{"short", x, y, []keras.RunOption{keras.BatchSize(4), keras.Epochs(5), keras.StepsPerEpoch(3)}, "the dataset ended after 2 of the 3 steps that were wanted"},
		{"endless", data.FromTensorSlices(x, y).Batch(4).Repeat(), nil, []keras.RunOption{keras.Epochs(4), keras.StepsPerEpoch(3),
			keras.ValidationData(data.FromTensorSlices(v, vy).Take(6).Batch(3).Repeat(), nil), keras.ValidationSteps(2)}, ""},
		{"validation steps", x, y, []keras.RunOption{keras.BatchSize(4), keras.Epochs(3), keras.ValidationData(v, vy), keras.ValidationSteps(2)}, ""},
		{"split", x, y, []keras.RunOption{keras.BatchSize(4), keras.Epochs(4), keras.SampleWeight(f.Weights),
			keras.ValidationSplit(0.3), keras.ValidationFreq(2), keras.ValidationBatchSize(5)}, ""},
	} {
		for _, meshName := range []string{"", "data=2,model=4"} {
			t.Run(tc.name+" on "+meshName, func(t *testing.T) {
				onMesh(t, meshName, func(client keras.CompileOption) {
					var warnings strings.Builder
					m := stepsModel(t, f, client, keras.Logger(plainlog.New(&warnings)))
					history, err := m.Fit(t.Context(), tc.x, tc.y, append(tc.opts, quietly...)...)
					require.NoError(t, err)
					want := f.Fits[tc.name]
					require.Len(t, history.Logs, len(want))
					for name := range want {
						require.InDeltaSlice(t, want[name], history.Logs[name], runtimetest.Tolerance(2e-5), name)
					}
					if tc.warning != "" {
						require.Equal(t, 1, strings.Count(warnings.String(), tc.warning), warnings.String())
					} else {
						require.NotContains(t, warnings.String(), "the dataset ended")
					}
				})
			})
		}
	}
}

// TestOnBatchAgainstKeras takes single steps on a mesh, and evaluates and predicts with an end
// after three steps. The logs must be Keras' within 2e-5, and the predictions within 1e-5. A
// dataset in place of a batch, and an option that a single step does not take, are errors.
func TestOnBatchAgainstKeras(t *testing.T) {
	f := tracetest.ReadJSON[stepsFile](t, "testdata/reference/steps.json")
	x, y, v, vy := tracetest.Tensor(f.X), tracetest.Tensor(f.Y), tracetest.Tensor(f.V), tracetest.Tensor(f.VY)
	onMesh(t, "data=2,model=4", func(client keras.CompileOption) {
		m := stepsModel(t, f, client)
		for i, step := range []func() (keras.Logs, error){
			func() (keras.Logs, error) { return m.TrainOnBatch(t.Context(), x, y) },
			func() (keras.Logs, error) {
				return m.TrainOnBatch(t.Context(), rows(x, 7), rows(y, 7), keras.SampleWeight(f.Weights[:7]))
			},
			func() (keras.Logs, error) { return m.TestOnBatch(t.Context(), v, vy) },
			func() (keras.Logs, error) { return m.TestOnBatch(t.Context(), x, y, keras.SampleWeight(f.Weights)) },
		} {
			logs, err := step()
			require.NoError(t, err)
			requireLogs(t, f.OnBatch[i], logs)
		}
		p, err := m.PredictOnBatch(t.Context(), v)
		require.NoError(t, err)
		tracetest.RequireClose(t, "one batch", tracetest.Tensor(f.PredictOnBatch), p[0], runtimetest.Tolerance(1e-5))
		for _, source := range []struct{ x, y any }{{x, y}, {data.FromTensorSlices(x, y).Batch(4).Repeat(), nil}} {
			opts := []keras.RunOption{keras.Steps(3), keras.Verbose(0)}
			if source.y != nil {
				opts = append(opts, keras.BatchSize(4))
			}
			logs, err := m.Evaluate(t.Context(), source.x, source.y, opts...)
			require.NoError(t, err)
			requireLogs(t, f.Evaluate, logs)
			p, err := m.Predict(t.Context(), source.x, opts...)
			require.NoError(t, err)
			tracetest.RequireClose(t, "predictions", tracetest.Tensor(f.Predict), p[0], runtimetest.Tolerance(1e-5))
		}
		_, err = m.TrainOnBatch(t.Context(), data.FromTensorSlices(x, y).Batch(4), nil)
		require.ErrorContains(t, err, "TrainOnBatch: got a dataset, want the tensors of a batch")
		_, err = m.TestOnBatch(t.Context(), x, y, keras.Epochs(2))
		require.ErrorContains(t, err, "TestOnBatch takes no option Epochs: it takes SampleWeight")
	})
}

// TestStepOptionFaults gives Fit invalid options for steps and validation. Each is an error that
// names the option and what is wanted.
func TestStepOptionFaults(t *testing.T) {
	f := tracetest.ReadJSON[stepsFile](t, "testdata/reference/steps.json")
	x, y := tracetest.Tensor(f.X), tracetest.Tensor(f.Y)
	endless := data.FromTensorSlices(x, y).Batch(4).Repeat()
	for _, tc := range []struct {
		name string
		x, y any
		opt  keras.RunOption
		want string
	}{
		{"no steps", x, y, keras.StepsPerEpoch(0), "StepsPerEpoch: got 0, want a positive number"},
		{"share", x, y, keras.ValidationSplit(1), "ValidationSplit: got 1, want a number between 0 and 1"},
		{"nothing left", x, y, keras.ValidationSplit(0.99), "a share of 0.99 of 18 samples leaves one part without any"},
		{"split of a dataset", endless.Take(3), nil, keras.ValidationSplit(0.5), "ValidationSplit: got a dataset, want data in memory"},
		{"frequency", x, y, keras.ValidationFreq(2), "got ValidationFreq without data to validate on: give ValidationData or ValidationSplit"},
		{"steps of no validation", x, y, keras.ValidationSteps(2), "got ValidationSteps without data to validate on"},
		{"endless validation", x, y, keras.ValidationData(endless, nil), "validation data: the dataset has no end"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := stepsModel(t, f).Fit(t.Context(), tc.x, tc.y, tc.opt)
			require.ErrorContains(t, err, tc.want)
		})
	}
}

// stopAfter is a callback that ends the training after that many steps. After just that step it
// keeps the state, and saves it in file.
type stopAfter struct {
	saver
	steps int
}

func (s *stopAfter) StopTraining() bool { return s.model.Training().Progress().Step >= s.steps }

func (s *stopAfter) Checkpoint(ctx context.Context, t *keras.Training) (err error) {
	if t.Progress().Step == s.steps && s.state == nil {
		if s.state, err = t.Snapshot(ctx); err == nil {
			err = checkpoint.Save(ctx, s.file, s.state.Tensors, s.state.Metadata)
		}
	}
	return err
}

func (s *stopAfter) OnTrainEnd(context.Context) error { return nil }

// resumeFrom is a callback that resumes the training from the checkpoint file when it begins.
type resumeFrom struct {
	keras.BaseCallback
	file string
}

func (r *resumeFrom) OnTrainBegin(_ context.Context, m *keras.Model) error {
	c, err := checkpoint.Open(r.file)
	if err == nil {
		_, err = m.Training().Resume(c)
	}
	return err
}

// TestResumeSteps stops at each step of a training whose epochs do not end with its dataset, and
// resumes it with another model: the history equals that without a stop bit for bit.
func TestResumeSteps(t *testing.T) {
	f := tracetest.ReadJSON[stepsFile](t, "testdata/reference/steps.json")
	onMesh(t, "", func(client keras.CompileOption) {
		fit := func(cb keras.Callback) *keras.History {
			ds := data.FromTensorSlices(tracetest.Tensor(f.X), tracetest.Tensor(f.Y)).Shuffle(data.Full, data.Seed(3)).Batch(4)
			h, err := stepsModel(t, f, client).Fit(t.Context(), ds, nil, keras.Epochs(4), keras.StepsPerEpoch(3), keras.Verbose(0), keras.Callbacks(cb))
			require.NoError(t, err)
			return h
		}
		want := fit(keras.BaseCallback{})
		for steps := 1; steps <= 10; steps++ { // epochs of 3, 2, 3, 2
			s := &stopAfter{saver: saver{file: filepath.Join(t.TempDir(), fmt.Sprintf("%d.ckpt", steps))}, steps: steps}
			fit(s)
			require.NotNil(t, s.state, "step %d", steps)
			require.Equal(t, want, fit(&resumeFrom{file: s.file}), "stopped after step %d", steps)
		}
	})
}

// unpositioned is a dataset that hides the position of ds.
type unpositioned struct{ ds data.Dataset }

func (u unpositioned) Batches(ctx context.Context) iter.Seq2[data.Batch, error] {
	return u.ds.Batches(ctx)
}
func (u unpositioned) Cardinality() int { return u.ds.Cardinality() }

// TestStepsWithoutPosition trains on a dataset that has no position and continues over epochs.
// Saving the training must be an error that says so. If each epoch begins the dataset again, saving
// must succeed.
func TestStepsWithoutPosition(t *testing.T) {
	f := tracetest.ReadJSON[stepsFile](t, "testdata/reference/steps.json")
	onMesh(t, "", func(client keras.CompileOption) {
		ds := unpositioned{data.FromTensorSlices(tensors.FromValue(make2D(8, 6)), tensors.FromValue(make2D(8, 4))).Batch(4)}
		s := &saver{file: filepath.Join(t.TempDir(), "state.ckpt")}
		_, err := stepsModel(t, f, client).Fit(t.Context(), ds, nil, keras.StepsPerEpoch(1), keras.Verbose(0), keras.Callbacks(s))
		require.ErrorContains(t, err, "keeps no position")
		_, err = stepsModel(t, f, client).Fit(t.Context(), ds, nil, keras.Verbose(0), keras.Callbacks(s))
		require.NoError(t, err)
	})
}

func make2D(rows, columns int) [][]float32 {
	out := make([][]float32, rows)
	for i := range out {
		out[i] = make([]float32, columns)
	}
	return out
}

// TestResumeAndLowerInRank trains on data of shape (n,) for an input of shape (None, 1). Resuming
// such a training, and Lower, must accept the data as Fit does.
func TestResumeAndLowerInRank(t *testing.T) {
	xs, ys := []float32{1, 2, 3, 4}, []float32{1, 2, 3, 4}
	fit := func(cb keras.Callback) {
		layers.ClearSession()
		x := keras.Input([]int{1})
		m := model(t, x, x.Apply(layers.Dense(1)))
		require.NoError(t, m.Compile(keras.Loss("mse"), goEngine(t)))
		_, err := m.Lower(data.Batch{X: []*tensors.Tensor{tensors.FromValue(xs)}, Y: []*tensors.Tensor{tensors.FromValue(ys)}})
		require.NoError(t, err)
		_, err = m.Fit(t.Context(), xs, ys, keras.Epochs(2), keras.BatchSize(2), keras.Verbose(0), keras.Callbacks(cb))
		require.NoError(t, err)
	}
	s := &stopAfter{saver: saver{file: filepath.Join(t.TempDir(), "x.ckpt")}, steps: 1}
	fit(s)
	fit(&resumeFrom{file: s.file})
}
