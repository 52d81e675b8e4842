package keras_test

// This file compares optimizers with Keras on JAX, whose runs
// benchmarks/peers/training_reference.py wrote.

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/testing/tracetest"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/optimizers"
)

// optimizerParams are the options of an optimizer, by the names of Keras' get_config.
type optimizerParams map[string]any

// make returns the optimizer of the Keras class, such as "Adam", with the options p.
func (p optimizerParams) make(t *testing.T, class string) *optimizers.Optimizer {
	t.Helper()
	o, err := optimizers.FromConfig(class, p)
	require.NoError(t, err)
	return o
}

// twoDense returns the model of these tests: two Dense layers, a with 3 units and b with 2, for 4
// inputs.
func twoDense(t *testing.T) *keras.Model {
	t.Helper()
	x := layers.Input([]int{4})
	return model(t, x, x.Apply(layers.Dense(3, layers.Name("a"), layers.Activation("tanh"))).Apply(layers.Dense(2, layers.Name("b"))))
}

func TestOptimizersAgainstKeras(t *testing.T) {
	file := tracetest.ReadJSON[struct {
		X, Y  any
		Start []any
		Cases []struct {
			Name    string
			Params  optimizerParams
			Losses  []float64
			Weights []any
			Slots   []string
		}
	}](t, "testdata/reference/optimizers.json")
	require.Len(t, file.Cases, 42)
	for i, tc := range file.Cases {
		p := tc.Params
		meshNames := []string{""}
		_, clips := p["global_clipnorm"]
		if tc.Name == "Adam" && (p["amsgrad"] == true || p["use_ema"] == true) || clips {
			meshNames = append(meshNames, "data=2,model=4") // for the layouts of the slots
		}
		if i >= 23 && i%2 == 0 || tc.Name == "Adafactor" {
			meshNames = append(meshNames, "data=2,model=4", "data=3,model=2")
		}
		for _, meshName := range meshNames {
			t.Run(fmt.Sprintf("%d %s on %q", i, tc.Name, meshName), func(t *testing.T) {
				onMesh(t, meshName, func(client keras.CompileOption) {
					m := twoDense(t)
					optimizer := p.make(t, tc.Name)
					require.NoError(t, m.SetWeights(t.Context(), anyTensors(file.Start)...))
					require.NoError(t, m.Compile(keras.Optimizer(optimizer), keras.Loss("mse"), client, quiet))
					history, err := m.Fit(t.Context(), tracetest.Tensor(file.X), tracetest.Tensor(file.Y), keras.Epochs(len(tc.Losses)),
						keras.BatchSize(6), keras.Shuffle(false), keras.Verbose(0))
					require.NoError(t, err)
					require.InDeltaSlice(t, tc.Losses, history.Logs["loss"], 2e-6)
					requireWeights(t, m, tc.Weights, 5e-6)
					var slots []string
					for _, v := range optimizer.Variables() {
						slots = append(slots, v.Name())
					}
					switch tc.Name {
					case "Adafactor": // Keras names them after their variables
						require.Len(t, slots, len(tc.Slots))
						return
					case "Nadam": // and has no name for the last one
						tc.Slots[len(tc.Slots)-1] = "u_product"
					}
					require.Equal(t, tc.Slots, slots, "the names and the order of Keras")
				})
			})
		}
	}
}

// optimizerCase is an optimizer of a test case: Keras' class and its options.
type optimizerCase struct {
	class  string
	params optimizerParams
}

// UnmarshalJSON reads the case from a JSON list of the class and its options.
func (c *optimizerCase) UnmarshalJSON(text []byte) error {
	return json.Unmarshal(text, &[]any{&c.class, &c.params})
}

// multiCase is a test case of the reference file: a MultiOptimizer of Keras, and what training with
// it gave. A rule is a pair of a key of the map and an optimizerCase; Slots has the paths of the
// optimizer's variables.
type multiCase struct {
	Name    string
	Default optimizerCase
	Rules   [][]json.RawMessage
	Options struct {
		Factor float64 `json:"loss_scale_factor"`
	}
	Losses  []float64
	Weights []any
	Slots   []string
}

// optimizer returns the MultiOptimizer of the case, with its default optimizer and its rules.
func (c multiCase) optimizer(t *testing.T) *optimizers.Optimizer {
	t.Helper()
	m := optimizers.NewOptimizerMap(c.Default.params.make(t, c.Default.class))
	for _, rule := range c.Rules {
		var key string
		var o optimizerCase
		require.NoError(t, json.Unmarshal(rule[0], &key))
		require.NoError(t, json.Unmarshal(rule[1], &o))
		require.NoError(t, m.Set(key, o.params.make(t, o.class)))
	}
	var opts []optimizers.Option
	if c.Options.Factor > 0 {
		opts = append(opts, optimizers.LossScaleFactor(c.Options.Factor))
	}
	return optimizers.MultiOptimizer(m, opts...)
}

