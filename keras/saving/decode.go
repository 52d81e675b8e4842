package saving

// This file makes models of config.json.

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/losses"
	"github.com/gospmd/gospmd/keras/metrics"
	"github.com/gospmd/gospmd/keras/optimizers"
)

// decodeModel makes the model of a config.json, built and, if it was compiled,
// with the options to compile it with.
func decodeModel(text []byte) (*keras.Model, []keras.CompileOption, error) {
	var o map[string]any
	if err := json.Unmarshal(text, &o); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", configName, err)
	}
	class, config, err := classAndConfig(o)
	if err != nil {
		return nil, nil, err
	}
	decode, ok := modelClasses[class]
	if !ok {
		return nil, nil, fmt.Errorf("the model is a %s, want a Sequential or Functional one: those of other classes are known to their program only; load their weights into the same model here", class)
	}
	m, err := decode(config)
	if err != nil {
		return nil, nil, err
	}
	compile, err := decodeCompile(o["compile_config"])
	return m, compile, err
}

// modelClasses are the classes of models, which are layers of other models too.
var modelClasses map[string]func(config map[string]any) (*keras.Model, error)

func init() {
	modelClasses = map[string]func(config map[string]any) (*keras.Model, error){
		"Functional": decodeFunctional, "Sequential": decodeSequential,
	}
}

// layerList returns the layers of a model's config.
func layerList(config map[string]any) ([]any, error) {
	list, ok := config["layers"].([]any)
	if !ok || len(list) == 0 {
		return nil, errors.New("config.json has a model without layers")
	}
	return list, nil
}

