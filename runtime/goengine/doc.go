// Package goengine runs compiled programs without a plugin and without cgo, on N virtual devices in
// one process. It is the engine for machines without XLA, and the reference that XLA and the
// partitioner are compared with.
//
// It knows nothing of clients, queues and arrays: package runtime wraps it. Package interp computes
// single ops.
//
// Order of use: Load a program.Program, Run it with the inputs of every device. Traffic returns the
// bytes that its collectives sent.
//
// Execution is SPMD: all devices run the same code. Between two collectives each device runs by
// itself, as many at a time as there are processors. The device group executes collectives, and
// loops and branches that contain them, together. Sums over devices are in the order of the group,
// so the same inputs give the same bits, whatever the scheduling.
//
//	file            holds
//	executable.go   Executable: a loaded program and its runs; Traffic
//	spmd.go         the device group: steps of each device alone, steps of all devices together
//	collective.go   the results of collectives, and the bytes that each device sends
//	segment.go      the segments that GoMLX's Go backend computes
//	interp/         what each op computes
package goengine
