package layers

// This file defines operations on symbolic tensors: keras.ops and the operators of Python in a
// model. A function of package ops, or a method of Tensor, makes an OperationLayer and applies it.

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"

	"github.com/gospmd/gospmd/internal/suggest"
	"github.com/gospmd/gospmd/keras/layers/internal/operations"
	"github.com/gospmd/gospmd/trace"
)

// OperationLayer is an operation of keras.ops in a model: a class, such as Add, with its arguments.
// Files hold it as Keras writes it.
type OperationLayer struct {
	Base
	op    operations.Operation
	args  []any
	attrs map[string]any
}

// Operand is an argument of an operation that is a tensor: the number of the tensor among the
// inputs of the OperationLayer.
type Operand int

// Slice is a range start:stop:step of an index, as in Python. A part that is nil is left out.
type Slice struct{ Start, Stop, Step *int }

// Ellipsis is "..." in an index: it stands for all dimensions that the other items do not index.
type Ellipsis struct{}

// BadOption is a key among the attributes of an operation. Its value is the error of an option that
// the operation does not have.
const BadOption = "!"

// NewOperation returns the operation of a Keras class, such as TrueDivide. args are its positional
// arguments, attrs the arguments by name. An argument is an Operand, a number, a bool, nil, a
// *tensors.Tensor, a Slice, an Ellipsis, a function such as a Function, or a list of arguments
// ([]any). opts are those of all layers. An unknown class, and a BadOption, become the error of the
// layer.
func NewOperation(class string, args []any, attrs map[string]any, opts ...Option) *OperationLayer {
	l := &OperationLayer{op: operations.Table[class], args: args, attrs: attrs}
	l.configure(class, opts)
	l.class = class
	if err, ok := attrs[BadOption].(error); ok {
		l.fail("%s: %w", class, err)
	}
	if !l.op.Exists() {
		l.fail("the operation %s is not known here%s", class, suggest.Closest(class, slices.Sorted(maps.Keys(operations.Table)), ""))
	}
	return l
}

// Operate applies the operation class and returns its first result. Its arguments are those of
// NewOperation, with tensors and lists of tensors ([]*Tensor) in place of Operands. It handles
// errors as OperateAll does.
func Operate(class string, args []any, attrs map[string]any) *Tensor {
	return OperateAll(class, args, attrs)[0]
}

