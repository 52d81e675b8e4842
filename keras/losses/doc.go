// Package losses holds Keras' loss functions: keras.losses in Go.
//
// A loss gives one value for each sample; Reduce makes the scalar that is
// trained on, as Keras' default reduction sum_over_batch_size does. Each loss
// is checked against Keras on JAX, value and gradient.
//
// It is not where losses are averaged over an epoch: that is a metric's work.
//
// Order of use: Get, from the name or the Loss that a user gave, then Call and
// Reduce while tracing.
//
//	file               what it holds
//	config.go          how a loss was made, for files
//	losses.go          Loss, Get, Reduce, options
//	regression.go      mean squared error and its kin
//	crossentropy.go    the cross-entropies
//	hinge.go           the hinge losses
package losses
