package saving

// This file makes functional models of a config.json: it applies the layers to
// the tensors that their inbound_nodes name.

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/gospmd/gospmd/internal/brief"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/layers"
)

// functional is the state of reading a functional model: its layers and tensors made so far, by the
// names of the layers.
type functional struct {
	decoder
	layers  map[string]layers.Layer
	tensors map[string][][]*layers.Tensor // tensors by layer name, call and output
}

// call is a call of a layer that is still to be made: the layer, the number of the call and its
// arguments.
type call struct {
	name   string // of the layer
	index  int    // index among the calls of the layer
	class  class
	args   any
	kwargs map[string]any

	tensors  []tensorRef // the tensors that refs returned at its first call
	training *bool       // the argument training of the call, set by refs; nil if it is not given
}

// refs reads the arguments: it returns the tensors that the layer is applied to, in the order in
// which our layers take them. An omitted tensor is replaced by the one before it. If the call has
// the argument training, refs sets c.training. Other arguments, except false and null, are errors.
func (c *call) refs() ([]tensorRef, error) {
	refs, err := tensorRefs(c.args)
	if err != nil {
		return nil, err
	}
	if n := len(c.class.inputs); n > 0 && len(refs) >= n {
		return nil, fmt.Errorf("it is applied to %d tensors without names, want at most %d: %s is given by name", len(refs), n-1, c.class.inputs[n-1])
	}
	r := newReader("the call", c.kwargs)
	r.skip(c.class.as.key)
	if training := r.bool("training"); r.has("training") {
		c.training = &training
	}
	if key := c.class.listed; key != "" && r.has(key) {
		r.skip(key)
		more, err := tensorRefs(c.kwargs[key])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", key, err)
		}
		refs = append(refs, more...)
	}
	for i, key := range c.class.inputs {
		if !r.has(key) {
			continue
		}
		r.skip(key)
		ref, err := tensorRefs([]any{c.kwargs[key]})
		if err != nil {
			return nil, fmt.Errorf("%s: %w", key, err)
		}
		for len(refs) > 0 && len(refs) < i {
			refs = append(refs, refs[len(refs)-1])
		}
		refs = append(refs, ref...)
	}
	return refs, r.done()
}

// as returns what the call applies instead of layer l: the form of the layer that an argument
// selects, with the argument training if the call has it.
func (c call) as(l layers.Layer) layers.Layer {
	if way := c.class.as; way.of != nil && c.kwargs[way.key] == true {
		l = way.of(l)
	}
	if c.training != nil {
		l = layers.WithTraining(l, *c.training)
	}
	return l
}

func (d decoder) functional(config map[string]any) (*keras.Model, error) {
	list, err := layerList(config)
	if err != nil {
		return nil, err
	}
	f := &functional{decoder: d, layers: make(map[string]layers.Layer), tensors: make(map[string][][]*layers.Tensor)}
	var todo []call
	err = each(list, func(_ int, v any) error {
		calls, err := f.layer(v)
		todo = append(todo, calls...)
		return err
	})
	if err != nil {
		return nil, err
	}
	if err := f.checkMasks(todo); err != nil {
		return nil, err
	}
	if err := f.applyAll(todo); err != nil {
		return nil, err
	}
	inputs, inputKeys, err := f.endpoints(config["input_layers"])
	if err != nil {
		return nil, fmt.Errorf("inputs: %w", err)
	}
	outputs, outputKeys, err := f.endpoints(config["output_layers"])
	if err != nil {
		return nil, fmt.Errorf("outputs: %w", err)
	}
	var opts []keras.ModelOption
	if inputKeys != nil {
		opts = append(opts, keras.InputNames(inputKeys...))
	}
	if outputKeys != nil {
		opts = append(opts, keras.OutputNames(outputKeys...))
	}
	m, err := keras.NewModel(inputs, outputs, opts...)
	if err != nil {
		return nil, err
	}
	if err := setName(m, config); err != nil {
		return nil, err
	}
	return m, m.SetDTypePolicy(policyOf(m))
}

