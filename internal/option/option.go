// Package option holds options that know their name, so that a constructor can refuse those that
// do not apply to it.
//
// It is not for options that all apply: a plain func suffices there.
//
// Order of use: options that stand in configs of Keras are fields of structs with tags. SetDefaults
// and Assign fill such a struct, Config and FromConfig write and read configs. For other options
// declare Option[T] constructors, then Apply in the constructor.
//
//	file       what it holds
//	fields.go  Given: options as the fields of structs, with their keys, checks and defaults
//	option.go  Option: one setting of a T; Apply
//	table.go   Table: options of one struct by their names; the checks of values
package option

import (
	"fmt"
	"slices"
	"strings"
)

// Option is one setting of a T, under the name of its constructor.
type Option[T any] struct {
	Name string
	Set  func(*T) error
}

// New returns an option that cannot fail.
func New[T any](name string, set func(*T)) Option[T] {
	return Option[T]{name, func(t *T) error { set(t); return nil }}
}

// Setting returns the option itself: that of a type of users that embeds it.
func (o Option[T]) Setting() Option[T] { return o }

// Apply applies opts to t. kind takes the options named in accepts; the error
// names the first one that it does not take or that fails.
func Apply[T any, O interface{ Setting() Option[T] }](kind string, t *T, opts []O, accepts ...string) error {
	for _, x := range opts {
		o := x.Setting()
		if !slices.Contains(accepts, o.Name) {
			return fmt.Errorf("%s takes no option %s: it takes %s", kind, o.Name, strings.Join(accepts, ", "))
		}
		if err := o.Set(t); err != nil {
			return fmt.Errorf("%s: %s: %w", kind, o.Name, err)
		}
	}
	return nil
}
