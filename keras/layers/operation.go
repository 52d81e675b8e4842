package layers

// This file defines the operations on symbolic tensors: what keras.ops and the operators
// of Python are in a model of Keras. A Go function of package ops, or a method of Tensor,
// makes an OperationLayer and applies it.

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"

	"github.com/gospmd/gospmd/internal/suggest"
	"github.com/gospmd/gospmd/trace"
)

// OperationLayer is an operation of keras.ops in a model.
type OperationLayer struct {
	Base
	op    operation
	args  []any
	attrs map[string]any
}

// Operand stands in the arguments of an operation for the tensor of that number that it is
// applied to.
type Operand int

// Slice is a range of an index, as start:stop:step in Python; nil leaves one out.
type Slice struct{ Start, Stop, Step *int }

// Ellipsis is "..." in an index: all dimensions between.
type Ellipsis struct{}

// BadOption is the key of an error among the attributes of an operation: of an option that it
// does not take.
const BadOption = "!"

// NewOperation returns the operation of that name in Keras, such as TrueDivide, with its
// positional arguments and its other ones. An argument is an Operand, a number, a bool,
// nil, a *tensors.Tensor, a Slice, an Ellipsis, or a list of arguments ([]any).
func NewOperation(class string, args []any, attrs map[string]any, opts ...Option) *OperationLayer {
	l := &OperationLayer{op: operations[class], args: args, attrs: attrs}
	l.configure(class, opts, "Name")
	l.class = class
	if err, ok := attrs[BadOption].(error); ok {
		l.fail("%s: %w", class, err)
	}
	if l.op.call == nil && l.op.many == nil {
		l.fail("the operation %s is not known here%s", class, suggest.Closest(class, slices.Sorted(maps.Keys(operations)), ""))
	}
	return l
}

// Operate applies an operation: NewOperation with tensors among the arguments, also in lists
// ([]*Tensor). Of several results it returns the first.
func Operate(class string, args []any, attrs map[string]any) *Tensor {
	return OperateAll(class, args, attrs)[0]
}

// OperateAll is Operate for operations with several results; one with an error has one. In the
// Call of a layer it computes at once, and panics as all code that builds graphs there does.
func OperateAll(class string, args []any, attrs map[string]any) []*Tensor {
	all := tensorsAmong(args)
	if isArrays(all) {
		out, err := computeArrays(numbered(class, args, attrs, false))
		if err != nil {
			return []*Tensor{{err: err}}
		}
		return out
	}
	l, inputs := numbered(class, args, attrs, true)
	c := contextOf(all)
	if c == nil {
		return ApplyAll(l, inputs...)
	}
	if l.err != nil {
		panic(l.err)
	}
	defer func() {
		r := recover()
		var named *trace.Error
		if err, ok := r.(error); ok && !errors.As(err, &named) {
			r = fmt.Errorf("operation %s: %w", class, err)
		}
		if r != nil {
			panic(r)
		}
	}()
	return c.tensors(l.Call(c, nodesOf(inputs)))
}

// tensorsAmong returns the tensors among arguments, also in lists.
func tensorsAmong(args []any) (out []*Tensor) {
	for _, v := range args {
		switch v := v.(type) {
		case *Tensor:
			out = append(out, v)
		case []*Tensor:
			out = append(out, v...)
		case []any:
			out = append(out, tensorsAmong(v)...)
		}
	}
	return out
}

// numbered returns an operation with an Operand for each tensor among its arguments, and these
// tensors. Arrays are constants of the operation if asked for.
func numbered(class string, args []any, attrs map[string]any, constants bool) (l *OperationLayer, inputs []*Tensor) {
	var find func(v any) any
	find = func(v any) any {
		switch v := v.(type) {
		case *Tensor:
			if constants && v != nil && v.array != nil {
				return v.array
			}
			inputs = append(inputs, v)
			return Operand(len(inputs) - 1)
		case []*Tensor:
			out := make([]any, len(v))
			for i, t := range v {
				out[i] = find(t)
			}
			return out
		case []any:
			out := make([]any, len(v))
			for i, t := range v {
				out[i] = find(t)
			}
			return out
		}
		return v
	}
	found, _ := find(args).([]any)
	return NewOperation(class, found, attrs), inputs
}

// Operation returns the parts of an operation: Keras' module of its class, and its arguments.
func (l *OperationLayer) Operation() (module string, args []any, attrs map[string]any) {
	return l.op.module, l.args, l.attrs
}

// OperationArguments returns the names of the last arguments, which Keras may give by name.
func OperationArguments(class string) []string { return strings.Fields(operations[class].named) }

