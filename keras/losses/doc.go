// Package losses holds Keras' loss functions: keras.losses in Go.
//
// A loss computes one value for each sample. Reduce makes the scalar that is
// trained on, as Keras' default reduction sum_over_batch_size does. Values and
// gradients of all losses are tested against Keras on JAX.
//
// It does not average losses over an epoch: a metric does.
//
// Order of use: Get, from the name or the Loss that a user gave, then Call and
// Reduce while tracing.
//
//	file          what it holds
//	losses.go     Loss, Get, Reduce, options
//	functions.go  mean squared error and other losses of regression; cross-entropies and hinge losses
package losses
