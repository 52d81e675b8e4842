// Package activations holds Keras' activation functions, on GoMLX nodes.
//
// Functions with a kink, such as relu, are computed by a select, not by a maximum: relu'(0) is 0 in
// Keras, but the gradient of GoMLX's maximum is 1 where both operands are equal. NaN gives NaN,
// except where a function selects by a threshold: HardShrink, SoftShrink, ReluWith and Sparsemax
// return 0 for it, and Threshold its value. Values and gradients are tested against Keras on JAX.
//
// It holds no layers: layers.NewActivation makes a layer from a function.
//
// Order of use: Get, which takes the name of a function, or a function.
//
//	file              what it holds
//	activations.go    the functions, and Get, which finds them by name
package activations
