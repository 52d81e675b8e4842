package saving

// This file holds the registry of layers, how each class is made of its
// config, and reads the configs of config.json: each option is asked for by
// name, and an option that nobody asks for must be off. It also reads
// initializers.

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/gospmd/gospmd/internal/brief"
	"github.com/gospmd/gospmd/internal/suggest"
	"github.com/gospmd/gospmd/keras/constraints"
	"github.com/gospmd/gospmd/keras/initializers"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/regularizers"
)

// class says how a layer is made of its config. The config comes from the layer
// itself (layers.Configured).
type class struct {
	make   func(r *reader, o []layers.Option) layers.Layer
	merges bool // Keras applies it to a list of tensors
	// inputs are the names of the tensors of a call, for classes with several.
	inputs []string
	// listed is the name of the argument that takes all tensors of a call but the first.
	listed string
	// call are the arguments of Keras' call that are options of our layer: make
	// reads them as if they were in the config.
	call []string
}

// The arguments of a call of the attention layers. The first three are positional,
// the mask is not.
var (
	attentionInputs  = []string{"query", "value", "key", "attention_mask"}
	attentionOptions = []string{"use_causal_mask"}
)

// known reports whether a layer of a class can be written and read.
func known(name string) bool {
	_, ok := classes[name]
	return ok || layers.Declared(name)
}

// classes are the layers by Keras' name of the class. Those that package layers declares
// are here only if they are called in a way of their own.
var classes = map[string]class{
	"Attention": {merges: true, call: attentionOptions}, "AdditiveAttention": {merges: true, call: attentionOptions},
	"Add": {merges: true}, "Average": {merges: true}, "Dot": {merges: true}, "Maximum": {merges: true}, "Minimum": {merges: true}, "Subtract": {merges: true},
	"Activation": {make: func(r *reader, o []layers.Option) layers.Layer {
		return layers.NewActivation(r.activation(), o...)
	}},
	"BatchNormalization": {make: func(r *reader, o []layers.Option) layers.Layer {
		return layers.BatchNormalization(append(o, layers.Axis(r.ints("axis")...), layers.Momentum(r.float("momentum")), layers.Epsilon(r.float("epsilon")),
			layers.Center(r.bool("center")), layers.Scale(r.bool("scale")),
			layers.BetaInitializer(r.init("beta_initializer")), layers.GammaInitializer(r.init("gamma_initializer")),
			layers.MovingMeanInitializer(r.init("moving_mean_initializer")), layers.MovingVarianceInitializer(r.init("moving_variance_initializer")))...)
	}},
	"Concatenate": {merges: true, make: func(r *reader, o []layers.Option) layers.Layer {
		return layers.Concatenate(append(o, layers.Axis(r.int("axis")))...)
	}},
	"Dense": {make: func(r *reader, o []layers.Option) layers.Layer {
		return layers.Dense(r.int("units"), append(append(o, r.limits("kernel")...), layers.Activation(r.activation()), layers.UseBias(r.bool("use_bias")),
			layers.KernelInitializer(r.init("kernel_initializer")), layers.BiasInitializer(r.init("bias_initializer")))...)
	}},
	"Dropout": {make: func(r *reader, o []layers.Option) layers.Layer {
		if r.has("seed") {
			o = append(o, layers.Seed(r.int("seed")))
		}
		return layers.Dropout(r.float("rate"), o...)
	}},
	"Embedding": {make: func(r *reader, o []layers.Option) layers.Layer {
		return layers.Embedding(r.int("input_dim"), r.int("output_dim"), slices.Concat(o, r.limits("embeddings"), r.embedding())...)
	}},
	"Flatten": {make: func(_ *reader, o []layers.Option) layers.Layer { return layers.Flatten(o...) }},
	"GroupQueryAttention": {inputs: attentionInputs, call: attentionOptions, make: func(r *reader, o []layers.Option) layers.Layer {
		return layers.GroupQueryAttention(r.int("head_dim"), r.int("num_query_heads"), r.int("num_key_value_heads"), append(o, r.attention()...)...)
	}},
	"LayerNormalization": {make: func(r *reader, o []layers.Option) layers.Layer {
		return layers.LayerNormalization(append(o, layers.Axis(r.ints("axis")...), layers.Epsilon(r.float("epsilon")),
			layers.Center(r.bool("center")), layers.Scale(r.bool("scale")),
			layers.BetaInitializer(r.init("beta_initializer")), layers.GammaInitializer(r.init("gamma_initializer")))...)
	}},
	"Masking": {make: func(r *reader, o []layers.Option) layers.Layer { return layers.Masking(r.float("mask_value"), o...) }},
	"MultiHeadAttention": {inputs: attentionInputs, call: attentionOptions, make: func(r *reader, o []layers.Option) layers.Layer {
		if axes := r.ints("attention_axes"); !slices.Equal(axes, []int{1}) {
			r.fail("attention_axes", "[1], attention along a sequence")
		}
		return layers.MultiHeadAttention(r.int("num_heads"), r.int("key_dim"), append(o, append(r.attention(), layers.ValueDim(r.int("value_dim")))...)...)
	}},
	"Multiply": {merges: true},
	"Permute":  {make: func(r *reader, o []layers.Option) layers.Layer { return layers.Permute(r.ints("dims"), o...) }},
	"RMSNormalization": {make: func(r *reader, o []layers.Option) layers.Layer {
		return layers.RMSNormalization(append(o, layers.Axis(r.ints("axis")...), layers.Epsilon(r.float("epsilon")))...)
	}},
	"Rescaling": {make: func(r *reader, o []layers.Option) layers.Layer {
		return layers.Rescaling(r.float("scale"), append(o, layers.Offset(r.float("offset")))...)
	}},
	"Reshape": {make: func(r *reader, o []layers.Option) layers.Layer {
		return layers.Reshape(r.ints("target_shape"), o...)
	}},
}