// OperateAll is Operate for operations with several results. It computes operations on arrays alone
// at once. In the Call of a layer it adds nodes to the graph, and panics if shapes do not fit. In a
// model it applies an OperationLayer. Except in a Call, it returns one tensor after an error, which
// holds the error.
func OperateAll(class string, args []any, attrs map[string]any) []*Tensor {
	all := tensorsAmong(args)
	if isArrays(all) {
		out, err := computeArrays(numberOperands(class, args, attrs, false))
		if err != nil {
			return []*Tensor{{err: err}}
		}
		return out
	}
	l, inputs := numberOperands(class, args, attrs, true)
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

// tensorsAmong returns the tensors in args, in order, also those in nested lists.
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

// numberOperands returns the operation class with its arguments, in which Operand(i) stands for the
// tensor inputs[i], and these tensors. If constants is true, arrays stay in the arguments as
// constants.
func numberOperands(class string, args []any, attrs map[string]any, constants bool) (l *OperationLayer, inputs []*Tensor) {
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

// Operation returns the parts of the operation: the module of its class in Keras, its positional
// arguments, and its arguments by name.
func (l *OperationLayer) Operation() (module string, args []any, attrs map[string]any) {
	return l.op.Module, l.args, l.attrs
}

// OperationArguments returns the names of the last positional arguments of the operation class,
// which Keras may also give by name, in their order; nil for an unknown class.
func OperationArguments(class string) []string { return strings.Fields(operations.Table[class].Named) }

// Operations returns Keras' class names of all operations, such as "Matmul", in alphabetical order.
func Operations() []string { return slices.Sorted(maps.Keys(operations.Table)) }

// OperationModule returns the module of an operation in Keras, or "" if it is not known.
func OperationModule(class string) string { return operations.Table[class].Module }

// Call returns the results of the operation. inputs, at least one, take the places of the Operands
// among its arguments. It panics if they do not fit.
func (l *OperationLayer) Call(c *Context, inputs []*graph.Node) []*graph.Node {
	var resolve func(v any) any
	resolve = func(v any) any {
		switch v := v.(type) {
		case Operand:
			return inputs[v]
		case *tensors.Tensor:
			return graph.ConstTensor(inputs[0].Graph(), v)
		case Slice:
			return operations.Slice(v)
		case Ellipsis:
			return operations.Ellipsis(v)
		case []any:
			out := make([]any, len(v))
			for i, x := range v {
				out[i] = resolve(x)
			}
			return out
		}
		return c.functionOfNodes(v)
	}
	var recorder *trace.Recorder
	if c.StatelessScope != nil {
		recorder = c.Recorder
	}
	return l.op.Compute(inputs[0].Graph(), resolve(l.args).([]any), l.attrs, recorder)
}

// These are functions of tensors that operations take as arguments. In a model they get values, as
// the method Compute of a layer does.
type (
	// Function computes tensors from tensors.
	Function = func(xs []*Tensor) []*Tensor
	// StepFunction computes a step of a loop. It returns the values for the next step, and the
	// values that are added to the results.
	StepFunction = func(carry, xs []*Tensor) (next, ys []*Tensor)
)

// functionOfNodes converts v, a function of tensors such as a Function or StepFunction, to a
// function of graph nodes. It returns values that are no such function as they are.
func (c *Context) functionOfNodes(v any) any {
	nodesBeside := func(xs []*graph.Node, ys ...*Tensor) []*graph.Node { // xs say which graph arrays go to
		return nodesOf(append(c.tensors(xs), ys...))[len(xs):]
	}
	switch f := v.(type) {
	case Function:
		return func(xs []*graph.Node) []*graph.Node { return nodesBeside(xs, f(c.tensors(xs))...) }
	case StepFunction:
		return func(carry, xs []*graph.Node) (next, ys []*graph.Node) {
			outCarry, outYs := f(c.tensors(carry), c.tensors(xs))
			all := nodesBeside(slices.Concat(carry, xs), slices.Concat(outCarry, outYs)...)
			return all[:len(outCarry)], all[len(outCarry):]
		}
	case func(xs []*Tensor) *Tensor:
		return func(xs []*graph.Node) *graph.Node { return nodesBeside(xs, f(c.tensors(xs)))[0] }
	case func(xs []*Tensor) (ys []*Tensor, gradient Function):
		return func(xs []*graph.Node) ([]*graph.Node, operations.Function) {
			ys, gradient := f(c.tensors(xs))
			return nodesBeside(xs, ys...), func(vs []*graph.Node) []*graph.Node { return nodesBeside(vs, gradient(c.tensors(vs))...) }
		}
	}
	return v
}

// Add returns t + y, element by element, where y is a tensor or a number. Shapes are broadcast.
// Like the other operators it makes an operation of keras.ops, which files hold as Keras writes it.
func (t *Tensor) Add(y any) *Tensor { return Operate("Add", []any{t, y}, nil) }

// Sub returns t - y, element by element, where y is a tensor or a number. Shapes are broadcast.
func (t *Tensor) Sub(y any) *Tensor { return Operate("Subtract", []any{t, y}, nil) }

// Mul returns t · y, element by element, where y is a tensor or a number. Shapes are broadcast.
func (t *Tensor) Mul(y any) *Tensor { return Operate("Multiply", []any{t, y}, nil) }

// Div returns t / y, element by element, in a floating-point type, where y is a tensor or a number.
// Shapes are broadcast.
func (t *Tensor) Div(y any) *Tensor { return Operate("TrueDivide", []any{t, y}, nil) }

// Pow returns t to the power of y, element by element, where y is a tensor or a number. Shapes are
// broadcast.
func (t *Tensor) Pow(y any) *Tensor { return Operate("Power", []any{t, y}, nil) }

// Neg returns -t, element by element.
func (t *Tensor) Neg() *Tensor { return Operate("Negative", []any{t}, nil) }

// MatMul returns the matrix product t @ y over the last dimension of t and the last but one of y;
// the dimensions before them are batches, which are broadcast. A vector is a row as t and a column
// as y. y is a *Tensor or a *tensors.Tensor.
func (t *Tensor) MatMul(y any) *Tensor { return Operate("Matmul", []any{t, y}, nil) }

// GetItem returns t[items…]. An item is a number, a Slice, an Ellipsis, nil for a new dimension, or
// the text of a slice or an ellipsis in Python: ":", "1:3", "::2", "...". Another text, and a step
// below 1, are errors.
//
//	x.GetItem(":", 0) // x[:, 0] in Python
func (t *Tensor) GetItem(items ...any) *Tensor {
	items = slices.Clone(items)
	for i, item := range items {
		text, ok := item.(string)
		if !ok {
			continue
		}
		var err error
		if items[i], err = itemOf(text); err != nil {
			return Failed(fmt.Errorf("GetItem: item %d: %w", i, err))
		}
	}
	return Operate("GetItem", []any{t, items}, nil)
}

// itemOf parses text, an item of an index in Python's notation: "..." gives an Ellipsis, and "1:3"
// or "::2" a Slice. It returns an error for anything else.
func itemOf(text string) (any, error) {
	if text == "..." {
		return Ellipsis{}, nil
	}
	parts := strings.Split(text, ":")
	if len(parts) < 2 || len(parts) > 3 {
		return nil, fmt.Errorf("got %q, want a number, or a slice such as \"1:3\"", text)
	}
	var s Slice
	for i, to := range []**int{&s.Start, &s.Stop, &s.Step}[:len(parts)] {
		if parts[i] == "" {
			continue
		}
		n, err := strconv.Atoi(strings.TrimSpace(parts[i]))
		if err != nil {
			return nil, fmt.Errorf("got %q, want whole numbers between colons, such as \"1:3\"", text)
		}
		*to = &n
	}
	return s, nil
}
