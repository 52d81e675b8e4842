package optimizers_test

// The update rules are compared with Keras by the tests of package keras,
// which train models.

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/testing/optiontest"
	"github.com/gospmd/gospmd/internal/testing/tracetest"
	"github.com/gospmd/gospmd/keras/initializers"
	"github.com/gospmd/gospmd/keras/optimizers"
	"github.com/gospmd/gospmd/keras/variable"
)

func Example() {
	o := optimizers.RMSprop(optimizers.Momentum(0.9))
	kernel := variable.New("d1/kernel", []int{4, 2}, dtypes.Float32, initializers.Zeros())
	fmt.Println(o.Build([]*variable.Variable{kernel}, nil))
	for _, v := range o.Variables() {
		fmt.Println(v.Path())
	}
	// Output:
	// <nil>
	// rm_sprop/iteration
	// rm_sprop/learning_rate
	// rm_sprop/d1_kernel_velocity
	// rm_sprop/d1_kernel_momentum
}

func TestGet(t *testing.T) {
	for _, tc := range []struct {
		name      string
		optimizer any
		wantErr   string // empty means success
	}{
		{"name", "rmsprop", ""},
		{"class name", "RMSprop", ""},
		{"object", optimizers.SGD(optimizers.LearningRate(0.1)), ""},
		{"unknown", "adamm", `unknown optimizer "adamm" (did you mean "adam"?): want one of adadelta, adafactor, adagrad, adam, adamax, adamw, ftrl, lamb, lion, muon, nadam, rmsprop, schedulefreeadamw, sgd`},
		{"not an optimizer", 1, "optimizer is a int"},
		{"option of another", optimizers.SGD(optimizers.Rho(0.5)), "SGD takes no option Rho: it takes Momentum, Nesterov, Name, LossScaleFactor, LearningRate, "},
		{"momentum", optimizers.SGD(optimizers.Momentum(1.5)), "Momentum: got 1.5, want a number in [0, 1]"},
		{"learning rate", optimizers.Adam(optimizers.LearningRate(-1)), "got learning rate -1"},
		{"two kinds of clipping", optimizers.SGD(optimizers.ClipNorm(1), optimizers.ClipValue(1)), "SGD: got several of ClipNorm, ClipValue and GlobalClipNorm"},
		{"accumulation", optimizers.SGD(optimizers.GradientAccumulationSteps(0)), "GradientAccumulationSteps: got 0, want a positive number"},
		{"schedule", optimizers.SGD(optimizers.LearningRateSchedule(optimizers.CosineDecay{})), "CosineDecay: got DecaySteps 0, want a positive number"},
		{"scaled loss", optimizers.NewLossScaleOptimizer("adam", optimizers.InitialScale(8), optimizers.DynamicGrowthSteps(3)), ""},
		{"scaled loss of an unknown one", optimizers.NewLossScaleOptimizer("adamm"), `unknown optimizer "adamm"`},
		{"scaled twice", optimizers.NewLossScaleOptimizer(optimizers.NewLossScaleOptimizer("adam")), "the optimizer adam scales the loss already"},
		{"scale", optimizers.NewLossScaleOptimizer("adam", optimizers.InitialScale(0)), "LossScaleOptimizer: InitialScale: got 0, want a positive number"},
		{"growth", optimizers.NewLossScaleOptimizer("adam", optimizers.DynamicGrowthSteps(0)), "DynamicGrowthSteps: got 0, want a positive number"},
		{"option of the inner one", optimizers.NewLossScaleOptimizer("adam", optimizers.ClipNorm(1)), "LossScaleOptimizer takes no option ClipNorm: it takes InitialScale, DynamicGrowthSteps, Name"},
		{"fixed scale", optimizers.Adam(optimizers.LossScaleFactor(-1)), "LossScaleFactor: got -1, want a positive number"},
		{"several", optimizers.MultiOptimizer(optimizers.NewOptimizerMap("sgd")), ""},
		{"no map", optimizers.MultiOptimizer(optimizers.Adam()), "MultiOptimizer: got a *optimizers.Optimizer, want an *OptimizerMap, or a func(*variable.Variable) *Optimizer"},
		{"nil map", optimizers.MultiOptimizer((*optimizers.OptimizerMap)(nil)), "MultiOptimizer: got a nil OptimizerMap"},
		{"map of an unknown one", optimizers.MultiOptimizer(optimizers.NewOptimizerMap("adamm")), `OptimizerMap: the default optimizer: unknown optimizer "adamm"`},
		{"map of several", optimizers.MultiOptimizer(optimizers.NewOptimizerMap(optimizers.MultiOptimizer(optimizers.NewOptimizerMap("sgd")))), "got a MultiOptimizer, want an optimizer such as Adam"},
		{"map of a scaled one", optimizers.MultiOptimizer(optimizers.NewOptimizerMap(optimizers.NewLossScaleOptimizer("adam"))), "got a LossScaleOptimizer: scale the loss of the MultiOptimizer instead"},
		{"option of a part", optimizers.MultiOptimizer(optimizers.NewOptimizerMap("sgd"), optimizers.LearningRate(1)), "MultiOptimizer takes no option LearningRate: it takes Name, LossScaleFactor"},
		{"epsilon", optimizers.Adam(optimizers.Epsilon(-1)), "Epsilon: got -1"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := optimizers.Get(tc.optimizer)
			if tc.wantErr == "" {
				require.NoError(t, err)
			} else {
				require.ErrorContains(t, err, tc.wantErr)
			}
		})
	}
}

