package initializers

// This file defines Initializer, the options of the constructors, and Get,
// which finds initializers by name; and the initializers that compute no
// random numbers.

import (
	"fmt"
	"reflect"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/tensors"

	"github.com/gospmd/gospmd/internal/option"
	"github.com/gospmd/gospmd/internal/suggest"
	"github.com/gospmd/gospmd/keras/random"
	"github.com/gospmd/gospmd/layout"
)

// Initializer makes the first value of a variable, each device only its shard.
type Initializer interface {
	// Fill writes the elements in ranges of a tensor of shape global into dst,
	// in row-major order. dst is a slice of the Go type of dtype with exactly
	// that many elements. Fill also returns the error of a wrong option of the
	// constructor.
	Fill(dst any, dtype dtypes.DType, global []int, ranges []layout.Range) error
	// Name returns Keras' name of the class, such as GlorotUniform.
	Name() string
	// Config returns the options, as get_config of Keras does.
	Config() map[string]any
}

// Option configures a constructor. A constructor takes the options that its
// comment names; for any other, Fill returns an error.
type Option struct{ setting }

// setting holds the name of an option and the function that sets it in options.
type setting = option.Option[options]

type options struct {
	seed               *random.Seed
	mean, stddev       float64
	minval, maxval     float64
	gain               float64
	scale              float64
	mode, distribution string
	inAxes, outAxes    []int
}

// Seed fixes the numbers of a random initializer. Without it a seed is drawn when the initializer
// is made (random.SetRandomSeed makes that repeatable). Either way, one initializer always gives
// the same numbers. A seed outside [0, 2³²) is an error of Fill.
func Seed(seed int) Option {
	return Option{setting{Name: "Seed", Set: func(o *options) error {
		s := random.Seed(seed)
		o.seed = &s
		_, err := s.Key()
		return err
	}}}
}

// Mean sets the mean of RandomNormal and TruncatedNormal: 0 by default.
func Mean(m float64) Option { return Option{option.New("Mean", func(o *options) { o.mean = m })} }

// Stddev sets the standard deviation of RandomNormal and TruncatedNormal, for the latter before
// truncation: 0.05 by default.
func Stddev(s float64) Option { return Option{option.New("Stddev", func(o *options) { o.stddev = s })} }

// Range sets the interval [minval, maxval) of RandomUniform: [-0.05, 0.05) by default. An empty or
// infinite interval is an error of Fill.
func Range(minval, maxval float64) Option {
	return Option{option.New("Range", func(o *options) { o.minval, o.maxval = minval, maxval })}
}

// Gain sets the factor of Identity and Orthogonal: 1 by default.
func Gain(g float64) Option { return Option{option.New("Gain", func(o *options) { o.gain = g })} }

// base holds the fields that all initializers have, among them the options and the error of a wrong
// one.
type base struct {
	name string
	o    options
	key  random.Key
	err  error // error of the constructor's options
}

// newBase applies opts to the defaults. An initializer whose accepts begin with
// "Seed" is random: a seed is drawn unless one is given.
func newBase(name string, defaults options, opts []Option, accepts ...string) base {
	b := base{name: name, o: defaults}
	b.err = option.Apply("initializers: "+name, &b.o, opts, accepts...)
	if len(accepts) > 0 && accepts[0] == "Seed" {
		b.redraw()
	}
	return b
}

// redraw sets the key that the initializer's numbers follow from: that of the given seed, or of a
// new one drawn at random. If an option is wrong, it does nothing.
func (b *base) redraw() {
	if b.err != nil {
		return
	}
	seed := b.o.seed
	if seed == nil {
		drawn := random.Seed(random.MakeDefaultSeed())
		seed = &drawn
	}
	b.key, b.err = seed.Key()
}

// Name returns Keras' name of the class, such as GlorotUniform.
func (b *base) Name() string { return b.name }

