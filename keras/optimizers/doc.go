// Package optimizers holds Keras' optimizers: keras.optimizers in Go, with
// Keras' names and defaults.
//
// An optimizer is a list of slots, one variable of each for every trainable
// variable and laid out as that is, and a rule that makes new values of slots
// and variable from the gradient. iteration and learning_rate are variables
// too, replicated.
//
// It does not compute gradients: package keras does, and calls Apply while the
// train step is traced.
//
// Order of use: Get, from the name or the Optimizer that a user gave, Build,
// then Apply while tracing.
//
//	file            what it holds
//	optimizer.go    Optimizer, its slots and its variables, Get
//	apply.go        one step, while it is traced
//	config.go       what an optimizer was made of, for files
//	rules.go        SGD, RMSprop, Adam, AdamW, Adagrad
//	options.go      the options of the rules
//	lossscale.go    LossScaleOptimizer, for float16
//	common.go       what all optimizers can do: clipping, weight decay, …
//	schedule.go     schedules of the learning rate
package optimizers
