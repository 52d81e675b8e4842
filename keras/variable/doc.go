// Package variable defines Variable, a named tensor that outlives a step:
// weights, optimizer slots, metric totals, seeds. It is keras.Variable in Go.
//
// A Variable knows how to make its first value for any part of itself, so it
// comes to the devices shard by shard and is never whole anywhere (Allocate).
// While a function is traced, a StatelessScope stands between the code and the
// variables: reading gives a graph node, assigning replaces that node, and the
// trainer turns what was read into inputs and what was assigned into donated
// outputs.
//
// It is not a place for layouts to be decided: package distribution says which
// layout a path gets, and whoever makes the variable sets it.
//
// Order of use: New, SetSharding, Allocate, then Value or Assign.
//
//	file          what it holds
//	variable.go   Variable, its value on the devices
//	hostvalue.go  values that the user gave
//	transfer.go   values from and to files, part by part
//	scope.go      StatelessScope, variables while tracing
package variable