func (r *reader) attention() []layers.Option {
	o := []layers.Option{
		layers.DropoutRate(r.float("dropout")), layers.UseBias(r.bool("use_bias")),
		layers.KernelInitializer(r.init("kernel_initializer")), layers.BiasInitializer(r.init("bias_initializer")),
	}
	if r.has("seed") {
		o = append(o, layers.Seed(r.int("seed")))
	}
	if r.bool("use_causal_mask") {
		o = append(o, layers.UseCausalMask())
	}
	return o
}

func (r *reader) embedding() []layers.Option {
	o := []layers.Option{layers.EmbeddingsInitializer(r.init("embeddings_initializer"))}
	if r.bool("mask_zero") {
		o = append(o, layers.MaskZero())
	}
	return o
}

// limits returns the regularizers and constraints of a layer, whose main variable has
// that name in Keras.
func (r *reader) limits(main string) (out []layers.Option) {
	regularizer, constraint := layers.KernelRegularizer, layers.KernelConstraint
	if main == "embeddings" {
		regularizer, constraint = layers.EmbeddingsRegularizer, layers.EmbeddingsConstraint
	}
	for _, x := range []struct {
		key  string
		make func(any) layers.Option
	}{
		{main + "_regularizer", regularizer}, {"bias_regularizer", layers.BiasRegularizer}, {"activity_regularizer", layers.ActivityRegularizer},
		{main + "_constraint", constraint}, {"bias_constraint", layers.BiasConstraint},
	} {
		if !r.has(x.key) {
			continue
		}
		r.skip(x.key)
		v, err := decodeLimit(x.key, r.config[x.key])
		if err != nil && r.err == nil {
			r.err = fmt.Errorf("%s: %s: %w", r.class, x.key, err)
		}
		if err == nil {
			out = append(out, x.make(v))
		}
	}
	return out
}

// decodeLimit returns the regularizer or the constraint of a config.
func decodeLimit(key string, v any) (any, error) {
	if name, ok := functionName(v); ok {
		return name, nil
	}
	class, config, err := classAndConfig(v)
	if err != nil {
		return nil, err
	}
	if strings.HasSuffix(key, "_constraint") {
		return constraints.FromConfig(brief.Text(class), config)
	}
	return regularizers.FromConfig(brief.Text(class), config)
}

