// Package goengine runs compiled programs without a plugin and without cgo, on
// N virtual devices in one process. It is the engine for machines that have no
// XLA, and the oracle that XLA and the partitioner are compared with.
//
// It knows nothing of clients, queues and arrays: package runtime wraps it.
// What single ops compute is package interp's.
//
// Order of use: Load a program.Program, Run it with the inputs of every
// device, ask Traffic what its collectives sent.
//
// All devices run the same code. Between two collectives each goes its own
// way, as many at once as there are processors; at a collective they meet.
// Loops and branches that hold collectives are taken by all devices together.
// Sums over devices are in the order of the group, so the same inputs give the
// same bits, whatever the scheduling.
//
//	file            question it answers
//	executable.go   what is a loaded program, and a run of it?
//	lockstep.go     which steps does a device take alone, and where do all meet?
//	collective.go   what do collectives compute, and what does each device send?
//	traffic.go      how many bytes were sent?
//	segment.go      which ops are handed to GoMLX's Go backend?
//	interp/         what does each op compute?
package goengine
