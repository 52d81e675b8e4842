// Package variable defines Variable, a named tensor that outlives a step: weights, optimizer slots,
// metric totals, seeds. It is keras.Variable in Go.
//
// A Variable can compute any part of its first value. So Allocate makes the value on the devices
// shard by shard, and never holds the full tensor in one place. While a function is traced, code
// accesses variables through a StatelessScope: reading gives a graph node, assigning replaces that
// node. The trainer turns the variables that were read into inputs of the step, and those that were
// assigned into outputs that reuse the inputs' buffers.
//
// It does not choose shardings: package distribution returns the sharding of a path, and the code
// that makes the variable sets it.
//
// Order of use: New, SetSharding, Allocate, then Value or Assign.
//
//	file         what it holds
//	variable.go  Variable, its value on the devices; StatelessScope
//	transfer.go  values part by part: Visit, Restore, Broadcast, values that the user gave
package variable