func decodeSequential(config map[string]any) (*keras.Model, error) {
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
			if d, err := decodeDType(c["dtype"]); err != nil || d != dtypes.Float32 {
				return nil, fmt.Errorf("the input of a Sequential of dtype %v: want float32", c["dtype"])
			}
			shape = c["batch_shape"]
			continue
		}
		l, err := decodeLayer(class, c)
		if err != nil {
			return nil, err
		}
		ls = append(ls, l)
	}
	m, err := keras.NewSequential(ls...)
	if err != nil {
		return nil, err
	}
	if name, ok := config["name"].(string); ok {
		if err := m.SetName(name); err != nil {
			return nil, err
		}
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

// decodeShape returns a shape without its batch.
func decodeShape(v any) ([]int, error) {
	list, ok := v.([]any)
	if !ok || len(list) == 0 {
		return nil, fmt.Errorf("the shape of the model's input is %v, want a list: build the model in Keras before it is saved", v)
	}
	dims := make([]int, len(list)-1)
	for i, d := range list[1:] {
		switch d := d.(type) {
		case nil:
			dims[i] = -1
		case float64:
			dims[i] = int(d)
		default:
			return nil, fmt.Errorf("the shape of an input is %v, want numbers and nulls", v)
		}
	}
	return dims, nil
}

// decodeLayer makes a layer of its config.
func decodeLayer(name string, config map[string]any) (layers.Layer, error) {
	if decode, ok := modelClasses[name]; ok {
		m, err := decode(config)
		if err != nil {
			return nil, fmt.Errorf("model %v: %w", config["name"], err)
		}
		l := m.AsLayer()
		if config["trainable"] == false {
			l.SetTrainable(false)
		}
		return l, nil
	}
	c, ok := classes[name]
	if !ok {
		return nil, unknown("layer", name, classes)
	}
	r := newReader(fmt.Sprintf("layer %v (%s)", config["name"], name), config)
	r.skip("dtype", "trainable")
	policy, err := decodePolicy(config["dtype"])
	if err != nil {
		return nil, fmt.Errorf("%s: %w", r.class, err)
	}
	l := c.make(r, []layers.Option{layers.Name(r.text("name")), layers.DTypePolicy(policy)})
	if err := r.done(); err != nil {
		return nil, err
	}
	if config["trainable"] == false {
		l.SetTrainable(false)
	}
	return l, nil
}

// functional connects the layers of a functional model.
type functional struct {
	layers  map[string]layers.Layer
	tensors map[string][][]*layers.Tensor // by layer name, application and output
	inputs  []*layers.Tensor              // all that were made
}

// call is an application of a layer that is still to be made.
type call struct {
	name   string // of the layer
	class  class
	args   any
	kwargs map[string]any
}

// refs returns the tensors that the layer is applied to, in the order in which
// layers here take them: one that is left out is the one before it.
func (c call) refs() ([]tensorRef, error) {
	refs, err := tensorRefs(c.args)
	if err != nil {
		return nil, err
	}
	if n := len(c.class.inputs); n > 0 && len(refs) >= n {
		return nil, fmt.Errorf("it is applied to %d tensors without names, want at most %d: %s is given by name", len(refs), n-1, c.class.inputs[n-1])
	}
	r := newReader("the call", c.kwargs)
	r.skip("training")
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

func decodeFunctional(config map[string]any) (*keras.Model, error) {
	list, err := layerList(config)
	if err != nil {
		return nil, err
	}
	f := &functional{layers: make(map[string]layers.Layer), tensors: make(map[string][][]*layers.Tensor)}
	var todo []call
	for _, v := range list {
		calls, err := f.layer(v)
		if err != nil {
			return nil, err
		}
		todo = append(todo, calls...)
	}
	for len(todo) > 0 {
		var left []call
		waiting := make(map[string]bool) // applications of a layer keep their order
		for _, c := range todo {
			done := false
			if !waiting[c.name] {
				if done, err = f.apply(c); err != nil {
					return nil, fmt.Errorf("layer %s: %w", c.name, err)
				}
			}
			if !done {
				waiting[c.name] = true
				left = append(left, c)
			}
		}
		if len(left) == len(todo) {
			return nil, fmt.Errorf("layer %s is applied to tensors that no layer makes", left[0].name)
		}
		todo = left
	}
	inputs, err := f.ends(config["input_layers"])
	if err != nil {
		return nil, fmt.Errorf("inputs: %w", err)
	}
	outputs, err := f.ends(config["output_layers"])
	if err != nil {
		return nil, fmt.Errorf("outputs: %w", err)
	}
	m, err := keras.NewModel(inputs, outputs)
	if err != nil {
		return nil, err
	}
	if name, ok := config["name"].(string); ok {
		if err := m.SetName(name); err != nil {
			return nil, err
		}
	}
	return m, m.SetDTypePolicy(policyOf(m))
}

// policyOf returns the policy that a functional model was made under, which its
// config does not tell: mixed_float16 if a layer has that policy.
func policyOf(m *keras.Model) string {
	for _, l := range m.Layers() {
		if p := l.DTypePolicy(); p == layers.MixedFloat16 {
			return p
		}
	}
	return m.DTypePolicy()
}

// layer makes a layer and returns its applications.
func (f *functional) layer(v any) ([]call, error) {
	class, config, err := classAndConfig(v)
	if err != nil {
		return nil, err
	}
	o := v.(map[string]any)
	name, ok := o["name"].(string)
	if !ok {
		return nil, fmt.Errorf("a %s has no name", class)
	}
	if class == inputClass {
		dims, err := decodeShape(config["batch_shape"])
		if err != nil {
			return nil, fmt.Errorf("layer %s: %w", name, err)
		}
		dtype, err := decodeDType(config["dtype"])
		if err != nil {
			return nil, fmt.Errorf("layer %s: %w", name, err)
		}
		t := layers.Input(dims, layers.Name(name), layers.DType(dtype))
		f.tensors[name] = [][]*layers.Tensor{{t}}
		return nil, t.Err()
	}
	nodes, _ := o["inbound_nodes"].([]any)
	var calls []call
	for _, n := range nodes {
		node, ok := n.(map[string]any)
		if !ok {
			return nil, fmt.Errorf("layer %s: its inbound_nodes are of an older Keras: save the model again with Keras 3", name)
		}
		kwargs, _ := node["kwargs"].(map[string]any)
		calls = append(calls, call{name, classes[class], node["args"], kwargs})
	}
	if err := callOptions(config, calls); err != nil {
		return nil, fmt.Errorf("layer %s: %w", name, err)
	}
	f.layers[name], err = decodeLayer(class, config)
	return calls, err
}

// callOptions moves the arguments of a layer's calls that are options of the
// layer here to its config.
func callOptions(config map[string]any, calls []call) error {
	for i, c := range calls {
		for _, key := range c.class.call {
			v := c.kwargs[key] == true
			if i > 0 && config[key] != v {
				return fmt.Errorf("it is applied with %s and without, which a layer here cannot: apply two layers in Keras", key)
			}
			config[key] = v
			delete(c.kwargs, key)
		}
	}
	return nil
}

// apply makes an application; done is false while its inputs are missing.
func (f *functional) apply(c call) (done bool, err error) {
	refs, err := c.refs()
	if err != nil {
		return false, err
	}
	var in []*layers.Tensor
	for _, ref := range refs {
		t := f.tensor(ref)
		if t == nil {
			return false, nil
		}
		in = append(in, t)
	}
	outs := layers.ApplyAll(f.layers[c.name], in...)
	if err := outs[0].Err(); err != nil {
		return false, err
	}
	f.tensors[c.name] = append(f.tensors[c.name], outs)
	return true, nil
}

// tensorRef is a keras_history: layer, application, output.
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

// tensorRefs returns the tensors among a call's arguments, in order.
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
	}
	return nil, fmt.Errorf("it is applied to %.100v, want tensors", v)
}

