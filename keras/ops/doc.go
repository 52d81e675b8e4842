// Package ops holds operations on the symbolic tensors of a model: keras.ops in Go.
//
// Each function makes a tensor of tensors and numbers, under the name that Keras has for its
// class. A model with operations is saved as Keras saves one, and files of Keras with
// operations load. The operators of Python are methods of layers.Tensor too: x.Add(y).
//
// It is not for code that computes on GoMLX nodes, as the Call of a layer does: package graph
// of GoMLX is.
//
// Order of use: keras.Input, functions of this package and layers, keras.NewModel.
//
//	file            what it holds
//	ops.go          options of operations
//	elementwise.go  operations element by element
//	activations.go  activations
//	reductions.go   operations along axes, and products
//	image.go        operations on images: keras.ops.image
//	signal.go       Fourier transforms
//	shapes.go       operations that move elements: shapes, indices
package ops
