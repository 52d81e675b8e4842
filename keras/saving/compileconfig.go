package saving

// This file writes and reads the compile_config of a model: losses, metrics
// and the optimizer, with the schedules of the learning rate.

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"github.com/gospmd/gospmd/internal/brief"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/losses"
	"github.com/gospmd/gospmd/keras/metrics"
	"github.com/gospmd/gospmd/keras/optimizers"
)

// encodeCompile describes the arguments with which the model was compiled.
func encodeCompile(ctx context.Context, m *keras.Model) (*compileConfig, error) {
	c := &compileConfig{StepsPerExecution: 1, JITCompile: true}
	o, err := encodeOptimizer(ctx, m.Optimizer())
	if err != nil {
		return nil, err
	}
	c.Optimizer = o
	var list []any
	for _, l := range m.Losses() {
		o, err := encodeLoss(l)
		if err != nil {
			return nil, err
		}
		list = append(list, o)
	}
	if c.Loss = any(list); len(list) == 0 {
		c.Loss = nil
	} else if len(list) == 1 {
		c.Loss = list[0]
	}
	for _, metric := range m.Metrics() {
		name, ok := metric.(string)
		if !ok {
			return nil, fmt.Errorf("a custom metric, %T, cannot be written into a %s archive: compile with metrics by their names", metric, archiveSuffix)
		}
		c.Metrics = append(c.Metrics, name)
	}
	return c, nil
}

func encodeLoss(l *losses.Loss) (any, error) {
	class, config := l.Config()
	if name := l.Name(); class == "" && name == "crossentropy" {
		return name, nil
	}
	if class == "" {
		return nil, fmt.Errorf("the custom loss %s cannot be written into a %s archive: save the model before it is compiled, or its weights", l.Name(), archiveSuffix)
	}
	return &object{Module: "keras.losses", ClassName: class, Config: decimals(config)}, nil
}

// decodeCompile returns the options with which a model was compiled, nil for a model
// that was not.
func decodeCompile(v any) ([]keras.CompileOption, error) {
	config, ok := v.(map[string]any)
	if !ok || config["optimizer"] == nil {
		return nil, nil
	}
	r := newReader("compile_config", config)
	r.skip("optimizer", "loss", "metrics", "run_eagerly", "steps_per_execution", "jit_compile", "auto_scale_loss")
	if err := r.done(); err != nil {
		return nil, err
	}
	optimizer, err := decodeOptimizer(config["optimizer"])
	if err != nil {
		return nil, err
	}
	out := []keras.CompileOption{keras.Optimizer(optimizer)}
	if loss := config["loss"]; loss != nil {
		list, ok := loss.([]any)
		if !ok {
			list = []any{loss}
		}
		var all []any
		for _, l := range list {
			x, err := decodeLoss(l)
			if err != nil {
				return nil, err
			}
			all = append(all, x)
		}
		out = append(out, keras.Loss(all...))
	}
	names, err := decodeMetrics(config["metrics"])
	if len(names) > 0 {
		out = append(out, keras.Metrics(names...))
	}
	return out, err
}

// decodeLoss returns a loss by its name or of its config. Keras writes a function as an
// object of the class function.
func decodeLoss(v any) (any, error) {
	if name, ok := functionName(v); ok {
		return name, nil
	}
	class, config, err := classAndConfig(v)
	if err != nil {
		return nil, err
	}
	delete(config, "dtype")
	return losses.FromConfig(brief.Text(class), config)
}

// functionName returns a name, or that of one of Keras' functions.
func functionName(v any) (string, bool) {
	if o, ok := v.(map[string]any); ok && o["class_name"] == "function" {
		v = o["config"]
	}
	name, ok := v.(string)
	return name, ok
}

// decodeMetrics returns the names of metrics.
func decodeMetrics(v any) (names []any, err error) {
	list, ok := v.([]any)
	if v != nil && !ok {
		return nil, fmt.Errorf("compile_config has the metrics %s, want a list", brief.Value(v))
	}
	if len(list) == 1 {
		if inner, ok := list[0].([]any); ok {
			list = inner // the metrics of the only output
		}
	}
	for _, x := range list {
		name, ok := x.(string)
		if !ok {
			class, config, err := classAndConfig(x)
			if err != nil {
				return nil, err
			}
			r := newReader("metric "+brief.Text(class), config)
			r.skip("dtype")
			name = r.text("name")
			if metrics.Check(name) != nil {
				name = class
			}
			if err := r.done(); err != nil {
				return nil, err
			}
		}
		if err := metrics.Check(name); err != nil {
			return nil, err
		}
		names = append(names, name)
	}
	return names, nil
}

