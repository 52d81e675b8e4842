package saving

// This file reads the configs of config.json: each option is asked for by name,
// and an option that nobody asks for must be off. It also reads initializers.

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gospmd/gospmd/internal/suggest"
	"github.com/gospmd/gospmd/keras/initializers"
)

// reader reads a config. It keeps the first error.
type reader struct {
	class  string
	config map[string]any
	read   map[string]bool
	err    error
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
		return fmt.Errorf("%s: the option %s = %v is not known here", r.class, key, v)
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
		r.err = fmt.Errorf("%s: the option %s is %v, want %s", r.class, key, r.config[key], want)
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
	v := r.float(key)
	if v != float64(int(v)) {
		r.fail(key, "an integer")
	}
	return int(v)
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
			if v != float64(int(v)) {
				r.fail(key, "integers")
			}
			out = append(out, int(v))
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

// classAndConfig returns the class and the config of an object.
func classAndConfig(v any) (class string, config map[string]any, err error) {
	o, ok := v.(map[string]any)
	if !ok {
		return "", nil, fmt.Errorf("config.json has %.100v, want an object", v)
	}
	class, ok = o["class_name"].(string)
	if !ok {
		return "", nil, fmt.Errorf("config.json has an object without class_name: %.100v", v)
	}
	if name, _ := o["registered_name"].(string); strings.Contains(name, ">") {
		return "", nil, fmt.Errorf("%s is a class of the user (%s), which is not known here", class, name)
	}
	config, _ = o["config"].(map[string]any)
	return class, config, nil
}

// unknown returns the error of a class that is not in a table.
func unknown[T any](what, class string, table map[string]T) error {
	names := slices.Sorted(maps.Keys(table))
	return fmt.Errorf("the %s %s is not known here%s: known are %s", what, class, suggest.DidYouMean(class, names), strings.Join(names, ", "))
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
