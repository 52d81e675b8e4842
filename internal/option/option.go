// Package option implements functional options with names, so that a constructor can refuse options
// that do not apply to it.
//
// If all options apply, use plain functions instead.
//
// Order of use: declare Option[T] constructors, then Apply in the constructor. Options that also
// occur in Keras' configs are rows of a Table.
//
//	file       what it holds
//	option.go  Option: one setting of a T; Apply
//	table.go   Table: options with their keys in Keras' configs, and checks of their values
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

// New returns an option that cannot fail.
func New[T any](name string, set func(*T)) Option[T] {
	return Option[T]{name, func(t *T) error { set(t); return nil }}
}

// Apply applies opts to t. accepts lists the options that kind accepts. The error names the first
// option that kind does not accept, or that fails.
func Apply[T any](kind string, t *T, opts []Option[T], accepts ...string) error {
	for _, o := range opts {
		if !slices.Contains(accepts, o.Name) {
			return fmt.Errorf("%s takes no option %s: it takes %s", kind, o.Name, strings.Join(accepts, ", "))
		}
		if err := o.Set(t); err != nil {
			return fmt.Errorf("%s: %s: %w", kind, o.Name, err)
		}
	}
	return nil
}
