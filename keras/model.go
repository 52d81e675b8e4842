package keras

// This file defines Model, the functional way of making one, and the order of its
// nodes.

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/internal/made"
	"github.com/gospmd/gospmd/internal/option"
	"github.com/gospmd/gospmd/internal/suggest"
	"github.com/gospmd/gospmd/keras/distribution"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/variable"
)

// Model is a graph of layers that can be trained: keras.Model.
//
// A model is bound to the distribution that was current when it was made. Its
// variables are put on the devices when it first runs.
type Model struct {
	name       string
	inputs     []*layers.Tensor
	outputs    []*layers.Tensor
	inputKeys  []string // the names that InputNames gave; nil: the names of the input layers
	outputKeys []string
	// the nodes of the graph in Keras' order, each after its inputs; empty before the graph is built
	nodes []*layers.Node

	host []*layers.Node // the nodes that run on the host, each after its inputs
	// the inputs of the part on the devices; first the outputs of host nodes, in the order of host
	deviceInputs []deviceInput

	sequential []layers.Layer // of a Sequential
	subclassed layers.Layer   // of a model made by NewSubclassed
	layer      *ModelLayer    // result of AsLayer

	policy   string // dtype policy of the process when the model was made
	dist     distribution.Distribution
	compiled *compiled
	training *Training       // the Fit under way
	warned   map[string]bool // warnings that have been logged
}

// check returns an error unless a constructor has made the model: the zero value and nil are none.
func (m *Model) check() error {
	return made.Check("the model", m, "make one by NewModel, NewSequential or NewSubclassed")
}

// Input returns the symbolic tensor of a model's input. shape has no batch dimension: it is []int,
// or the size of the only dimension. It is layers.Input.
func Input[S layers.Sizes](shape S, opts ...layers.Option) *layers.Tensor {
	return layers.Input(shape, opts...)
}

// SetDTypePolicy sets the dtype policy of layers that are made from now on, such as
// "mixed_bfloat16". An unknown name is an error. It is layers.SetDTypePolicy.
func SetDTypePolicy(name string) error { return layers.SetDTypePolicy(name) }

// Tensors returns the inputs or the outputs of a model as the list that NewModel takes:
// keras.NewModel(keras.Tensors(x), keras.Tensors(y)).
func Tensors(ts ...*layers.Tensor) []*layers.Tensor { return ts }

// ModelOption is an option of NewModel: Name, InputNames or OutputNames.
type ModelOption struct{ modelSetting }

// modelSetting is the name of an option, and the function that sets it in a Model.
type modelSetting = option.Option[Model]

// Name sets the name of a model: functional, functional_1, … by default. An empty name, and one
// with a "/", are errors.
func Name(name string) ModelOption {
	return ModelOption{modelSetting{Name: "Name", Set: func(m *Model) error { m.name = name; return checkName(name) }}}
}

// InputNames names the inputs, one name for each, as a model with a dict of inputs in Keras does:
// data is given by these names, and the model's inputs are in their alphabetical order. By default
// the inputs have the names of their layers, and keep their order. Another number of names, and
// names that are empty or equal, are errors.
func InputNames(names ...string) ModelOption {
	return ModelOption{option.New("InputNames", func(m *Model) { m.inputKeys = names })}
}

// OutputNames names the outputs, one name for each, as a model with a dict of outputs in Keras
// does: losses, metrics and labels are given by these names, logs begin with them, and the model's
// outputs are in their alphabetical order; Model.Named names what Predict returns. By default the
// outputs have the names of the layers that compute them, and keep their order. Another number of
// names, and names that are empty or equal, are errors.
func OutputNames(names ...string) ModelOption {
	return ModelOption{option.New("OutputNames", func(m *Model) { m.outputKeys = names })}
}

// NewModel returns the model that computes outputs from inputs. An input may also be the output of
// a layer: the model begins there, and shares its layers and their weights with the model that they
// were made for. NewModel returns the errors of making and applying all of its layers, each with
// the line that did it. These are errors too: no inputs or outputs, an output that needs another
// input or is text, an input that is given twice or that no output needs, and equal names of
// layers. Options: Name, InputNames, OutputNames.
func NewModel(inputs, outputs []*layers.Tensor, opts ...ModelOption) (*Model, error) {
	m := &Model{policy: layers.GlobalDTypePolicy()}
	err := option.Apply("NewModel", m, opts, "Name", "InputNames", "OutputNames")
	if m.name == "" {
		m.name = layers.AutoName("functional")
	}
	if err == nil {
		err = m.checkKeys("InputNames", m.inputKeys, len(inputs))
	}
	if err == nil {
		err = m.checkKeys("OutputNames", m.outputKeys, len(outputs))
	}
	if err == nil {
		inputs, m.inputKeys = byKey(inputs, m.inputKeys)
		outputs, m.outputKeys = byKey(outputs, m.outputKeys)
		inputs, outputs, err = fromWithin(inputs, outputs)
	}
	if err == nil {
		err = m.connect(inputs, outputs)
	}
	if err != nil {
		return nil, fmt.Errorf("keras: model %s: %w", m.name, err)
	}
	return m, nil
}

