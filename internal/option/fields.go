package option

// This file defines options as the fields of a struct: which options a constructor takes, under
// which keys they stand in Keras' configs, their checks and their defaults all follow from it.

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/gospmd/gospmd/internal/brief"
)

// Given is an option with the value that a program or a file gives it. A value that is an error
// is the error of the option. The options of a package are structs that embed a Given.
type Given struct {
	Name  string
	Value any // of Go, or of JSON
}

// Give returns an option with a value.
func Give(name string, value any) Given { return Given{name, value} }

func (g Given) itself() Given { return g }

// field is an option of a struct.
type field struct {
	name     string // of the option
	key      string // in Keras' configs, "" for none
	argument bool   // the constructor's argument, not one of its options
	index    []int  // where the field is in the struct
	check    func(v any) error
	value    any // the default
	set      bool
}

// fieldsOf returns the options of struct type t, and the arguments, in the order of the fields. It
// panics if two options have one name.
//
// A field of the struct is an option if it has the tag option, and an argument of the constructor
// if it has the tag argument. The tag's value is the key in configs. Tags besides:
//
//	default  the value of a layer that is given none, as JSON, or a text
//	want     a check of this file: fraction, notNegative, notPositive, positive, size, sizes
//	most     the largest number of things, at least 1, that are each computed
//	oneof    the texts that are allowed, with spaces between them; '' is the empty one
//	names    the names of the options that set the field, if they are not that of the field
//	prefix   the field is a struct of options, whose names and keys begin with this; its default
//	         is that of the first of them
//
// Fields of embedded structs are those of the struct. A field is a bool, float64, int, string,
// *float64 or *int (nil is None), []float64, []int or []string (nil is None); or its pointer is a
// Value.
func fieldsOf(t reflect.Type) []field {
	if known, ok := fieldsOfTypes.Load(t); ok {
		return known.([]field)
	}
	list := collect(t, nil, "", "")
	for i, f := range list {
		if slices.ContainsFunc(list[:i], func(x field) bool { return x.name == f.name }) {
			panic(fmt.Sprintf("BUG: option: %s has two options %s", t, f.name))
		}
	}
	fieldsOfTypes.Store(t, list)
	return list
}

var fieldsOfTypes sync.Map // reflect.Type to []field

// collect returns the options among the fields of struct type t. t is embedded at index in the
// struct of the options. prefix stands before their names; first is the default of the first one.
func collect(t reflect.Type, index []int, prefix, first string) (list []field) {
	for i := range t.NumField() {
		f := t.Field(i)
		at := append(slices.Clone(index), i)
		key, isOption := f.Tag.Lookup("option")
		argument, isArgument := f.Tag.Lookup("argument")
		group, isGroup := f.Tag.Lookup("prefix")
		value, hasDefault := f.Tag.Lookup("default")
		switch {
		case isGroup:
			list = append(list, collect(f.Type, at, group, value)...)
			continue
		case f.Anonymous && !isOption && !isArgument:
			list = append(list, collect(f.Type, at, prefix, first)...)
			continue
		case !isOption && !isArgument:
			continue
		}
		if first != "" && len(list) == 0 {
			value, hasDefault = first, true
		}
		out := field{name: f.Name, key: key + argument, argument: isArgument, index: at, check: checkOf(f.Tag), set: hasDefault}
		if hasDefault && json.Unmarshal([]byte(value), &out.value) != nil {
			out.value = value
		}
		if prefix != "" {
			out.name, out.key = strings.ToUpper(prefix[:1])+prefix[1:]+f.Name, prefix+"_"+out.key
		}
		names := strings.Fields(f.Tag.Get("names"))
		if len(names) == 0 {
			names = []string{out.name}
		}
		for _, name := range names {
			out.name = name
			list = append(list, out)
		}
	}
	return list
}

// checkOf returns the check that the tags of a field ask for: one of the texts in oneof, a number
// up to that in most, or the check that want names; nil for none. A tag that cannot be read panics.
func checkOf(tag reflect.StructTag) func(v any) error {
	if texts, ok := tag.Lookup("oneof"); ok {
		list := strings.Fields(texts)
		for i, text := range list {
			list[i] = strings.Trim(text, "'")
		}
		return OneOf(list...)
	}
	if most, ok := tag.Lookup("most"); ok {
		n, err := strconv.Atoi(most)
		if err != nil {
			panic("BUG: option: the tag most is " + most)
		}
		return upTo(n)
	}
	name, ok := tag.Lookup("want")
	if !ok {
		return nil
	}
	check, ok := checks[name]
	if !ok {
		panic("BUG: option: there is no check " + name)
	}
	return check
}

