// Package ours is the worker of benchmarks that is gospmd itself: by our partitioner, or
// by XLA's own, on the same plugin, which tells how much of a difference to JAX is that
// of the plugin.
//
// It starts no process: benchmarks starts its own executable, which serves Handlers.
//
// Order of use: Handlers, for worker.Serve.
//
//	file        what it holds
//	open.go     Handlers; how a training step is built and compiled, and its parts timed
//	step.go     training steps, and fit
//	tell.go     what is known of the step: the front end's time, memory, what it sends
package ours
