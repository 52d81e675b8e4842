package saving

// This file writes the config.json of a model: its layers and how they are
// connected.

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/constraints"
	"github.com/gospmd/gospmd/keras/initializers"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/regularizers"
)

// object is an object in Keras' form: its module and class, and its config.
type object struct {
	Module         string         `json:"module"`
	ClassName      string         `json:"class_name"`
	Config         map[string]any `json:"config"`
	RegisteredName *string        `json:"registered_name"`
	BuildConfig    map[string]any `json:"build_config,omitempty"`
	CompileConfig  *compileConfig `json:"compile_config,omitempty"`

	// Name is the layer's name, set only for layers in a functional model.
	Name         string         `json:"name,omitempty"`
	InboundNodes *[]inboundNode `json:"inbound_nodes,omitempty"`
}

// inboundNode is one call of a layer in Keras' form, an element of "inbound_nodes": the positional
// arguments and those by name. A tensor among them is an object of class tensorClass.
type inboundNode struct {
	Args   []any          `json:"args"`
	Kwargs map[string]any `json:"kwargs"`
}

// compileConfig holds the arguments of a model's compilation, as config.json has them in
// compile_config.
type compileConfig struct {
	Optimizer         any  `json:"optimizer"`
	Loss              any  `json:"loss"`
	LossWeights       any  `json:"loss_weights"`
	Metrics           any  `json:"metrics"`
	WeightedMetrics   any  `json:"weighted_metrics"`
	RunEagerly        bool `json:"run_eagerly"`
	StepsPerExecution int  `json:"steps_per_execution"`
	JITCompile        bool `json:"jit_compile"`
}

// encodeModel returns the bytes of config.json for the model, with its compile_config if it trains.
// A model that is not built, and a subclassed one, are errors.
func encodeModel(ctx context.Context, m *keras.Model) ([]byte, error) {
	if len(m.Nodes()) == 0 {
		return nil, errNotBuilt
	}
	if m.Subclassed() != nil {
		return nil, errNoCode
	}
	o, err := encodeGraph(m)
	if err != nil {
		return nil, err
	}
	if trains(m) { // Predict compiles too
		if o.CompileConfig, err = encodeCompile(ctx, m); err != nil {
			return nil, err
		}
	}
	return json.Marshal(o)
}

// trains reports whether the model was compiled to be trained: with a loss or a custom step, or,
// after a training, with losses that layers add.
func trains(m *keras.Model) bool {
	return len(m.Losses()) > 0 || m.CompileArguments().OwnSteps || m.Optimizer() != nil && len(m.Optimizer().Variables()) > 0
}

var errNoCode = fmt.Errorf("a model of a Go type cannot be written into a %s archive, which holds no code: save its weights with SaveWeights", archiveSuffix)

