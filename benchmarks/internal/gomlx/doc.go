// Package gomlx is the worker of benchmarks that is GoMLX itself. It trains models of GoMLX's
// layers by its Trainer and its optimizers, through its backend for XLA, on the PJRT plugin that
// gospmd uses too.
//
// It trains on one device: GoMLX's trainer distributes batches, but variables only by a sharding
// spec for each, which users must give. It has no ResNet50, because GoMLX has none.
//
// Order of use: Handlers, for worker.Serve.
//
//	file             what it holds
//	worker.go        Handlers: building the trainer, and running its steps
//	backend.go       GoMLX's backend
//	backend_none.go  the replacement of backend.go in binaries without cgo
//	models.go        the models
//	weights.go       the first weights: GoMLX's paths for Keras' paths
//	rmsprop.go       RMSprop as Keras computes it
package gomlx
