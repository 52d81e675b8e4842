package saving

// This file makes models and layers from a config.json.

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/internal/brief"
	"github.com/gospmd/gospmd/internal/budget"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/layers"
)

// decodeModel makes the model of an archive's config.json and builds it. For a compiled model it
// also returns the options to compile it again, if compiled is true. A class other than Sequential
// and Functional is an error. One error names all parts that cannot be made.
func decodeModel(a *archive, compiled bool) (*keras.Model, []keras.CompileOption, error) {
	text, b := a.config, a.budget
	if err := b.JSON(text, budget.Any, "the values of "+configName); err != nil {
		return nil, nil, err
	}
	var o map[string]any
	if err := json.Unmarshal(text, &o); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", configName, err)
	}
	if err := a.readVocabularies(o); err != nil {
		return nil, nil, err
	}
	class, config, err := classAndConfig(o)
	if err != nil {
		return nil, nil, err
	}
	decode := decoder{budget: b}.model(class)
	if decode == nil {
		return nil, nil, fmt.Errorf("the model is a %s, want a Sequential or Functional one: the code of other classes is not in the file; make the same model here and load its weights", brief.Text(class))
	}
	var compile []keras.CompileOption
	m, err := decode(config)
	if compiled {
		var failed error
		if compile, failed = decodeCompile(o["compile_config"], ruleOrder(text), a.scalesLoss()); failed != nil {
			err = brief.Join(err, fmt.Errorf("compile_config: %w", failed))
		}
	}
	return m, compile, err
}

// decoder makes the models of a config.json and their layers, with a limit of memory. A model can
// be a layer of another model.
type decoder struct {
	budget *budget.Budget
	depth  int // number of the models around this one
}

// These are estimates of the memory, in bytes, of a layer and of one call of a layer, without their
// configs.
const (
	layerCost = 6 << 10
	callCost  = 2 << 10
)

// maxDepth is how deep models may be nested in a config.json: a deeper one is an error.
const maxDepth = 64

// model returns the function that makes the models of a class, "Functional" or "Sequential"; nil
// for other classes.
func (d decoder) model(class string) func(config map[string]any) (*keras.Model, error) {
	switch class {
	case "Functional":
		return d.functional
	case "Sequential":
		return d.sequential
	}
	return nil
}

// layerList returns the list of layers in the config of a model. It returns an error if there is
// none, or an empty one.
func layerList(config map[string]any) ([]any, error) {
	list, ok := config["layers"].([]any)
	if !ok || len(list) == 0 {
		return nil, errors.New("config.json has a model without layers")
	}
	return list, nil
}

// each calls decode for each layer of a list, and returns the errors of all, joined, each with the
// layer's path in the config. It stops when the budget of memory is exceeded.
func each(list []any, decode func(i int, v any) error) error {
	var errs []error
	for i, v := range list {
		if err := decode(i, v); err != nil {
			errs = append(errs, at(fmt.Sprintf("config.layers[%d]", i), err)...)
			if errors.Is(err, budget.ErrExceeded) {
				break
			}
		}
	}
	return brief.Join(errs...)
}

// located is an error of a part of a model's config, with its path in the config, such as
// config.layers[2].
type located struct {
	path string
	err  error
}

func (l *located) Error() string { return l.path + ": " + l.err.Error() }
func (l *located) Unwrap() error { return l.err }

// at returns err, or each of the errors that it joins, as a located error with path in front of the
// paths that they have.
func at(path string, err error) []error {
	switch e := err.(type) {
	case interface{ Unwrap() []error }:
		var out []error
		for _, one := range e.Unwrap() {
			out = append(out, at(path, one)...)
		}
		return out
	case *located:
		return []error{&located{path + "." + e.path, e.err}}
	}
	return []error{&located{path, err}}
}

