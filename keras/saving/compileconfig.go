package saving

// This file writes and reads the compile_config of a model: losses, metrics and
// the optimizer.

import (
	"context"
	"fmt"

	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/losses"
	"github.com/gospmd/gospmd/keras/metrics"
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

func encodeLoss(l *losses.Loss) (*object, error) {
	class, config := l.Config()
	if class == "" {
		return nil, fmt.Errorf("the custom loss %s cannot be written into a %s archive: save the model before it is compiled, or its weights", l.Name(), archiveSuffix)
	}
	return &object{Module: "keras.losses", ClassName: class, Config: config}, nil
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

// lossMakers are the losses with options. Others are found by name.
var lossMakers = map[string]func(...losses.Option) *losses.Loss{
	"BinaryCrossentropy":            losses.BinaryCrossentropy,
	"CategoricalCrossentropy":       losses.CategoricalCrossentropy,
	"SparseCategoricalCrossentropy": losses.SparseCategoricalCrossentropy,
	"Huber":                         losses.Huber,
}

func decodeLoss(v any) (any, error) {
	if name, ok := v.(string); ok {
		return name, nil
	}
	class, config, err := classAndConfig(v)
	if err != nil {
		return nil, err
	}
	r := newReader("loss "+class, config)
	r.skip("name", "dtype")
	maker, ok := lossMakers[class]
	if !ok {
		if err := r.done(); err != nil {
			return nil, err
		}
		return losses.Get(class)
	}
	var o []losses.Option
	if r.bool("from_logits") {
		o = append(o, losses.FromLogits())
	}
	if s := r.float("label_smoothing"); s != 0 {
		o = append(o, losses.LabelSmoothing(s))
	}
	if r.has("delta") {
		o = append(o, losses.Delta(r.float("delta")))
	}
	return maker(o...), r.done()
}

// decodeMetrics returns the names of metrics.
func decodeMetrics(v any) (names []any, err error) {
	list, ok := v.([]any)
	if v != nil && !ok {
		return nil, fmt.Errorf("compile_config has the metrics %.100v, want a list", v)
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
			r := newReader("metric "+class, config)
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
