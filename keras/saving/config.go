package saving

// This file says how Keras calls layers, and reads the configs of config.json: each option is read
// by its name, and an option that is not read must be off. It also reads initializers.

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

// class says how Keras calls a layer, for classes that it does not call with one tensor as its only
// argument. Package layers makes the layer from its config, and writes the config.
type class struct {
	merges bool // Keras applies the class to one list of tensors, not to several arguments
	// inputs are the names of the tensor arguments of a call, for classes with several.
	inputs []string
	// listed is the name of the argument that takes all tensors of a call except the first.
	listed string
	// call has the arguments of Keras' call that are options of our layer: they are read as if they
	// were in the config.
	call []string
	// uncalled is the reason why Keras cannot call the layer in a model; empty if it can.
	uncalled string
	// as holds, for a layer with a second form, the name of the argument of Keras' call that selects
	// this form, and the function that makes it of the layer. The zero value means that there is none.
	as way
}

// way selects a form of a layer: a call with the argument key set to true applies of(layer) in
// place of the layer.
type way struct {
	key string
	of  func(layers.Layer) layers.Layer
}

// These are the arguments of calls of the attention layers, by Keras' names. The first three inputs
// are positional; the mask is given by name.
var (
	attentionInputs  = []string{"query", "value", "key", "attention_mask"}
	attentionOptions = []string{"use_causal_mask"}
)

var classes = map[string]class{
	"Attention": {merges: true, call: attentionOptions}, "AdditiveAttention": {merges: true, call: attentionOptions},
	"Add": {merges: true}, "Average": {merges: true}, "Concatenate": {merges: true}, "Dot": {merges: true}, "Maximum": {merges: true},
	"Minimum": {merges: true}, "Multiply": {merges: true}, "Subtract": {merges: true}, "HashedCrossing": {merges: true},
	"MultiHeadAttention":  {inputs: attentionInputs, call: attentionOptions},
	"GroupQueryAttention": {inputs: attentionInputs, call: attentionOptions},
	"SimpleRNN":           {listed: "initial_state"}, "LSTM": {listed: "initial_state"}, "GRU": {listed: "initial_state"},
	"MaxNumBoundingBoxes": {uncalled: "Keras 3.15 fails to call it in a model"},
	"ReversibleEmbedding": {as: way{"reverse", func(l layers.Layer) layers.Layer { return l.(*layers.ReversibleEmbeddingLayer).Reverse() }}},
	"RNN":                 {listed: "initial_state"}, "Bidirectional": {listed: "initial_state"},
}

// decodeLimit returns the regularizer or, if key ends in _constraint, the constraint that v in a
// config describes: its name, or an object made from its config.
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

// reader reads the options of a config by their names. It notes which were read, and keeps the
// first error.
type reader struct {
	class  string
	config map[string]any
	read   map[string]bool
	err    error
}

func newReader(class string, config map[string]any) *reader {
	return &reader{class: class, config: config, read: make(map[string]bool)}
}

// inert lists options that have no effect if they have the value given here. null and false have no
// effect for any option.
var inert = map[string]any{
	"reduction": "sum_over_batch_size",
	"axis":      -1.0,
}

// done returns the first error of the reader. An option that was not read, and is neither null,
// false nor inert, is an error too.
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

// has reports whether the config has the option key, and it is not null.
func (r *reader) has(key string) bool { return r.config[key] != nil }

// get returns the option key, of type T, of the config that r reads, or the zero value if it is
// null or absent. It notes the key as read. For a value of another type it returns the zero value
// and sets the error of r; want names the type in the error.
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

// integer returns a JSON number as an int, and false unless it is an integer that a float64 holds
// exactly.
func integer(v any) (int, bool) {
	f, ok := v.(float64)
	if !ok || f != math.Trunc(f) || math.Abs(f) > 1<<53 {
		return 0, false
	}
	return int(f), true
}

// index returns a JSON number as an index or a count, and false unless it is an integer of at least
// 0.
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

// ints returns the list of integers under the key. Nested lists are flattened, and a number is a
// list of one. Other values are an error of r.
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

// classAndConfig returns the class and the config of v, an object of config.json. A config that is
// null or absent is returned as an empty map. The class of a user's object is its registered name.
// A value of another form is an error.
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

// unknown returns the error of a class that is not among names, with the most similar one. For a
// class of the user, such as my_package>Scale, the error says that it is not registered. what names
// the kind of class.
func unknown(what, class string, names []string) error {
	if strings.Contains(class, ">") {
		return errNotRegistered(what, class)
	}
	return fmt.Errorf("the %s %s is not known here%s", what, brief.Text(class), suggest.DidYouMean(class, names))
}

// initializerMakers has, by Keras' names, the constructors of the initializers that have options.
// Others are found by name.
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
		if _, ok := config["value"].(map[string]any); !ok {
			value := r.float("value")
			return initializers.Constant(value), r.done()
		}
		r.skip("value")
		_, array, err := classAndConfig(config["value"]) // __numpy__ or __tensor__
		if err == nil {
			_, err = initializers.Get(array["value"])
		}
		if err != nil {
			return nil, err
		}
		return initializers.Constant(array["value"]), r.done()
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
