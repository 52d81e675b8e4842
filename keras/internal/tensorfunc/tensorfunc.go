package tensorfunc

// This file defines Func and Table.

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/internal/option"
)

// Options computes a function of a tensor. A class of Keras is a pointer to a struct of options
// (package option); a function of the user's own is an Own.
type Options interface {
	Call(x *graph.Node) *graph.Node
}

// Own is a constraint or regularizer that a user wrote: a function of a tensor.
type Own func(x *graph.Node) *graph.Node

// Call returns f of x.
func (f Own) Call(x *graph.Node) *graph.Node { return f(x) }

// Func is a function with its options, as configs describe it.
type Func struct {
	class string // Keras' name, empty for one of the user's own
	err   error  // of the options
	Options
}

// Of returns the Func of a function that a user wrote.
func Of(f Own) Func { return Func{Options: f} }

// Config returns Keras' name of the class and its options; class is empty for one of the user's
// own.
func (f *Func) Config() (class string, config map[string]any) {
	if f.class == "" {
		return "", nil
	}
	return f.class, option.Config(f.Options)
}

// Class is a class of Keras, such as a constraint. A Table makes functions of it.
type Class struct {
	Name  string // of the class, such as NonNeg
	Alias string // another name by which Keras finds the class, such as non_neg
	New   func() Options
}

// Table holds the classes of a kind of functions, which is a P for users.
type Table[P any] struct {
	Kind    string // such as constraint
	Example string // a name
	Classes []Class
	Wrap    func(Func) *P
	Unwrap  func(*P) *Func
}

// Make returns the function of the class with the options given, the others having defaults.
// Invalid options are the function's error. An unknown class is a bug, which panics.
func (t *Table[P]) Make(class string, given ...option.Given) *P {
	for _, c := range t.Classes {
		if c.Name == class {
			f := Func{class: class, Options: c.New()}
			option.SetDefaults(f.Options)
			f.err = option.Assign(class, given, f.Options)
			return t.Wrap(f)
		}
	}
	panic("BUG: tensorfunc: there is no class " + class)
}

// Get returns the *P that v is, or the one with the name v; nil for nil. An unknown name, a nil *P,
// and one whose options have an error, are errors.
func (t *Table[P]) Get(v any) (*P, error) {
	switch v := v.(type) {
	case nil:
		return nil, nil
	case *P:
		if v == nil {
			return nil, fmt.Errorf("the %s is nil", t.Kind)
		}
		return v, t.Unwrap(v).err
	case string:
		i := slices.IndexFunc(t.Classes, func(c Class) bool { return v == c.Name || v == c.Alias })
		if i < 0 {
			return nil, fmt.Errorf("unknown %s %q: want %s, or %s", t.Kind, v, t.aliases(), t.typeName())
		}
		return t.Make(t.Classes[i].Name), nil
	}
	return nil, fmt.Errorf("%s is a %T: want a name such as %q, or %s", t.Kind, v, t.Example, t.typeName())
}

// aliases returns the names of the classes, as a list for messages.
func (t *Table[P]) aliases() string {
	names := make([]string, len(t.Classes))
	for i, c := range t.Classes {
		names[i] = c.Alias
	}
	return strings.Join(names, ", ")
}

// typeName returns the name of P for users, such as a constraints.Constraint.
func (t *Table[P]) typeName() string { return fmt.Sprintf("a %T", *new(P)) }

// FromConfig returns the function of a class with the options of its config, as JSON has them. A
// class that the table lacks, and wrong options, are errors.
func (t *Table[P]) FromConfig(class string, config map[string]any) (*P, error) {
	i := slices.IndexFunc(t.Classes, func(c Class) bool { return c.Name == class })
	if i < 0 {
		return nil, fmt.Errorf("unknown %s %q", t.Kind, class)
	}
	given, err := option.FromConfig(config, option.Give, t.Classes[i].New())
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", t.Kind, class, err)
	}
	return t.Get(t.Make(class, given...))
}