// checkKeys returns an error unless names is nil, or has n names that differ and are not empty.
// what names the option in errors.
func (m *Model) checkKeys(what string, names []string, n int) error {
	if names != nil && len(names) != n {
		return fmt.Errorf("%s: got %d names for %d tensors: want one for each", what, len(names), n)
	}
	for i, name := range names {
		if name == "" || slices.Contains(names[:i], name) {
			return fmt.Errorf("%s: got the name %q for tensor %d: want names that differ", what, name, i)
		}
	}
	return nil
}

// byKey returns the tensors ts, named by keys, and these names, both in alphabetical order of the
// names, as Keras orders the values of a dict. Without keys it returns ts as they are.
func byKey(ts []*layers.Tensor, keys []string) ([]*layers.Tensor, []string) {
	if keys == nil {
		return ts, nil
	}
	sorted := slices.Sorted(slices.Values(keys))
	var out []*layers.Tensor
	for _, key := range sorted {
		out = append(out, ts[slices.Index(keys, key)])
	}
	return out, sorted
}

// connect sets the model's inputs and outputs, its layers in order, its distribution, the current
// one, and its part on the host. If the model is compiled, it also binds the losses and metrics. It
// returns the errors of layers, and one if the outputs cannot be computed from the inputs, if an
// input is given twice, not used or no Input, if names are equal, or if an output is text.
func (m *Model) connect(inputs, outputs []*layers.Tensor) error {
	if len(inputs) == 0 || len(outputs) == 0 {
		return fmt.Errorf("got %d inputs and %d outputs, want at least one of each", len(inputs), len(outputs))
	}
	if err := layers.Errors(slices.Concat(inputs, outputs)...); err != nil {
		return err
	}
	for i, t := range inputs {
		if !t.Producer().IsInput() {
			return fmt.Errorf("input %d is the output of layer %s, want a tensor made by keras.Input", i, t.Producer().Name())
		}
		if slices.Contains(inputs[:i], t) {
			return fmt.Errorf("input %s is listed twice", t.Producer().Name())
		}
	}
	m.inputs, m.outputs = inputs, outputs
	m.nodes = nil
	seen := make(map[*layers.Node]bool)
	for _, t := range outputs {
		if err := m.collect(t.Producer(), seen); err != nil {
			return err
		}
	}
	sortNodes(m.nodes, outputs)
	for _, t := range inputs {
		if !seen[t.Producer()] {
			return fmt.Errorf("input %s is not connected to any output", t.Producer().Name())
		}
	}
	if err := m.checkNames(); err != nil {
		return err
	}
	m.dist = distribution.Current()
	if err := m.split(); err != nil {
		return err
	}
	m.findEmbeddings()
	if m.compiled == nil {
		return nil
	}
	if err := m.bind(m.compiled); err != nil { // it was compiled before it was built
		m.nodes = nil
		return err
	}
	return nil
}

// collect appends node n of the graph to m.nodes, after the nodes that it depends on; seen has
// those that were visited. It returns an error if n depends on an Input that is not among the
// model's inputs.
func (m *Model) collect(n *layers.Node, seen map[*layers.Node]bool) error {
	if seen[n] {
		return nil
	}
	seen[n] = true
	if n.IsInput() && !slices.Contains(m.inputs, n.Outputs[0]) {
		return fmt.Errorf("an output depends on %s, which is not among the inputs", n.Name())
	}
	for _, t := range n.Inputs {
		if err := m.collect(t.Producer(), seen); err != nil {
			return err
		}
	}
	m.nodes = append(m.nodes, n)
	return nil
}

// checkNames returns an error if two layers of the model have one name, or two variables one path.
func (m *Model) checkNames() error {
	byName := make(map[string]layers.Layer)
	for _, n := range m.nodes {
		if other, ok := byName[n.Name()]; ok && other != n.Layer {
			return fmt.Errorf("two layers are named %q: give each its own name, because variable paths begin with it", n.Name())
		}
		byName[n.Name()] = n.Layer
	}
	paths := make(map[string]bool)
	for _, v := range m.Variables() {
		if paths[v.Path()] {
			return fmt.Errorf("two variables have the path %q: layers inside of layers or models have the same name: give each its own", v.Path())
		}
		paths[v.Path()] = true
	}
	return nil
}

