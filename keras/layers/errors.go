package layers

// This file holds the errors of a graph of layers: each names the layer and the line of
// the user's that made or applied it, and a tensor holds those of all layers before it.

import (
	"errors"
	"fmt"
	"path"
	"reflect"
	"slices"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/trace"
)

// faults are the errors of the layers that compute a tensor, the first one first, each
// once.
type faults []error

// Error returns the errors, each on its own line.
func (f faults) Error() string { return errors.Join(f...).Error() }

// Unwrap returns the errors.
func (f faults) Unwrap() []error { return f }

// with returns f and the errors of err that it does not hold yet.
func (f faults) with(err error) faults {
	more, ok := err.(faults)
	if !ok {
		more = faults{err}
	}
	for _, e := range more {
		if e != nil && !slices.Contains(f, e) {
			f = append(f, e)
		}
	}
	return f
}

// Errors returns the errors of the layers that compute the tensors, each once; nil if
// there are none. A tensor that is nil is an error.
func Errors(ts ...*Tensor) error {
	var f faults
	for i, t := range ts {
		if t == nil {
			f = f.with(fmt.Errorf("tensor %d is nil: want a tensor made by Input or by a layer", i))
		} else {
			f = f.with(t.err)
		}
	}
	if len(f) == 0 {
		return nil
	}
	return f
}

// at returns an error with the line that it comes from.
func at(place ir.Location, err error) error {
	if place.File == "" {
		return err
	}
	return fmt.Errorf("%s:%d: %w", path.Base(place.File), place.Line, err)
}

// applied is the place of an application of the layer that has no place of its own.
func (b *Base) applied(scope string) ir.Location {
	if scope != "" && b.place.File != "" {
		return b.place // a Sequential applies its layers when it is built
	}
	return trace.Caller()
}

// ConstructionError returns the error of the layer's construction, such as an option
// that it does not take, with its name and the line that made it; nil if there is none.
func ConstructionError(l Layer) error {
	b := l.base()
	if b.err == nil || b.reported != nil {
		return b.reported
	}
	place := b.place
	if place.File == "" {
		place = trace.Caller()
	}
	nameLayer(l, TypeName(l))
	b.reported = at(place, fmt.Errorf("layer %s: %w", b.name, b.err))
	return b.reported
}

// IsNil reports whether l is nil, or a nil pointer.
func IsNil(l Layer) bool {
	v := reflect.ValueOf(l)
	return !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil()
}

// errNilLayer is the error of a nil layer at place i of what.
func errNilLayer(what string) error {
	return at(trace.Caller(), fmt.Errorf("%s is nil: want a layer, such as layers.Dense(10)", what))
}
