package operations

// This file defines the arguments of an operation.

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/trace"
)

// operands holds the arguments of an operation while it is computed: the positional ones, those by
// name, and the graph.
type operands struct {
	args     []any
	attrs    map[string]any
	g        *graph.Graph
	recorder *trace.Recorder // nil for arrays
}

// arg returns argument i of the operation. It panics if it is not given.
func (o operands) arg(i int) any {
	if i >= len(o.args) {
		panic(fmt.Errorf("got %d arguments, want more", len(o.args)))
	}
	return o.args[i]
}

// tensor returns argument i, which must be a tensor: it panics for anything else.
func (o operands) tensor(i int) *graph.Node {
	x, ok := o.arg(i).(*graph.Node)
	if !ok {
		panic(fmt.Errorf("argument %d is %v, want a tensor", i, o.arg(i)))
	}
	return x
}

// list returns argument i, which must be a list of at least one tensor: it panics for anything
// else.
func (o operands) list(i int) (out []*graph.Node) {
	vs, _ := o.arg(i).([]any)
	for _, v := range vs {
		x, ok := v.(*graph.Node)
		if !ok {
			panic(fmt.Errorf("argument %d has the element %v, want tensors", i, v))
		}
		out = append(out, x)
	}
	if len(out) == 0 {
		panic(fmt.Errorf("argument %d is %v, want a list of tensors", i, o.arg(i)))
	}
	return out
}

// ints returns the attribute key, an integer or a list of integers, as a list; nil if it is not
// given. It panics for anything else.
func (o operands) ints(key string) []int {
	return integersOf(key, o.attrs[key])
}

// integersOf returns v, the value of the argument key, as a list of integers: v may be one integer
// or a list, in which nil counts as -1. It returns nil for nil, and panics for anything else.
func integersOf(key string, v any) []int {
	switch v := v.(type) {
	case nil:
		return nil
	case int:
		return []int{v}
	case []int:
		return v
	case []any:
		out := make([]int, len(v))
		for i, x := range v {
			switch x := x.(type) {
			case int:
				out[i] = x
			case nil:
				out[i] = -1
			default:
				panic(fmt.Errorf("%s is %v, want integers", key, v))
			}
		}
		return out
	}
	panic(fmt.Errorf("%s is %v, want integers", key, v))
}

// axes returns the attribute axis for a tensor of the given rank, as a list of numbers from 0, or
// all axes if it is not given. Axes that do not exist panic.
func (o operands) axes(rank int) []int {
	if o.attrs["axis"] == nil {
		return count(rank)
	}
	return normalAxes(o.ints("axis"), rank)
}

// normalAxes returns axes with negative ones counted from the end: -1 becomes rank-1. It panics for
// axes that there are not.
func normalAxes(axes []int, rank int) []int {
	axes = slices.Clone(axes)
	for i, a := range axes {
		if a < 0 {
			axes[i] += rank
		}
		if axes[i] < 0 || axes[i] >= rank {
			panic(fmt.Errorf("got axis %d for %d dimensions", a, rank))
		}
	}
	return axes
}

// axis returns the attribute axis, one number, for a tensor of the given rank, counted from 0.
// Without the attribute it is 0 if the rank is 1. Other ranks then panic, and so do several axes
// and one that does not exist.
func (o operands) axis(rank int) int {
	axes := o.axes(rank)
	if len(axes) != 1 {
		panic(fmt.Errorf("got axis %v, want one number", o.attrs["axis"]))
	}
	return axes[0]
}

// tensorsOf returns arguments, tensors and numbers, as tensors of one type and one shape,
// broadcast. A number takes the type of the tensors, with two exceptions: a whole number makes
// booleans and integers of fewer bits int32, and a number with a fraction makes them float32. It
// panics for other arguments, and for shapes that do not fit each other.
func (o operands) tensorsOf(args ...any) []*graph.Node {
	dtype := dtypes.Bool
	var shape []int
	fraction := false
	for _, v := range args {
		switch v := v.(type) {
		case *graph.Node:
			dtype = promote(dtype, v.DType())
			shape = broadcastDims(shape, v.Shape().Dimensions)
		case float64, float32:
			fraction = true
		case int:
			dtype = promote(dtype, dtypes.Int32)
		}
	}
	if fraction && !dtype.IsFloat() {
		dtype = dtypes.Float32
	}
	out := make([]*graph.Node, len(args))
	for i, v := range args {
		switch v := v.(type) {
		case *graph.Node:
			out[i] = graph.ConvertDType(v, dtype)
		case float64, float32, int, bool:
			out[i] = graph.Scalar(o.g, dtype, number(v))
		default:
			panic(fmt.Errorf("got %v, want a tensor or a number", v))
		}
		out[i] = graph.BroadcastToDims(graph.ExpandLeftToRank(out[i], len(shape)), shape...)
	}
	return out
}

func number(v any) float64 {
	switch v := v.(type) {
	case float64:
		return v
	case float32:
		return float64(v)
	case int:
		return float64(v)
	case bool:
		if v {
			return 1
		}
	}
	return 0
}

// promote returns the type of the result of an operation on operands of the types a and b: the
// float, or else the type with more bits; booleans give way to all. If both count the same, it is
// a.
func promote(a, b dtypes.DType) dtypes.DType {
	order := func(d dtypes.DType) int {
		switch {
		case d == dtypes.Bool:
			return 0
		case d.IsFloat():
			return 1000 + d.Bits()
		}
		return d.Bits()
	}
	if order(a) >= order(b) {
		return a
	}
	return b
}

// broadcastDims returns the shape that the shapes a and b broadcast to. It panics if they do not.
func broadcastDims(a, b []int) []int {
	if len(a) < len(b) {
		a, b = b, a
	}
	out := slices.Clone(a)
	skip := len(a) - len(b)
	for i, d := range b {
		switch {
		case out[skip+i] == 1:
			out[skip+i] = d
		case d != 1 && d != out[skip+i]:
			panic(fmt.Errorf("shapes %v and %v do not fit each other", a, b))
		}
	}
	return out
}

// Slice is a range start:stop:step of an index, as in Python. A part that is nil is left out.
type Slice struct{ Start, Stop, Step *int }

// Ellipsis is "..." in an index: all dimensions that the other items do not index.
type Ellipsis struct{}

// Compute adds the nodes of the operation to g, and returns those of its results. args are the
// positional arguments: each is a node, a number, a boolean, nil, a Slice, an Ellipsis, a list of
// arguments, or a function of tensors. attrs holds the arguments that Keras gives by name. recorder
// records the model that the operation is part of; some operations need it. It is nil if g is
// computed at once, on arrays. Compute panics if the arguments do not fit.
func (op Operation) Compute(g *graph.Graph, args []any, attrs map[string]any, recorder *trace.Recorder) []*graph.Node {
	o := operands{args, attrs, g, recorder}
	if op.many != nil {
		return op.many(o)
	}
	return []*graph.Node{op.call(o)}
}

// Exists reports whether the operation is a row of Table, and not the zero value of an unknown
// class.
func (op Operation) Exists() bool { return op.call != nil || op.many != nil }

// channelsLast is the only order of the dimensions of images, under Keras' name.
const channelsLast = "channels_last"

// typeName returns Keras' name of a type, in lower case, such as float32.
func typeName(d dtypes.DType) string { return strings.ToLower(d.String()) }