// There must be at least 46 functions that return an Option. Each has a name that is a field of the
// options of some class, so that an optimizer takes it.
func TestEveryOptionIsTaken(t *testing.T) { optiontest.RequireTaken(t, 46, optimizers.AnyTakes) }

// TestConfig makes each optimizer of Keras again from its config. The config must stay the same,
// and null must switch an option off, not set its default. Wrong values and unknown options must be
// errors.
func TestConfig(t *testing.T) {
	for _, class := range optimizers.Classes() {
		o, err := optimizers.Get(class)
		require.NoError(t, err)
		got, config := o.Config()
		require.Equal(t, class, got)
		again, err := optimizers.FromConfig(class, config)
		require.NoError(t, err)
		_, same := again.Config()
		require.Equal(t, config, same)
	}
	for _, tc := range []struct {
		class, key string
		value      any
	}{
		{"SGD", "weight_decay", 0.0}, {"AdamW", "weight_decay", nil}, {"AdamW", "clipnorm", 2.0}, {"Adam", "ema_momentum", 0.0},
		{"Muon", "rms_rate", nil}, {"Muon", "exclude_layers", []string{"head"}}, {"Ftrl", "learning_rate_power", -1.0},
		{"Adam", "learning_rate", optimizers.CosineDecay{InitialLearningRate: 1, DecaySteps: 3}},
	} {
		o, err := optimizers.FromConfig(tc.class, map[string]any{tc.key: tc.value})
		require.NoError(t, err, tc)
		_, config := o.Config()
		require.Equal(t, tc.value, config[tc.key], tc)
	}
	_, err := optimizers.FromConfig("Ftrl", map[string]any{"learning_rate_power": 1.0})
	require.ErrorContains(t, err, "Ftrl: LearningRatePower: got 1, want a number not above 0")
	_, err = optimizers.FromConfig("Adam", map[string]any{"learning_rate": "fast"})
	require.ErrorContains(t, err, `Adam: LearningRate: got fast, want a number, or a Schedule such as ExponentialDecay`)
	_, err = optimizers.FromConfig("Adam", map[string]any{"decay": 1.0})
	require.ErrorContains(t, err, `optimizer Adam: the option decay = 1 is not known here`)
}

// ExcludeLayers and ExcludeFromWeightDecay take regular expressions in Python's syntax, whose \Z is
// Go's \z. In a variable that Muon trains by AdamW, it keeps a velocity. An expression that is not
// valid is an error.
func TestPatterns(t *testing.T) {
	loaded, err := optimizers.FromConfig("Muon", map[string]any{"exclude_layers": []any{`head/\w+\Z`}})
	require.NoError(t, err)
	for _, o := range []*optimizers.Optimizer{optimizers.Muon(optimizers.ExcludeLayers(`head/\w+\Z`)), loaded} {
		var vs []*variable.Variable
		for _, path := range []string{"head/kernel", "head/kernel/more"} {
			vs = append(vs, variable.New(path, []int{2, 2}, dtypes.Float32, initializers.Zeros()))
		}
		require.NoError(t, o.Build(vs, nil))
		var velocities []string
		for _, v := range o.Variables() {
			if strings.Contains(v.Path(), "velocity") {
				velocities = append(velocities, v.Path())
			}
		}
		require.Equal(t, []string{"muon/head_kernel_velocity"}, velocities)
	}
	for name, option := range map[string]func(...string) optimizers.Option{
		"ExcludeLayers": optimizers.ExcludeLayers, "ExcludeFromWeightDecay": optimizers.ExcludeFromWeightDecay,
	} {
		_, err := optimizers.Get(optimizers.Muon(option("head", "(tail")))
		require.ErrorContains(t, err, "Muon: "+name+": error parsing regexp: missing closing )")
	}
}