// policyOf returns the policy of a functional model, which is not in its config: mixed_float16 if a
// layer has that policy, else the policy that m has.
func policyOf(m *keras.Model) string {
	for _, l := range m.Layers() {
		if p := l.DTypePolicy(); p == layers.MixedFloat16 {
			return p
		}
	}
	return m.DTypePolicy()
}

// layer makes the layer that v in the model's config describes, adds it to f.layers, and returns
// its calls, which are still to be made. For an input it adds the tensor to f.tensors and returns
// no calls. Errors name the layer.
func (f *functional) layer(v any) ([]call, error) {
	class, config, err := classAndConfig(v)
	if err != nil {
		return nil, err
	}
	o := v.(map[string]any)
	name, ok := o["name"].(string)
	if !ok {
		return nil, fmt.Errorf("a %s has no name", brief.Text(class))
	}
	fail := func(err error) error { return fmt.Errorf("layer %s: %w", brief.Text(name), err) }
	if class == inputClass {
		if err := f.budget.Take(layerCost, "one more input"); err != nil {
			return nil, fail(err)
		}
		dims, err := decodeShape(config["batch_shape"])
		if err != nil {
			return nil, fail(err)
		}
		dtype, err := decodeDType(config["dtype"])
		if err != nil {
			return nil, fail(err)
		}
		t := layers.Input(dims, layers.Name(name), layers.DType(dtype))
		f.tensors[name] = [][]*layers.Tensor{{t}}
		return nil, t.Err()
	}
	nodes, _ := o["inbound_nodes"].([]any)
	var calls []call
	if err := f.budget.Take(callCost*int64(len(nodes)), "one more call of a layer"); err != nil {
		return nil, fail(err)
	}
	if isOperation(o["module"]) {
		if calls, err = f.operation(name, class, config, nodes); err != nil {
			return nil, fail(err)
		}
		return calls, nil
	}
	for i, n := range nodes {
		node, ok := n.(map[string]any)
		if !ok {
			return nil, fail(errors.New("its inbound_nodes are of an older Keras: save the model again with Keras 3"))
		}
		kwargs, _ := node["kwargs"].(map[string]any)
		calls = append(calls, call{name: name, index: i, class: classes[class], args: node["args"], kwargs: kwargs})
	}
	if err := callOptions(config, calls); err != nil {
		return nil, fail(err)
	}
	f.layers[name], err = f.decoder.layer(class, config)
	return calls, err
}

// callOptions moves the arguments of calls that are options of our layer to the layer's config. It
// returns an error if the calls differ in such an argument.
func callOptions(config map[string]any, calls []call) error {
	for i, c := range calls {
		for _, key := range c.class.call {
			v := c.kwargs[key] == true
			if i > 0 && config[key] != v {
				return fmt.Errorf("it is applied with and without %s, which is an option of the layer here: apply two layers in Keras", key)
			}
			config[key] = v
			delete(c.kwargs, key)
		}
	}
	return nil
}

// applyAll makes the calls, each as soon as its inputs exist. The calls of one layer keep their
// order. A call whose inputs are outputs of no call is an error.
func (f *functional) applyAll(calls []call) error {
	waiting := make(map[string][]call) // waiting calls, by the layer that must be applied before
	left := 0
	for len(calls) > 0 {
		c := calls[0]
		calls = calls[1:]
		missing, done, err := f.apply(&c)
		switch {
		case err != nil:
			return fmt.Errorf("layer %s: %w", brief.Text(c.name), err)
		case !done:
			waiting[missing] = append(waiting[missing], c)
			left++
		default:
			woken := waiting[c.name]
			delete(waiting, c.name)
			left -= len(woken)
			calls = append(calls, woken...)
		}
	}
	if left > 0 {
		names := slices.Sorted(maps.Keys(waiting))
		return fmt.Errorf("layer %s is applied to tensors that are outputs of no layer", brief.Text(waiting[names[0]][0].name))
	}
	return nil
}

