package layers

// This file defines the activation functions as a layer of their own.

import "github.com/gomlx/gomlx/core/graph"

// ActivationLayer applies an activation function: keras.layers.Activation.
type ActivationLayer struct {
	Base
	opts options
}

// NewActivation returns a layer that applies an activation, the name of one or
// an activations.Func. Options: Name.
//
// Keras calls this layer Activation; here that is the option of the same name.
func NewActivation(activation any, opts ...Option) *ActivationLayer {
	l := &ActivationLayer{}
	l.opts = l.configure("Activation", append([]Option{Activation(activation)}, opts...), "Name", "Activation")
	return l
}

// Call applies the function.
func (l *ActivationLayer) Call(_ *Context, inputs []*graph.Node) []*graph.Node {
	return []*graph.Node{l.opts.activation(inputs[0])}
}