func (d decoder) sequential(config map[string]any) (*keras.Model, error) {
	list, err := layerList(config)
	if err != nil {
		return nil, err
	}
	shape, dtype := config["build_input_shape"], dtypes.Float32
	var ls []layers.Layer
	err = each(list, func(i int, v any) error {
		class, c, err := classAndConfig(v)
		if err != nil {
			return err
		}
		if class == inputClass && i == 0 {
			shape = c["batch_shape"]
			dtype, err = decodeDType(c["dtype"])
			return err
		}
		l, err := d.layer(class, c)
		ls = append(ls, l)
		return err
	})
	if err != nil {
		return nil, err
	}
	m, err := keras.NewSequential(ls...)
	if err != nil {
		return nil, err
	}
	if err := setName(m, config); err != nil {
		return nil, err
	}
	if config["dtype"] != nil { // files of Keras 2 have none
		name, err := decodePolicy(config["dtype"])
		if err == nil {
			err = m.SetDTypePolicy(name)
		}
		if err != nil {
			return nil, err
		}
	}
	dims, err := decodeShape(shape)
	if err != nil {
		return nil, err
	}
	return m, m.Build(dims, layers.DType(dtype))
}

// setName gives the model m the name in its config; without a name there it does nothing. A name
// that m cannot have is an error.
func setName(m *keras.Model, config map[string]any) error {
	name, ok := config["name"].(string)
	if !ok {
		return nil
	}
	return m.SetName(name)
}

// decodeShape returns the shape v of an input, a JSON list, without its batch dimension; null
// becomes -1. Other values are errors.
func decodeShape(v any) ([]int, error) {
	list, ok := v.([]any)
	if !ok || len(list) == 0 {
		return nil, fmt.Errorf("the shape of the model's input is %s, want a list: build the model in Keras before it is saved", brief.Value(v))
	}
	dims := make([]int, len(list)-1)
	for i, d := range list[1:] {
		switch d.(type) {
		case nil:
			dims[i] = -1
		default:
			n, ok := index(d)
			if !ok {
				return nil, fmt.Errorf("the shape of an input is %s, want sizes and nulls", brief.Value(v))
			}
			dims[i] = n
		}
	}
	return dims, nil
}

// layer makes the layer of the class name from its config, and charges the budget: a model, a layer
// of the user that is registered, or one of this library. Unknown classes, Lambda and models nested
// too deep are errors.
func (d decoder) layer(name string, config map[string]any) (layers.Layer, error) {
	if err := d.budget.Take(layerCost, "one more layer"); err != nil {
		return nil, err
	}
	d.depth++
	if decode := d.model(name); decode != nil {
		if d.depth > maxDepth {
			return nil, fmt.Errorf("models are nested deeper than %d", maxDepth)
		}
		m, err := decode(config)
		if err != nil {
			return nil, err
		}
		return freezeIfSaved(m.AsLayer(), config), nil
	}
	if of, ok := registered(registry.layers, name); ok {
		return registeredLayer(name, of, config)
	}
	if name == "Lambda" {
		return nil, fmt.Errorf("layer %s is a Lambda, whose code is Python: make the model here with layers.Lambda and load its weights", brief.Value(config["name"]))
	}
	if !layers.Declared(name) {
		return nil, unknown("layer", name, layers.Classes())
	}
	l, err := d.declaredLayer(name, config)
	if err != nil {
		return nil, fmt.Errorf("layer %s (%s): %w", brief.Value(config["name"]), name, err)
	}
	if config["trainable"] == false && hasParts(config) { // which have a trainable of their own
		l.FreezeOwn()
		return l, nil
	}
	return freezeIfSaved(l, config), nil
}

// registeredLayer returns the layer that the function of, registered for the user's class, makes of
// config. of gets config without name, trainable and dtype. registeredLayer sets the name and the
// dtype policy, if they are in config, and freezes the layer if it was not trainable. An error of
// of, and nil, are errors that name the layer.
func registeredLayer(class string, of func(map[string]any) (layers.Layer, error), config map[string]any) (layers.Layer, error) {
	var policy string
	own := maps.Clone(config)
	for _, key := range []string{"name", "trainable", "dtype"} {
		delete(own, key)
	}
	l, err := of(own)
	if err == nil && reflect.ValueOf(l).IsNil() {
		err = errors.New("got nil")
	}
	if err == nil && config["dtype"] != nil {
		policy, err = decodePolicy(config["dtype"])
	}
	if err != nil {
		return nil, fmt.Errorf("layer %s (%s): %w", brief.Value(config["name"]), brief.Text(class), err)
	}
	if policy != "" {
		l.SetDTypePolicy(policy)
	}
	if name, ok := config["name"].(string); ok && name != "" {
		l.SetName(name)
	}
	return freezeIfSaved(l, config), nil
}