func (r *reader) activation() any { return r.activationOf("activation") }

// activationOf returns the name of an activation. Keras writes an activation that is
// not one of its own functions as an object.
func (r *reader) activationOf(key string) any {
	if o, ok := r.config[key].(map[string]any); ok {
		r.read[key] = true
		if name, ok := o["config"].(string); ok {
			return name
		}
		r.fail(key, "the name of an activation")
		return "linear"
	}
	if !r.has(key) {
		r.skip(key)
		return "linear"
	}
	return r.text(key)
}

// reader reads a config. It keeps the first error.
type reader struct {
	class  string
	config map[string]any
	read   map[string]bool
	err    error
	inside decoder // of layers that are arguments
}

func newReader(class string, config map[string]any) *reader {
	return &reader{class: class, config: config, read: make(map[string]bool)}
}

// inert are options that have no effect with these values. Any option without an
// effect is null or false.
var inert = map[string]any{
	"data_format":     "channels_last",
	"renorm_momentum": 0.99,
	"reduction":       "sum_over_batch_size",
	"axis":            -1.0,
}

// done returns the first error, or that of an option that was not read.
func (r *reader) done() error {
	if r.err != nil {
		return r.err
	}
	for _, key := range slices.Sorted(maps.Keys(r.config)) {
		v := r.config[key]
		if r.read[key] || v == nil || v == false {
			continue
		}
		if same, ok := inert[key]; ok && same == v {
			continue
		}
		return fmt.Errorf("%s: the option %s = %s is not known here", r.class, brief.Text(key), brief.Value(v))
	}
	return nil
}

func (r *reader) skip(keys ...string) {
	for _, k := range keys {
		r.read[k] = true
	}
}

func (r *reader) fail(key string, want string) {
	if r.err == nil {
		r.err = fmt.Errorf("%s: the option %s is %s, want %s", r.class, key, brief.Value(r.config[key]), want)
	}
}

// has reports whether an option exists and is not null.
func (r *reader) has(key string) bool { return r.config[key] != nil }

// get returns an option of type T, or the zero value if it is null or absent.
func get[T any](r *reader, key, want string) (v T) {
	r.read[key] = true
	if r.config[key] == nil {
		return v
	}
	v, ok := r.config[key].(T)
	if !ok {
		r.fail(key, want)
	}
	return v
}

func (r *reader) float(key string) float64 { return get[float64](r, key, "a number") }
func (r *reader) bool(key string) bool     { return get[bool](r, key, "true or false") }
func (r *reader) text(key string) string   { return get[string](r, key, "a text") }

func (r *reader) int(key string) int {
	n, ok := integer(r.float(key))
	if !ok {
		r.fail(key, "an integer")
	}
	return n
}

// integer returns a number of JSON as an int, if it is one that a float64 holds
// exactly.
func integer(v any) (int, bool) {
	f, ok := v.(float64)
	if !ok || f != math.Trunc(f) || math.Abs(f) > 1<<53 {
		return 0, false
	}
	return int(f), true
}

// index returns a number of JSON that counts something, from 0.
func index(v any) (int, bool) {
	n, ok := integer(v)
	return n, ok && n >= 0
}

func (r *reader) list(key string) []any { return get[[]any](r, key, "a list") }

func (r *reader) floats(key string) []float64 {
	var out []float64
	for _, v := range r.list(key) {
		f, ok := v.(float64)
		if !ok {
			r.fail(key, "a list of numbers")
		}
		out = append(out, f)
	}
	return out
}

// ints returns a list of integers. Nested lists are flattened, and a number is a
// list of one.
func (r *reader) ints(key string) []int {
	r.read[key] = true
	var out []int
	var flatten func(v any)
	flatten = func(v any) {
		switch v := v.(type) {
		case float64:
			n, ok := integer(v)
			if !ok {
				r.fail(key, "integers")
			}
			out = append(out, n)
		case []any:
			for _, x := range v {
				flatten(x)
			}
		default:
			r.fail(key, "integers")
		}
	}
	flatten(r.config[key])
	return out
}

