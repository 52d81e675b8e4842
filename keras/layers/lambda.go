package layers

// This file defines the layers Lambda and Identity.

import "github.com/gomlx/gomlx/core/graph"

// LambdaLayer applies a Go function: keras.layers.Lambda. It cannot be written into a
// .keras archive, which holds no code; functions of package ops can.
type LambdaLayer struct {
	Base
	keepsMask
	f func(x *graph.Node) *graph.Node
}

// Lambda returns a layer that applies a function to its input. Options: Name, DType.
func Lambda(f func(x *graph.Node) *graph.Node, opts ...Option) *LambdaLayer {
	l := &LambdaLayer{f: f}
	l.configure("Lambda", opts, "Name")
	if f == nil {
		l.fail("Lambda: got a nil function, want one of a *graph.Node")
	}
	return l
}

// Build checks the number of inputs.
func (l *LambdaLayer) Build(_ *Builder, inputs []Spec) error { return checkOne(inputs, 1) }

// Call applies the function.
func (l *LambdaLayer) Call(_ *Context, inputs []*graph.Node) []*graph.Node {
	return []*graph.Node{l.f(inputs[0])}
}

// IdentityLayer returns its input: keras.layers.Identity.
type IdentityLayer struct {
	declared
	keepsMask
}

// Identity returns a layer that returns its input. Options: Name, DType.
func Identity(opts ...Option) *IdentityLayer { return declare[*IdentityLayer]("Identity", opts) }

// Call returns the input.
func (l *IdentityLayer) Call(_ *Context, inputs []*graph.Node) []*graph.Node { return inputs }
