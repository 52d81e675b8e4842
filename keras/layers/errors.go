package layers

// This file holds the errors of a graph of layers: each names the layer and the line of
// the user's that made or applied it, and a tensor holds those of all layers before it.

import (
	"errors"
	"fmt"
	"path"
	"reflect"
	"slices"
	"strings"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/trace"
)

// faults are the errors of the layers that compute a tensor, each once, in the order of computing.
type faults []error

// Error returns the text of all errors, each on its own line.
func (f faults) Error() string { return errors.Join(f...).Error() }

// Unwrap returns the errors, for errors.Is and errors.As.
func (f faults) Unwrap() []error { return f }

// with returns f and the errors of err, one or faults, that f does not hold yet. A nil err adds
// nothing. f itself may be changed by append.
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

// at returns err with the file and the line that it comes from before it; err itself if place has
// no file.
func at(place ir.Location, err error) error {
	if place.File == "" {
		return err
	}
	return fmt.Errorf("%s:%d: %w", path.Base(place.File), place.Line, err)
}

// applied returns the place in the user's source where the layer is applied. In a Sequential, which
// applies its layers only when it is built, scope is not empty; the place is then where the layer
// was made.
func (b *Base) applied(scope string) ir.Location {
	if scope != "" && b.place.File != "" {
		return b.place // a Sequential applies its layers when it is built
	}
	return trace.Caller()
}

// ConstructionError returns the error of the layer's construction, such as an option that it does
// not take, with its name and the line that made it; nil if there is none. A layer with an error
// gets a name if it has none.
func ConstructionError(l Layer) error {
	b := l.base()
	if err := zeroLayer(l); err != nil && b.err == nil {
		b.err = err
	}
	if b.err == nil || b.reported != nil {
		return b.reported
	}
	return b.report(l)
}

// report returns the error of the layer's construction with the layer's name, which it gives it if
// necessary, and the place where it was made. It stores the result in b.reported.
func (b *Base) report(l Layer) error {
	place := b.place
	if place.File == "" {
		place = trace.Caller()
	}
	nameLayer(l, TypeName(l))
	b.reported = at(place, fmt.Errorf("layer %s: %w", b.name, b.err))
	return b.reported
}

// zeroLayer returns an error if l points to a layer type of this package that no constructor has
// made, such as &layers.DenseLayer{}: its options are not there. Types without options get the
// error only if all their fields are zero. Other layers are fine.
func zeroLayer(l Layer) error {
	t := reflect.TypeOf(l)
	if t.Kind() != reflect.Pointer {
		return nil
	}
	t = t.Elem()
	d, ok := l.(interface{ isDeclared() bool })
	if ok && d.isDeclared() || t.PkgPath() != reflect.TypeFor[Base]().PkgPath() || !ok && !reflect.ValueOf(l).Elem().IsZero() {
		return nil
	}
	var constructors []string
	for _, name := range Classes() {
		if typeOfClass(name) == t {
			constructors = append(constructors, "layers."+name)
		}
	}
	if len(constructors) == 0 {
		constructors = []string{"layers." + strings.TrimSuffix(t.Name(), "Layer")}
	}
	return fmt.Errorf("the %s was not made by a constructor: call %s", t, strings.Join(constructors, " or "))
}

// typeOfClass returns the Go type of the struct of the layers of a class, such as DenseLayer; nil
// for a class that cannot be made without options.
func typeOfClass(name string) (t reflect.Type) {
	defer func() { _ = recover() }()
	c, _ := findClass(name)
	return reflect.TypeOf(c.make(declared{}, c.options())).Elem()
}

// IsNil reports whether l is nil, or a nil pointer.
func IsNil(l Layer) bool {
	v := reflect.ValueOf(l)
	return !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil()
}

// errNilLayer returns the error of a nil layer, which what describes, such as "layer 2"; the error
// begins with the line of the user's program.
func errNilLayer(what string) error {
	return at(trace.Caller(), fmt.Errorf("%s is nil: want a layer, such as layers.Dense(10)", what))
}
