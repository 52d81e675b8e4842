// Package ops holds operations on tensors: keras.ops in Go.
//
// Each function has the name that Keras has for it or for its class. There are three kinds of
// tensors, and each function takes all three:
//
//   - tensors of a model, as keras.Input and layers return them. A model with operations is saved
//     as Keras saves one, and files of Keras with operations load.
//   - values within the Compute of a layer of one's own (layers.Base).
//   - arrays: Arange, Zeros, Array and others make them. They are constants beside other
//     tensors; operations on arrays alone are computed at once.
//
// The operators of Python are methods of layers.Tensor too: x.Add(y).
//
// It cannot read the values of a model's tensors: they are known only when the model runs.
//
// Order of use: keras.Input, functions of this package and layers, keras.NewModel; or functions of
// this package in the Compute of a layer.
//
//	file            what it holds
//	ops.go          options of operations
//	elementwise.go  operations element by element
//	activations.go  activations
//	reductions.go   operations along axes, products, segments
//	statistics.go   quantiles, what skips NaN, moments, counts of values
//	shapes.go       operations that move elements: shapes, indices
//	arrays.go       what NumPy does with arrays: joins, cuts, grids, diagonals, comparisons
//	creation.go     functions that make arrays: Arange, Zeros, Linspace, windows
//	einops.go       Rearrange
//	bits.go         operations on bits and on whole numbers
//	complex.go      complex numbers
//	nn.go           convolutions, poolings, normalizations, losses, attention
//	linalg.go       factorizations of matrices, and what they solve
//	core.go         operations that take Go functions; parts of tensors; questions such as Shape
//	image.go        operations on images: keras.ops.image
//	signal.go       Fourier transforms, sequences
package ops
