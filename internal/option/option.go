// Package option implements functional options with names, so that a constructor can refuse options
// that do not apply to it.
//
// If all options apply, use plain functions instead.
//
// Order of use: options that also occur in Keras' configs are fields of structs with tags.
// SetDefaults and Assign fill such a struct, Config and FromConfig write and read configs. For
// other options declare Option[T] constructors, then Apply in the constructor.
//
//	file       what it holds
//	fields.go  Given: options as the fields of structs, with their keys, checks and defaults
//	option.go  Option: one setting of a T; Apply
//	values.go  how fields take values of Go and of JSON, and checks of values
package option

import (
	"fmt"
	"slices"
	"strings"
)

// Option sets one field of a T. Its name is that of its constructor.
type Option[T any] struct {
	Name string
	Set  func(*T) error
}

// New returns an option with the name, which calls set on the options. It cannot fail.
func New[T any](name string, set func(*T)) Option[T] {
	return Option[T]{name, func(t *T) error { set(t); return nil }}
}

// NewChecked returns an option with that name and value. When it is applied, it calls set with the
// value if check, one of this package, accepts it; otherwise it returns the error of check.
func NewChecked[T, V any](name string, value V, check func(v any) error, set func(t *T, value V)) Option[T] {
	return Option[T]{name, func(t *T) error {
		err := check(value)
		if err == nil {
			set(t, value)
		}
		return err
	}}
}

// Setting returns o. A package's own option type embeds Option, and so has this method, which Apply
// calls.
func (o Option[T]) Setting() Option[T] { return o }

// Apply applies opts to t, in their order. accepts lists the options that kind accepts. The error
// names the first option that kind does not accept, or that fails; those before it are applied
// then.
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