// apply makes a call if it can, and adds its outputs to f.tensors; done says whether it did. It
// cannot if an earlier call of the same layer, or a call whose output is an input here, was not
// made yet. Then missing is the name of the layer that must be called first.
func (f *functional) apply(c *call) (missing string, done bool, err error) {
	if len(f.tensors[c.name]) < c.index {
		return c.name, false, nil
	}
	if c.tensors == nil {
		if c.tensors, err = c.refs(); err != nil {
			return "", false, err
		}
	}
	var in []*layers.Tensor
	for _, ref := range c.tensors {
		t := f.tensor(ref)
		if t == nil {
			return ref.layer, false, nil
		}
		in = append(in, t)
	}
	outs := layers.ApplyAll(c.as(f.layers[c.name]), in...)
	if err := outs[0].Err(); err != nil {
		return "", false, err
	}
	f.tensors[c.name] = append(f.tensors[c.name], outs)
	return "", true, nil
}

// tensorRef is a keras_history, which names a tensor: the layer, the number of its call (node), and
// the number of the output.
type tensorRef struct {
	layer        string
	node, output int
}

func (f *functional) tensor(r tensorRef) *layers.Tensor {
	if nodes := f.tensors[r.layer]; r.node < len(nodes) && r.output < len(nodes[r.node]) {
		return nodes[r.node][r.output]
	}
	return nil
}

// tensorRefs returns the references to tensors among v, a call's arguments, in order, also in
// nested lists and maps. A damaged one is an error.
func tensorRefs(v any) ([]tensorRef, error) {
	switch v := v.(type) {
	case []any:
		var out []tensorRef
		for _, x := range v {
			refs, err := tensorRefs(x)
			if err != nil {
				return nil, err
			}
			out = append(out, refs...)
		}
		return out, nil
	case map[string]any:
		config, _ := v["config"].(map[string]any)
		if v["class_name"] == tensorClass {
			ref, err := decodeRef(config["keras_history"])
			return []tensorRef{ref}, err
		}
		if v["class_name"] == nil && len(v) > 0 {
			return tensorRefs(values(v)) // the inputs of a model as a dict by name
		}
	}
	return nil, fmt.Errorf("it is applied to %s, want tensors", brief.Value(v))
}

func decodeRef(v any) (tensorRef, error) {
	list, ok := v.([]any)
	if ok && len(list) == 3 {
		name, isName := list[0].(string)
		node, isNode := index(list[1])
		output, isOutput := index(list[2])
		if isName && isNode && isOutput {
			return tensorRef{name, node, output}, nil
		}
	}
	return tensorRef{}, fmt.Errorf("%s names no tensor: want a layer, a call and an output, counted from 0", brief.Value(v))
}

// isFunctional reports whether a layer is a functional model. In input_layers and output_layers
// Keras counts the calls of such a layer from 1, because a functional model begins with a call of
// its own. 0 is the last call.
func isFunctional(l layers.Layer) bool {
	nested, ok := l.(*keras.ModelLayer)
	return ok && !nested.Model().IsSequential()
}

// endpoints returns the tensors that v, a model's inputs or outputs in a config, refers to: one, a
// list of them, or a map. Keras orders the tensors of a map by their names, which endpoints returns
// too.
func (f *functional) endpoints(v any) (out []*layers.Tensor, names []string, err error) {
	if named, ok := v.(map[string]any); ok {
		names = slices.Sorted(maps.Keys(named))
		v = values(named)
	}
	list, ok := v.([]any)
	if !ok || len(list) == 0 {
		return nil, nil, fmt.Errorf("got %s, want a list of tensors", brief.Value(v))
	}
	if _, single := list[0].(string); single {
		list = []any{v}
	}
	for _, x := range list {
		ref, err := decodeRef(x)
		if err != nil {
			return nil, nil, err
		}
		if calls := len(f.tensors[ref.layer]); isFunctional(f.layers[ref.layer]) && calls > 0 && ref.node <= calls {
			ref.node = (ref.node + calls - 1) % calls
		}
		t := f.tensor(ref)
		if t == nil {
			return nil, nil, fmt.Errorf("there is no tensor %s", brief.Value(x))
		}
		out = append(out, t)
	}
	return out, names, nil
}

// values returns the values of a map in the alphabetical order of their names.
func values(named map[string]any) []any {
	out := make([]any, 0, len(named))
	for _, name := range slices.Sorted(maps.Keys(named)) {
		out = append(out, named[name])
	}
	return out
}
