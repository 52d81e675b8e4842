package layers_test

// This file compares masks of sequences with Keras, whose numbers
// benchmarks/peers/masks_reference.py wrote: what recurrent layers and attention make of
// them, and that losses and metrics leave out what is masked.

import (
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/distribution"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/optimizers"
	"github.com/gospmd/gospmd/keras/variable"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/runtime/runtimetest"
	"github.com/gospmd/gospmd/trace/tracetest"
)

// maskedModels are those of the script, by name.
var maskedModels = map[string]func(x *layers.Tensor) *layers.Tensor{
	"masked lstm": func(x *layers.Tensor) *layers.Tensor {
		return x.Apply(layers.Masking(0)).Apply(layers.LSTM(4, layers.Name("lstm"))).Apply(layers.Dense(3, layers.Name("d1")))
	},
	"masked sequences": func(x *layers.Tensor) *layers.Tensor {
		y := x.Apply(layers.Masking(0)).Apply(layers.GRU(4, layers.Name("gru"), layers.ReturnSequences()))
		return y.Apply(layers.Dense(3, layers.Name("d1")))
	},
	"masked bidirectional": func(x *layers.Tensor) *layers.Tensor {
		y := x.Apply(layers.Masking(0)).Apply(layers.Bidirectional(layers.LSTM(4, layers.ReturnSequences()), layers.Name("both")))
		return y.Apply(layers.TimeDistributed(layers.Dense(3, layers.Name("d1")), layers.Name("each")))
	},
	"masked attention": func(x *layers.Tensor) *layers.Tensor {
		y := x.Apply(layers.Masking(0)).Apply(layers.MultiHeadAttention(2, 3, layers.Name("attention")))
		return y.Apply(layers.Dense(3, layers.Name("d1")))
	},
	"mask_zero": func(x *layers.Tensor) *layers.Tensor {
		y := x.Apply(layers.Embedding(6, 4, layers.MaskZero(), layers.Name("words")))
		y = y.Apply(layers.SimpleRNN(4, layers.Name("rnn"), layers.ReturnSequences()))
		return y.Apply(layers.Dense(3, layers.Name("d1")))
	},
}

func TestMasks(t *testing.T) {
	file := tracetest.ReadJSON[struct {
		Cases []struct {
			Name         string
			Integers     bool
			X, Y         any
			SampleWeight any `json:"sample_weight"`
			Weights      []struct {
				Path  string
				Value any
			}
			Losses    []float64
			Evaluated map[string]float64
			Trained   []any
		}
	}](t, "../testdata/reference/masks.json")
	require.Len(t, file.Cases, 2*len(maskedModels))
	for i, tc := range file.Cases {
		meshes := []string{"", []string{"data=2,model=4", "data=3,model=2"}[i%2]}
		for _, meshName := range meshes {
			t.Run(tc.Name+" on "+meshName, func(t *testing.T) {
				layers.ClearSession()
				run := func() error {
					x, devices := tracetest.Tensor(tc.X), 1
					if meshName != "" {
						devices = mesh.MustParse(meshName).Size()
					}
					dtype := dtypes.Float32
					if tc.Integers {
						dtype = dtypes.Int32
					}
					in := layers.Input(x.Shape().Dimensions[1:], layers.DType(dtype))
					m, err := keras.NewModel([]*layers.Tensor{in}, []*layers.Tensor{maskedModels[tc.Name](in)})
					require.NoError(t, err)
					require.Len(t, weightsOf(m), len(tc.Weights))
					for k, v := range weightsOf(m) {
						require.Equal(t, tc.Weights[k].Path, v.Path())
						require.NoError(t, v.Assign(nil, tensors.MustCopyFlatData[float32](tracetest.Tensor(tc.Weights[k].Value))))
					}
					require.NoError(t, m.Compile(keras.Optimizer(optimizers.SGD(optimizers.LearningRate(0.5))), keras.Loss("mse"),
						keras.Metrics("mae"), keras.WeightedMetrics("mse"), keras.Client(runtimetest.Open(t, devices)), keras.Warnings(t.Output())))
					options := []keras.RunOption{keras.BatchSize(4), keras.Verbose(0)}
					if tc.SampleWeight != nil {
						options = append(options, keras.SampleWeight(tracetest.Tensor(tc.SampleWeight)))
					}
					history, err := m.Fit(t.Context(), x, tracetest.Tensor(tc.Y), append(options, keras.Shuffle(false), keras.Epochs(2))...)
					require.NoError(t, err)
					require.InDeltaSlice(t, tc.Losses, history.Logs["loss"], 2e-6)
					logs, err := m.Evaluate(t.Context(), x, tracetest.Tensor(tc.Y), options...)
					require.NoError(t, err)
					for name, want := range tc.Evaluated {
						got, _ := logs.Get(name)
						require.InDelta(t, want, got, 2e-6, name)
					}
					for k, v := range weightsOf(m) {
						flat, err := v.Value(t.Context())
						require.NoError(t, err)
						tracetest.RequireClose(t, v.Path(), tracetest.Tensor(tc.Trained[k]), tensors.FromFlatDataAndDimensions(flat.([]float32), v.Shape()...), 5e-6)
					}
					return nil
				}
				if meshName == "" {
					require.NoError(t, run())
					return
				}
				d, err := distribution.NewModelParallel(distribution.NewLayoutMap(mesh.MustParse(meshName)), "data")
				require.NoError(t, err)
				require.NoError(t, distribution.Scope(d, run))
			})
		}
	}
}

// weightsOf returns the variables of a model but the states of random generators.
func weightsOf(m *keras.Model) (weights []*variable.Variable) {
	for _, v := range m.Variables() {
		if v.DType() == dtypes.Float32 {
			weights = append(weights, v)
		}
	}
	return weights
}
