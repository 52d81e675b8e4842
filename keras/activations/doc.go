// Package activations holds Keras' activation functions, on GoMLX nodes.
//
// They are written with selects where GoMLX's gradient of a maximum, which is
// 1 at a tie, would have a say: as in Keras, relu'(0) is 0. NaN passes through
// all of them. Each is checked against Keras on JAX, value and gradient.
//
// It is not a package of layers: layers.NewActivation makes one of a function.
//
// Order of use: Get, from the name or the function that a user gave.
//
//	file              what it holds
//	activations.go    the functions, and Get, which finds them by name
//	shrink.go         those that set small numbers to 0, and those with parameters
//	sparsemax.go      Sparsemax
package activations