// TestMultiOptimizerAgainstKeras trains the variables of a model by several optimizers, on meshes
// too. The losses must be Keras' within 4e-6, and the weights within 5e-6. The variables of the
// optimizers must have Keras' names and order, and each optimizer must count the steps that it
// took.
func TestMultiOptimizerAgainstKeras(t *testing.T) {
	file := tracetest.ReadJSON[struct {
		X, Y  any
		Start []any
		Cases []multiCase
	}](t, "testdata/reference/multi.json")
	require.Len(t, file.Cases, 3)
	for _, tc := range file.Cases {
		for _, meshName := range []string{"", "data=2,model=4", "data=3,model=2"} {
			t.Run(tc.Name+" on "+meshName, func(t *testing.T) {
				onMesh(t, meshName, func(client keras.CompileOption) {
					m, o := twoDense(t), tc.optimizer(t)
					require.NoError(t, m.SetWeights(t.Context(), anyTensors(file.Start)...))
					require.NoError(t, m.Compile(keras.Optimizer(o), keras.Loss("mse"), client, quiet))
					history, err := m.Fit(t.Context(), tracetest.Tensor(file.X), tracetest.Tensor(file.Y), keras.Epochs(len(tc.Losses)),
						keras.BatchSize(6), keras.Shuffle(false), keras.Verbose(0))
					require.NoError(t, err)
					// the Go engine adds up in another order
					require.InDeltaSlice(t, tc.Losses, history.Logs["loss"], 4e-6)
					requireWeights(t, m, tc.Weights, 5e-6)
					var paths []string
					for _, v := range o.Variables() {
						paths = append(paths, v.Path())
					}
					if i := slices.Index(tc.Slots, "variable"); i >= 0 {
						tc.Slots[i] = "nadam/u_product"
					}
					require.Equal(t, tc.Slots, paths, "the names and the order of Keras")
					for _, inner := range o.Optimizers() {
						steps := int32(len(tc.Losses))
						if len(inner.Variables()) == 2 && inner.Name() == "lion" {
							steps = 0 // it has no variables to train
						}
						require.Equal(t, []int32{steps}, optimizerValue(t, m, inner.Name()+"/iteration"))
					}
				})
			})
		}
	}
}

// TestLossScaleAgainstKeras trains in float16 with a scaled loss: the same steps are skipped as
// in Keras, on every mesh and on both engines, and the numbers are the same, except for the
// rounding of float16.
func TestLossScaleAgainstKeras(t *testing.T) {
	file := tracetest.ReadJSON[struct {
		X, Y  any
		Start []any
		Cases []struct {
			Name, Optimizer string
			Params          optimizerParams
			Automatic       bool
			Scaling         *struct {
				InitialScale float64 `json:"initial_scale"`
				GrowthSteps  int     `json:"dynamic_growth_steps"`
			}
			Steps []struct {
				Loss, Scale        float64
				Counter, Iteration int32
			}
			Slots   []string
			Weights []any
		}
	}](t, "testdata/reference/mixed.json")
	require.Len(t, file.Cases, 5)
	for _, tc := range file.Cases {
		for _, meshName := range meshesOf(tc.Name) {
			t.Run(tc.Name+" on "+meshName, func(t *testing.T) {
				onMesh(t, meshName, func(client keras.CompileOption) {
					require.NoError(t, layers.SetDTypePolicy(layers.MixedFloat16))
					m := twoDense(t)
					require.NoError(t, layers.SetDTypePolicy("float32"))
					require.NoError(t, m.SetWeights(t.Context(), anyTensors(file.Start)...))
					o := tc.Params.make(t, tc.Optimizer)
					if s := tc.Scaling; s != nil {
						opts := []optimizers.Option{optimizers.InitialScale(s.InitialScale)}
						if s.GrowthSteps > 0 {
							opts = append(opts, optimizers.DynamicGrowthSteps(s.GrowthSteps))
						}
						o = optimizers.NewLossScaleOptimizer(o, opts...)
					}
					scaled := tc.Automatic || tc.Scaling != nil
					require.NoError(t, m.Compile(keras.Optimizer(o), keras.AutoScaleLoss(scaled), keras.Loss("mse"), client, quiet))
					for i, step := range tc.Steps {
						logs, err := m.TrainOnBatch(t.Context(), tracetest.Tensor(file.X), tracetest.Tensor(file.Y))
						require.NoError(t, err)
						loss, _ := logs.Get("loss")
						require.InDelta(t, step.Loss, loss, 2e-3*step.Loss, "step %d", i)
						if !scaled {
							continue
						}
						scale, err := o.DynamicScale(t.Context())
						require.NoError(t, err)
						require.Equal(t, step.Scale, scale, "step %d", i)
						require.Equal(t, []int32{step.Counter}, optimizerValue(t, m, "loss_scale_optimizer/step_counter"), "step %d", i)
						require.Equal(t, []int32{step.Iteration}, optimizerValue(t, m, o.Name()+"/iteration"), "step %d", i)
					}
					c, err := m.Client(t.Context())
					require.NoError(t, err)
					require.NoError(t, o.Finalize(t.Context(), c))
					requireWeights(t, m, tc.Weights, 2e-3)
					var summary strings.Builder
					require.NoError(t, m.Summary(&summary))
					require.Equal(t, scaled, strings.Contains(summary.String(), "\nLoss scale: from "))
					var slots []string
					for _, v := range o.Variables() {
						slots = append(slots, v.Path())
					}
					require.Equal(t, tc.Slots, slots, "the names and the order of Keras")
				})
			})
		}
	}
}

// optimizerValue returns the value of the variable of the model's optimizer with this path, as a
// flat slice. The test fails if there is none.
func optimizerValue(t *testing.T, m *keras.Model, path string) any {
	t.Helper()
	for _, v := range m.Optimizer().Variables() {
		if v.Path() == path {
			flat, err := v.Value(t.Context())
			require.NoError(t, err)
			return flat
		}
	}
	require.Fail(t, "no variable "+path)
	return nil
}