func decodeRef(v any) (tensorRef, error) {
	list, ok := v.([]any)
	if ok && len(list) == 3 {
		name, isName := list[0].(string)
		node, isNode := list[1].(float64)
		output, isOutput := list[2].(float64)
		if isName && isNode && isOutput && node >= 0 && output >= 0 {
			return tensorRef{name, int(node), int(output)}, nil
		}
	}
	return tensorRef{}, fmt.Errorf("%.100v names no tensor: want a layer, an application and an output", v)
}

// ends returns a model's inputs or outputs: one, or a list of them.
func (f *functional) ends(v any) ([]*layers.Tensor, error) {
	list, ok := v.([]any)
	if !ok || len(list) == 0 {
		return nil, fmt.Errorf("got %.100v, want a list of tensors", v)
	}
	if _, single := list[0].(string); single {
		list = []any{v}
	}
	var out []*layers.Tensor
	for _, x := range list {
		ref, err := decodeRef(x)
		if err != nil {
			return nil, err
		}
		t := f.tensor(ref)
		if t == nil {
			return nil, fmt.Errorf("there is no tensor %v", x)
		}
		out = append(out, t)
	}
	return out, nil
}

// decodeCompile returns the options that a model was compiled with, nil for
// one that was not.
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
			list = inner // of the only output
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

// optimizerMakers are the optimizers by class.
var optimizerMakers = map[string]func(...optimizers.Option) *optimizers.Optimizer{
	"Adagrad": optimizers.Adagrad,
	"Adam":    optimizers.Adam,
	"AdamW":   optimizers.AdamW,
	"RMSprop": optimizers.RMSprop,
	"SGD":     optimizers.SGD,
}

func decodeOptimizer(v any) (any, error) {
	if name, ok := v.(string); ok {
		return name, nil
	}
	class, config, err := classAndConfig(v)
	if err != nil {
		return nil, err
	}
	r := newReader("optimizer "+class, config)
	var o []optimizers.Option
	if class == lossScaleClass {
		r.skip("inner_optimizer")
		inner, err := decodeOptimizer(config["inner_optimizer"])
		if err != nil {
			return nil, err
		}
		if r.has("name") {
			o = append(o, optimizers.Name(r.text("name")))
		}
		o = append(o, optimizers.InitialScale(r.float("initial_scale")), optimizers.DynamicGrowthSteps(r.int("dynamic_growth_steps")))
		return optimizers.NewLossScaleOptimizer(inner, o...), r.done()
	}
	maker, ok := optimizerMakers[class]
	if !ok {
		return nil, unknown("optimizer", class, optimizerMakers)
	}
	if r.has("name") {
		o = append(o, optimizers.Name(r.text("name")))
	}
	if _, isObject := config["learning_rate"].(map[string]any); isObject {
		r.skip("learning_rate")
		s, err := decodeSchedule(config["learning_rate"])
		if err != nil {
			return nil, err
		}
		o = append(o, optimizers.LearningRateSchedule(s))
	} else {
		o = append(o, optimizers.LearningRate(r.float("learning_rate")))
	}
	for _, x := range []struct {
		key string
		set func(float64) optimizers.Option
	}{
		{"weight_decay", optimizers.WeightDecay}, {"clipnorm", optimizers.ClipNorm}, {"clipvalue", optimizers.ClipValue},
		{"global_clipnorm", optimizers.GlobalClipNorm}, {"loss_scale_factor", optimizers.LossScaleFactor}, {"momentum", optimizers.Momentum}, {"rho", optimizers.Rho},
		{"epsilon", optimizers.Epsilon}, {"beta_1", optimizers.Beta1}, {"beta_2", optimizers.Beta2},
		{"initial_accumulator_value", optimizers.InitialAccumulatorValue},
	} {
		if r.has(x.key) {
			o = append(o, x.set(r.float(x.key)))
		}
	}
	for _, x := range []struct {
		key string
		set func() optimizers.Option
	}{
		{"nesterov", optimizers.Nesterov}, {"centered", optimizers.Centered}, {"amsgrad", optimizers.AMSGrad}, {"use_ema", optimizers.UseEMA},
	} {
		if r.bool(x.key) {
			o = append(o, x.set())
		}
	}
	r.skip("ema_momentum")
	if r.bool("use_ema") {
		o = append(o, optimizers.EMAMomentum(r.float("ema_momentum")))
	}
	if r.has("ema_overwrite_frequency") {
		o = append(o, optimizers.EMAOverwriteFrequency(r.int("ema_overwrite_frequency")))
	}
	if r.has("gradient_accumulation_steps") {
		o = append(o, optimizers.GradientAccumulationSteps(r.int("gradient_accumulation_steps")))
	}
	return maker(o...), r.done()
}
