package keras_test

// This file compares optimizers with Keras on JAX, whose runs
// benchmarks/peers/training_reference.py wrote.

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/optimizers"
	"github.com/gospmd/gospmd/trace/tracetest"
)

// optimizerParams are the options of an optimizer of Keras.
type optimizerParams struct {
	LearningRate *float64 `json:"learning_rate"`
	Momentum     *float64
	Rho          *float64
	Epsilon      *float64
	Beta1        *float64 `json:"beta_1"`
	Beta2        *float64 `json:"beta_2"`
	Nesterov     bool
	Centered     bool
	AMSGrad      bool
	WeightDecay  *float64 `json:"weight_decay"`
	ClipNorm     *float64
	ClipValue    *float64
	GlobalClip   *float64 `json:"global_clipnorm"`
	UseEMA       bool     `json:"use_ema"`
	EMAMomentum  *float64 `json:"ema_momentum"`
	EMAOverwrite int      `json:"ema_overwrite_frequency"`
	Accumulate   int      `json:"gradient_accumulation_steps"`
	Initial      *float64 `json:"initial_accumulator_value"`
	LossScale    *float64 `json:"loss_scale_factor"`
}

// make returns the optimizer of a class.
func (p optimizerParams) make(t *testing.T, class string) *optimizers.Optimizer {
	t.Helper()
	var opts []optimizers.Option
	for _, o := range []struct {
		value *float64
		make  func(float64) optimizers.Option
	}{
		{p.LearningRate, optimizers.LearningRate}, {p.Momentum, optimizers.Momentum}, {p.Rho, optimizers.Rho},
		{p.Epsilon, optimizers.Epsilon}, {p.Beta1, optimizers.Beta1}, {p.Beta2, optimizers.Beta2},
		{p.WeightDecay, optimizers.WeightDecay}, {p.ClipNorm, optimizers.ClipNorm}, {p.ClipValue, optimizers.ClipValue},
		{p.GlobalClip, optimizers.GlobalClipNorm}, {p.EMAMomentum, optimizers.EMAMomentum}, {p.Initial, optimizers.InitialAccumulatorValue},
		{p.LossScale, optimizers.LossScaleFactor},
	} {
		if o.value != nil {
			opts = append(opts, o.make(*o.value))
		}
	}
	for _, o := range []struct {
		on   bool
		make func() optimizers.Option
	}{{p.Nesterov, optimizers.Nesterov}, {p.Centered, optimizers.Centered}, {p.AMSGrad, optimizers.AMSGrad}, {p.UseEMA, optimizers.UseEMA}} {
		if o.on {
			opts = append(opts, o.make())
		}
	}
	if p.EMAOverwrite > 0 {
		opts = append(opts, optimizers.EMAOverwriteFrequency(p.EMAOverwrite))
	}
	if p.Accumulate > 0 {
		opts = append(opts, optimizers.GradientAccumulationSteps(p.Accumulate))
	}
	constructor := map[string]func(...optimizers.Option) *optimizers.Optimizer{
		"SGD": optimizers.SGD, "RMSprop": optimizers.RMSprop, "Adam": optimizers.Adam, "AdamW": optimizers.AdamW, "Adagrad": optimizers.Adagrad,
	}[class]
	require.NotNil(t, constructor, class)
	return constructor(opts...)
}

// twoDense is the model of both tests.
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
	require.Len(t, file.Cases, 23)
	for i, tc := range file.Cases {
		p := tc.Params
		meshNames := []string{""}
		if tc.Name == "Adam" && (p.AMSGrad || p.UseEMA) || p.GlobalClip != nil {
			meshNames = append(meshNames, "data=2,model=4") // for the layouts of the slots
		}
		for _, meshName := range meshNames {
			t.Run(fmt.Sprintf("%d %s on %q", i, tc.Name, meshName), func(t *testing.T) {
				onMesh(t, meshName, func(client keras.CompileOption) {
					m := twoDense(t)
					optimizer := p.make(t, tc.Name)
					require.NoError(t, m.SetWeights(t.Context(), anyTensors(file.Start)...))
					require.NoError(t, m.Compile(keras.Optimizer(optimizer), keras.Loss("mse"), client, quiet(t)))
					history, err := m.Fit(t.Context(), tracetest.Tensor(file.X), tracetest.Tensor(file.Y), keras.Epochs(len(tc.Losses)),
						keras.BatchSize(6), keras.Shuffle(false), keras.Verbose(0))
					require.NoError(t, err)
					require.InDeltaSlice(t, tc.Losses, history.Logs["loss"], 2e-6)
					requireWeights(t, m, tc.Weights, 5e-6)
					var slots []string
					for _, v := range optimizer.Variables() {
						slots = append(slots, v.Name())
					}
					require.Equal(t, tc.Slots, slots, "the names and the order of Keras")
				})
			})
		}
	}
}

// TestLossScaleAgainstKeras trains in float16 with a scaled loss: the same steps
// are skipped as in Keras, on every mesh and on both engines, and the numbers
// are the same but for the rounding of float16.
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
					require.NoError(t, m.Compile(keras.Optimizer(o), keras.AutoScaleLoss(scaled), keras.Loss("mse"), client, quiet(t)))
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

// optimizerValue returns the value of a variable of the model's optimizer.
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