// TestLossScale lets an optimizer that belongs to a model scale the loss. It keeps its variables,
// and gets those of the scale.
func TestLossScale(t *testing.T) {
	o := optimizers.SGD(optimizers.LossScaleFactor(4))
	v := variable.New("a", []int{1}, dtypes.Float32, initializers.Zeros())
	require.NoError(t, o.Build([]*variable.Variable{v}, nil))
	require.Len(t, o.Variables(), 2)
	scale, err := o.DynamicScale(t.Context())
	require.NoError(t, err)
	require.Equal(t, 1.0, scale)

	require.Same(t, o, optimizers.NewLossScaleOptimizer(o))
	require.NoError(t, o.Build([]*variable.Variable{v}, nil))
	require.Len(t, o.Variables(), 6)
	require.Len(t, o.InnerVariables(), 2)
	require.Len(t, o.EarlyVariables(), 4)
	scale, err = o.DynamicScale(t.Context())
	require.NoError(t, err)
	require.Equal(t, 32768.0, scale)
	_, config := o.Config()
	require.Nil(t, config["loss_scale_factor"], "the loss is scaled once")
	require.Equal(t, map[string]any{"name": "loss_scale_optimizer", "initial_scale": 32768.0, "dynamic_growth_steps": 2000}, o.LossScaleConfig())
}

// TestOptimizerMap looks paths up in a map. As in Keras, a key that is the path wins, then the
// pattern that matches all of it. Two patterns that match, a key set twice, a bad pattern and a bad
// optimizer must be errors.
func TestOptimizerMap(t *testing.T) {
	adam, sgd, rmsprop := optimizers.Adam(), optimizers.SGD(), optimizers.RMSprop()
	m := optimizers.NewOptimizerMap(rmsprop)
	require.NoError(t, m.Set("encoder/layer_0/dense", adam))
	require.NoError(t, m.Set("encoder/.*", sgd))
	require.NoError(t, m.Set("decoder", adam))
	for path, want := range map[string]*optimizers.Optimizer{
		"decoder": adam, "encoder/layer_0/dense": adam, "encoder/layer_0/attention/query": sgd, "decoder/layer_0/dense": rmsprop, "an encoder/x": rmsprop,
	} {
		o, err := m.Get(path)
		require.NoError(t, err)
		require.Same(t, want, o, path)
	}
	require.Equal(t, []string{"encoder/layer_0/dense", "encoder/.*", "decoder"}, m.Keys())
	require.NoError(t, m.Set(".*/dense", "lion"))
	_, err := m.Get("encoder/dense")
	require.ErrorContains(t, err, `the keys "encoder/.*" and ".*/dense" both match encoder/dense`)
	require.ErrorContains(t, m.Set("decoder", "lion"), `the key "decoder" is there already`)
	_, err = optimizers.Get(optimizers.MultiOptimizer(m))
	require.ErrorContains(t, err, `the key "decoder" is there already`, "errors are kept")
	require.ErrorContains(t, m.Set("(", "lion"), `OptimizerMap: key "("`)
	require.ErrorContains(t, m.Set("a", optimizers.SGD(optimizers.Momentum(2))), `key "a": SGD: Momentum: got 2`)
}

// TestMultiOptimizer builds a MultiOptimizer whose function chooses one of two optimizers for each
// variable. Names, variables and averages must be those of both. One optimizer in two models, nil,
// and reading the learning rate are errors.
func TestMultiOptimizer(t *testing.T) {
	v := variable.New("a/kernel", []int{1}, dtypes.Float32, initializers.Zeros())
	w := variable.New("b/kernel", []int{1}, dtypes.Float32, initializers.Zeros())
	first, second := optimizers.Adam(), optimizers.Adam(optimizers.UseEMA())
	o := optimizers.MultiOptimizer(func(x *variable.Variable) *optimizers.Optimizer {
		return map[*variable.Variable]*optimizers.Optimizer{v: second, w: first}[x]
	})
	require.False(t, o.KeepsAverages())
	require.NoError(t, o.Build([]*variable.Variable{v, w}, nil))
	require.True(t, o.KeepsAverages())
	require.Equal(t, []*optimizers.Optimizer{second, first}, o.Optimizers())
	require.Equal(t, "adam_1", first.Name())
	require.Equal(t, "adam_1/b_kernel_velocity", first.Variables()[3].Path())
	require.Len(t, o.Variables(), 2+5+4)
	require.Len(t, o.EarlyVariables(), 6)
	require.Nil(t, o.OptimizerMap())

	_, err := o.LearningRate(t.Context())
	require.ErrorContains(t, err, "multi_optimizer is a MultiOptimizer, which has no learning rate: read or set those of its Optimizers(): adam, adam_1")
	require.ErrorContains(t, o.SetLearningRate(nil, 1), "is a MultiOptimizer")
	require.NoError(t, first.SetLearningRate(nil, 1))

	other := optimizers.MultiOptimizer(func(*variable.Variable) *optimizers.Optimizer { return first })
	require.ErrorContains(t, other.Build([]*variable.Variable{v, w}, nil), "adam_1 of multi_optimizer already belongs to a model")
	none := optimizers.MultiOptimizer(func(*variable.Variable) *optimizers.Optimizer { return nil })
	require.ErrorContains(t, none.Build([]*variable.Variable{v}, nil), "variable a/kernel: the optimizer is nil")
}

