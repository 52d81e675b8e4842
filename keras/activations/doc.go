// Package activations holds Keras' activation functions, on GoMLX nodes.
//
// Kinks are written as selects, not as maxima: the gradient of GoMLX's maximum
// at a tie is 1, and relu'(0) is 0 in Keras. NaN passes through all functions.
// Values and gradients are tested against Keras on JAX.
//
// It holds no layers: layers.NewActivation makes one of a function.
//
// Order of use: Get, from the name or the function that a user gave.
//
//	file              what it holds
//	activations.go    the functions, and Get, which finds them by name
package activations
