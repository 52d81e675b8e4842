package saving_test

// This file writes the arguments of Compile into archives and reads them.

import (
	"context"
	"path/filepath"
	"testing"

	g "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/testing/runtimetest"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/callbacks"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/losses"
	"github.com/gospmd/gospmd/keras/metrics"
	"github.com/gospmd/gospmd/keras/optimizers"
	"github.com/gospmd/gospmd/keras/saving"
	"github.com/gospmd/gospmd/keras/variable"
)

// heads returns a model with one input of 3 numbers and two outputs: value, of 2 units, and group,
// of 3 units with softmax.
func heads(t *testing.T) *keras.Model {
	t.Helper()
	x := keras.Input([]int{3})
	value, group := x.Apply(layers.Dense(2, layers.Name("value"))), x.Apply(layers.Dense(3, layers.Name("group"), layers.Activation("softmax")))
	m, err := keras.NewModel([]*layers.Tensor{x}, []*layers.Tensor{value, group})
	require.NoError(t, err)
	return m
}

// TestCompileArguments saves models with many different arguments of Compile. The loaded models
// must have the same arguments, and the same losses in training.
func TestCompileArguments(t *testing.T) {
	on(t, "")
	client := keras.Client(runtimetest.OpenSample(t, 1, false))
	x, y := [][]float32{{1, 2, 3}, {0, 1, 0}}, []any{[][]float32{{1, 2}, {0, 1}}, []int32{2, 0}}
	for _, tc := range []struct {
		name string
		opts []keras.CompileOption
	}{
		{"by position", []keras.CompileOption{keras.Loss("mse", losses.SparseCategoricalCrossentropy(losses.IgnoreClass(1))), keras.LossWeights(0.5, 2),
			keras.Metrics("mae", []any{"accuracy", metrics.SparseCategoricalAccuracy()}), keras.WeightedMetrics([]any{metrics.R2Score()}, nil)}},
		{"by name", []keras.CompileOption{keras.Loss(map[string]any{"value": losses.Huber(losses.Delta(0.5))}), keras.LossWeights(map[string]float64{"value": 2}),
			keras.Metrics(map[string]any{"value": metrics.RootMeanSquaredError(metrics.Name("rmse"))})}},
		{"one loss without", []keras.CompileOption{keras.Loss(nil, losses.SparseCategoricalCrossentropy()), keras.Metrics("mae", nil)}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			m := heads(t)
			require.NoError(t, m.Compile(append(tc.opts, client)...))
			name := filepath.Join(t.TempDir(), "m.keras")
			require.NoError(t, saving.SaveModel(t.Context(), m, name))
			again, err := saving.LoadModel(t.Context(), name, client)
			require.NoError(t, err)
			second := filepath.Join(t.TempDir(), "m.keras")
			require.NoError(t, saving.SaveModel(t.Context(), again, second))
			require.Equal(t, configOf(t, name), configOf(t, second))
			fit := func(m *keras.Model) map[string][]float64 {
				h, err := m.Fit(t.Context(), x, y, keras.Epochs(2), keras.Shuffle(false), keras.Verbose(0))
				require.NoError(t, err)
				return h.Logs
			}
			require.Equal(t, fit(m), fit(again))
		})
	}
}

// TestOptimizerMaps saves and loads models with several optimizers, chosen by an OptimizerMap, with
// and without a LossScaleOptimizer. The loaded models must have the same keys in the same order and
// the same optimizer variables, be written as the same config, and train on with the same losses. A
// map that is a function, and an optimizer under two keys, must be errors of saving.
func TestOptimizerMaps(t *testing.T) {
	on(t, "")
	client := keras.Client(runtimetest.OpenSample(t, 1, false))
	x, y := [][]float32{{1, 2, 3}, {0, 1, 0}}, []any{[][]float32{{1, 2}, {0, 1}}, []int32{2, 0}}
	compiled := func(optimizer any) (*keras.Model, error) {
		m := heads(t)
		require.NoError(t, m.Compile(keras.Optimizer(optimizer), keras.Loss("mse", "sparse_categorical_crossentropy"), client))
		_, err := m.TrainOnBatch(t.Context(), x, y)
		require.NoError(t, err)
		return m, saving.SaveModel(t.Context(), m, filepath.Join(t.TempDir(), "m.keras"))
	}
	several := func() *optimizers.OptimizerMap {
		rules := optimizers.NewOptimizerMap("lion")
		require.NoError(t, rules.Set("value/.*", optimizers.Adam(optimizers.LearningRateSchedule(optimizers.CosineDecay{InitialLearningRate: 0.1, DecaySteps: 3}))))
		require.NoError(t, rules.Set("group/bias", "adam"))
		return rules
	}
	for name, o := range map[string]*optimizers.Optimizer{
		"plain": optimizers.MultiOptimizer(several(), optimizers.LossScaleFactor(4), optimizers.Name("all")), "scaled": optimizers.NewLossScaleOptimizer(optimizers.MultiOptimizer(several())),
	} {
		t.Run(name, func(t *testing.T) {
			m, err := compiled(o)
			require.NoError(t, err)
			file := filepath.Join(t.TempDir(), "m.keras")
			require.NoError(t, saving.SaveModel(t.Context(), m, file))
			again, err := saving.LoadModel(t.Context(), file, client)
			require.NoError(t, err)
			require.Equal(t, []string{"value/.*", "group/bias"}, again.Optimizer().OptimizerMap().Keys())
			requireSame(t, m.Optimizer().Variables(), again.Optimizer().Variables())
			second := filepath.Join(t.TempDir(), "m.keras")
			require.NoError(t, saving.SaveModel(t.Context(), again, second))
			require.Equal(t, configOf(t, file), configOf(t, second))
			for range 2 {
				want, err := m.TrainOnBatch(t.Context(), x, y)
				require.NoError(t, err)
				got, err := again.TrainOnBatch(t.Context(), x, y)
				require.NoError(t, err)
				require.Equal(t, want, got)
			}
		})
	}
	_, err := compiled(optimizers.MultiOptimizer(func(*variable.Variable) *optimizers.Optimizer { return optimizers.SGD() }))
	require.ErrorContains(t, err, "the optimizer multi_optimizer chooses by a function, which cannot be written")
	shared, rules := optimizers.Adam(), optimizers.NewOptimizerMap("sgd")
	require.NoError(t, rules.Set("value/.*", shared))
	require.NoError(t, rules.Set("group/bias", shared))
	_, err = compiled(optimizers.MultiOptimizer(rules))
	require.ErrorContains(t, err, `the optimizer adam stands for several keys of the OptimizerMap of multi_optimizer, "group/bias" among them`)
}