func TestBuildTwice(t *testing.T) {
	v := variable.New("a", []int{1}, dtypes.Float32, initializers.Zeros())
	w := variable.New("b", []int{1}, dtypes.Float32, initializers.Zeros())
	o := optimizers.Adam()
	require.NoError(t, o.Build([]*variable.Variable{v}, nil))
	require.NoError(t, o.Build([]*variable.Variable{v}, nil))
	require.Len(t, o.Variables(), 4)
	require.ErrorContains(t, o.Build([]*variable.Variable{w}, nil), "already belongs to a model")
}

// TestSchedules requires that learning rates at many steps are those of Keras on JAX up to 1e-7,
// which benchmarks/peers/training_reference.py wrote.
func TestSchedules(t *testing.T) {
	file := tracetest.ReadJSON[struct {
		Schedules []struct {
			Name   string
			Params json.RawMessage
			Rates  []float64
		}
	}](t, "../testdata/reference/optimizers.json")
	require.NotEmpty(t, file.Schedules)
	for i, tc := range file.Schedules {
		t.Run(fmt.Sprintf("%d %s", i, tc.Name), func(t *testing.T) {
			var p struct {
				Initial      float64 `json:"initial_learning_rate"`
				Steps        int     `json:"decay_steps"`
				Rate         float64 `json:"decay_rate"`
				End          float64 `json:"end_learning_rate"`
				Power        float64
				Cycle        bool
				Staircase    bool
				Alpha        float64
				WarmupTarget float64 `json:"warmup_target"`
				WarmupSteps  int     `json:"warmup_steps"`
				First        int     `json:"first_decay_steps"`
				TMul         float64 `json:"t_mul"`
				MMul         float64 `json:"m_mul"`
				Boundaries   []int
				Values       []float64
			}
			require.NoError(t, json.Unmarshal(tc.Params, &p))
			schedule := map[string]optimizers.Schedule{
				"ExponentialDecay":       optimizers.ExponentialDecay{InitialLearningRate: p.Initial, DecaySteps: p.Steps, DecayRate: p.Rate, Staircase: p.Staircase},
				"InverseTimeDecay":       optimizers.InverseTimeDecay{InitialLearningRate: p.Initial, DecaySteps: p.Steps, DecayRate: p.Rate, Staircase: p.Staircase},
				"PolynomialDecay":        optimizers.PolynomialDecay{InitialLearningRate: p.Initial, DecaySteps: p.Steps, EndLearningRate: p.End, Power: p.Power, Cycle: p.Cycle},
				"CosineDecay":            optimizers.CosineDecay{InitialLearningRate: p.Initial, DecaySteps: p.Steps, Alpha: p.Alpha, WarmupTarget: p.WarmupTarget, WarmupSteps: p.WarmupSteps},
				"CosineDecayRestarts":    optimizers.CosineDecayRestarts{InitialLearningRate: p.Initial, FirstDecaySteps: p.First, TMul: p.TMul, MMul: p.MMul, Alpha: p.Alpha},
				"PiecewiseConstantDecay": optimizers.PiecewiseConstantDecay{Boundaries: p.Boundaries, Values: p.Values},
			}[tc.Name]
			for step, want := range tc.Rates {
				got, err := optimizers.RateAt(schedule, step)
				require.NoError(t, err)
				require.InDelta(t, want, got, 1e-7, "step %d", step)
			}
		})
	}
}

func TestScheduledRate(t *testing.T) {
	o := optimizers.SGD(optimizers.LearningRateSchedule(optimizers.ExponentialDecay{InitialLearningRate: 0.5, DecaySteps: 2, DecayRate: 0.1}))
	rate, err := o.LearningRate(t.Context())
	require.NoError(t, err)
	require.Equal(t, 0.5, rate)
	require.ErrorContains(t, o.SetLearningRate(nil, 1), "was made with a schedule")
	require.NoError(t, o.Build(nil, nil))
	require.Len(t, o.Variables(), 1, "there is no learning_rate variable")
}

func TestLearningRate(t *testing.T) {
	o := optimizers.SGD()
	rate, err := o.LearningRate(t.Context())
	require.NoError(t, err)
	require.Equal(t, 0.01, rate)
	require.NoError(t, o.SetLearningRate(nil, 0.5))
	require.ErrorContains(t, o.SetLearningRate(nil, -0.5), "got learning rate -0.5")
	require.NoError(t, o.Build(nil, nil))
	rate, err = o.LearningRate(t.Context())
	require.NoError(t, err)
	require.Equal(t, 0.5, rate)
}
