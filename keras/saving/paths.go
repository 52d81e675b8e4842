package saving

// This file finds the paths of variables in files, as Keras' saving_lib._save_state does: a path
// consists of classes of layers with numbers, not of names of layers, because these differ from run
// to run.

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gospmd/gospmd/internal/autoname"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/optimizers"
	"github.com/gospmd/gospmd/keras/variable"
)

// group is a group of variables in a file, a layer's or the optimizer's: their datasets are
// PATH/vars/0, PATH/vars/1, and so on.
type group struct {
	path      string // empty for the model itself
	name      string // the group's attribute name
	variables []*variable.Variable
	adapted   *layers.Adaptation // of the first variable, which files hold with it; or nil
	idf       []float32          // weights of a lookup's tokens, or nil
}

// String returns the layer's name and the path of the variables, for messages.
func (p group) String() string { return fmt.Sprintf("layer %s (%s/vars)", p.name, p.path) }

// optimizerPath is the path of the optimizer's variables.
const optimizerPath = "optimizer"

// optimizerGroups returns the groups of an optimizer's variables: one of all its variables, and, as
// in Keras, further groups for the optimizers that it contains, if it scales the loss or is a
// MultiOptimizer. It returns nil if o is nil or has no variables yet.
func optimizerGroups(o *optimizers.Optimizer) []group {
	if o == nil || len(o.Variables()) == 0 {
		return nil
	}
	all := []group{{path: optimizerPath, name: o.Name(), variables: o.Variables()}}
	path := optimizerPath
	if o.ScalesLoss() {
		all[0].name = o.LossScaleConfig()["name"].(string)
		path = below(path, "inner_optimizer")
		all = append(all, group{path: path, name: o.Name(), variables: o.InnerVariables()})
	}
	count := make(map[string]int)
	for _, inner := range o.Optimizers() {
		class, _ := inner.Config()
		all = append(all, group{path: below(path, "optimizers/"+numberKey(count, autoname.Snake(class))), name: inner.Name(), variables: inner.Variables()})
	}
	return all
}

// sublayerAttributes are, for each class, the attributes with the sublayers of a layer in Keras.
// Our layer has no sublayers, but the paths of its variables contain their names.
var sublayerAttributes = map[string]map[string]string{
	"multi_head_attention": {
		"query": "query_dense", "key": "key_dense", "gate": "_gate_dense", "value": "value_dense", "attention_output": "output_dense",
	},
	"grouped_query_attention": {
		"query": "_query_dense", "key": "_key_dense", "gate": "_gate_dense", "value": "_value_dense", "attention_output": "_output_dense",
	},
}

// modelGroups returns the groups of the variables of a model's layers, in Keras' order of files,
// the model itself first. A variable without a path in Keras' files is an error.
func modelGroups(m *keras.Model) ([]group, error) {
	f := &finder{seen: make(map[layers.Layer]bool)}
	if err := f.model(m, ""); err != nil {
		return nil, err
	}
	return f.groups, nil
}

// finder collects groups. A layer that occurs at several paths is saved at the first one.
type finder struct {
	groups []group
	seen   map[layers.Layer]bool
}

// below returns path and name with a slash between them; name alone if path is empty.
func below(path, name string) string { return strings.TrimPrefix(path+"/"+name, "/") }

// model adds the groups of the model m, which is at path, and of its layers.
func (f *finder) model(m *keras.Model, path string) error {
	if l := m.Subclassed(); l != nil {
		return f.object(l, path, allParts(l))
	}
	f.groups = append(f.groups, group{path: path, name: m.Name()})
	var list []layers.Layer
	for _, l := range m.Layers() {
		if _, ok := l.(*layers.OperationLayer); !ok { // no layer in Keras
			list = append(list, l)
		}
	}
	return f.list(list, below(path, "layers"))
}

// list adds the layers of ls to the groups. Their paths are path and their class in snake case,
// with a number from the second layer of a class on.
func (f *finder) list(ls []layers.Layer, path string) error {
	count := make(map[string]int)
	for _, l := range ls {
		if err := f.layer(l, below(path, numberKey(count, snakeName(l)))); err != nil {
			return err
		}
	}
	return nil
}

// numberKey returns key for its first use, and key_1, key_2, … later. It counts the uses in count.
func numberKey(count map[string]int, key string) string {
	n := count[key]
	count[key]++
	if n == 0 {
		return key
	}
	return fmt.Sprintf("%s_%d", key, n)
}

// layer adds the groups of variables of the layer l and its sublayers, at path, unless l was added
// before at another path.
func (f *finder) layer(l layers.Layer, path string) error {
	if f.seen[l] {
		return nil
	}
	f.seen[l] = true
	if nested, ok := l.(*keras.ModelLayer); ok {
		return f.model(nested.Model(), path)
	}
	return f.object(l, path)
}

