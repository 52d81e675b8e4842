package layers

// This file calls the method Compute of a layer: a computation on Tensors in place of GoMLX nodes.

import (
	"fmt"
	"reflect"

	"github.com/gomlx/gomlx/core/graph"
)

// Call calls the method Compute of the layer that embeds b. A type that embeds Base has Compute, on
// Tensors, in place of Call, as call of a layer in Keras:
//
//	func (l *Scale) Compute(x *layers.Tensor) *layers.Tensor { return ops.Relu(x.Mul(2)) }
//
// Its arguments are the inputs, each by itself or all as a slice or as variadic arguments. A
// *Context may stand before them, for layers with weights of their own (Context.Weight). The
// results are one Tensor, several, or a slice. Call panics with an error if there is no Compute, or
// if it has other arguments or results.
//
//	func (l *Gate) Compute(c *layers.Context, x, y *layers.Tensor) (sum, product *layers.Tensor)
func (b *Base) Call(c *Context, inputs []*graph.Node) []*graph.Node {
	method := reflect.ValueOf(c.callee).MethodByName("Compute")
	if !method.IsValid() {
		panic(fmt.Errorf("type %T has none of the methods Call and Compute: give it one", c.callee))
	}
	t := method.Type()
	args, err := computeArguments(t, c, c.tensors(inputs))
	if err == nil {
		err = checkComputeResults(t)
	}
	if err != nil {
		panic(fmt.Errorf("method Compute of %T: %w", c.callee, err))
	}
	call := method.Call
	if t.IsVariadic() {
		call = method.CallSlice
	}
	var out []*Tensor
	for _, r := range call(args) {
		if list, ok := r.Interface().([]*Tensor); ok {
			out = append(out, list...)
		} else {
			out = append(out, r.Interface().(*Tensor))
		}
	}
	return nodesOf(append(c.tensors(inputs[:1]), out...))[1:] // the input says which graph arrays go to
}

var (
	contextType = reflect.TypeFor[*Context]()
	tensorType  = reflect.TypeFor[*Tensor]()
	tensorsType = reflect.TypeFor[[]*Tensor]()
)

// computeArguments returns the arguments for a call of a method Compute of type t: c, if the method
// takes a Context first, and the inputs, each by itself or as one slice. It returns an error if the
// inputs do not fit the parameters.
func computeArguments(t reflect.Type, c *Context, inputs []*Tensor) (args []reflect.Value, err error) {
	var params []reflect.Type
	for i := range t.NumIn() {
		params = append(params, t.In(i))
	}
	if len(params) > 0 && params[0] == contextType {
		params, args = params[1:], append(args, reflect.ValueOf(c))
	}
	if len(params) == 1 && params[0] == tensorsType {
		return append(args, reflect.ValueOf(inputs)), nil
	}
	for i, p := range params {
		if p != tensorType {
			return nil, fmt.Errorf("argument %d is a %s: want the inputs, each a *layers.Tensor or all as []*layers.Tensor, behind a *layers.Context or none", t.NumIn()-len(params)+i, p)
		}
	}
	if len(params) != len(inputs) {
		return nil, fmt.Errorf("got %d inputs, want %d", len(inputs), len(params))
	}
	for _, x := range inputs {
		args = append(args, reflect.ValueOf(x))
	}
	return args, nil
}

// checkComputeResults returns an error unless a method of type t returns at least one result, and
// each result is a *Tensor or a []*Tensor.
func checkComputeResults(t reflect.Type) error {
	for i := range t.NumOut() {
		if r := t.Out(i); r != tensorType && r != tensorsType {
			return fmt.Errorf("result %d is a %s, want a *layers.Tensor, several, or a []*layers.Tensor", i, r)
		}
	}
	if t.NumOut() == 0 {
		return fmt.Errorf("it returns nothing, want a *layers.Tensor, several, or a []*layers.Tensor")
	}
	return nil
}

// OnNodes converts a function of tensors to one of nodes: a loss, a metric or a regularizer that is
// written with the functions of package ops. The function cannot apply layers. The result panics if
// f returns nil or a tensor that holds an error.
func OnNodes(f func(xs ...*Tensor) *Tensor) func(xs ...*graph.Node) *graph.Node {
	return func(xs ...*graph.Node) *graph.Node {
		in := (&Context{}).tensors(xs)
		return nodesOf(append(in[:1:1], f(in...)))[1]
	}
}
