package trace

// This file defines emitter, which emits the ops of one operation of GoMLX, and makes literals.

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"reflect"
	"slices"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"

	"github.com/gospmd/gospmd/ir"
)

// emitter appends the ops of one operation to a block. After its first error, which is in err, it
// emits nothing and returns nil values, so an operation of several ops can be written as one
// expression.
type emitter struct {
	f    *function
	name string
	b    ir.Builder
	err  error
}

// begin returns an emitter, at the end of f's block, for the operation of the given name. The
// emitter has failed if f has returned already.
func (f *function) begin(name string) *emitter {
	e := &emitter{f: f, name: name, b: *ir.NewBuilder(f.block)}
	e.b.Loc = f.b.r.location()
	if f.returned {
		e.failf("function %q has returned: it can record no more", f.name)
	}
	return e
}

// failf makes the operation fail with an error of that format and those arguments, unless it has
// failed already.
func (e *emitter) failf(format string, args ...any) {
	if e.err == nil {
		e.err = &Error{Op: e.name, Loc: e.b.Loc, Err: fmt.Errorf(format, args...)}
	}
}

// result returns v as the only result of the operation, or the operation's error.
func (e *emitter) result(v *ir.Value) (compute.Value, error) {
	if e.err != nil {
		return nil, e.err
	}
	return v, nil
}

// results returns the values as the results of the operation, or the operation's error.
func (e *emitter) results(values []*ir.Value) ([]compute.Value, error) {
	if e.err != nil {
		return nil, e.err
	}
	out := make([]compute.Value, len(values))
	for i, v := range values {
		out[i] = v
	}
	return out, nil
}

// value returns v, an argument from GoMLX, as an ir.Value. Anything but a value of a recording
// fails e. A constant of another block is copied into this block, because GoMLX shares scalar
// constants between closures and functions. But a function does not see the constants of another
// function, and a comparator must contain all constants that it uses. Large constants of main are
// not copied into closures: all closures of main see them.
func (e *emitter) value(v compute.Value) *ir.Value {
	x, ok := v.(*ir.Value)
	if !ok || x == nil {
		e.failf("got a %T, want a value of this recording", v)
		return nil
	}
	def := x.Def()
	if def == nil || def.Kind != ir.OpConstant || def.Block() == e.f.block {
		return x
	}
	big := len(def.Literal().Data) > 64
	if big && e.f.def == nil && def.Block() == e.f.b.r.main.Body {
		return x
	}
	return e.copyConstant(def)
}

// copyConstant returns the copy, in this function's block, of def, a constant of another block. The
// first call makes it.
func (e *emitter) copyConstant(def *ir.Op) *ir.Value {
	f := e.f
	if c, ok := f.constants[def.Result()]; ok {
		return c
	}
	if f.constants == nil {
		f.constants = make(map[*ir.Value]*ir.Value)
	}
	c := e.b.OpWithTypes(ir.OpConstant, def.Attrs, []ir.Type{def.Result().Type}).Result()
	f.constants[def.Result()] = c
	return c
}

func (e *emitter) values(in []compute.Value) []*ir.Value {
	out := make([]*ir.Value, len(in))
	for i, v := range in {
		out[i] = e.value(v)
	}
	return out
}

// op appends an op of the given kind, with attributes and operands, whose result type is inferred.
// It returns the op's result, or nil if the op has not exactly one, or e has failed. Operands or
// attributes that do not fit fail e.
func (e *emitter) op(kind ir.OpKind, attrs ir.Attrs, operands ...*ir.Value) *ir.Value {
	results := e.ops(kind, attrs, nil, operands...)
	if len(results) != 1 {
		return nil
	}
	return results[0]
}

// ops appends an op of the given kind with attributes, regions and operands, whose result types are
// inferred, and returns its results; nil after an error. Operands, attributes or regions that do
// not fit fail e.
func (e *emitter) ops(kind ir.OpKind, attrs ir.Attrs, regions []*ir.Block, operands ...*ir.Value) []*ir.Value {
	if e.err != nil {
		return nil
	}
	op, err := e.b.OpWithRegions(kind, attrs, regions, operands...)
	if err != nil {
		e.failf("%w (operands %v)", err, typesOf(operands))
		return nil
	}
	return op.Results
}

// opWithType appends an op of the given kind with the result type t, which does not follow from its
// operands, and returns its result; nil after an error. It does not check that t fits, only that it
// is not too large.
func (e *emitter) opWithType(kind ir.OpKind, attrs ir.Attrs, t ir.Type, operands ...*ir.Value) *ir.Value {
	if e.err != nil {
		return nil
	}
	if err := t.CheckSize(); err != nil {
		e.failf("%w", err)
		return nil
	}
	return e.b.OpWithTypes(kind, attrs, []ir.Type{t}, operands...).Result()
}

// region returns a new block with arguments of the given types, which belongs to no op yet. It ends
// in a stablehlo.return of the values that body returns for the arguments.
func (e *emitter) region(types []ir.Type, body func(args []*ir.Value) []*ir.Value) *ir.Block {
	outer := e.b.Point()
	defer e.b.SetPoint(outer)
	block := &ir.Block{}
	for _, t := range types {
		block.AddArg(t)
	}
	e.b.AtEnd(block)
	e.ops(ir.OpReturn, nil, nil, body(block.Args)...)
	return block
}

// scalars returns n times the type of a scalar with element type d.
func scalars(d dtypes.DType, n int) []ir.Type {
	return slices.Repeat([]ir.Type{ir.Tensor(d)}, n)
}