// declaredLayer returns the layer of package layers that the class name and the config describe. An
// unknown class or option, and a wrong value, are errors.
func (d decoder) declaredLayer(name string, config map[string]any) (layers.Layer, error) {
	policy, err := decodePolicy(config["dtype"])
	if err != nil {
		return nil, err
	}
	if countsBins[name] && (policy == "int64" || policy == "int32") {
		policy = "float32" // the types of their results follow from their options
	}
	text, ok := config["name"].(string)
	if !ok {
		return nil, fmt.Errorf("its name is %s, want a text", brief.Value(config["name"]))
	}
	values := make(map[string]any, len(config))
	for key, v := range config {
		if key == "name" || key == "trainable" || key == "dtype" {
			continue
		}
		if values[key], err = d.value(key, v); err != nil {
			return nil, fmt.Errorf("%s: %w", brief.Text(key), err)
		}
	}
	l, _, err := layers.FromConfig(name, values, layers.Name(text), layers.DTypePolicy(policy))
	return l, err
}

// countsBins has the layers that may have an integer dtype policy in Keras, "int64" or "int32".
var countsBins = map[string]bool{"Hashing": true, "HashedCrossing": true}

// These are the keys of layers' configs whose values are layers, or lists of them.
var (
	partKeys     = []string{"layer", "backward_layer", "cell"}
	partListKeys = []string{"cells", "layers"}
)

// hasParts reports whether the config of a layer contains configs of other layers, under partKeys
// or partListKeys.
func hasParts(config map[string]any) bool {
	return slices.ContainsFunc(slices.Concat(partKeys, partListKeys), func(key string) bool { return config[key] != nil })
}

// value converts v, the value of key in a layer's config, for the layer's options: objects of JSON
// become initializers, regularizers, constraints, layers and the like. An object that is wrong is
// an error.
func (d decoder) value(key string, v any) (any, error) {
	switch {
	case v == nil:
		return nil, nil
	case strings.HasSuffix(key, "_initializer"):
		return decodeInitializer(v)
	case strings.HasSuffix(key, "_regularizer"), strings.HasSuffix(key, "_constraint"):
		return decodeLimit(key, v)
	case strings.HasSuffix(key, "activation"):
		if name, ok := functionName(v); ok {
			return name, nil
		}
	case slices.Contains(partKeys, key):
		class, config, err := classAndConfig(v)
		if err != nil {
			return nil, err
		}
		return d.layer(class, config)
	case slices.Contains(partListKeys, key):
		return d.list(v)
	}
	return v, nil
}

// list returns the layers that the objects in the list v describe, as a []any. An object that is
// wrong is an error with its index.
func (d decoder) list(v any) (any, error) {
	list, ok := v.([]any)
	if !ok {
		return nil, fmt.Errorf("got %s, want a list of layers", brief.Value(v))
	}
	out := make([]any, len(list))
	for i, x := range list {
		var err error
		if out[i], err = d.value("cell", x); err != nil {
			return nil, fmt.Errorf("%d: %w", i, err)
		}
	}
	return out, nil
}

// freezeIfSaved freezes l if its config says that it was not trainable, and returns l.
func freezeIfSaved(l layers.Layer, config map[string]any) layers.Layer {
	if config["trainable"] == false {
		l.SetTrainable(false)
	}
	return l
}

// decodePolicy returns the name of the dtype policy v: "float32" for nil, v itself if it is a text,
// or that of a DTypePolicy. Other classes are errors.
func decodePolicy(v any) (string, error) {
	if v == nil {
		return "float32", nil
	}
	if name, ok := v.(string); ok {
		return name, nil
	}
	class, config, err := classAndConfig(v)
	if err != nil {
		return "", err
	}
	name, _ := config["name"].(string)
	if class != "DTypePolicy" {
		return "", fmt.Errorf("the dtype policy %s %s is not known here", brief.Text(class), brief.Text(name))
	}
	return name, nil
}

// decodeDType returns the element type that v, a name or a dtype policy, stands for; layers.String
// for "string". Unknown names are errors.
func decodeDType(v any) (dtypes.DType, error) {
	name, err := decodePolicy(v)
	if err != nil {
		return 0, err
	}
	if name == layers.DTypeName(layers.String) {
		return layers.String, nil
	}
	for d := range fileTypes {
		if dtypeText(d) == name {
			return d, nil
		}
	}
	return 0, fmt.Errorf("the dtype %q is not known here: want one such as float32", brief.Text(name))
}
