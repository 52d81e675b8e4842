// Package ours is the worker of benchmarks that is gospmd itself, with our partitioner or with
// XLA's own. The latter shows how much of a difference to JAX comes from the plugin.
//
// It starts no process: benchmarks starts its own executable, which serves Handlers.
//
// Order of use: Handlers, for worker.Serve.
//
//	file        what it holds
//	open.go     Handlers; building, compiling and timing a training step
//	step.go     training steps, and fit
//	tell.go     figures without running the step: the front end's time, memory, bytes sent
package ours
