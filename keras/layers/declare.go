package layers

// This file defines layers that are declared by a struct of options. Constructors, configs and
// files follow from the struct and from a row of the family's table of classes.

import (
	"fmt"
	"maps"
	"reflect"
	"slices"

	"github.com/gospmd/gospmd/internal/autoname"
	"github.com/gospmd/gospmd/internal/option"
	"github.com/gospmd/gospmd/keras/activations"
	"github.com/gospmd/gospmd/keras/regularizers"
	"github.com/gospmd/gospmd/trace"
)

// declared is the common part of all declared layers. A layer also has a field for its struct of
// options; layers that share code have a pointer to the options that they share.
type declared struct {
	Base
	options any    // a pointer to the struct of options
	common  common // the options of all layers
	row     class
}

// isDeclared reports whether a constructor of this package has made the layer; it is false for a
// zero value.
func (d *declared) isDeclared() bool { return d.options != nil }

// class describes how to make the layers of a class of Keras: its struct of options with defaults,
// and the function that makes a layer of one.
type class struct {
	// options returns a new struct of options, with defaults.
	options func() any
	// make makes a layer with options, which point to the struct of its class.
	make func(d declared, options any) Layer
}

// classOf returns the description of a class whose options are the fields of a T. makeOne makes a
// layer from them; defaults sets the defaults that differ from those of T.
func classOf[T any](makeOne func(d declared, o *T) Layer, defaults ...Option) class {
	return class{
		options: func() any {
			o := new(T)
			option.SetDefaults(o)
			if err := option.Assign("", defaults, o); err != nil {
				panic(fmt.Sprintf("BUG: layers: the defaults of a class: %s", err))
			}
			return o
		},
		make: func(d declared, o any) Layer {
			d.options = o
			return makeOne(d, o.(*T))
		},
	}
}

// families lists the tables of classes of all families.
var families = []map[string]class{
	coreClasses, embeddingClasses, activationClasses, convClasses, poolingClasses, reshapingClasses, spatialClasses,
	mergingClasses, normalizationClasses, regularizationClasses, attentionClasses, recurrentClasses, cellClasses,
	wrapperClasses, preprocessingClasses, lookupClasses, signalClasses, augmentationClasses,
}

// findClass returns the description of Keras' class with this name, such as "Dense"; known is false
// if there is none.
func findClass(name string) (c class, known bool) {
	for _, family := range families {
		if c, known = family[name]; known {
			break
		}
	}
	return c, known
}

// declare makes a layer of the class that Keras names name, with the options of all lists. An error
// in the options is kept in the layer. An unknown class panics.
func declare[L Layer](name string, opts ...[]Option) L {
	c, known := findClass(name)
	if !known {
		panic("BUG: layers: there is no class " + name)
	}
	return c.newLayer(name, slices.Concat(opts...)).(L)
}

// newLayer makes a layer of the class, whose name is name, with options. An error in the options is
// kept in the layer.
func (c class) newLayer(name string, opts []Option) Layer {
	d := declared{row: c}
	o := c.options()
	d.common = d.configure(name, opts, o)
	d.class = name
	return c.make(d, o)
}

// configure sets opts in the fields of structs, pointers to options, and in the options that all
// layers have, which it returns. From these it sets the name and the policy of b; it also sets the
// activity regularizer, the place in the user's source and the RematScope. An option that the class
// kind does not take, a wrong value, and the type String, unless kind is "InputLayer", become the
// error of b.
func (b *Base) configure(kind string, opts []Option, structs ...any) common {
	c := &common{Policy: currentPolicy()}
	structs = append(structs, c)
	if err := option.Assign(kind, opts, structs...); err != nil {
		b.fail("%w", err)
		for _, o := range opts {
			if o.Name() == "Name" { // which the error has
				_ = option.Assign(kind, []Option{o}, c)
			}
		}
	}
	if c.Policy.compute == String && kind != "InputLayer" {
		b.fail("%s: DType: got string, want a type of numbers: an Input may have texts", kind)
	}
	b.name, b.policy = string(c.Name), c.Policy
	for _, o := range structs {
		if p, ok := o.(interface {
			activity() *regularizers.Regularizer
		}); ok && b.activity == nil {
			b.activity = p.activity()
		}
	}
	b.place = trace.Caller()
	b.enterRemat()
	return *c
}

// copyAs returns a copy of the layer, not built, with another name, but with the same class,
// policy, place, error and RematScope. change gets a pointer to the copy's options and may change
// them.
func (d *declared) copyAs(name string, change func(options any)) Layer {
	next := declared{row: d.row, common: d.common}
	next.class, next.name, next.policy, next.place, next.err = d.class, name, d.policy, d.place, d.err
	next.remat = remat{known: d.remat.known, scope: d.remat.scope}
	o := reflect.New(reflect.TypeOf(d.options).Elem())
	o.Elem().Set(reflect.ValueOf(d.options).Elem())
	change(o.Interface())
	return d.row.make(next, o.Interface())
}

// makePart returns what all layers have for a layer of class that d consists of: policy, place and
// error of d, a name made of the class, and these options.
func (d *declared) makePart(class string, options any) declared {
	p := declared{options: options}
	p.class, p.name, p.policy, p.place, p.err = class, autoname.Snake(class), d.policy, d.place, d.err
	return p
}

// Config returns the layer's options under the keys of Keras' get_config, such as "units". An
// option that is a function without a name is an error.
func (d *declared) Config() (map[string]any, error) {
	config := option.Config(d.options)
	for key, v := range config {
		if _, ok := v.(activations.Func); ok {
			return nil, fmt.Errorf("its %s is a function, which has no name to be saved: give the name of one", key)
		}
	}
	if r := d.common.activity(); r != nil {
		config["activity_regularizer"] = r
	}
	return config, nil
}

// FromConfig makes the layer of a class from a config of Keras' get_config. known is false if no
// table has such a class; then l and err are nil. Initializers, regularizers, constraints and
// layers in the config are Go values. opts are options that no config has, such as Name. Unknown
// keys and wrong values are errors.
func FromConfig(name string, config map[string]any, opts ...Option) (l Layer, known bool, err error) {
	c, ok := findClass(name)
	if !ok {
		return nil, false, nil
	}
	list, err := option.FromConfig(config, set, c.options(), &common{})
	if err != nil {
		return nil, true, err
	}
	l = c.newLayer(name, slices.Concat(opts, list))
	return l, true, l.base().err
}

// Classes returns the names of the classes that FromConfig can make, as Keras writes them, in
// alphabetical order.
func Classes() (names []string) {
	for _, family := range families {
		names = slices.AppendSeq(names, maps.Keys(family))
	}
	slices.Sort(names)
	return names
}

// Declared reports whether FromConfig can make the class with this name, such as "Dense".
func Declared(name string) bool { _, ok := findClass(name); return ok }

// ClassName returns Keras' name of l's class, such as Dense. For a type of one's own it is the name
// of the Go type, without the ending Layer.
func ClassName(l Layer) string {
	if name := l.base().class; name != "" {
		return name
	}
	return typeName(l)
}
