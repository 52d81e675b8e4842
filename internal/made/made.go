// Package made finds values that no constructor has made: nil, and zero values of structs that are
// used by pointer. Functions that take such values from users call it.
//
//	if err := made.Check("the optimizer", o, "make one such as optimizers.Adam()"); err != nil {
//
//	file     what it holds
//	made.go  Check, Context
package made

import (
	"context"
	"errors"
	"fmt"
	"reflect"
)

// Check returns an error if v is nil, a nil pointer, or a pointer to the zero value of a struct.
// what names v, and fix says how to make one. Check reads the fields in their order, up to the
// first one that is set. Put a field first that is always set and never changes.
func Check(what string, v any, fix string) error {
	p := reflect.ValueOf(v)
	switch {
	case !p.IsValid() || p.Kind() == reflect.Pointer && p.IsNil():
		return fmt.Errorf("%s is nil: %s", what, fix)
	case p.Kind() != reflect.Pointer:
		return nil
	case p.Elem().Kind() == reflect.Struct && p.Elem().IsZero():
		return fmt.Errorf("%s is a zero %s: %s", what, p.Type().Elem(), fix)
	}
	return nil
}

// Context returns an error if ctx is nil.
func Context(ctx context.Context) error {
	if ctx == nil {
		return errors.New("the context is nil: want one such as context.Background()")
	}
	return nil
}
