package saving

// This file makes models and layers of a config.json.

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/internal/brief"
	"github.com/gospmd/gospmd/internal/budget"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/layers"
)

// decodeModel makes the model of a config.json and builds it. A model that was
// compiled has the options to compile it again.
func decodeModel(text []byte, b *budget.Budget) (*keras.Model, []keras.CompileOption, error) {
	if err := b.JSON(text, budget.Any, "the values of "+configName); err != nil {
		return nil, nil, err
	}
	var o map[string]any
	if err := json.Unmarshal(text, &o); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", configName, err)
	}
	class, config, err := classAndConfig(o)
	if err != nil {
		return nil, nil, err
	}
	decode := decoder{budget: b}.model(class)
	if decode == nil {
		return nil, nil, fmt.Errorf("the model is a %s, want a Sequential or Functional one: the code of other classes is not in the file; make the same model here and load its weights", brief.Text(class))
	}
	m, err := decode(config)
	if err != nil {
		return nil, nil, err
	}
	compile, err := decodeCompile(o["compile_config"])
	return m, compile, err
}

// decoder makes models and their layers. Models are layers of other models too.
type decoder struct {
	budget *budget.Budget
	depth  int // of the models around this one
}

// What a layer and a call of a layer take in memory, beside their configs.
const (
	layerCost = 6 << 10
	callCost  = 2 << 10
)

// maxDepth is how deep models may be nested.
const maxDepth = 64

// model returns the function that makes models of a class, nil for another class.
func (d decoder) model(class string) func(config map[string]any) (*keras.Model, error) {
	switch class {
	case "Functional":
		return d.functional
	case "Sequential":
		return d.sequential
	}
	return nil
}

// layerList returns the layers of a model's config.
func layerList(config map[string]any) ([]any, error) {
	list, ok := config["layers"].([]any)
	if !ok || len(list) == 0 {
		return nil, errors.New("config.json has a model without layers")
	}
	return list, nil
}

func (d decoder) sequential(config map[string]any) (*keras.Model, error) {
	list, err := layerList(config)
	if err != nil {
		return nil, err
	}
	shape := config["build_input_shape"]
	var ls []layers.Layer
	for i, v := range list {
		class, c, err := classAndConfig(v)
		if err != nil {
			return nil, err
		}
		if class == inputClass && i == 0 {
			if t, err := decodeDType(c["dtype"]); err != nil || t != dtypes.Float32 {
				return nil, fmt.Errorf("the input of a Sequential of dtype %s: want float32", brief.Value(c["dtype"]))
			}
			shape = c["batch_shape"]
			continue
		}
		l, err := d.layer(class, c)
		if err != nil {
			return nil, err
		}
		ls = append(ls, l)
	}
	m, err := keras.NewSequential(ls...)
	if err != nil {
		return nil, err
	}
	if err := setName(m, config); err != nil {
		return nil, err
	}
	if config["dtype"] != nil { // files before Keras 3 have none
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
	return m, m.Build(dims)
}

// setName gives the model the name in its config.
func setName(m *keras.Model, config map[string]any) error {
	name, ok := config["name"].(string)
	if !ok {
		return nil
	}
	return m.SetName(name)
}

// decodeShape returns a shape without its batch dimension.
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

// layer makes a layer of its config.
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
		if err != nil && d.depth == 1 { // the names of all models around it would not be read
			err = fmt.Errorf("model %s: %w", brief.Value(config["name"]), err)
		}
		if err != nil {
			return nil, err
		}
		return freezeIfSaved(m.AsLayer(), config), nil
	}
	c, ok := classes[name]
	if !ok {
		return nil, unknown("layer", name, classes)
	}
	r := newReader(fmt.Sprintf("layer %s (%s)", brief.Value(config["name"]), name), config)
	r.inside = d
	r.skip("dtype", "trainable")
	policy, err := decodePolicy(config["dtype"])
	if err != nil {
		return nil, fmt.Errorf("%s: %w", r.class, err)
	}
	l := c.make(r, []layers.Option{layers.Name(r.text("name")), layers.DTypePolicy(policy)})
	if err := r.done(); err != nil {
		return nil, err
	}
	return freezeIfSaved(l, config), nil
}

// freezeIfSaved freezes a layer that was frozen when it was saved.
func freezeIfSaved(l layers.Layer, config map[string]any) layers.Layer {
	if config["trainable"] == false {
		l.SetTrainable(false)
	}
	return l
}

// decodePolicy returns the name of a dtype policy.
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

// decodeDType returns the element type of a name or a policy.
func decodeDType(v any) (dtypes.DType, error) {
	name, err := decodePolicy(v)
	if err != nil {
		return 0, err
	}
	for d := range fileTypes {
		if dtypeText(d) == name {
			return d, nil
		}
	}
	return 0, fmt.Errorf("the dtype %q is not known here: want one such as float32", brief.Text(name))
}