// classAndConfig returns the class and the config of an object. The class of one of the
// user's is its registered name.
func classAndConfig(v any) (class string, config map[string]any, err error) {
	o, ok := v.(map[string]any)
	if !ok {
		return "", nil, fmt.Errorf("config.json has %s, want an object", brief.Value(v))
	}
	class, ok = o["class_name"].(string)
	if !ok {
		return "", nil, fmt.Errorf("config.json has an object without class_name: %s", brief.Value(v))
	}
	if name, ok := registeredName(o); ok {
		class = name
	}
	switch c := o["config"].(type) {
	case nil:
		return class, map[string]any{}, nil
	case map[string]any:
		return class, c, nil
	}
	return "", nil, fmt.Errorf("the %s has the config %s, want an object", brief.Text(class), brief.Value(o["config"]))
}

// unknown returns the error of a class that is not in a table.
func unknown(what, class string, names []string) error {
	if strings.Contains(class, ">") {
		return errNotRegistered(what, class)
	}
	return fmt.Errorf("the %s %s is not known here%s", what, brief.Text(class), suggest.DidYouMean(class, names))
}

// initializerMakers are the initializers with options. Others are found by name.
var initializerMakers = map[string]func(...initializers.Option) initializers.Initializer{
	"GlorotNormal":    initializers.GlorotNormal,
	"GlorotUniform":   initializers.GlorotUniform,
	"HeNormal":        initializers.HeNormal,
	"HeUniform":       initializers.HeUniform,
	"Identity":        initializers.Identity,
	"LecunNormal":     initializers.LecunNormal,
	"LecunUniform":    initializers.LecunUniform,
	"Orthogonal":      initializers.Orthogonal,
	"RandomNormal":    initializers.RandomNormal,
	"RandomUniform":   initializers.RandomUniform,
	"TruncatedNormal": initializers.TruncatedNormal,
	"VarianceScaling": initializers.VarianceScaling,
}

// init returns the initializer of an option.
func (r *reader) init(key string) initializers.Initializer {
	r.read[key] = true
	init, err := decodeInitializer(r.config[key])
	if err != nil {
		if r.err == nil {
			r.err = fmt.Errorf("%s: %s: %w", r.class, key, err)
		}
		return initializers.Zeros()
	}
	return init
}

func decodeInitializer(v any) (initializers.Initializer, error) {
	if name, ok := v.(string); ok {
		return initializers.Get(name)
	}
	class, config, err := classAndConfig(v)
	if err != nil {
		return nil, err
	}
	r := newReader(class, config)
	maker, ok := initializerMakers[class]
	if class == "Constant" {
		value := r.float("value")
		return initializers.Constant(value), r.done()
	}
	if !ok {
		return initializers.Get(class)
	}
	var o []initializers.Option
	for _, option := range []struct {
		key string
		set func() initializers.Option
	}{
		{"seed", func() initializers.Option { return initializers.Seed(r.int("seed")) }},
		{"mean", func() initializers.Option { return initializers.Mean(r.float("mean")) }},
		{"stddev", func() initializers.Option { return initializers.Stddev(r.float("stddev")) }},
		{"minval", func() initializers.Option { return initializers.Range(r.float("minval"), r.float("maxval")) }},
		{"gain", func() initializers.Option { return initializers.Gain(r.float("gain")) }},
	} {
		if r.has(option.key) {
			o = append(o, option.set())
		}
	}
	if class == "VarianceScaling" {
		o = append(o, initializers.Scale(r.float("scale")), initializers.Mode(r.text("mode")), initializers.Distribution(r.text("distribution")))
	}
	if r.has("input_axes") && r.has("output_axes") {
		o = append(o, initializers.FanAxes(r.ints("input_axes"), r.ints("output_axes")))
	}
	return maker(o...), r.done()
}
