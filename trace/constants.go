package trace

// This file makes literals.

import (
	"bytes"
	"encoding/binary"
	"reflect"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"

	"github.com/gospmd/gospmd/ir"
)

// Constant records a literal. flat is copied.
func (f *function) Constant(flat any, dims ...int) (compute.Value, error) {
	e := f.begin("Constant")
	t := reflect.TypeOf(flat)
	if t == nil || t.Kind() != reflect.Slice {
		e.failf("got %T, want a flat slice of numbers or booleans", flat)
		return nil, e.err
	}
	return e.result(e.literal(dtypes.FromGoType(t.Elem()), dims, flat))
}

// literal emits a constant of the elements in flat, a slice of the Go type of
// dtype.
func (e *emitter) literal(dtype dtypes.DType, dims []int, flat any) *ir.Value {
	t := e.typeOf(shapes.Make(dtype, dims...))
	if n := reflect.ValueOf(flat).Len(); n != t.Size() && e.err == nil {
		e.failf("got %d elements for type %s, want %d", n, t, t.Size())
	}
	if e.err != nil {
		return nil
	}
	data, err := binary.Append(nil, binary.LittleEndian, flat)
	if err != nil {
		e.failf("cannot encode %T as %s: %w", flat, t, err)
		return nil
	}
	d := &ir.Dense{Type: t, Data: data}
	if n := t.Size(); n > 1 && isSplat(data, len(data)/n) {
		d.Splat, d.Data = true, data[:len(data)/n:len(data)/n]
	}
	return e.typed(ir.OpConstant, ir.Attrs{{Name: "value", Value: d}}, t)
}

// isSplat reports whether all elements have the same bits.
func isSplat(data []byte, size int) bool { return bytes.Equal(data[size:], data[:len(data)-size]) }

// scalar emits a scalar constant of the value converted to the element type.
func (e *emitter) scalar(d dtypes.DType, value float64) *ir.Value {
	if e.err != nil {
		return nil
	}
	return e.scalarOf(d, shapes.CastAsDType(value, d))
}

// scalarOf emits a scalar constant of a value that has the Go type of d.
func (e *emitter) scalarOf(d dtypes.DType, value any) *ir.Value {
	flat := reflect.MakeSlice(reflect.SliceOf(reflect.TypeOf(value)), 1, 1)
	flat.Index(0).Set(reflect.ValueOf(value))
	return e.literal(d, nil, flat.Interface())
}