// Operations returns the classes of all operations.
func Operations() []string { return slices.Sorted(maps.Keys(operations)) }

// OperationModule returns Keras' module of an operation, "" for one that is not known.
func OperationModule(class string) string { return operations[class].module }

// Call computes the operation.
func (l *OperationLayer) Call(c *Context, inputs []*graph.Node) []*graph.Node {
	var resolve func(v any) any
	resolve = func(v any) any {
		switch v := v.(type) {
		case Operand:
			return inputs[v]
		case *tensors.Tensor:
			return graph.ConstTensor(inputs[0].Graph(), v)
		case []any:
			out := make([]any, len(v))
			for i, x := range v {
				out[i] = resolve(x)
			}
			return out
		}
		return v
	}
	o := operands{l, resolve(l.args).([]any), inputs[0].Graph(), c}
	if l.op.many != nil {
		return l.op.many(o)
	}
	return []*graph.Node{l.op.call(o)}
}

// operands are the arguments of an operation that is computed.
type operands struct {
	l    *OperationLayer
	args []any
	g    *graph.Graph
	c    *Context // of functions among the arguments
}

// arg returns an argument.
func (o operands) arg(i int) any {
	if i >= len(o.args) {
		panic(fmt.Errorf("got %d arguments, want more", len(o.args)))
	}
	return o.args[i]
}

// tensor returns an argument that is a tensor.
func (o operands) tensor(i int) *graph.Node {
	x, ok := o.arg(i).(*graph.Node)
	if !ok {
		panic(fmt.Errorf("argument %d is %v, want a tensor", i, o.arg(i)))
	}
	return x
}

// list returns an argument that is a list of tensors.
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

// ints returns an attribute that is an integer or a list of them, nil for none.
func (o operands) ints(key string) []int {
	return integersOf(key, o.l.attrs[key])
}

// integersOf returns an argument that is an integer or a list of them, nil for none.
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

// axes returns the attribute axis for a tensor of a rank; all for none.
func (o operands) axes(rank int) []int {
	if o.l.attrs["axis"] == nil {
		return count(rank)
	}
	return normalAxes(o.ints("axis"), rank)
}

// normalAxes counts negative axes from the end.
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

// axis returns the attribute axis, one number, for a tensor of a rank.
func (o operands) axis(rank int) int {
	axes := o.axes(rank)
	if len(axes) != 1 {
		panic(fmt.Errorf("got axis %v, want one number", o.l.attrs["axis"]))
	}
	return axes[0]
}

// tensorsOf returns arguments as tensors of one type and one shape. Numbers take the type
// of the tensors, which is float32 for integers beside a number with a fraction.
func (o operands) tensorsOf(args ...any) []*graph.Node {
	dtype := dtypes.Bool
	var shape []int
	fraction := false
	for _, v := range args {
		switch v := v.(type) {
		case *graph.Node:
			dtype = promoted(dtype, v.DType())
			shape = broadcastDims(shape, v.Shape().Dimensions)
		case float64, float32:
			fraction = true
		case int:
			dtype = promoted(dtype, dtypes.Int32)
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

// promoted returns the type of a result of operands of two types.
func promoted(a, b dtypes.DType) dtypes.DType {
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

// broadcastDims returns the shape of a result of operands of two shapes.
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

// Add returns t + y, where y is a tensor or a number. As all operations it is one of
// keras.ops, and stands in files as Keras writes it.
func (t *Tensor) Add(y any) *Tensor { return Operate("Add", []any{t, y}, nil) }

// Sub returns t - y.
func (t *Tensor) Sub(y any) *Tensor { return Operate("Subtract", []any{t, y}, nil) }

// Mul returns t · y, element by element.
func (t *Tensor) Mul(y any) *Tensor { return Operate("Multiply", []any{t, y}, nil) }

// Div returns t / y.
func (t *Tensor) Div(y any) *Tensor { return Operate("TrueDivide", []any{t, y}, nil) }

// Pow returns t to the power of y.
func (t *Tensor) Pow(y any) *Tensor { return Operate("Power", []any{t, y}, nil) }

// Neg returns -t.
func (t *Tensor) Neg() *Tensor { return Operate("Negative", []any{t}, nil) }

// MatMul returns the product of matrices t @ y.
func (t *Tensor) MatMul(y any) *Tensor { return Operate("Matmul", []any{t, y}, nil) }

// GetItem returns t[items…]: numbers, Slice, Ellipsis, and nil for a new dimension.
func (t *Tensor) GetItem(items ...any) *Tensor { return Operate("GetItem", []any{t, items}, nil) }