func encodeGraph(m *keras.Model) (*object, error) {
	config := map[string]any{"name": m.Name(), "trainable": true}
	var list []any
	all := m.Layers()
	if m.IsSequential() { // Keras also writes its input
		all = slices.Insert(all, 0, m.Inputs()[0].Producer().Layer)
	}
	for _, l := range all {
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
	inputs, outputs := m.Keys()
	config["input_layers"] = endpoints(m, m.Inputs(), inputs)
	config["output_layers"] = endpoints(m, m.Outputs(), outputs)
	registered := "Functional"
	return &object{
		Module: "keras.src.models.functional", ClassName: registered, Config: config,
		RegisteredName: &registered, BuildConfig: map[string]any{"input_shape": nil},
	}, nil
}

func policy(dtype string) object {
	return object{Module: "keras", ClassName: "DTypePolicy", Config: map[string]any{"name": dtype}}
}

// openShape returns the sizes of a shape, for JSON, with nil (null) for open dimensions.
func openShape(shape []int) []any {
	out := make([]any, len(shape))
	for i, d := range shape {
		if d >= 0 {
			out[i] = d
		}
	}
	return out
}

// encodeLayer returns the object in config.json that describes the layer l of m, without its calls.
func encodeLayer(m *keras.Model, l layers.Layer) (*object, error) {
	class := className(m, l)
	nodes := m.NodesOf(l)
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
	if op, ok := l.(*layers.OperationLayer); ok && !m.IsSequential() {
		return encodeOperation(op), nil
	}
	if why := classes[class].uncalled; why != "" {
		return nil, fmt.Errorf("a %s cannot be in a %s archive: %s; apply it to the data, or save the model's weights with SaveWeights", class, archiveSuffix, why)
	}
	o, err := encodeAlone(l)
	if err != nil || o.RegisteredName != nil {
		return o, err
	}
	if m.IsSequential() && classes[class].inputs != nil {
		return nil, fmt.Errorf("a Sequential of Keras cannot have a %s: it passes one tensor on, the layer wants %s: make the model with NewModel",
			class, strings.Join(classes[class].inputs[:2], " and "))
	}
	for _, key := range classes[class].call {
		delete(o.Config, key) // it is written to inbound_nodes
	}
	if in := nodes[0].Inputs; len(in) == 1 && classes[class].inputs == nil {
		o.BuildConfig = map[string]any{"input_shape": openShape(in[0].Shape())}
	}
	return o, nil
}

// encodeAlone returns the object that describes a layer that is no model, without its calls. A
// class that Keras does not have, and that is not registered, is an error.
func encodeAlone(l layers.Layer) (*object, error) {
	if name, ok := registeredType(l); ok {
		return encodeRegistered(name, l.(layers.Configured))
	}
	class := classOf(l)
	configured, ok := l.(layers.Configured)
	if !ok || !layers.Declared(class) {
		return nil, notKeras(class)
	}
	return encodeConfig(class, configured)
}

// notKeras returns the error for a layer of a class that Keras does not have: it names the class
// and what to do.
func notKeras(class string) error {
	return fmt.Errorf("a %s cannot be written into a %s archive: register its type with RegisterLayer, or save the model's weights with SaveWeights", class, archiveSuffix)
}

// encodeRegistered returns the object that describes a layer of the user, whose class is registered
// as name, such as my_package>Scale.
func encodeRegistered(name string, l layers.Configured) (*object, error) {
	_, class, _ := strings.Cut(name, ">")
	o, err := encodeConfig(class, l)
	if err == nil {
		o.Module, o.RegisteredName = "builtins", &name
	}
	return o, err
}

// limitObject returns the object that describes v, a regularizer or constraint of Keras, of that
// module. It is an error if v is a function of the user's own.
func limitObject(module string, v interface {
	Config() (string, map[string]any)
}) (any, error) {
	class, config := v.Config()
	if class == "" {
		return nil, fmt.Errorf("one of its %s is a function of one's own, which cannot be written into a %s archive", module, archiveSuffix)
	}
	return object{Module: "keras." + module, ClassName: class, Config: decimals(config)}, nil
}

// encodeConfig returns the object that describes a layer of a class: its options as Keras has them,
// its name, whether it is trained and, unless building the layer chooses it, its dtype policy.
func encodeConfig(class string, l layers.Configured) (*object, error) {
	config, err := l.Config()
	if err != nil {
		return nil, err
	}
	for key, v := range config {
		if config[key], err = encodeArgument(v); err != nil {
			return nil, fmt.Errorf("%s: %w", key, err)
		}
	}
	config["name"], config["trainable"] = l.Name(), l.Trainable()
	if name := l.DTypePolicy(); name != "" {
		config["dtype"] = policy(name)
	}
	for prefix, keys := range notTaken {
		if strings.HasPrefix(class, prefix) {
			maps.DeleteFunc(config, func(key string, _ any) bool { return slices.Contains(keys, key) })
		}
	}
	return &object{Module: "keras.layers", ClassName: class, Config: config}, nil
}

// notTaken has the config entries that Keras' constructors do not accept, by the beginning of the
// class name. They are not written.
var notTaken = map[string][]string{"SpatialDropout": {"trainable"}, "Discretization": {"trainable"}, "HashedCrossing": {"trainable"}, "Pipeline": {"trainable", "dtype"}}

// encodeArgument returns a value of a layer's config as JSON has it: initializers, regularizers,
// constraints and layers become objects, and other values stay as they are. A value that has no
// form in Keras is an error.
func encodeArgument(v any) (any, error) {
	switch v := v.(type) {
	case initializers.Initializer:
		return object{Module: "keras.initializers", ClassName: v.Name(), Config: v.Config()}, nil
	case *regularizers.Regularizer:
		return limitObject("regularizers", v)
	case *constraints.Constraint:
		return limitObject("constraints", v)
	case []layers.Layer:
		var list []any
		for _, cell := range v {
			o, err := encodeArgument(cell)
			if err != nil {
				return nil, err
			}
			list = append(list, o)
		}
		return list, nil
	case layers.Layer:
		return encodeAlone(v)
	}
	return v, nil
}

// history returns the keras_history of tensor t in m: the name of its layer, the number of the
// call, and the number of the output.
func history(m *keras.Model, t *layers.Tensor) []any {
	call := slices.Index(m.NodesOf(t.Producer().Layer), t.Producer())
	return []any{t.Producer().Name(), call, t.Index()}
}

// endpoint returns the keras_history of t, an input or an output of the model m, as config.json has
// it. There the calls of a functional model that is a layer are counted from 1, not from 0.
func endpoint(m *keras.Model, t *layers.Tensor) []any {
	h := history(m, t)
	if isFunctional(t.Producer().Layer) {
		h[1] = h[1].(int) + 1
	}
	return h
}

// endpoints describes ts, a model's inputs or outputs, as in config.json: one, a list of them, or a
// map if keys has their names.
func endpoints(m *keras.Model, ts []*layers.Tensor, keys []string) any {
	if keys != nil {
		named := make(map[string]any, len(ts))
		for i, t := range ts {
			named[keys[i]] = endpoint(m, t)
		}
		return named
	}
	if len(ts) == 1 {
		return endpoint(m, ts[0])
	}
	var out []any
	for _, t := range ts {
		out = append(out, endpoint(m, t))
	}
	return out
}

// inputKeys returns the names of the inputs of layer l, which is applied to that number of inputs,
// if Keras passes them as a dict: for a model with names of its inputs, and for layers that mix
// images with labels. It returns nil for others.
func inputKeys(l layers.Layer, inputs int) []string {
	if _, ok := l.(*layers.MixLayer); ok && inputs == 2 {
		return []string{"images", "labels"}
	}
	if of, ok := l.(*keras.ModelLayer); ok {
		keys, _ := of.Model().Keys()
		return keys
	}
	return nil
}

// inbound returns the descriptions of the calls of the layer l in m, in order, as inbound_nodes of
// config.json has them. An argument that cannot be written is an error.
func inbound(m *keras.Model, l layers.Layer) ([]inboundNode, error) {
	out := []inboundNode{}
	class := classes[className(m, l)]
	for _, n := range m.NodesOf(l) {
		if n.IsInput() {
			continue
		}
		var args []any
		for _, t := range n.Inputs {
			args = append(args, object{ClassName: tensorClass, Config: map[string]any{
				"shape": openShape(t.Shape()), "dtype": dtypeText(t.DType()), "keras_history": history(m, t),
			}})
		}
		if op, ok := l.(*layers.OperationLayer); ok {
			_, given, _ := op.Operation()
			encoded, err := encodeOperand(given, args)
			if err != nil {
				return nil, err
			}
			out = append(out, inboundNode{Args: encoded.([]any), Kwargs: map[string]any{}})
			continue
		}
		if keys := inputKeys(l, len(args)); keys != nil { // Keras passes a dict
			named := make(map[string]any, len(keys))
			for i, key := range keys {
				named[key] = args[i]
			}
			args = []any{named}
		}
		if class.merges { // Keras passes a list
			args = []any{args}
		}
		kwargs := make(map[string]any)
		if class.inputs != nil {
			if len(args) == 1 { // self-attention: Keras wants the tensor twice
				args = append(args, args[0])
			}
			if last := len(class.inputs) - 1; len(args) > last {
				kwargs[class.inputs[last]] = args[last]
				args = args[:last]
			}
		}
		if class.listed != "" && len(args) > 1 {
			kwargs[class.listed] = args[1:]
			args = args[:1]
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
		maps.Copy(kwargs, n.Arguments())
		out = append(out, inboundNode{Args: args, Kwargs: kwargs})
	}
	return out, nil
}

// tensorClass is the class name that config.json has for a symbolic tensor.
const tensorClass = "__keras_tensor__"
