// Package worker implements the protocol between benchmarks and the processes that it measures: a
// request is a line of JSON on a worker's stdin, its answer a line on stdout.
//
// It knows nothing of models and meshes, and measures nothing.
//
// Order of use: a worker's main calls Serve with its Handlers. The other side calls Start, then Ask
// for "open" and for each measurement, and Close.
//
//	request   the worker
//	open      builds and compiles the training step of a model on a mesh, and runs it once
//	step      runs training steps, one after the other, each with its batch from host memory
//	fit       runs the loop of its library over batches
//	frontend  traces and lowers the step again, from nothing
//	memory    returns the memory that its compiler has assigned to the step
//	comm      returns the bytes that a step sends
//	quit      ends
//
// The folder benchmarks/peers has the workers in Python. Times are seconds.
//
//	file         what it holds
//	protocol.go  Request, Answer
//	serve.go     Handlers, Serve: the worker's side
//	process.go   Process, Start: the other side
//	clock.go     the clocks of a worker in Go
package worker
