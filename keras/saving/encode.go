package saving

// This file describes models as Keras' config.json does.

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/initializers"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/losses"
	"github.com/gospmd/gospmd/keras/optimizers"
)

// object is how Keras writes an object: its class, and the config it is made
// of.
type object struct {
	Module         string         `json:"module"`
	ClassName      string         `json:"class_name"`
	Config         map[string]any `json:"config"`
	RegisteredName *string        `json:"registered_name"`
	BuildConfig    map[string]any `json:"build_config,omitempty"`
	CompileConfig  *compileConfig `json:"compile_config,omitempty"`

	// Of layers in a functional model.
	Name         string         `json:"name,omitempty"`
	InboundNodes *[]inboundNode `json:"inbound_nodes,omitempty"`
}

// inboundNode is one application of a layer.
type inboundNode struct {
	Args   []any          `json:"args"`
	Kwargs map[string]any `json:"kwargs"`
}

// compileConfig is what a model was compiled with.
type compileConfig struct {
	Optimizer         any   `json:"optimizer"`
	Loss              any   `json:"loss"`
	LossWeights       any   `json:"loss_weights"`
	Metrics           []any `json:"metrics"`
	WeightedMetrics   any   `json:"weighted_metrics"`
	RunEagerly        bool  `json:"run_eagerly"`
	StepsPerExecution int   `json:"steps_per_execution"`
	JITCompile        bool  `json:"jit_compile"`
}

// encodeModel returns config.json.
func encodeModel(ctx context.Context, m *keras.Model) ([]byte, error) {
	if len(m.Nodes()) == 0 {
		return nil, errNotBuilt
	}
	if m.Subclassed() != nil {
		return nil, fmt.Errorf("a model of a Go type cannot be written into a %s archive, which holds no code: save its weights with SaveWeights", archiveSuffix)
	}
	o, err := encodeGraph(m)
	if err != nil {
		return nil, err
	}
	if len(m.Losses()) > 0 { // Predict compiles too, with nothing worth keeping
		if o.CompileConfig, err = encodeCompile(ctx, m); err != nil {
			return nil, err
		}
	}
	return json.Marshal(o)
}

func encodeGraph(m *keras.Model) (*object, error) {
	config := map[string]any{"name": m.Name(), "trainable": true}
	var list []any
	for _, l := range m.Layers() {
		o, err := encodeLayer(m, l)
		if err != nil {
			return nil, fmt.Errorf("layer %s: %w", l.Name(), err)
		}
		if !m.IsSequential() {
			o.Name = l.Name()
			nodes, err := inbound(m, l)
			if err != nil {
				return nil, fmt.Errorf("layer %s: %w", o.Name, err)
			}
			o.InboundNodes = &nodes
		}
		list = append(list, o)
	}
	config["layers"] = list
	if m.IsSequential() {
		shape := openShape(m.Inputs()[0].Shape())
		config["dtype"] = policy(m.DTypePolicy())
		config["build_input_shape"] = shape
		return &object{Module: "keras", ClassName: "Sequential", Config: config, BuildConfig: map[string]any{"input_shape": shape}}, nil
	}
	config["input_layers"] = ends(m, m.Inputs())
	config["output_layers"] = ends(m, m.Outputs())
	registered := "Functional"
	return &object{
		Module: "keras.src.models.functional", ClassName: registered, Config: config,
		RegisteredName: &registered, BuildConfig: map[string]any{"input_shape": nil},
	}, nil
}

func policy(dtype string) object {
	return object{Module: "keras", ClassName: "DTypePolicy", Config: map[string]any{"name": dtype}}
}

// openShape returns a shape with null for what is open.
func openShape(shape []int) []any {
	out := make([]any, len(shape))
	for i, d := range shape {
		if d >= 0 {
			out[i] = d
		}
	}
	return out
}

// encodeLayer describes a layer.
func encodeLayer(m *keras.Model, l layers.Layer) (*object, error) {
	class := className(m, l)
	nodes := nodesOf(m, l)
	if class == inputClass {
		return &object{Module: "keras.layers", ClassName: class, Config: map[string]any{
			"batch_shape": openShape(nodes[0].Outputs[0].Shape()), "dtype": dtypeText(nodes[0].Outputs[0].DType()),
			"sparse": false, "ragged": false, "optional": false, "name": l.Name(),
		}}, nil
	}
	if nested, ok := l.(*keras.ModelLayer); ok {
		o, err := encodeGraph(nested.Model())
		if err == nil {
			o.Config["trainable"] = l.Trainable()
		}
		return o, err
	}
	configured, ok := l.(layers.Configured)
	if _, known := classes[class]; !ok || !known {
		return nil, fmt.Errorf("a %s cannot be written into a %s archive: save the model's weights with SaveWeights instead", class, archiveSuffix)
	}
	if m.IsSequential() && classes[class].inputs != nil {
		return nil, fmt.Errorf("Keras cannot apply a %s in a Sequential, which has one tensor where it wants %s: make the model with NewModel",
			class, strings.Join(classes[class].inputs[:2], " and "))
	}
	config, err := configured.Config()
	if err != nil {
		return nil, err
	}
	for key, v := range config {
		if init, ok := v.(initializers.Initializer); ok {
			config[key] = object{Module: "keras.initializers", ClassName: init.Name(), Config: init.Config()}
		}
	}
	config["name"], config["trainable"], config["dtype"] = l.Name(), l.Trainable(), policy(l.DTypePolicy())
	for _, key := range classes[class].call {
		delete(config, key) // stands in inbound_nodes
	}
	o := &object{Module: "keras.layers", ClassName: class, Config: config}
	if in := nodes[0].Inputs; len(in) == 1 && classes[class].inputs == nil {
		o.BuildConfig = map[string]any{"input_shape": openShape(in[0].Shape())}
	}
	return o, nil
}

