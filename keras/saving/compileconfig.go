package saving

// This file writes and reads the compile_config of a model: losses, metrics
// and the optimizer, with the schedules of the learning rate.

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/gospmd/gospmd/internal/brief"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/losses"
	"github.com/gospmd/gospmd/keras/metrics"
	"github.com/gospmd/gospmd/keras/optimizers"
)

// encodeCompile returns the compile_config of the model: optimizer, losses, metrics and weights.
// Errors are steps and optimizers of the user's own, and losses and metrics of the user's own that
// are not registered.
func encodeCompile(ctx context.Context, m *keras.Model) (*compileConfig, error) {
	// XLA has no texts
	c := &compileConfig{StepsPerExecution: m.CompileArguments().StepsPerExecution, JITCompile: !slices.ContainsFunc(m.Layers(), layers.RunsOnHost)}
	if m.CompileArguments().OwnSteps {
		return nil, fmt.Errorf("the TrainStep or TestStep of your own cannot be written into a %s archive, which holds no code: save the model before it is compiled, or its weights", archiveSuffix)
	}
	o, err := encodeOptimizer(ctx, m.Optimizer())
	if err != nil {
		return nil, err
	}
	c.Optimizer = o
	arguments := m.CompileArguments()
	for _, a := range []struct {
		to     *any
		value  any
		encode func(any) (any, error)
	}{
		{&c.Loss, arguments.Loss, encodeLoss}, {&c.LossWeights, arguments.LossWeights, encodeNumber},
		{&c.Metrics, arguments.Metrics, encodeMetric}, {&c.WeightedMetrics, arguments.WeightedMetrics, encodeMetric},
	} {
		if *a.to, err = tree(a.value, a.encode); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// tree returns v, nested lists and maps as JSON has them. It calls leaf on each leaf, and replaces
// the leaf by the result. A map with a class_name is a leaf. nil stays nil. The first error of
// leaf, with the keys that lead to it, ends it.
func tree(v any, leaf func(any) (any, error)) (_ any, err error) {
	switch v := v.(type) {
	case nil:
		return nil, nil
	case []any:
		out := make([]any, len(v))
		for i, x := range v {
			if out[i], err = tree(x, leaf); err != nil {
				return nil, err
			}
		}
		return out, nil
	case map[string]any:
		if _, object := v["class_name"]; object {
			return leaf(v)
		}
		out := make(map[string]any, len(v))
		for _, key := range slices.Sorted(maps.Keys(v)) {
			if out[key], err = tree(v[key], leaf); err != nil {
				return nil, fmt.Errorf("%s: %w", brief.Text(key), err)
			}
		}
		return out, nil
	}
	return leaf(v)
}

func encodeNumber(v any) (any, error) { return decimal(v.(float64)), nil }

// checkUnbuilt returns the error of saving m, a model that is not built, or nil if it can be saved:
// its type and the arguments of its compilation must have a form in Keras.
func checkUnbuilt(ctx context.Context, m *keras.Model) error {
	if m.Subclassed() != nil {
		return errNoCode
	}
	if !trains(m) {
		return nil
	}
	_, err := encodeCompile(ctx, m)
	return err
}

func encodeMetric(v any) (any, error) {
	if _, ok := v.(string); ok {
		return v, nil
	}
	metric, err := metrics.Get(v, nil, nil)
	if err != nil {
		return nil, err
	}
	class, config := metric.Config()
	if o, ok := functionObject(registry.metrics, metric.Name()); ok && class == "" {
		return o, nil
	}
	if class == "" {
		return nil, fmt.Errorf("the custom metric %s cannot be written into a %s archive: register it with RegisterMetric, or save the weights", metric.Name(), archiveSuffix)
	}
	return &object{Module: "keras.metrics", ClassName: class, Config: decimals(config)}, nil
}

func encodeLoss(v any) (any, error) {
	l, err := losses.Get(v)
	if err != nil {
		return nil, err
	}
	class, config := l.Config()
	if name := l.Name(); class == "" && name == "crossentropy" {
		return name, nil
	}
	if o, ok := functionObject(registry.losses, l.Name()); ok && class == "" {
		return o, nil
	}
	if class == "" {
		return nil, fmt.Errorf("the custom loss %s cannot be written into a %s archive: register it with RegisterLoss, or save the weights", l.Name(), archiveSuffix)
	}
	return &object{Module: "keras.losses", ClassName: class, Config: decimals(config)}, nil
}

// decodeCompile returns the options of the model's compilation, nil for a model that was not
// compiled. order has the keys of its OptimizerMap, if there is one. scaled says whether the
// optimizer's variables are those of one that scales the loss; nil means that there are none.
func decodeCompile(v any, order []string, scaled *bool) ([]keras.CompileOption, error) {
	config, ok := v.(map[string]any)
	if !ok || config["optimizer"] == nil {
		return nil, nil
	}
	r := newReader("compile_config", config)
	r.skip("optimizer", "loss", "loss_weights", "metrics", "weighted_metrics", "run_eagerly", "steps_per_execution", "jit_compile", "auto_scale_loss")
	if err := r.done(); err != nil {
		return nil, err
	}
	optimizer, err := decodeOptimizer(config["optimizer"], order)
	if err != nil {
		return nil, err
	}
	var out []keras.CompileOption
	if scaled != nil {
		out = append(out, keras.AutoScaleLoss(false))
		o, err := optimizers.Get(optimizer)
		if err != nil {
			return nil, err
		}
		if optimizer = o; *scaled && !o.ScalesLoss() {
			optimizer = optimizers.NewLossScaleOptimizer(o)
		}
	}
	out = append(out, keras.Optimizer(optimizer))
	if n, ok := config["steps_per_execution"].(float64); ok && n > 1 {
		out = append(out, keras.StepsPerExecution(int(n)))
	}
	for _, a := range []struct {
		key    string
		decode func(any) (any, error)
		set    func(...any) keras.CompileOption
	}{
		{"loss", decodeLoss, keras.Loss}, {"loss_weights", decodeWeight, keras.LossWeights},
		{"metrics", decodeMetric, keras.Metrics}, {"weighted_metrics", decodeMetric, keras.WeightedMetrics},
	} {
		v, err := tree(config[a.key], a.decode)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", a.key, err)
		}
		switch v := v.(type) {
		case nil:
		case []any:
			if len(v) > 0 {
				out = append(out, a.set(v...))
			}
		default:
			out = append(out, a.set(v))
		}
	}
	return out, nil
}

func decodeWeight(v any) (any, error) {
	x, ok := v.(float64)
	if !ok {
		return nil, fmt.Errorf("got %s, want a number", brief.Value(v))
	}
	return x, nil
}

// decodeLoss returns the loss that v in a config describes: the name of a loss, a registered loss
// of the user's, or one made from its config.
func decodeLoss(v any) (any, error) {
	if l, ok, err := registeredObject(v, "loss", registry.losses); ok {
		return l, err
	}
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

// functionName returns the name that v is, or that is in v, an object for one of Keras' functions.
// ok is false for other values.
func functionName(v any) (string, bool) {
	if o, ok := v.(map[string]any); ok && o["class_name"] == functionClass {
		v = o["config"]
	}
	name, ok := v.(string)
	return name, ok
}

// decodeMetric returns the metric that v in a config describes: the name of a metric, a registered
// metric of the user's, or one made from its config.
func decodeMetric(v any) (any, error) {
	if m, ok, err := registeredObject(v, "metric", registry.metrics); ok {
		return m, err
	}
	if name, ok := functionName(v); ok {
		return name, metrics.Check(name)
	}
	class, config, err := classAndConfig(v)
	if err != nil {
		return nil, err
	}
	delete(config, "dtype")
	return metrics.FromConfig(brief.Text(class), config)
}

func encodeOptimizer(ctx context.Context, o *optimizers.Optimizer) (*object, error) {
	class, config := o.Config()
	if class == "" {
		return nil, fmt.Errorf("the custom optimizer %s cannot be written into a %s archive: save the model before it is compiled, or its weights", o.Name(), archiveSuffix)
	}
	if err := encodeRates(ctx, o, config); err != nil {
		return nil, err
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

// encodeRates sets learning_rate in config to that of the optimizer: its current number or the
// description of its schedule. For a MultiOptimizer it sets optimizer_map instead.
func encodeRates(ctx context.Context, o *optimizers.Optimizer, config map[string]any) (err error) {
	if o.Optimizers() != nil {
		config["optimizer_map"], err = encodeOptimizerMap(ctx, o)
		return err
	}
	if s, ok := config["learning_rate"].(optimizers.Schedule); ok {
		config["learning_rate"], err = encodeSchedule(s)
		return err
	}
	config["learning_rate"], err = o.LearningRate(ctx)
	return err
}

// lossScaleClass is Keras' class of the optimizer that scales the loss for another one.
const lossScaleClass = "LossScaleOptimizer"

// decimal is a number that is written with a decimal point, such as 0.0: Keras does not accept an
// int in place of a float.
type decimal float64

// decimals replaces each float64 in a config by a decimal, the form in which Keras writes floats.
// It changes config and returns it.
func decimals(config map[string]any) map[string]any {
	for key, v := range config {
		if x, ok := v.(float64); ok {
			config[key] = decimal(x)
		}
	}
	return config
}

// MarshalJSON writes the number with a decimal point or an exponent, such as 1.0, so that Python
// reads a float.
func (d decimal) MarshalJSON() ([]byte, error) {
	text, err := json.Marshal(float64(d))
	if err == nil && !bytes.ContainsAny(text, ".eE") {
		text = append(text, ".0"...)
	}
	return text, err
}

func decodeOptimizer(v any, order []string) (any, error) {
	if name, ok := v.(string); ok {
		return name, nil
	}
	class, config, err := classAndConfig(v)
	if err != nil {
		return nil, err
	}
	r := newReader("optimizer "+brief.Text(class), config)
	switch class {
	case lossScaleClass:
		return decodeLossScale(r, order)
	case multiClass:
		return decodeMulti(r, order)
	}
	if rate, ok := config["learning_rate"].(map[string]any); ok {
		s, err := decodeSchedule(rate)
		if err != nil {
			return nil, err
		}
		config["learning_rate"] = s
	}
	return optimizers.FromConfig(brief.Text(class), config)
}

// decodeLossScale returns the LossScaleOptimizer that the config of r describes, with its inner
// optimizer. order has the keys of an OptimizerMap in it.
func decodeLossScale(r *reader, order []string) (any, error) {
	r.skip("inner_optimizer")
	inner, err := decodeOptimizer(r.config["inner_optimizer"], order)
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
		if s.WarmupTarget != 0 {
			target = s.WarmupTarget
		}
		class, c = "CosineDecay", map[string]any{"initial_learning_rate": s.InitialLearningRate, "decay_steps": s.DecaySteps, "alpha": s.Alpha, "warmup_target": target, "warmup_steps": s.WarmupSteps}
	case optimizers.CosineDecayRestarts:
		class, c = "CosineDecayRestarts", map[string]any{"initial_learning_rate": s.InitialLearningRate, "first_decay_steps": s.FirstDecaySteps, "t_mul": decimal(cmp.Or(s.TMul, 2)), "m_mul": decimal(cmp.Or(s.MMul, 1)), "alpha": s.Alpha}
	case optimizers.PiecewiseConstantDecay:
		class, c = "PiecewiseConstantDecay", map[string]any{"boundaries": s.Boundaries, "values": s.Values}
	default:
		return nil, fmt.Errorf("the custom schedule %T cannot be written into a %s archive", s, archiveSuffix)
	}
	c["name"] = class
	return &object{Module: "keras.optimizers.schedules", ClassName: class, Config: c}, nil
}

// schedules has, by Keras' class names, the functions that make a learning rate schedule of the
// config that r reads.
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
	"CosineDecayRestarts": func(r *reader) optimizers.Schedule {
		return optimizers.CosineDecayRestarts{InitialLearningRate: r.float("initial_learning_rate"), FirstDecaySteps: r.int("first_decay_steps"), TMul: r.float("t_mul"), MMul: r.float("m_mul"), Alpha: r.float("alpha")}
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
		return nil, unknown("schedule of the learning rate", class, slices.Sorted(maps.Keys(schedules)))
	}
	r := newReader(class, config)
	r.skip("name")
	s := make(r)
	return s, r.done()
}
