package saving

// This file finds the places of variables in files, as Keras'
// saving_lib._save_state does: by the classes of layers, counted, never by
// their names, which differ from one run to the next.

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/variable"
)

// place is a group of variables in a file: PATH/vars/0, PATH/vars/1, ….
type place struct {
	path      string // empty for the model itself
	name      string // what the group's attribute tells
	variables []*variable.Variable
}

// String names the place in messages.
func (p place) String() string { return fmt.Sprintf("layer %s (%s/vars)", p.name, p.path) }

// optimizerPath is the place of the optimizer's variables.
const optimizerPath = "optimizer"

// parts maps the variables of layers that consist of layers, by the part of
// their path after the layer's name, to the attributes that hold those layers
// in Keras.
var parts = map[string]map[string]string{
	"multi_head_attention": {
		"query": "query_dense", "key": "key_dense", "value": "value_dense", "attention_output": "output_dense",
	},
	"grouped_query_attention": {
		"query": "_query_dense", "key": "_key_dense", "value": "_value_dense", "attention_output": "_output_dense",
	},
}

// named is what every layer is, by its Base.
type named interface {
	Name() string
	Variables() []*variable.Variable
}

// places returns the places of a model's layers, the model itself first.
func places(m *keras.Model) ([]place, error) {
	out := []place{{name: m.Name()}}
	count := make(map[string]int)
	for _, l := range m.Layers() {
		class := className(m, l)
		if class == inputClass && m.IsSequential() {
			continue
		}
		key := snakeName(l, class)
		n := count[key]
		count[key]++
		path := "layers/" + key
		if n > 0 {
			path = fmt.Sprintf("%s_%d", path, n)
		}
		ps, err := layerPlaces(l, path, parts[key])
		if err != nil {
			return nil, err
		}
		out = append(out, ps...)
	}
	return out, nil
}

// layerPlaces returns the places of a layer and of the layers in it.
func layerPlaces(l layers.Layer, path string, inner map[string]string) ([]place, error) {
	base := l.(named)
	out := []place{{path: path, name: base.Name()}}
	for _, v := range base.Variables() {
		if isSeedState(v) {
			continue
		}
		steps := strings.Split(v.Path(), "/")
		in := 0 // index in out
		if group := steps[len(steps)-2]; len(inner) > 0 && group != base.Name() {
			attribute, ok := inner[group]
			if !ok {
				return nil, fmt.Errorf("layer %s has a variable %s, which has no place in Keras' files", base.Name(), v.Path())
			}
			sub := path + "/" + attribute
			in = slices.IndexFunc(out, func(p place) bool { return p.path == sub })
			if in < 0 {
				in = len(out)
				out = append(out, place{path: sub, name: group})
			}
		}
		out[in].variables = append(out[in].variables, v)
	}
	return out, nil
}

// isSeedState reports whether v is the state of a generator of random numbers,
// which Keras' files do not hold.
func isSeedState(v *variable.Variable) bool { return v.Name() == "seed_generator_state" }

const inputClass = "InputLayer"

// className returns Keras' name of a layer's class.
func className(m *keras.Model, l layers.Layer) string {
	for _, n := range m.Nodes() {
		if n.Layer == l && n.IsInput() {
			return inputClass
		}
	}
	name := strings.TrimSuffix(reflect.Indirect(reflect.ValueOf(l)).Type().Name(), "Layer")
	if exported, ok := exportedAs[name]; ok {
		return exported
	}
	return name
}

// exportedAs holds the classes that Keras exports under another name, which is
// the one in configs; paths are made of the class' own.
var exportedAs = map[string]string{"GroupedQueryAttention": "GroupQueryAttention"}

// snakeName returns the name of a class as it stands in paths.
func snakeName(l layers.Layer, class string) string {
	if class == inputClass {
		return "input_layer"
	}
	return layers.TypeName(l)
}