// nodesOf returns the applications of a layer within the model.
func nodesOf(m *keras.Model, l layers.Layer) (nodes []*layers.Node) {
	for _, n := range m.Nodes() {
		if n.Layer == l {
			nodes = append(nodes, n)
		}
	}
	return nodes
}

// history tells where a tensor comes from: layer, application, output.
func history(m *keras.Model, t *layers.Tensor) []any {
	index := 0
	for i, n := range nodesOf(m, t.Producer().Layer) {
		if n == t.Producer() {
			index = i
		}
	}
	return []any{t.Producer().Name(), index, t.Index()}
}

// ends describes a model's inputs or outputs: a single one stands alone.
func ends(m *keras.Model, ts []*layers.Tensor) any {
	if len(ts) == 1 {
		return history(m, ts[0])
	}
	var out []any
	for _, t := range ts {
		out = append(out, history(m, t))
	}
	return out
}

// inbound describes the applications of a layer.
func inbound(m *keras.Model, l layers.Layer) ([]inboundNode, error) {
	out := []inboundNode{}
	class := classes[className(m, l)]
	for _, n := range nodesOf(m, l) {
		if n.IsInput() {
			continue
		}
		var args []any
		for _, t := range n.Inputs {
			args = append(args, object{ClassName: tensorClass, Config: map[string]any{
				"shape": openShape(t.Shape()), "dtype": dtypeText(t.DType()), "keras_history": history(m, t),
			}})
		}
		if class.merges { // takes a list
			args = []any{args}
		}
		kwargs := make(map[string]any)
		if class.inputs != nil {
			if len(args) == 1 { // attends to itself, which Keras wants to be told
				args = append(args, args[0])
			}
			if last := len(class.inputs) - 1; len(args) > last {
				kwargs[class.inputs[last]] = args[last]
				args = args[:last]
			}
		}
		if class.call != nil {
			config, err := l.(layers.Configured).Config()
			if err != nil {
				return nil, err
			}
			for _, key := range class.call {
				if config[key] != false {
					kwargs[key] = config[key]
				}
			}
		}
		out = append(out, inboundNode{Args: args, Kwargs: kwargs})
	}
	return out, nil
}

// tensorClass marks a symbolic tensor.
const tensorClass = "__keras_tensor__"

// encodeCompile describes what the model was compiled with.
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
			return nil, fmt.Errorf("a metric of your own, %T, cannot be written into a %s archive: compile with metrics by their names", metric, archiveSuffix)
		}
		c.Metrics = append(c.Metrics, name)
	}
	return c, nil
}

func encodeLoss(l *losses.Loss) (*object, error) {
	class, config := l.Config()
	if class == "" {
		return nil, fmt.Errorf("the loss %s is your own and cannot be written into a %s archive: save the model before it is compiled, or its weights", l.Name(), archiveSuffix)
	}
	return &object{Module: "keras.losses", ClassName: class, Config: config}, nil
}

func encodeOptimizer(ctx context.Context, o *optimizers.Optimizer) (*object, error) {
	class, config := o.Config()
	if class == "" {
		return nil, fmt.Errorf("the optimizer %s is your own and cannot be written into a %s archive: save the model before it is compiled, or its weights", o.Name(), archiveSuffix)
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
	for key, v := range config {
		if x, ok := v.(float64); ok {
			config[key] = decimal(x)
		}
	}
	inner := &object{Module: "keras.optimizers", ClassName: class, Config: config}
	scaling := o.LossScaleConfig()
	if scaling == nil {
		return inner, nil
	}
	scaling["inner_optimizer"] = inner
	scaling["initial_scale"] = decimal(scaling["initial_scale"].(float64))
	return &object{Module: inner.Module, ClassName: lossScaleClass, Config: scaling}, nil
}

// lossScaleClass is the class of optimizers around another one.
const lossScaleClass = "LossScaleOptimizer"

// decimal is a number with a decimal point, 0.0 for 0: where Keras wants a
// float it takes no int.
type decimal float64

// MarshalJSON writes the number.
func (d decimal) MarshalJSON() ([]byte, error) {
	text, err := json.Marshal(float64(d))
	if err == nil && !bytes.ContainsAny(text, ".eE") {
		text = append(text, ".0"...)
	}
	return text, err
}