func encodeOptimizer(ctx context.Context, o *optimizers.Optimizer) (*object, error) {
	class, config := o.Config()
	if class == "" {
		return nil, fmt.Errorf("the custom optimizer %s cannot be written into a %s archive: save the model before it is compiled, or its weights", o.Name(), archiveSuffix)
	}
	if s, ok := config["learning_rate"].(optimizers.Schedule); ok {
		scheduled, err := encodeSchedule(s)
		if err != nil {
			return nil, err
		}
		config["learning_rate"] = scheduled
	} else {
		rate, err := o.LearningRate(ctx)
		if err != nil {
			return nil, err
		}
		config["learning_rate"] = rate
	}
	inner := &object{Module: "keras.optimizers", ClassName: class, Config: decimals(config)}
	scaling := o.LossScaleConfig()
	if scaling == nil {
		return inner, nil
	}
	scaling["inner_optimizer"] = inner
	scaling["initial_scale"] = decimal(scaling["initial_scale"].(float64))
	return &object{Module: inner.Module, ClassName: lossScaleClass, Config: scaling}, nil
}

// lossScaleClass is the class of the optimizer that wraps another one.
const lossScaleClass = "LossScaleOptimizer"

// decimal is a number that is written with a decimal point, such as 0.0. Keras takes
// no int for a float.
type decimal float64

// decimals makes the numbers of a config that are no integers decimals.
func decimals(config map[string]any) map[string]any {
	for key, v := range config {
		if x, ok := v.(float64); ok {
			config[key] = decimal(x)
		}
	}
	return config
}

// MarshalJSON writes the number.
func (d decimal) MarshalJSON() ([]byte, error) {
	text, err := json.Marshal(float64(d))
	if err == nil && !bytes.ContainsAny(text, ".eE") {
		text = append(text, ".0"...)
	}
	return text, err
}

// optimizerMakers are the optimizers by class.
var optimizerMakers = map[string]func(...optimizers.Option) *optimizers.Optimizer{
	"Adagrad": optimizers.Adagrad,
	"Adam":    optimizers.Adam,
	"AdamW":   optimizers.AdamW,
	"RMSprop": optimizers.RMSprop,
	"SGD":     optimizers.SGD,
}

// The options of optimizers in configs, by their keys.
var (
	optimizerFloats = []struct {
		key string
		set func(float64) optimizers.Option
	}{
		{"weight_decay", optimizers.WeightDecay},
		{"clipnorm", optimizers.ClipNorm},
		{"clipvalue", optimizers.ClipValue},
		{"global_clipnorm", optimizers.GlobalClipNorm},
		{"loss_scale_factor", optimizers.LossScaleFactor},
		{"momentum", optimizers.Momentum},
		{"rho", optimizers.Rho},
		{"epsilon", optimizers.Epsilon},
		{"beta_1", optimizers.Beta1},
		{"beta_2", optimizers.Beta2},
		{"initial_accumulator_value", optimizers.InitialAccumulatorValue},
	}
	optimizerInts = []struct {
		key string
		set func(int) optimizers.Option
	}{
		{"ema_overwrite_frequency", optimizers.EMAOverwriteFrequency},
		{"gradient_accumulation_steps", optimizers.GradientAccumulationSteps},
	}
	optimizerFlags = []struct {
		key string
		set func() optimizers.Option
	}{
		{"nesterov", optimizers.Nesterov},
		{"centered", optimizers.Centered},
		{"amsgrad", optimizers.AMSGrad},
		{"use_ema", optimizers.UseEMA},
	}
)

func decodeOptimizer(v any) (any, error) {
	if name, ok := v.(string); ok {
		return name, nil
	}
	class, config, err := classAndConfig(v)
	if err != nil {
		return nil, err
	}
	r := newReader("optimizer "+brief.Text(class), config)
	if class == lossScaleClass {
		return decodeLossScale(r)
	}
	maker, ok := optimizerMakers[class]
	if !ok {
		return nil, unknown("optimizer", class, optimizerMakers)
	}
	o := r.optimizerName()
	if _, isObject := config["learning_rate"].(map[string]any); isObject {
		r.skip("learning_rate")
		s, err := decodeSchedule(config["learning_rate"])
		if err != nil {
			return nil, err
		}
		o = append(o, optimizers.LearningRateSchedule(s))
	} else {
		o = append(o, optimizers.LearningRate(r.float("learning_rate")))
	}
	for _, x := range optimizerFloats {
		if r.has(x.key) {
			o = append(o, x.set(r.float(x.key)))
		}
	}
	for _, x := range optimizerInts {
		if r.has(x.key) {
			o = append(o, x.set(r.int(x.key)))
		}
	}
	for _, x := range optimizerFlags {
		if r.bool(x.key) {
			o = append(o, x.set())
		}
	}
	r.skip("ema_momentum") // is written also without use_ema
	if r.bool("use_ema") {
		o = append(o, optimizers.EMAMomentum(r.float("ema_momentum")))
	}
	return maker(o...), r.done()
}

