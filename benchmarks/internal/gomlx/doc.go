// Package gomlx is the worker of benchmarks that is GoMLX itself: models of its layers,
// trained by its Trainer and its optimizers, through its backend for XLA, on the PJRT
// plugin that gospmd uses too.
//
// It trains on one device: GoMLX's trainer distributes batches, and variables only by
// sharding specs that a user gives to each, one by one. It has no ResNet50, for GoMLX has
// none.
//
// Order of use: Handlers, for worker.Serve.
//
//	file             what it holds
//	worker.go        Handlers; how the trainer is built, and asked for steps
//	backend.go       GoMLX's backend
//	backend_none.go  its replacement in binaries without cgo
//	models.go        the models
//	weights.go       their first weights: where Keras' paths are in GoMLX
//	rmsprop.go       RMSprop as Keras computes it
package gomlx