// checks has, by the values of the struct tag want, the function that returns an error for a
// field's value that is not wanted.
var checks = map[string]func(v any) error{
	"fraction":    fraction,
	"notNegative": notNegative,
	"notPositive": notPositive,
	"positive":    Positive,
	"size":        size,
	"sizes":       sizes,
}

// at returns the pointer to the field of a struct.
func (f field) at(p any) any {
	return reflect.ValueOf(p).Elem().FieldByIndex(f.index).Addr().Interface()
}

// assign sets the field of the options p to a value, and checks it. An error in place of a value is
// returned as it is. None is not checked.
func (f field) assign(p, value any) error {
	if err, ok := value.(error); ok {
		return err
	}
	to := f.at(p)
	field := reflect.ValueOf(to).Elem()
	before := reflect.New(field.Type()).Elem()
	before.Set(field)
	err := assign(to, value)
	if v := read(to); err == nil && f.check != nil && v != nil {
		err = f.check(v)
	}
	if err != nil {
		field.Set(before)
	}
	return err
}

// find returns the first option in the option structs that isWanted is true for, and its struct.
// The structs are given by pointers. ok is false if there is none.
func find(structs []any, isWanted func(field) bool) (of any, f field, ok bool) {
	for _, p := range structs {
		list := fieldsOf(reflect.TypeOf(p).Elem())
		if i := slices.IndexFunc(list, isWanted); i >= 0 {
			return p, list[i], true
		}
	}
	return nil, field{}, false
}

// isNamed returns the predicate of the options with the given name.
func isNamed(name string) func(field) bool { return func(f field) bool { return f.name == name } }

// Takes reports whether one of the structs, which are given by pointers, has an option.
func Takes(name string, structs ...any) bool {
	_, _, ok := find(structs, isNamed(name))
	return ok
}

// SetDefaults gives the fields of the struct that p points to the defaults of their tags. Fields
// without a default stay.
func SetDefaults(p any) {
	for _, f := range fieldsOf(reflect.TypeOf(p).Elem()) {
		if !f.set {
			continue
		}
		if err := f.assign(p, f.value); err != nil {
			panic(fmt.Sprintf("BUG: option: the default of %s in %T: %s", f.name, p, err))
		}
	}
}

// Assign sets each option of opts in the first of the structs that has it. The error names kind,
// and the first option that no struct has or whose value is wrong. Only the options before it are
// set then.
func Assign[O interface{ itself() Given }](kind string, opts []O, structs ...any) error {
	for _, o := range opts {
		g := o.itself()
		p, f, ok := find(structs, isNamed(g.Name))
		if !ok {
			return fmt.Errorf("%s takes no option %s: it takes %s", kind, g.Name, strings.Join(names(structs), ", "))
		}
		if err := f.assign(p, g.Value); err != nil {
			return fmt.Errorf("%s: %s: %w", kind, g.Name, err)
		}
	}
	return nil
}

// names returns the names of the options of structs, without arguments.
func names(structs []any) (out []string) {
	for _, p := range structs {
		for _, f := range fieldsOf(reflect.TypeOf(p).Elem()) {
			if !f.argument && !slices.Contains(out, f.name) {
				out = append(out, f.name)
			}
		}
	}
	return out
}

// Config returns the values of structs, given by pointers, under their keys; None is nil. Options
// without a key are left out.
func Config(structs ...any) map[string]any {
	config := make(map[string]any)
	for _, p := range structs {
		for _, f := range fieldsOf(reflect.TypeOf(p).Elem()) {
			if f.key != "" {
				config[f.key] = read(f.at(p))
			}
		}
	}
	return config
}

// FromConfig converts a config that was read from JSON to options, in the order of the keys: it
// calls set with the name and the value of each key that one of the structs has. Another key is an
// error, unless its value is nil or false.
func FromConfig[O any](config map[string]any, set func(name string, value any) O, structs ...any) (opts []O, err error) {
	for _, key := range slices.Sorted(maps.Keys(config)) {
		_, f, known := find(structs, func(f field) bool { return f.key == key && key != "" })
		switch v := config[key]; {
		case known:
			opts = append(opts, set(f.name, v))
		case v != nil && v != false:
			return nil, fmt.Errorf("the option %s = %s is not known here", brief.Text(key), brief.Value(v))
		}
	}
	return opts, nil
}