// config returns the options as a map. If random is true, it has the seed, which is nil unless it
// was given. pairs are further names and values, in turn.
func (b *base) config(random bool, pairs ...any) map[string]any {
	c := make(map[string]any)
	if random {
		c["seed"] = nil
		if b.o.seed != nil {
			c["seed"] = int(*b.o.seed)
		}
	}
	for i := 0; i < len(pairs); i += 2 {
		c[pairs[i].(string)] = pairs[i+1]
	}
	return c
}

// check returns the constructor's error, or an error if dst is not a slice of dtype with just the
// elements of ranges, or ranges are not within the shape global.
func (b *base) check(dst any, dtype dtypes.DType, global []int, ranges []layout.Range) error {
	if b.err != nil {
		return b.err
	}
	if want := reflect.SliceOf(dtype.GoType()); reflect.TypeOf(dst) != want {
		return fmt.Errorf("initializers: %s: got a destination of type %T for dtype %s: want %s", b.name, dst, dtype, want)
	}
	if len(ranges) != len(global) {
		return fmt.Errorf("initializers: %s: got %d ranges for shape %v: want one per dimension", b.name, len(ranges), global)
	}
	size := 1
	for i, r := range ranges {
		if r.Start < 0 || r.Limit < r.Start || r.Limit > global[i] {
			return fmt.Errorf("initializers: %s: dimension %d: range [%d, %d) is not within [0, %d)", b.name, i, r.Start, r.Limit, global[i])
		}
		size *= r.Len()
	}
	if n := reflect.ValueOf(dst).Len(); n != size {
		return fmt.Errorf("initializers: %s: got a destination of %d elements: want %d, as many as the ranges %v hold", b.name, n, size, ranges)
	}
	return nil
}

// wrap returns err with the initializer's name in front; nil for nil.
func (b *base) wrap(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("initializers: %s: %w", b.name, err)
}

// class is one initializer: its class name, Keras' other names for it, and its
// constructor with defaults.
type class struct {
	name    string
	aliases []string
	make    func() Initializer
}

func withDefaults(make func(...Option) Initializer) func() Initializer {
	return func() Initializer { return make() }
}

var classes = []class{
	{"Constant", []string{"constant"}, func() Initializer { return Constant(0) }},
	{"GlorotNormal", []string{"glorot_normal"}, withDefaults(GlorotNormal)},
	{"GlorotUniform", []string{"glorot_uniform"}, withDefaults(GlorotUniform)},
	{"HeNormal", []string{"he_normal"}, withDefaults(HeNormal)},
	{"HeUniform", []string{"he_uniform"}, withDefaults(HeUniform)},
	{"Identity", []string{"identity", "IdentityInitializer"}, withDefaults(Identity)},
	{"LecunNormal", []string{"lecun_normal"}, withDefaults(LecunNormal)},
	{"LecunUniform", []string{"lecun_uniform"}, withDefaults(LecunUniform)},
	{"Ones", []string{"ones", "one"}, Ones},
	{"Orthogonal", []string{"orthogonal", "OrthogonalInitializer"}, withDefaults(Orthogonal)},
	{"RandomNormal", []string{"random_normal", "normal"}, withDefaults(RandomNormal)},
	{"RandomUniform", []string{"random_uniform", "uniform"}, withDefaults(RandomUniform)},
	{"TruncatedNormal", []string{"truncated_normal"}, withDefaults(TruncatedNormal)},
	{"VarianceScaling", []string{"variance_scaling"}, withDefaults(VarianceScaling)},
	{"Zeros", []string{"zeros", "zero"}, Zeros},
}

// Get returns the initializer that identifier names, such as "glorot_uniform" or "GlorotUniform",
// with its defaults; an Initializer is returned as it is. An array, a *tensors.Tensor or slices of
// slices of numbers, is the value of a variable of just its shape. Unknown names and other types
// are errors.
func Get(identifier any) (Initializer, error) {
	switch id := identifier.(type) {
	case Initializer:
		return id, nil
	case string:
		for _, c := range classes {
			if id == c.name {
				return c.make(), nil
			}
			for _, a := range c.aliases {
				if id == a {
					return c.make(), nil
				}
			}
		}
		return nil, fmt.Errorf("initializers: no initializer is called %q: want an Initializer, an array or a name of initializers.Names%s", id, suggest.Closest(id, Names(), ""))
	}
	if t, ok := identifier.(*tensors.Tensor); ok && t != nil || isList(reflect.ValueOf(identifier)) {
		a := newArray(identifier)
		a.exact = true
		return a, a.err
	}
	return nil, fmt.Errorf("initializers: got a %T: want a name such as \"glorot_uniform\", an Initializer or an array", identifier)
}

