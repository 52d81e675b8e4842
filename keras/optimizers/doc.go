// Package optimizers holds Keras' optimizers: keras.optimizers in Go, with
// Keras' names and defaults.
//
// An optimizer is a list of slots and an update rule. A slot is one variable for each trainable
// variable, with the same shape and sharding. Two optimizers differ: the slots row and column of
// Adafactor lack a dimension, and Muon's slot velocity exists only for the variables that it trains
// by AdamW. The rule computes new values of a variable and its slots from the gradient. iteration
// and learning_rate are replicated variables.
//
// It does not compute gradients: package keras does, and calls Apply while the
// train step is traced.
//
// Order of use in a program: make an Optimizer, such as
// optimizers.Adam(optimizers.LearningRate(0.01)), and pass it or its name to keras.Optimizer, an
// option of Compile. Package keras then calls Get, which takes either, Build, and Apply while
// tracing.
//
//	file          what it holds
//	optimizer.go  Optimizer, its slots and its variables, Get
//	apply.go      SGD, RMSprop, Adam, AdamW, Adagrad; Apply: one step, with accumulation, clipping, weight decay and averages
//	adaptive.go   Nadam, Adamax, Lamb, ScheduleFreeAdamW, Lion, Adadelta, Ftrl, Adafactor
//	muon.go       Muon
//	options.go    the options of optimizers, Config, FromConfig
//	multi.go      OptimizerMap, MultiOptimizer: several optimizers, by paths of variables
//	lossscale.go  NewLossScaleOptimizer, for float16
//	schedule.go   schedules of the learning rate
package optimizers
