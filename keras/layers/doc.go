// Package layers holds the building blocks of models: keras.layers in Go.
//
// A layer is any Go type that embeds Base and has Build and Call. Build makes
// its variables from the shapes of its inputs; Call computes on GoMLX nodes.
// Nothing else is needed: the shape of a layer's output is found by tracing
// Call, and its gradient by differentiating it.
//
// Layers are connected by applying them to symbolic tensors:
//
//	x := layers.Input([]int{28, 28, 1})
//	y := x.Apply(layers.Flatten()).Apply(layers.Dense(10, layers.Activation("softmax")))
//
// What goes wrong on the way (a negative number of units, a shape that does
// not fit) is kept in the Tensor and returned by keras.NewModel, so that a
// model reads as one expression.
//
// It is not the place where models are trained: that is package keras.
//
//	file             what it holds
//	layer.go         Layer, Base, Builder, Context: what every layer is
//	tensor.go        Tensor, Input, Apply: connecting layers
//	spec.go          the shape of a layer's output, found by tracing
//	options.go       the options that layers share
//	dense.go         Dense
//	dropout.go       Dropout
//	reshaping.go     Flatten
//	activation.go    Activation as a layer
package layers