// typeOf converts a GoMLX shape to a type. The shape must be static, of a tensor, of an element
// type that StableHLO knows, and not too large; any other fails e.
func (e *emitter) typeOf(s shapes.Shape) ir.Type {
	if s.DType == dtypes.InvalidDType || len(s.TupleShapes) > 0 {
		e.failf("got shape %s, want a tensor", s)
	} else if s.IsDynamic() {
		e.failf("shape %s has a dynamic axis: gospmd compiles for fixed shapes, so record once for each size", s)
	} else if _, ok := ir.DTypeFromText(ir.DTypeText(s.DType)); !ok {
		e.failf("shape %s has an element type that StableHLO does not know", s)
	} else if err := ir.Tensor(s.DType, s.Dimensions...).CheckSize(); err != nil {
		e.failf("%w", err)
	}
	return ir.Tensor(s.DType, s.Dimensions...)
}

// broadcast returns x broadcast to the dimensions dims. x is a scalar, or has the same rank; then
// dimensions of size 1 are repeated.
func (e *emitter) broadcast(x *ir.Value, dims []int) *ir.Value {
	if e.err != nil || slices.Equal(x.Type.Dims, dims) {
		return x
	}
	axes := make(ir.Ints, x.Type.Rank())
	for i := range axes {
		axes[i] = i
	}
	return e.opWithType(ir.OpBroadcastInDim, ir.Attrs{{Name: "broadcast_dimensions", Value: axes}}, x.Type.WithDims(dims), x)
}

// commonDims returns the dimensions that the operands broadcast to; nil if all are scalars. Scalars
// broadcast to anything. Other operands must have the same rank, and in each dimension the same
// size or size 1; if not, e fails.
func (e *emitter) commonDims(operands ...*ir.Value) []int {
	if e.err != nil {
		return nil
	}
	var dims []int
	for _, x := range operands {
		switch {
		case x.Type.Rank() == 0:
			continue
		case dims == nil:
			dims = x.Type.Dims
			continue
		case len(dims) != x.Type.Rank():
			e.failf("cannot broadcast shapes %v: but for scalars, ranks must be equal: expand or reshape one", typesOf(operands))
			return nil
		}
		for i, d := range x.Type.Dims {
			if d == dims[i] || d == 1 {
				continue
			}
			if dims[i] != 1 {
				e.failf("cannot broadcast shapes %v: dimension %d is both %d and %d: sizes must be equal, or 1", typesOf(operands), i, dims[i], d)
				return nil
			}
			dims = slices.Clone(dims)
			dims[i] = d
		}
	}
	return dims
}

// broadcastAll returns the operands, each broadcast to their common dimensions (commonDims), in
// their order.
func (e *emitter) broadcastAll(operands ...*ir.Value) []*ir.Value {
	dims := e.commonDims(operands...)
	out := make([]*ir.Value, len(operands))
	for i, x := range operands {
		out[i] = e.broadcast(x, dims)
	}
	return out
}

// requireSameDType fails unless the operands have the same element type.
func (e *emitter) requireSameDType(operands ...*ir.Value) {
	if e.err != nil {
		return
	}
	for _, x := range operands[1:] {
		if x.Type.DType != operands[0].Type.DType {
			e.failf("element types differ: %v: convert one with ConvertDType", typesOf(operands))
		}
	}
}

// axis returns the axis counted from the front, in a tensor of the given rank; a negative axis
// counts from the back, so that -1 is the last. An axis out of range fails e.
func (e *emitter) axis(axis, rank int) int {
	if axis < -rank || axis >= rank {
		e.failf("axis %d is out of range for rank %d", axis, rank)
		return 0
	}
	if axis < 0 {
		axis += rank
	}
	return axis
}

func typesOf(values []*ir.Value) []ir.Type {
	out := make([]ir.Type, len(values))
	for i, v := range values {
		out[i] = v.Type
	}
	return out
}

// orFill returns s, or a slice of n times fill if s is empty.
func orFill[T any](s []T, n int, fill T) []T {
	if len(s) > 0 {
		return s
	}
	return slices.Repeat([]T{fill}, n)
}

// Constant records a literal of the given dimensions. flat is a slice of numbers or booleans, row
// by row, and is copied. Anything else, and another number of elements than the dimensions have, is
// an error.
func (f *function) Constant(flat any, dims ...int) (compute.Value, error) {
	e := f.begin("Constant")
	t := reflect.TypeOf(flat)
	if t == nil || t.Kind() != reflect.Slice {
		e.failf("got %T, want a flat slice of numbers or booleans", flat)
		return nil, e.err
	}
	return e.result(e.literal(dtypes.FromGoType(t.Elem()), dims, flat))
}

// literal emits a constant with the elements of flat, a slice of dtype's Go type, and returns it;
// nil after an error.
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
	return e.opWithType(ir.OpConstant, ir.Attrs{{Name: "value", Value: d}}, t)
}

// isSplat reports whether all elements of data, of size bytes each, have the same bits.
func isSplat(data []byte, size int) bool { return bytes.Equal(data[size:], data[:len(data)-size]) }

// scalar emits a scalar constant, value converted to the element type d, and returns it; nil after
// an error.
func (e *emitter) scalar(d dtypes.DType, value float64) *ir.Value {
	if e.err != nil {
		return nil
	}
	return e.scalarOf(d, shapes.CastAsDType(value, d))
}

// scalarOf emits a scalar constant. value must have the Go type of d.
func (e *emitter) scalarOf(d dtypes.DType, value any) *ir.Value {
	flat := reflect.MakeSlice(reflect.SliceOf(reflect.TypeOf(value)), 1, 1)
	flat.Index(0).Set(reflect.ValueOf(value))
	return e.literal(d, nil, flat.Interface())
}
