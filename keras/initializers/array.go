package initializers

// This file defines the initializers that are given as numbers: Constant, and arrays in place of
// an initializer.

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/tensors"

	"github.com/gospmd/gospmd/layout"
)

// Constant fills with value, converted to the dtype. value is a number, or an array, a
// *tensors.Tensor or slices of slices of numbers, that is broadcast to the shape of the variable:
// such as the matrix of an Embedding that was trained elsewhere. If value is none of these, or an
// array is empty or does not fit the shape, Fill returns an error.
func Constant(value any) Initializer {
	if x, ok := number(reflect.ValueOf(value)); ok {
		return &constant{newBase("Constant", options{}, nil), x, map[string]any{"value": x}}
	}
	return newArray(value)
}

// array is the initializer that Constant returns for several numbers: a tensor that is broadcast to
// the shape of the variable.
type array struct {
	base
	flat  []float64
	dims  []int
	dtype dtypes.DType // in configs
	exact bool         // the variable must have this shape
}

func newArray(value any) *array {
	a := &array{base: newBase("Constant", options{}, nil)}
	if t, ok := value.(*tensors.Tensor); ok && t != nil {
		a.dims, a.dtype = slices.Clone(t.Shape().Dimensions), t.DType()
		a.err = t.ConstFlatData(func(flat any) { a.append(reflect.ValueOf(flat)) })
		return a
	}
	v := reflect.ValueOf(value)
	for e := v; isList(e); e = inside(e.Index(0)) {
		a.dims = append(a.dims, e.Len())
		if e.Len() == 0 {
			a.fail("it has no elements")
			return a
		}
	}
	a.dtype = dtypes.Float32
	if len(a.dims) == 0 {
		a.fail("got a %T, want a number, a *tensors.Tensor or slices of numbers", value)
	} else {
		a.read(v, 0)
	}
	return a
}

func (a *array) fail(format string, args ...any) {
	if a.err == nil {
		a.err = a.wrap(fmt.Errorf(format, args...))
	}
}

func isList(v reflect.Value) bool { return v.Kind() == reflect.Slice || v.Kind() == reflect.Array }

// inside returns the value that v holds if v is an interface, as elements of decoded JSON lists
// are; otherwise v.
func inside(v reflect.Value) reflect.Value {
	if v.Kind() == reflect.Interface {
		return v.Elem()
	}
	return v
}

// number returns a number or a boolean as a float64: true is 1, and false is 0. ok is false for any
// other value.
func number(v reflect.Value) (x float64, ok bool) {
	switch {
	case !v.IsValid():
		return 0, false
	case v.CanInt():
		return float64(v.Int()), true
	case v.CanUint():
		return float64(v.Uint()), true
	case v.CanFloat():
		return v.Float(), true
	case v.Kind() == reflect.Bool && v.Bool():
		return 1, true
	}
	return 0, v.Kind() == reflect.Bool
}

// read appends the numbers of v, lists nested to the given depth, to the array. Lists of different
// lengths make the array's error.
func (a *array) read(v reflect.Value, depth int) {
	if !isList(v) || v.Len() != a.dims[depth] {
		a.fail("the array has lists of different lengths")
		return
	}
	if depth == len(a.dims)-1 {
		a.append(v)
		return
	}
	for i := range v.Len() {
		a.read(inside(v.Index(i)), depth+1)
	}
}

// append appends the numbers of v, a list of numbers, to the array. An element that is no number
// makes the array's error, and ends it.
func (a *array) append(v reflect.Value) {
	for i := range v.Len() {
		x, ok := number(inside(v.Index(i)))
		if !ok {
			a.fail("the array has an element of type %s, want numbers", inside(v.Index(i)).Kind())
			return
		}
		a.flat = append(a.flat, x)
	}
}

// Config returns the options of Constant: "value" is the array, as Keras writes one of NumPy.
func (a *array) Config() map[string]any {
	return map[string]any{"value": map[string]any{
		"class_name": "__numpy__",
		"config":     map[string]any{"value": nested(a.flat, a.dims), "dtype": strings.ToLower(a.dtype.String())},
	}}
}

// nested returns the numbers of flat, a tensor of the given dimensions in row-major order, as lists
// of lists.
func nested(flat []float64, dims []int) any {
	if len(dims) == 0 {
		return flat[0]
	}
	list := make([]any, dims[0])
	size := len(flat) / dims[0]
	for i := range list {
		list[i] = nested(flat[i*size:(i+1)*size], dims[1:])
	}
	return list
}

// Fill writes the elements in ranges of the array, broadcast to the shape global, into dst,
// converted to dtype. It returns an error if the array cannot be broadcast to the shape, or, for an
// array that Get returned, has another shape.
func (a *array) Fill(dst any, dtype dtypes.DType, global []int, ranges []layout.Range) error {
	if err := a.check(dst, dtype, global, ranges); err != nil {
		return err
	}
	steps, err := a.steps(global)
	if err != nil {
		return err
	}
	out, next := reflect.ValueOf(dst), 0
	var fill func(axis, at int)
	fill = func(axis, at int) {
		if axis == len(global) {
			out.Index(next).Set(scalar(a.flat[at], dtype))
			next++
			return
		}
		for i := ranges[axis].Start; i < ranges[axis].Limit; i++ {
			fill(axis+1, at+i*steps[axis])
		}
	}
	fill(0, 0)
	return nil
}

// steps returns how far elements next to each other in a dimension of the shape are apart in the
// array: 0 where it is broadcast. A shape that the array does not fit is an error; if exact is set,
// so is each shape but the array's own.
func (a *array) steps(global []int) ([]int, error) {
	steps, step := make([]int, len(global)), 1
	fits := len(a.dims) <= len(global) && (!a.exact || slices.Equal(a.dims, global))
	for i := len(a.dims) - 1; i >= 0 && fits; i-- {
		to := len(global) - len(a.dims) + i
		if a.dims[i] > 1 {
			steps[to] = step
			fits = a.dims[i] == global[to]
		}
		step *= a.dims[i]
	}
	if !fits {
		return nil, a.wrap(fmt.Errorf("got an array of shape %v for a variable of shape %v: want the same shape", a.dims, global))
	}
	return steps, nil
}
