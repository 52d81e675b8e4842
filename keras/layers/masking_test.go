package layers_test

// This file compares masks of sequences with Keras, whose numbers
// benchmarks/peers/masks_reference.py wrote: what recurrent layers and attention make of
// them, and that losses and metrics leave out what is masked.

import (
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/testing/longtest"
	"github.com/gospmd/gospmd/internal/testing/runtimetest"
	"github.com/gospmd/gospmd/internal/testing/tracetest"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/distribution"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/optimizers"
	"github.com/gospmd/gospmd/keras/variable"
	"github.com/gospmd/gospmd/mesh"
)

// maskedModels has the models of the reference script by their names there, such as "masked lstm".
// Each function returns the output for the input x.
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
		for _, meshName := range longtest.Pick(meshes[1:], meshes) {
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
						keras.Metrics("mae"), keras.WeightedMetrics("mse"), keras.Client(runtimetest.OpenSample(t, devices, i%4 == 0)), noWarnings))
					options := []keras.RunOption{keras.BatchSize(4), keras.Verbose(0)}
					if tc.SampleWeight != nil {
						options = append(options, keras.SampleWeight(tracetest.Tensor(tc.SampleWeight)))
					}
					history, err := m.Fit(t.Context(), x, tracetest.Tensor(tc.Y), append(options, keras.Shuffle(false), keras.Epochs(2))...)
					require.NoError(t, err)
					require.InDeltaSlice(t, tc.Losses, history.Logs["loss"], runtimetest.Tolerance(2e-6))
					logs, err := m.Evaluate(t.Context(), x, tracetest.Tensor(tc.Y), options...)
					require.NoError(t, err)
					for name, want := range tc.Evaluated {
						got, _ := logs.Get(name)
						require.InDelta(t, want, got, runtimetest.Tolerance(2e-6), name)
					}
					for k, v := range weightsOf(m) {
						flat, err := v.Value(t.Context())
						require.NoError(t, err)
						tracetest.RequireClose(t, v.Path(), tracetest.Tensor(tc.Trained[k]), tensors.FromFlatDataAndDimensions(flat.([]float32), v.Shape()...), runtimetest.Tolerance(5e-6))
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

// weightsOf returns the float32 variables of a model: all except the states of random generators.
func weightsOf(m *keras.Model) (weights []*variable.Variable) {
	for _, v := range m.Variables() {
		if v.DType() == dtypes.Float32 {
			weights = append(weights, v)
		}
	}
	return weights
}

// softmaxOverTime is the layer TemporalSoftmax of Keras' guide "Understanding masking & padding":
// softmax over the steps that the input's mask keeps. It cannot do without a mask.
type softmaxOverTime struct{ layers.Base }

func (*softmaxOverTime) Call(c *layers.Context, in []*graph.Node) []*graph.Node {
	counts := graph.InsertAxes(graph.ConvertDType(c.Mask(in[0]), in[0].DType()), -1)
	exp := graph.Mul(graph.Exp(in[0]), counts)
	return []*graph.Node{graph.Div(exp, graph.ReduceAndKeep(exp, graph.ReduceSum, 1))}
}

// TestMaskWhereLayersAreApplied applies softmaxOverTime, a layer whose Call reads the mask of its
// input, to tensors of a model. The shape of the result and its values must follow from the mask,
// and without a mask the layer must fail.
func TestMaskWhereLayersAreApplied(t *testing.T) {
	x := layers.Input([]int{layers.None}, layers.DType(dtypes.Int32))
	y := x.Apply(layers.Embedding(7, 3, layers.MaskZero())).Apply(layers.Dense(2)).Apply(&softmaxOverTime{})
	require.NoError(t, y.Err())
	require.Equal(t, []int{layers.None, layers.None, 2}, y.Shape())
	m, err := keras.NewModel(keras.Tensors(x), keras.Tensors(y))
	require.NoError(t, err)
	require.NoError(t, m.Compile(keras.Client(runtimetest.Open(t, 1))))
	out, err := m.Predict(t.Context(), [][]int32{{1, 2, 0}}, keras.Verbose(0))
	require.NoError(t, err)
	v := tensors.MustCopyFlatData[float32](out[0])
	require.InDelta(t, 1, v[0]+v[2], 1e-6)
	require.Zero(t, v[4])

	require.ErrorContains(t, layers.Input([]int{4, 2}).Apply(&softmaxOverTime{}).Err(), "Node is nil", "without a mask")
}