// Name returns the model's name, such as functional_1.
func (m *Model) Name() string { return m.name }

// Layers returns the layers of a functional model, inputs included, each once, in the order
// of computation. Those of a Sequential are the ones in its list, and those of a model
// made by NewSubclassed the ones that its Go type consists of.
func (m *Model) Layers() []layers.Layer {
	switch {
	case m.subclassed != nil:
		return layers.Inner(m.subclassed)
	case m.sequential != nil:
		return slices.Clone(m.sequential)
	}
	var out []layers.Layer
	for _, n := range m.nodes {
		if !slices.Contains(out, n.Layer) {
			out = append(out, n.Layer)
		}
	}
	return out
}

// Layer returns the layer with the given name: keras.Model.get_layer. An unknown name is an error.
// A layer of a Sequential that is not built has a name if it was given one.
func (m *Model) Layer(name string) (layers.Layer, error) {
	var names []string
	for _, l := range m.Layers() {
		if l.Name() == name {
			return l, nil
		}
		names = append(names, l.Name())
	}
	return nil, fmt.Errorf("keras: model %s: it has no layer %q%s", m.name, name, suggest.Closest(name, names, "it has "))
}

// Variables returns the variables of all layers, in the order of computation.
// It is empty for a Sequential that is not built yet.
func (m *Model) Variables() []*variable.Variable {
	var out []*variable.Variable
	for _, n := range m.nodes {
		for _, v := range n.Variables() {
			if !slices.Contains(out, v) {
				out = append(out, v)
			}
		}
	}
	return out
}

// TrainableVariables returns the variables that training changes, in the order of Variables.
func (m *Model) TrainableVariables() []*variable.Variable {
	return slices.DeleteFunc(m.Variables(), func(v *variable.Variable) bool { return !v.Trainable() })
}

// Variable returns the variable with the given path, such as d1/kernel, or nil.
func (m *Model) Variable(path string) *variable.Variable {
	for _, v := range m.Variables() {
		if v.Path() == path {
			return v
		}
	}
	return nil
}

// call runs the model's layers on the devices in a traced step, from nodes for the inputs of the
// devices, and returns the nodes of the outputs.
func (m *Model) call(c *layers.Context, inputs []*graph.Node) ([]*graph.Node, error) {
	values, nested := m.deviceValues(inputs)
	for _, n := range m.nodes {
		in, begun := nested[n]
		if n.IsInput() || !begun && slices.Contains(m.host, n) {
			continue
		}
		if !begun {
			in = make([]*graph.Node, len(n.Inputs))
			for i, t := range n.Inputs {
				in[i] = values[t]
			}
		}
		out, err := n.Call(c, in)
		if err != nil {
			return nil, err
		}
		for i, t := range n.Outputs {
			values[t] = out[i]
		}
	}
	outputs := make([]*graph.Node, len(m.outputs))
	for i, t := range m.outputs {
		outputs[i] = values[t]
	}
	return outputs, nil
}

// sortNodes sorts nodes into the order of Keras' Model.layers, on which the order
// of weights and of optimizer slots, and the numbers in names of files, depend:
// by distance from the outputs, the farthest first, then by the order in which a
// walk back from the outputs first visits their layers. Before and after, each
// node follows those it depends on.
func sortNodes(nodes []*layers.Node, outputs []*layers.Tensor) {
	depth := make(map[*layers.Node]int)
	layerDepth := make(map[layers.Layer]int)
	for _, n := range slices.Backward(nodes) {
		// A layer that is applied several times has the depth where it is first needed.
		d := max(depth[n], layerDepth[n.Layer])
		depth[n], layerDepth[n.Layer] = d, d
		for _, t := range n.Inputs {
			depth[t.Producer()] = max(depth[t.Producer()], d+1)
		}
	}
	visited := make(map[layers.Layer]int) // position in the walk
	seen := make(map[*layers.Node]bool)
	var walk func(n *layers.Node)
	walk = func(n *layers.Node) {
		if seen[n] {
			return
		}
		seen[n] = true
		if _, ok := visited[n.Layer]; !ok {
			visited[n.Layer] = len(visited)
		}
		for _, t := range n.Inputs {
			walk(t.Producer())
		}
	}
	for _, t := range outputs {
		walk(t.Producer())
	}
	slices.SortStableFunc(nodes, func(a, b *layers.Node) int {
		return cmp.Or(cmp.Compare(depth[b], depth[a]), cmp.Compare(visited[a.Layer], visited[b.Layer]))
	})
}