// A model with MaxNumBoundingBoxes, which Keras cannot call in a functional model, is an error of
// Check.
func TestBoxes(t *testing.T) {
	on(t, "")
	x, y := keras.Input([]int{2, 4}), keras.Input([]int{2})
	m, err := keras.NewModel(keras.Tensors(x, y), layers.ApplyAll(layers.MaxNumBoundingBoxes(3), x, y))
	require.NoError(t, err)
	require.ErrorContains(t, saving.Check(t.Context(), m), "a MaxNumBoundingBoxes cannot be in a .keras archive: Keras 3.15 fails to call it in a model")
}

// TestGuideMetrics trains a model that is compiled as in Keras' guide, saves it and loads it. The
// loaded model must have the same metrics and the same steps per execution.
func TestGuideMetrics(t *testing.T) {
	on(t, "")
	m, err := keras.NewSequential(layers.Dense(3, layers.Activation("softmax")))
	require.NoError(t, err)
	require.NoError(t, m.Compile(keras.Loss("sparse_categorical_crossentropy"), keras.Metrics(metrics.SparseCategoricalAccuracy()),
		keras.WeightedMetrics(metrics.SparseTopKCategoricalAccuracy(metrics.K(2), metrics.Name("area"))), keras.StepsPerExecution(3), keras.Client(runtimetest.Open(t, 1))))
	name := filepath.Join(t.TempDir(), "m.keras")
	history, err := m.Fit(t.Context(), [][]float32{{1, 2}, {3, 4}}, []int32{0, 2}, keras.Verbose(0), keras.Callbacks(&callbacks.ModelCheckpoint{Filepath: name}))
	require.NoError(t, err)
	require.Contains(t, history.Logs, "sparse_categorical_accuracy")
	loaded, err := saving.LoadModel(t.Context(), name)
	require.NoError(t, err)
	require.Len(t, loaded.CompileArguments().Metrics, 1)
	require.Equal(t, 3, loaded.CompileArguments().StepsPerExecution)
	require.Equal(t, "area", loaded.CompileArguments().WeightedMetrics.([]any)[0].(*metrics.Metric).Name())
}

// A model that cannot be saved, here for its own metric, is an error at the start of a training
// with ModelCheckpoint, not after the first epoch.
func TestUnsavable(t *testing.T) {
	on(t, "")
	mine := metrics.New("mine", func(yTrue, yPred *g.Node) *g.Node { return yPred })
	for _, built := range []bool{false, true} {
		m, err := keras.NewSequential(layers.Dense(1))
		require.NoError(t, err)
		if built {
			require.NoError(t, m.Build([]int{2}))
		}
		require.NoError(t, m.Compile(keras.Loss("mse"), keras.WeightedMetrics(mine), keras.Client(runtimetest.Open(t, 1))))
		steps := 0
		_, err = m.Fit(t.Context(), [][]float32{{1, 2}}, [][]float32{{1}}, keras.Verbose(0),
			keras.Callbacks(&callbacks.ModelCheckpoint{Filepath: filepath.Join(t.TempDir(), "m.keras")},
				&callbacks.Lambda{TrainBatchEnd: func(context.Context, int, *keras.BatchLogs) error { steps++; return nil }}))
		require.ErrorContains(t, err, "ModelCheckpoint: saving: model")
		require.ErrorContains(t, err, "the custom metric mine cannot be written into a .keras archive")
		require.Zero(t, steps)
	}
}