// decodeLossScale makes an optimizer that scales the loss for an inner one.
func decodeLossScale(r *reader) (any, error) {
	r.skip("inner_optimizer")
	inner, err := decodeOptimizer(r.config["inner_optimizer"])
	if err != nil {
		return nil, err
	}
	o := append(r.optimizerName(),
		optimizers.InitialScale(r.float("initial_scale")), optimizers.DynamicGrowthSteps(r.int("dynamic_growth_steps")))
	return optimizers.NewLossScaleOptimizer(inner, o...), r.done()
}

func (r *reader) optimizerName() []optimizers.Option {
	if r.has("name") {
		return []optimizers.Option{optimizers.Name(r.text("name"))}
	}
	return nil
}

func encodeSchedule(s optimizers.Schedule) (*object, error) {
	var class string
	var c map[string]any
	switch s := s.(type) {
	case optimizers.ExponentialDecay:
		class, c = "ExponentialDecay", map[string]any{"initial_learning_rate": s.InitialLearningRate, "decay_steps": s.DecaySteps, "decay_rate": s.DecayRate, "staircase": s.Staircase}
	case optimizers.InverseTimeDecay:
		class, c = "InverseTimeDecay", map[string]any{"initial_learning_rate": s.InitialLearningRate, "decay_steps": s.DecaySteps, "decay_rate": s.DecayRate, "staircase": s.Staircase}
	case optimizers.PolynomialDecay:
		power := s.Power
		if power == 0 {
			power = 1
		}
		class, c = "PolynomialDecay", map[string]any{"initial_learning_rate": s.InitialLearningRate, "decay_steps": s.DecaySteps, "end_learning_rate": s.EndLearningRate, "power": power, "cycle": s.Cycle}
	case optimizers.CosineDecay:
		var target any
		if s.WarmupSteps > 0 {
			target = s.WarmupTarget
		}
		class, c = "CosineDecay", map[string]any{"initial_learning_rate": s.InitialLearningRate, "decay_steps": s.DecaySteps, "alpha": s.Alpha, "warmup_target": target, "warmup_steps": s.WarmupSteps}
	case optimizers.PiecewiseConstantDecay:
		class, c = "PiecewiseConstantDecay", map[string]any{"boundaries": s.Boundaries, "values": s.Values}
	default:
		return nil, fmt.Errorf("the custom schedule %T cannot be written into a %s archive", s, archiveSuffix)
	}
	c["name"] = class
	return &object{Module: "keras.optimizers.schedules", ClassName: class, Config: c}, nil
}

// schedules makes schedules by Keras' names.
var schedules = map[string]func(r *reader) optimizers.Schedule{
	"ExponentialDecay": func(r *reader) optimizers.Schedule {
		return optimizers.ExponentialDecay{InitialLearningRate: r.float("initial_learning_rate"), DecaySteps: r.int("decay_steps"), DecayRate: r.float("decay_rate"), Staircase: r.bool("staircase")}
	},
	"InverseTimeDecay": func(r *reader) optimizers.Schedule {
		return optimizers.InverseTimeDecay{InitialLearningRate: r.float("initial_learning_rate"), DecaySteps: r.int("decay_steps"), DecayRate: r.float("decay_rate"), Staircase: r.bool("staircase")}
	},
	"PolynomialDecay": func(r *reader) optimizers.Schedule {
		return optimizers.PolynomialDecay{InitialLearningRate: r.float("initial_learning_rate"), DecaySteps: r.int("decay_steps"), EndLearningRate: r.float("end_learning_rate"), Power: r.float("power"), Cycle: r.bool("cycle")}
	},
	"CosineDecay": func(r *reader) optimizers.Schedule {
		return optimizers.CosineDecay{InitialLearningRate: r.float("initial_learning_rate"), DecaySteps: r.int("decay_steps"), Alpha: r.float("alpha"), WarmupTarget: r.float("warmup_target"), WarmupSteps: r.int("warmup_steps")}
	},
	"PiecewiseConstantDecay": func(r *reader) optimizers.Schedule {
		return optimizers.PiecewiseConstantDecay{Boundaries: r.ints("boundaries"), Values: r.floats("values")}
	},
}

func decodeSchedule(v any) (optimizers.Schedule, error) {
	class, config, err := classAndConfig(v)
	if err != nil {
		return nil, err
	}
	make, ok := schedules[class]
	if !ok {
		return nil, unknown("schedule of the learning rate", class, schedules)
	}
	r := newReader(class, config)
	r.skip("name")
	s := make(r)
	return s, r.done()
}