// allParts is the attribute layers, which a model has in Keras: all of its layers in the order in
// which they became attributes. A layer is saved at that path if the model's other attributes with
// the layer come later in the alphabet.
func allParts(l layers.Layer) layers.Part {
	all := layers.Part{Field: "layers", List: true}
	for _, p := range layers.Parts(l) {
		all.Layers = append(all.Layers, p.Layers...)
	}
	return all
}

// object adds the layer at path, and its sublayers below that path, each under the name of the
// attribute that holds it. These are the attributes of layers.Parts, and those in more. A sublayer
// without an attribute is an error.
func (f *finder) object(l layers.Layer, path string, more ...layers.Part) error {
	f.seen[l] = true
	own := len(f.groups)
	f.groups = append(f.groups, group{path: path, name: l.Name()})
	if of, ok := l.(interface{ Frequencies() []float32 }); ok {
		f.groups[own].idf = of.Frequencies()
	}
	if _, ok := l.(*layers.TextVectorizationLayer); ok { // it contains a lookup
		f.groups = append(f.groups, group{path: below(path, "_lookup_layer"), name: "string_lookup", idf: f.groups[own].idf})
	}
	if err := f.variables(l, own); err != nil {
		return err
	}
	ps := append(layers.Parts(l), more...)
	// in Keras' order
	slices.SortFunc(ps, func(a, b layers.Part) int { return strings.Compare(a.Attribute(), b.Attribute()) })
	for _, p := range ps {
		at := below(path, p.Attribute())
		if !p.List {
			if err := f.layer(p.Layers[0], at); err != nil {
				return err
			}
		} else if err := f.list(p.Layers, at); err != nil {
			return err
		}
	}
	for _, inner := range layers.Inner(l) {
		if !f.seen[inner] {
			return fmt.Errorf("layer %s is in no field of layer %s, so that it has no path in Keras' files: put it in a field, or in a slice in one", inner.Name(), l.Name())
		}
	}
	return nil
}

// variables adds the variables that layer l has made itself to the group with index own, and those
// that Keras keeps in a sublayer to a group of that. A variable without a path in Keras' files is
// an error.
func (f *finder) variables(l layers.Layer, own int) error {
	attributes := sublayerAttributes[snakeName(l)]
	var adapted *layers.Adaptation
	if l, ok := l.(layers.Adapted); ok {
		adapted = l.Adaptation()
	}
	f.groups[own].adapted = adapted
	for _, v := range l.OwnVariables() {
		if v.IsSeedState() || adapted != nil && (v == adapted.A || v == adapted.B) {
			continue
		}
		names := strings.Split(v.Path(), "/")
		in := own
		if sublayer := names[len(names)-2]; len(attributes) > 0 && sublayer != l.Name() {
			attribute, ok := attributes[sublayer]
			if !ok {
				return fmt.Errorf("layer %s has a variable %s, which has no path in Keras' files", l.Name(), v.Path())
			}
			sub := below(f.groups[own].path, attribute)
			in = slices.IndexFunc(f.groups, func(g group) bool { return g.path == sub })
			if in < 0 {
				in = len(f.groups)
				f.groups = append(f.groups, group{path: sub, name: sublayer})
			}
		}
		f.groups[in].variables = append(f.groups[in].variables, v)
	}
	return nil
}

const inputClass = "InputLayer"

// className returns Keras' name of the class of l, a layer of m: InputLayer, Functional and
// Sequential too.
func className(m *keras.Model, l layers.Layer) string {
	for _, n := range m.Nodes() {
		if n.Layer == l && n.IsInput() {
			return inputClass
		}
	}
	if nested, ok := l.(*keras.ModelLayer); ok {
		return modelClass(nested.Model())
	}
	return classOf(l)
}

// classOf returns Keras' name of a layer's class, for layers that are neither models nor inputs.
func classOf(l layers.Layer) string {
	name := layers.ClassName(l)
	if exported, ok := exportedAs[name]; ok {
		return exported
	}
	return name
}

// exportedAs are the classes that Keras exports under another name. Configs contain the exported
// name, and paths the name of the class.
var exportedAs = map[string]string{"GroupedQueryAttention": "GroupQueryAttention"}

// snakeName returns the name of a layer's class in the paths of files, such as
// multi_head_attention; functional or sequential for a model.
func snakeName(l layers.Layer) string {
	if nested, ok := l.(*keras.ModelLayer); ok {
		return strings.ToLower(modelClass(nested.Model()))
	}
	if name, ok := registeredType(l); ok {
		_, class, _ := strings.Cut(name, ">")
		return autoname.Snake(class)
	}
	return layers.TypeName(l)
}

// modelClass returns Keras' name of a model's class: Sequential or Functional.
func modelClass(m *keras.Model) string {
	if m.IsSequential() {
		return "Sequential"
	}
	return "Functional"
}