// Clone returns an initializer like i for another variable. Unless i has a seed, the new one draws
// another seed. This is Keras' from_config of get_config. Initializers that draw no numbers, and
// your own, are returned as they are.
func Clone(i Initializer) Initializer {
	switch i := i.(type) {
	case *drawn:
		c := *i
		c.redraw()
		return &c
	case *scaling:
		c := *i
		c.redraw()
		return &c
	case *orthogonal:
		c := &orthogonal{base: i.base}
		c.redraw()
		return c
	}
	return i
}

// Names returns the names in Keras' lower-case spelling, such as glorot_uniform, sorted.
func Names() []string {
	names := make([]string, len(classes))
	for i, c := range classes {
		names[i] = c.aliases[0]
	}
	return names
}

type constant struct {
	base
	value  float64
	config map[string]any
}

// Zeros returns the initializer that fills with 0.
func Zeros() Initializer { return &constant{newBase("Zeros", options{}, nil), 0, map[string]any{}} }

// Ones returns the initializer that fills with 1.
func Ones() Initializer { return &constant{newBase("Ones", options{}, nil), 1, map[string]any{}} }

// Config returns the value of Constant under the name value; Zeros and Ones have no options.
func (c *constant) Config() map[string]any { return c.config }

// Fill sets all elements of dst, a slice of dtype, to the constant. It returns an error if dst does
// not fit the ranges, or these not the shape.
func (c *constant) Fill(dst any, dtype dtypes.DType, global []int, ranges []layout.Range) error {
	if err := c.check(dst, dtype, global, ranges); err != nil {
		return err
	}
	repeat(reflect.ValueOf(dst), c.value, dtype)
	return nil
}

// repeat sets all elements of dst, a slice of numbers of dtype, to value: it sets the first one,
// and doubles the part that is set.
func repeat(dst reflect.Value, value float64, dtype dtypes.DType) {
	if dst.Len() == 0 {
		return
	}
	dst.Index(0).Set(scalar(value, dtype))
	for n := 1; n < dst.Len(); n *= 2 {
		reflect.Copy(dst.Slice(n, dst.Len()), dst.Slice(0, n))
	}
}

func scalar(value float64, dtype dtypes.DType) reflect.Value {
	return reflect.ValueOf(shapes.CastAsDType(value, dtype))
}

type identity struct{ base }

// Identity makes a matrix with the gain on its diagonal and 0 elsewhere. The
// tensor must have two dimensions. Options: Gain (1 by default).
func Identity(opts ...Option) Initializer {
	return &identity{newBase("Identity", options{gain: 1}, opts, "Gain")}
}

// Config returns the gain, under Keras' name.
func (d *identity) Config() map[string]any { return d.config(false, "gain", d.o.gain) }

// Fill sets dst to the part of the identity matrix of shape global that ranges select, times the
// gain. A shape of other than two dimensions is an error.
func (d *identity) Fill(dst any, dtype dtypes.DType, global []int, ranges []layout.Range) error {
	if err := d.check(dst, dtype, global, ranges); err != nil {
		return err
	}
	if len(global) != 2 {
		return fmt.Errorf("initializers: Identity: got shape %v: want two dimensions", global)
	}
	out := reflect.ValueOf(dst)
	repeat(out, 0, dtype)
	rows, columns := ranges[0], ranges[1]
	for i := max(rows.Start, columns.Start); i < min(rows.Limit, columns.Limit); i++ {
		out.Index((i-rows.Start)*columns.Len() + i - columns.Start).Set(scalar(d.o.gain, dtype))
	}
	return nil
}
